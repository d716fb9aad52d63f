"""The cues of a transcript that no caption file gave its cues, for every format of captions.

A transcript that was cut into cues has them. A segment that fits is one cue, with the segment's times; a longer
one is cut as docs/captions.md says, but each part keeps the times of its words. Without segments the words are
cut anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..captions import Captions, Cue, Limits, break_costs, cut_places, filled, recut, wrap
from ..errors import InputError
from ..transcript import Segment, Transcript, Word
from ._segments import covering, within

__all__ = ["Cue", "build"]

_LIMITS = Limits()


def build(transcript: Transcript, name: str) -> list[Cue]:
    """The cues of a transcript; every word is in one. ``name`` is the format's name, for messages.

    Raises:
        InputError: words without any time; it says which.
    """
    if isinstance(transcript, Captions):
        return list(transcript.cues)
    segments = [segment for segment in covering(transcript) if segment.first < segment.stop]
    if not segments:
        if transcript.words and all(word.start is None for word in transcript.words):
            raise InputError(_no_times(transcript, Segment(0, len(transcript.words)), name))
        return list(recut(transcript).cues)
    texts, costs = transcript.texts, break_costs(transcript)
    cues = []
    for segment in segments:
        for part in _cut(transcript.words, texts, costs, _timed(transcript, segment)):
            start = part.start if part.start is not None else part.end
            end = part.end if part.end is not None else part.start
            if start is None or end is None:
                raise InputError(_no_times(transcript, part, name))
            if end < start:
                raise InputError(
                    f"the caption of {_quote(texts, part)} would end at {end} s, before it starts at {start} s"
                )
            cues.append(Cue(start, end, wrap(texts, part.first, part.stop, _LIMITS, costs), part.speaker))
    return cues


def _timed(transcript: Transcript, segment: Segment) -> Segment:
    """The segment with the times and the speaker of its words, where it has none of its own."""
    own = within(transcript, segment.first, segment.stop)
    return Segment(
        segment.first,
        segment.stop,
        segment.start if segment.start is not None else own.start,
        segment.end if segment.end is not None else own.end,
        segment.speaker or own.speaker,
    )


def _cut(words: Sequence[Word], texts: Sequence[str], costs: Sequence[float], segment: Segment) -> Iterator[Segment]:
    """The parts of a segment, in order, each short enough or without a place to cut it."""
    first, stop = segment.first, segment.stop
    if len(filled(texts, first, stop, _LIMITS)) <= _LIMITS.max_lines:
        yield segment
        return
    timed = next((k for k in range(first, stop) if words[k].start is not None), stop)
    allowed = [k > timed and words[k].start is not None for k in range(first, stop)]
    places = cut_places(texts, costs, first, stop, _LIMITS, allowed=allowed)
    if len(places) == 2:
        yield segment
        return
    # Between two cues only words know the time; at its end a segment without any knows better.
    for start, end in pairwise(places):
        ends = _last_end(words, start, end)
        if ends is None:
            ends = segment.end if end == stop else words[end].start
        yield Segment(start, end, _first_start(words, start, end), ends, segment.speaker)


def _first_start(words: Sequence[Word], first: int, stop: int) -> float | None:
    return next((word.start for word in words[first:stop] if word.start is not None), None)


def _last_end(words: Sequence[Word], first: int, stop: int) -> float | None:
    return next((words[k].end for k in range(stop - 1, first - 1, -1) if words[k].end is not None), None)


def _no_times(transcript: Transcript, part: Segment, name: str) -> str:
    if any(word.start is not None or word.end is not None for word in transcript.words) or any(
        segment.start is not None for segment in transcript.segments
    ):
        return f"the words {_quote(transcript.texts, part)} have no times, so they cannot become a caption of {name}"
    return f"the words have no times, so they cannot become {name}: it is made from a transcript that has them"


def _quote(texts: Sequence[str], part: Segment) -> str:
    words = " ".join(texts[part.first : part.stop])
    return repr(words if len(words) <= 40 else words[:40].rstrip() + " …")
