"""The JSON of Azure Speech: detailed results, one or a stream of them, or the recognised phrases of a batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import FormatError, InputError
from ..transcript import Segment, Transcript, Word
from ._json import Path, dumped, given, known_keys, load_stream, objects, scaled, string
from ._layout import Keys, Layout, name_of, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import own_text, printed
from ._times import Clock, in_one_time

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Azure Speech's JSON, detailed results or a batch"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "segments", "confidence"})
EXAMPLE = (
    '{"RecognitionStatus": "Success", "Offset": 1000000, "Duration": 2000000, "NBest": [{"Lexical": "so", '
    '"Display": "So.", "Words": [{"Word": "so", "Offset": 1000000, "Duration": 2000000}]}]}'
)

_TICKS = 10_000_000  # a second
_KEYS = Keys(
    text=("displayText", "DisplayText", "word", "Word"),
    start=("offsetInTicks", "Offset"),
    end=(),
    duration=("durationInTicks", "Duration"),
    confidence=("confidence", "Confidence"),
    speaker=(),
    time=lambda value, where: scaled(value, _TICKS, where),
)


def sniff(text: str) -> bool:
    """Whether the JSON is a result with its status and times, a list or stream of them, or a batch."""
    keys = known_keys(text, 2 if text.lstrip()[:1] == "[" else 1)
    return "recognizedPhrases" in keys or {"RecognitionStatus", "Offset"} <= keys or {"NBest", "Offset"} <= keys


def read(text: str) -> Transcript:
    """A segment for each phrase: the ``Display`` of its best alternative, else its ``Lexical``.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which phrase and word.
    """
    documents = load_stream(text)
    layout = _layout(documents)
    return transcript_of(layout, "azure", text, _language(documents))


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced, but for the lexical and normalised texts; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "azure")
    if own is None:
        return dumped([_new(transcript, s, texts) for s in by_sentence(in_one_time(transcript, "Azure's JSON"))])
    return rewritten(own, _layout(load_stream(own)), texts, stream=True)


def _layout(documents: list[Any]) -> Layout:
    layout = Layout()
    clocks: dict[str, Clock] = {}
    phrases = list(_phrases(documents))
    several = len({_channel(phrase) for _, phrase in phrases}) > 1
    for number, (path, phrase) in enumerate(phrases):
        where, channel = f"phrase {number}", _channel(phrase)
        speaker = name_of(phrase.get("speaker"), where) or (f"channel {channel}" if several and channel else None)
        _add_phrase(layout, phrase, path, where, clocks.setdefault(channel, Clock()), speaker)
    _add_combined(layout, documents)
    return layout


def _phrases(documents: list[Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    for k, document in enumerate(documents):
        listed = isinstance(document, list)
        for j, item in enumerate(objects(document if listed else [document], "results")):
            path: Path = (k, j) if listed else (k,)
            if "recognizedPhrases" in item:
                for p, phrase in enumerate(objects(item["recognizedPhrases"], "recognizedPhrases")):
                    yield (*path, "recognizedPhrases", p), phrase
            elif item.keys() & {"NBest", "DisplayText", "RecognitionStatus"}:
                yield path, item
            else:
                raise FormatError('no "NBest" and no "recognizedPhrases": this is not the JSON of Azure Speech')


def _channel(phrase: dict[str, Any]) -> str:
    return str(phrase.get("channel", phrase.get("Channel", "")))


def _add_phrase(
    layout: Layout, phrase: dict[str, Any], path: Path, where: str, clock: Clock, speaker: str | None
) -> None:
    start, end = _KEYS.times(phrase, where)
    clock.check(start, end, where, speaker)
    key = "NBest" if phrase.get("NBest") else "nBest"
    alternatives = objects(phrase.get(key) or [], f"{where}, {key}")
    best, inside = (alternatives[0], (*path, key, 0)) if alternatives else (phrase, path)
    said = next((k for k in ("Display", "display", "DisplayText", "Lexical", "lexical") if best.get(k)), "Display")
    first = layout.add(string(best.get(said), where), (*inside, said), (), speaker)
    for key in ("DisplayWords", "displayWords", "Words", "words"):
        entries = _KEYS.entries(best.get(key), (*inside, key), f"{where}, ")
        # Words are the lexical ones, and stay so beside a text for display.
        layout.add_list(entries, first, prints="exical" in said or "isplay" in key)
    if alternatives:
        layout.add_copy(string(phrase.get("DisplayText"), where), (*path, "DisplayText"), first)
    layout.add_segment(first, start, end, speaker)


def _add_combined(layout: Layout, documents: list[Any]) -> None:
    """The text of a whole channel; with several, words are found by where they match."""
    for k, document in enumerate(documents):
        if isinstance(document, dict) and document.get("combinedRecognizedPhrases"):
            combined = objects(document["combinedRecognizedPhrases"], "combinedRecognizedPhrases")
            for c, channel in enumerate(combined):
                text = string(channel.get("display"), "combinedRecognizedPhrases")
                layout.add_copy(text, (k, "combinedRecognizedPhrases", c, "display"))


def _language(documents: list[Any]) -> Any:
    for _, phrase in _phrases(documents):
        language = phrase.get("PrimaryLanguage", phrase.get("locale"))
        return language.get("Language") if isinstance(language, dict) else language
    return None


def _new(transcript: Transcript, segment: Segment, texts: list[str]) -> dict[str, Any]:
    own = range(segment.first, segment.stop)
    best = {"Display": " ".join(texts[k] for k in own), "Words": [_word(transcript.words[k], texts[k]) for k in own]}
    return {"RecognitionStatus": "Success", **_timed(segment.start, segment.end), "NBest": [best]}


def _word(word: Word, text: str) -> dict[str, Any]:
    return {"Word": text, **_timed(word.start, word.end), **given(Confidence=word.confidence)}


def _timed(start: float | None, end: float | None) -> dict[str, Any]:
    if start is None:
        return {}
    return given(Offset=_ticks(start), Duration=None if end is None else _ticks(end) - _ticks(start))


def _ticks(time: float) -> int:
    try:
        return round(time * _TICKS)
    except (ValueError, OverflowError):
        raise InputError(f"{time} is no time: it is not finite") from None
