"""The JSON of Amazon Transcribe: a transcript, and items that are words or the punctuation after them."""

from __future__ import annotations

import re
from typing import Any

from ..errors import FormatError
from ..transcript import Transcript, Word
from ._json import Path, dumped, given, known_keys, load, objects, probability, seconds, string
from ._layout import Entry, Layout, rewritten, transcript_of
from ._slots import own_text, printed
from ._times import Clock, plain

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Amazon Transcribe's JSON"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "speakers", "confidence", "language"})
EXAMPLE = (
    '{"results": {"transcripts": [{"transcript": "so"}], "items": [{"type": "pronunciation", '
    '"start_time": "0.1", "end_time": "0.3", "alternatives": [{"confidence": "0.9", "content": "so"}]}]}}'
)

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?")


def sniff(text: str) -> bool:
    """Whether the JSON has ``transcripts`` or ``items`` in its ``results``."""
    return "results" in known_keys(text, 1) and bool(known_keys(text, 2) & {"transcripts", "items"})


def read(text: str) -> Transcript:
    """The words of the transcript; punctuation items are marks of the word before. ``audio_segments`` are segments.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which item.
    """
    document = load(text)
    return transcript_of(_layout(document), "aws", text, _results(document).get("language_code"))


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced; from another format, a new one.

    A new mark goes to the punctuation item that is there, else to the word itself; none is added.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "aws")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


def _results(document: Any) -> dict[str, Any]:
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, dict) or not results.keys() & {"transcripts", "items"}:
        raise FormatError('no "results" with "transcripts" or "items": this is not the JSON of Amazon Transcribe')
    return results


def _layout(document: Any) -> Layout:
    layout, results = Layout(), _results(document)
    transcripts = objects(results.get("transcripts") or [], "transcripts")
    entries = _entries(results)
    text = string(transcripts[0].get("transcript"), "transcript") if transcripts else None
    layout.add(text, ("results", "transcripts", 0, "transcript"), entries)
    _add_segments(layout, results)
    return layout


def _entries(results: dict[str, Any]) -> list[Entry]:
    entries: list[Entry] = []
    speakers, clock = _speakers(results), Clock()
    for k, item in enumerate(objects(results.get("items") or [], "items")):
        where = f"item {k}"
        alternatives = objects(item.get("alternatives"), f"{where}, alternatives")
        content = string(alternatives[0].get("content"), where) if alternatives else None
        if content is None:
            raise FormatError(f'{where}: it has no "content"')
        path = ("results", "items", k, "alternatives", 0, "content")
        if item.get("type") == "punctuation":
            end = entries[-1].end if entries else None
            entries.append(
                Entry(path, content, end, end, speaker=entries[-1].speaker if entries else None, joined=True)
            )
            continue
        where = f"{where} ({content!r})"
        start, end = _time(item.get("start_time"), where), _time(item.get("end_time"), where)
        speaker = string(item.get("speaker_label"), where) or speakers.get(str(item.get("start_time")))
        clock.check(start, end, where, speaker)
        entries.append(Entry(path, content, start, end, _confidence(alternatives[0]), speaker, joined=False))
    return entries


def _time(value: Any, where: str) -> float | None:
    """The seconds of ``"1.2"``."""
    return seconds(float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value, where)


def _confidence(alternative: dict[str, Any]) -> float | None:
    value = alternative.get("confidence")
    return probability(float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value)


def _speakers(results: dict[str, Any]) -> dict[str, str | None]:
    """Who speaks in items that begin at a time, as it is written."""
    speakers: dict[str, str | None] = {}
    labels, channels = results.get("speaker_labels"), results.get("channel_labels")
    if isinstance(channels, dict):
        for channel in objects(channels.get("channels") or [], "channels"):
            name = string(channel.get("channel_label"), "channel_label")
            for item in objects(channel.get("items") or [], "items of a channel"):
                speakers[str(item.get("start_time"))] = name
    if isinstance(labels, dict):
        for segment in objects(labels.get("segments") or [], "segments of speakers"):
            for item in objects(segment.get("items") or [], "items of a speaker"):
                speakers[str(item.get("start_time"))] = string(item.get("speaker_label"), "speaker_label")
    return speakers


def _add_segments(layout: Layout, results: dict[str, Any]) -> None:
    """``audio_segments``, which say their words again, where they hold all words in order."""
    segments = objects(results.get("audio_segments") or [], "audio_segments")
    texts = [string(segment.get("transcript"), "audio_segments") or "" for segment in segments]
    if sum(len(text.split()) for text in texts) != len(layout.words):
        return
    first = 0
    for k, (segment, text) in enumerate(zip(segments, texts, strict=True)):
        where, stop = f"audio_segment {k}", first + len(text.split())
        start, end = _time(segment.get("start_time"), where), _time(segment.get("end_time"), where)
        path: Path = ("results", "audio_segments", k, "transcript")
        layout.add_copy(text, path, first, stop)
        layout.add_segment(first, start, end, string(segment.get("speaker_label"), where), stop)
        first = stop


def _new(transcript: Transcript, texts: list[str]) -> str:
    items = [_item(word, text) for word, text in zip(transcript.words, texts, strict=True)]
    spoken = given(language_code=transcript.language)
    return dumped({"results": {**spoken, "transcripts": [{"transcript": " ".join(texts)}], "items": items}})


def _item(word: Word, text: str) -> dict[str, Any]:
    start, end, confidence = (None if x is None else plain(x) for x in (word.start, word.end, word.confidence))
    times = given(start_time=start, end_time=end, speaker_label=word.speaker)
    return {"type": "pronunciation", **times, "alternatives": [given(confidence=confidence, content=text)]}
