"""The JSON of Google Speech-to-Text, v1 and v2: results of alternatives, times such as ``"1.200s"``."""

from __future__ import annotations

import re
from typing import Any

from ..errors import FormatError
from ..transcript import Transcript, Word
from ._json import Path, dumped, given, known_keys, load, objects, seconds, string
from ._layout import Entry, Keys, Layout, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import own_text, printed
from ._times import Clock, plain

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Google Speech-to-Text's JSON, v1 and v2"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "speakers", "confidence"})
EXAMPLE = (
    '{"results": [{"alternatives": [{"transcript": "so", '
    '"words": [{"startTime": "0.100s", "endTime": "0.300s", "word": "so"}]}]}]}'
)

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]*)?)s")


def _time(value: Any, where: str) -> float | None:
    """The seconds of ``"1.200s"``, or of ``{"seconds": "1", "nanos": 200000000}``."""
    if isinstance(value, str) and (found := _DURATION.fullmatch(value)):
        return seconds(float(found[1]), where)
    if isinstance(value, dict) and value.keys() <= {"seconds", "nanos"}:
        whole, nanos = str(value.get("seconds", 0)), value.get("nanos", 0)
        if re.fullmatch(r"[0-9]{1,9}", whole) and type(nanos) is int and 0 <= nanos < 10**9:
            return float(f"{whole}.{nanos:09}")
    if value is None:
        return None
    raise FormatError(f'{where}: a time is written "1.200s" here, not {str(value)[:40]!r}')


_KEYS = Keys(
    start=("startTime", "startOffset", "start_time", "start_offset"),
    end=("endTime", "endOffset", "end_time", "end_offset"),
    speaker=("speakerLabel", "speakerTag", "speaker_label", "speaker_tag"),
    time=_time,
)


def sniff(text: str) -> bool:
    """Whether the JSON has ``alternatives`` in its ``results``, perhaps inside a ``response``."""
    top = known_keys(text, 1)
    if "response" in top:
        return "results" in known_keys(text, 2) and "alternatives" in known_keys(text, 4)
    return "results" in top and "alternatives" in known_keys(text, 3) and "channels" not in known_keys(text, 2)


def read(text: str) -> Transcript:
    """The first alternative of each result is a segment. A last result without a text tells the speakers.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which result and word.
    """
    document = load(text)
    results, _ = _results(document)
    return transcript_of(_layout(document), "google", text, _either(results[0], "language") if results else None)


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced in all its texts and lists; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "google")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


def _results(document: Any) -> tuple[list[dict[str, Any]], Path]:
    wrapped = isinstance(document, dict) and isinstance(document.get("response"), dict)
    inner = document["response"] if wrapped else document
    if not isinstance(inner, dict) or "results" not in inner:
        raise FormatError('no "results": this is not the JSON of Google Speech-to-Text')
    return objects(inner["results"], "results"), ("response", "results") if wrapped else ("results",)


def _either(item: dict[str, Any], name: str) -> Any:
    return item.get(f"{name}Code", item.get(f"{name}_code"))


def _layout(document: Any) -> Layout:
    layout = Layout()
    clocks: dict[str, Clock] = {}
    results, prefix = _results(document)
    several = len({_channel(result) for result in results}) > 1
    for k, result in enumerate(results):
        where = f"result {k}"
        alternatives = objects(result.get("alternatives") or [], f"{where}, alternatives")
        if not alternatives:
            continue
        best, path = alternatives[0], (*prefix, k, "alternatives", 0)
        text = string(best.get("transcript"), f"{where}, transcript")
        again = not text and bool(layout.words)
        channel = _channel(result)
        clock = Clock() if again else clocks.setdefault(channel, Clock())
        entries = _KEYS.entries(best.get("words"), (*path, "words"), f"{where}, ", clock)
        entries = [entry._replace(speaker=entry.speaker if entry.speaker != "0" else None) for entry in entries]
        if again:
            layout.add_list(entries)
        else:
            name = f"channel {channel}" if several and channel else None
            first = layout.add(text, (*path, "transcript"), entries, name)
            layout.add_segment(first, *_bounds(entries), name)
    return layout


def _channel(result: dict[str, Any]) -> str:
    return str(result.get("channelTag", result.get("channel_tag", "")))


def _bounds(entries: list[Entry]) -> tuple[float | None, float | None]:
    starts, ends = [entry.start for entry in entries], [entry.end for entry in entries]
    return (starts[0], ends[-1]) if entries else (None, None)


def _new(transcript: Transcript, texts: list[str]) -> str:
    results = []
    for segment in by_sentence(transcript):
        own = range(segment.first, segment.stop)
        words = [_word(transcript.words[k], texts[k]) for k in own]
        results.append({"alternatives": [{"transcript": " ".join(texts[k] for k in own), "words": words}]})
    return dumped({"results": results})


def _word(word: Word, text: str) -> dict[str, Any]:
    start, end = (None if time is None else f"{plain(time)}s" for time in (word.start, word.end))
    return given(startTime=start, endTime=end, word=text, confidence=word.confidence, speakerLabel=word.speaker)
