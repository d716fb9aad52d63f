"""Cut words into captions that people can read: at most two balanced lines of 42 characters.

A segment that fits is one cue, with the segment's times. A longer one is cut where both a reader and a
clock would cut it: at a sentence end if it has one, else at another mark, else at any word, each time at the
place nearest its middle, and only before a word whose start is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ..errors import InputError
from ..marks import MARKS, NONE
from ..transcript import Segment, Transcript, Word
from ..written import parse
from ._segments import covering, within

__all__ = ["LINES", "WIDTH", "Cue", "build", "wrap"]

WIDTH = 42
LINES = 2
PAUSE = 2.0  # seconds of silence that end a cue, where no segments say what belongs together


@dataclass(frozen=True, slots=True)
class Cue:
    """A caption: its times in seconds, and for each line the words on it, by position."""

    start: float
    end: float
    lines: tuple[range, ...]
    speaker: str | None = None


def build(transcript: Transcript, name: str) -> list[Cue]:
    """The cues of a transcript; every word is in one. ``name`` is the format's name, for messages.

    Raises:
        InputError: words without any time; it says which.
    """
    texts = transcript.texts
    cues = []
    for segment in _segments(transcript):
        for part in _cut(transcript.words, texts, segment):
            start = part.start if part.start is not None else part.end
            end = part.end if part.end is not None else part.start
            if start is None or end is None:
                raise InputError(_no_times(transcript, part, name))
            if end < start:
                raise InputError(
                    f"the caption of {_quote(texts, part)} would end at {end} s, before it starts at {start} s"
                )
            cues.append(Cue(start, end, wrap(texts, part.first, part.stop), part.speaker))
    return cues


def wrap(texts: Sequence[str], first: int, stop: int) -> tuple[range, ...]:
    """Lines of at most 42 characters; two lines are balanced. A longer word has a line of its own."""
    lines = _filled(texts, first, stop)
    if len(lines) != LINES:
        return lines
    lengths = [0, *accumulate(len(text) + 1 for text in texts[first:stop])]
    half = min(range(1, stop - first), key=lambda k: max(lengths[k], lengths[-1] - lengths[k]))
    return (range(first, first + half), range(first + half, stop))


def _filled(texts: Sequence[str], first: int, stop: int) -> tuple[range, ...]:
    lines, start, length = [], first, -1
    for k in range(first, stop):
        if k > start and length + 1 + len(texts[k]) > WIDTH:
            lines.append(range(start, k))
            start, length = k, -1
        length += 1 + len(texts[k])
    return (*lines, range(start, stop))


def _segments(transcript: Transcript) -> Iterator[Segment]:
    """What belongs together: the segments, if they or their words have times, else words between pauses."""
    segments = [segment for segment in covering(transcript) if segment.first < segment.stop]
    if not segments:
        yield from _between_pauses(transcript)
        return
    for segment in segments:
        own = within(transcript, segment.first, segment.stop)
        yield Segment(
            segment.first,
            segment.stop,
            segment.start if segment.start is not None else own.start,
            segment.end if segment.end is not None else own.end,
            segment.speaker or own.speaker,
        )


def _between_pauses(transcript: Transcript) -> Iterator[Segment]:
    words = transcript.words
    starts = [0] if words else []
    last_end: float | None = None  # of the words so far; a cue needs a time before it can end
    for k, (before, word) in enumerate(pairwise(words), start=1):
        last_end = before.end if before.end is not None else before.start if before.start is not None else last_end
        if word.start is None or last_end is None:
            continue
        if word.speaker != before.speaker or word.start - last_end >= PAUSE:
            starts.append(k)
    for first, stop in pairwise([*starts, len(words)]):
        yield within(transcript, first, stop)


def _cut(words: Sequence[Word], texts: Sequence[str], segment: Segment) -> Iterator[Segment]:
    """The parts of a segment, in order, each short enough or without a place to cut it."""
    waiting = [segment]
    while waiting:
        part = waiting.pop()
        place = None if _fits(texts, part) else _best_place(words, texts, part)
        if place is None:
            yield part
            continue
        # Between two cues only words know the time; at its own ends a segment without any knows better.
        start, end = words[place].start, _last_end(words, part.first, place)
        last = _last_end(words, place, part.stop)
        waiting.append(Segment(place, part.stop, start, part.end if last is None else last, part.speaker))
        first_start = next(word.start for word in words[part.first : place] if word.start is not None)
        waiting.append(Segment(part.first, place, first_start, start if end is None else end, part.speaker))


def _fits(texts: Sequence[str], part: Segment) -> bool:
    # Looking at no more than a cue's worth of words keeps the whole linear but for a logarithm.
    if part.stop - part.first > LINES * (WIDTH + 1) // 2:
        return False
    return len(_filled(texts, part.first, part.stop)) <= LINES


def _best_place(words: Sequence[Word], texts: Sequence[str], part: Segment) -> int | None:
    """The word before which to cut: the best kind of place, and of that kind the one nearest the middle."""
    timed = next((k for k in range(part.first, part.stop) if words[k].start is not None), part.stop)
    places = [k for k in range(timed + 1, part.stop) if words[k].start is not None]
    if not places:
        return None
    lengths = [0, *accumulate(len(text) + 1 for text in texts[part.first : part.stop])]
    marks = {k: parse(texts[k - 1]).mark for k in places}
    ends = [k for k in places if marks[k] != NONE and MARKS[marks[k]].ends_sentence]
    marked = [k for k in places if marks[k] != NONE]
    return min(ends or marked or places, key=lambda k: abs(2 * lengths[k - part.first] - lengths[-1]))


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
