"""YouTube's json3 captions: events with times in milliseconds, segs of text with their offset from the event."""

from __future__ import annotations

from typing import Any

from ..errors import FormatError
from ..transcript import Transcript
from ._json import dumped, given, known_keys, load, objects, scaled, string
from ._layout import Entry, Layout, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import milliseconds, own_text, printed
from ._times import Clock, in_one_time

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "YouTube's captions as JSON (json3)"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "segments"})
EXAMPLE = (
    '{"wireMagic": "pb3", "events": [{"tStartMs": 100, "dDurationMs": 900, '
    '"segs": [{"utf8": "so"}, {"utf8": " what", "tOffsetMs": 300}]}]}'
)


def sniff(text: str) -> bool:
    """Whether the JSON has ``events`` that have ``segs`` or times."""
    return "events" in known_keys(text, 1) and bool(known_keys(text, 3) & {"segs", "tStartMs"})


def read(text: str) -> Transcript:
    """A segment for each event with words. Words have starts where the event gives offsets; they never have ends.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which event.
    """
    return transcript_of(_layout(load(text)), "json3", text)


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced; from another format, an event for each segment or sentence.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "json3")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


def _layout(document: Any) -> Layout:
    if not isinstance(document, dict):
        raise FormatError('no "events": these are no json3 captions')
    layout, clock, words_clock = Layout(), Clock(), Clock()
    for k, event in enumerate(objects(document.get("events"), "events")):
        where, times = f"event {k}", [event.get("tStartMs"), event.get("dDurationMs")]
        begin, length = (scaled(time, 1000, where) for time in times)
        end = None if begin is None or length is None else scaled(sum(times), 1000, where)
        clock.check(begin, end, where)
        entries = _entries(event, k, words_clock)
        if any(entry.core for entry in entries):
            layout.add_segment(layout.add(None, (), entries), begin, end)
    return layout


def _entries(event: dict[str, Any], k: int, clock: Clock) -> list[Entry]:
    segs = objects(event.get("segs") or [], f"event {k}, segs")
    start: Any = event.get("tStartMs")
    timed = start is not None and any("tOffsetMs" in seg or "acAsrConf" in seg for seg in segs)
    entries = []
    for s, seg in enumerate(segs):
        where = f"event {k}, seg {s}"
        text, offset = string(seg.get("utf8"), where) or "", seg.get("tOffsetMs", 0)
        scaled(offset, 1000, where)  # refuses what cannot be added
        time = scaled(start + (offset or 0), 1000, where) if timed and text.strip() else None
        clock.check(time, None, f"{where} ({text.strip()[:40]!r})")
        entries.append(Entry(("events", k, "segs", s, "utf8"), text, time, joined=not s or _joins(text, segs[s - 1])))
    return entries


def _joins(text: str, before: dict[str, Any]) -> bool:
    return not text[:1].isspace() and not str(before.get("utf8", ""))[-1:].isspace()


def _offset(time: int | None, start: int | None) -> int | None:
    return None if time is None or start is None or time < start else time - start


def _new(transcript: Transcript, texts: list[str]) -> str:
    events = []
    for segment in by_sentence(in_one_time(transcript, "json3")):
        own, start, end = range(segment.first, segment.stop), milliseconds(segment.start), milliseconds(segment.end)
        offsets = [_offset(milliseconds(transcript.words[k].start), start) for k in own]
        timed = None not in offsets
        segs = [
            given(utf8=texts[k] if k == segment.first else f" {texts[k]}", tOffsetMs=offset if timed else None)
            for k, offset in zip(own, offsets, strict=True)
        ]
        duration = None if start is None or end is None else end - start
        events.append({**given(tStartMs=start, dDurationMs=duration), "segs": segs})
    return dumped({"wireMagic": "pb3", "events": events})
