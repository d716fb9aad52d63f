"""The JSON of Whisper and its relatives: openai-whisper, faster-whisper, whisperX, whisper-timestamped, the API.

The words are those of the segments' texts; times come from the word lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import FormatError
from ..transcript import Transcript, Word
from ._json import Path, documents_in, dumped, known_keys, load, objects, seconds, string
from ._layout import Keys, Layout, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import own_text, printed
from ._times import Clock

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Whisper's JSON (openai-whisper, faster-whisper, whisperX), with or without word times"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "segments", "speakers", "confidence", "language"})
EXAMPLE = (
    '{"text": " so what", "segments": [{"id": 0, "start": 0.0, "end": 1.0, "text": " so what"}], "language": "en"}'
)

_TOP_LEVEL = {"text", "language", "words", "word_segments", "task", "duration", "usage", "logprobs"}
_SEGMENT = {"text", "start", "end"}
_KEYS = Keys(text=("word", "text"), confidence=("probability", "score", "confidence"))


def sniff(text: str) -> bool:
    """Whether the JSON has segments, or is the text alone, or a list of segments."""
    opening = text.lstrip()[:1]
    if opening == "[":
        return known_keys(text, 2) >= _SEGMENT
    keys = known_keys(text, 1) if opening == "{" else set()
    alone = "text" in keys and keys <= _TOP_LEVEL
    return "schema" not in keys and ("segments" in keys or alone) and documents_in(text) == 1


def read(text: str) -> Transcript:
    """A segment each, with its words; a word that no word list knows has no times.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which segment or word.
    """
    document = load(text)
    language = document.get("language") if isinstance(document, dict) else None
    return transcript_of(_layout(document), "whisper", text, language)


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced in all its texts and lists; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "whisper")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


# --- what a document holds ------------------------------------------------------------------------


def _layout(document: Any) -> Layout:
    layout = Layout()
    top = document if isinstance(document, dict) else {"segments": document}
    segments = top.get("segments")
    if segments is None and not isinstance(top.get("text"), str):
        raise FormatError('no "segments" and no "text": this is not the JSON of Whisper')
    flat = "word_segments" if top.get("word_segments") else "words"
    entries = _KEYS.entries(top.get(flat), (flat,), f"{flat}, ")
    if segments is None:
        layout.add(top["text"], ("text",))
    else:
        prefix: Path = ("segments",) if isinstance(document, dict) else ()
        _add_segments(layout, objects(segments, "segments"), prefix)
        layout.add_copy(string(top.get("text"), "text"), ("text",))
    layout.add_list(entries)
    return layout


def _add_segments(layout: Layout, segments: list[dict[str, Any]], prefix: Path) -> None:
    clock, words_clock = Clock(), Clock()
    for k, segment in enumerate(segments):
        where = f"segment {k}"
        start = seconds(segment.get("start"), f"{where}, start")
        end = seconds(segment.get("end"), f"{where}, end")
        speaker = string(segment.get("speaker"), f"{where}, speaker")
        clock.check(start, end, where, speaker)
        entries = _KEYS.entries(segment.get("words"), (*prefix, k, "words"), f"{where}, ", words_clock)
        text = string(segment.get("text"), f"{where}, text")
        first = layout.add(text, (*prefix, k, "text"), entries, speaker)
        layout.add_segment(first, start, end, speaker)


# --- a new document --------------------------------------------------------------------------------


def _new(transcript: Transcript, texts: list[str]) -> str:
    segments = []
    for k, segment in enumerate(by_sentence(transcript)):
        words = transcript.words[segment.first : segment.stop]
        own = texts[segment.first : segment.stop]
        entries = [_new_entry(word, text) for word, text in zip(words, own, strict=True)]
        record: dict[str, Any] = {"id": k, "start": segment.start, "end": segment.end, "text": _spaced(own)}
        if segment.speaker is not None:
            record["speaker"] = segment.speaker
        if any(len(entry) > 1 for entry in entries):
            record["words"] = entries
        segments.append(record)
    return dumped({"text": _spaced(texts), "segments": segments, "language": transcript.language})


def _spaced(texts: Sequence[str]) -> str:
    return "".join(f" {text}" for text in texts)


def _new_entry(word: Word, text: str) -> dict[str, Any]:
    fields = {"start": word.start, "end": word.end, "probability": word.confidence, "speaker": word.speaker}
    return {"word": f" {text}", **{name: value for name, value in fields.items() if value is not None}}
