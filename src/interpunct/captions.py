"""Cut timed words into captions that people can read (docs/captions.md).

Where cues begin and end is found by dynamic programming: of all ways to cut the words, the one that costs
least. A cue costs what is wrong with it: an end that is no sentence end, text too fast to read, a time too
short or too long. How many characters fit is no cost but a law. The times of words are never touched; a cue
may stay on the screen in the silence after its last word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

from . import languages
from .errors import InputError
from .marks import MARKS, NONE
from .transcript import RestoredWord, Segment, Transcript, Word
from .written import parse

__all__ = [
    "Captions",
    "Cue",
    "Limits",
    "Report",
    "break_costs",
    "cut_places",
    "filled",
    "recut",
    "report",
    "wrap",
]

# What it costs to end a cue, or a line, at a place, by what stands around the place.
SENTENCE, CLAUSE, PHRASE, PLAIN, INSIDE_PHRASE = 0.0, 1.0, 9.0, 10.5, 12.0
IN_A_CUE = 0.4  # how much less a line's end matters than a cue's
# What a cue costs: itself, so that there are not too many; its faults; what it runs over.
A_CUE, A_FAULT, NO_FIT = 0.4, 6.0, 1000.0
TOO_FAST, TOO_SHORT, TOO_LONG = 0.5, 10.0, 4.0  # for each character a second, for each second
A_SENTENCE_WITHIN, A_SECOND_OF_SILENCE_WITHIN, A_FULL_CUE = 0.5, 1.0, 0.3
AUDIBLE = 0.3  # seconds of silence that a listener takes for a pause
_SLACK = 1e-6  # seconds: sums of decimal fractions are not exact


@dataclass(frozen=True, slots=True)
class Limits:
    """What a cue should keep to. Times are in seconds, lengths in characters, spaces included.

    Raises:
        InputError: a limit that no cue could keep to.
    """

    max_chars: int = 42
    """Characters on a line."""
    max_lines: int = 2
    max_cps: float = 17.0
    """Characters a second that people can read."""
    min_duration: float = 1.0
    max_duration: float = 7.0
    gap: float = 0.08
    """Between two cues: two frames at 25 a second."""
    pause: float = 2.0
    """Silence after which a new cue begins."""

    def __post_init__(self) -> None:
        for name in ("max_chars", "max_lines", "max_cps", "max_duration", "pause"):
            if not getattr(self, name) > 0 or not math.isfinite(getattr(self, name)):
                raise InputError(f"{name}={getattr(self, name)}: it is more than 0")
        if not 0 <= self.min_duration <= self.max_duration:
            raise InputError(
                f"min_duration={self.min_duration}: it is from 0 to the longest duration, {self.max_duration}"
            )
        if not 0 <= self.gap < self.pause:
            raise InputError(f"gap={self.gap}: it is at least 0, and less than a pause, {self.pause}")


@dataclass(frozen=True, slots=True)
class Cue:
    """A caption: its times in seconds, and for each line the words on it, by position."""

    start: float
    end: float
    lines: tuple[range, ...]
    speaker: str | None = None

    @property
    def first(self) -> int:
        return self.lines[0].start

    @property
    def stop(self) -> int:
        return self.lines[-1].stop

    @property
    def duration(self) -> float:
        return self.end - self.start


@dataclass(frozen=True)
class Captions(Transcript):
    """A transcript that was cut into cues: words as printed, segments that are the cues, and the cues' lines."""

    cues: tuple[Cue, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def report(self) -> Report:
        """What could not be met."""
        return report(self.cues, self, self.limits)


@dataclass(frozen=True, slots=True)
class Report:
    """What could not be met: in each field the cues concerned, by position (``untimed``: words)."""

    limits: Limits
    cues: int
    fast: tuple[int, ...] = ()
    """More characters a second than ``max_cps``."""
    short: tuple[int, ...] = ()
    long: tuple[int, ...] = ()
    wide: tuple[int, ...] = ()
    """A word is longer than a line."""
    tall: tuple[int, ...] = ()
    """More lines than ``max_lines``: the words between have no times."""
    close: tuple[int, ...] = ()
    """The next cue comes sooner than ``gap``."""
    untimed: int = 0
    """Words without a start: no cue begins with them."""

    @property
    def met(self) -> bool:
        """Whether all cues keep to all limits."""
        return not any((self.fast, self.short, self.long, self.wide, self.tall, self.close))

    @property
    def lines(self) -> list[str]:
        """The report for people: a line for the whole, and one for each limit that was not met."""
        limits, found = self.limits, [f"{self.cues} cues{', all within the limits' if self.met else ''}"]
        for cues, problem in (
            (self.fast, f"faster to read than {limits.max_cps:g} characters a second"),
            (self.short, f"shorter than {limits.min_duration:g} s"),
            (self.long, f"longer than {limits.max_duration:g} s"),
            (self.wide, f"with a word longer than a line of {limits.max_chars}"),
            (self.tall, f"of more than {limits.max_lines} lines"),
            (self.close, f"nearer than {limits.gap:g} s to the next"),
        ):
            if cues:
                numbers = ", ".join(str(cue + 1) for cue in cues[:5]) + (", …" if len(cues) > 5 else "")
                found.append(f"  {len(cues)} {problem}: {numbers}")
        if self.untimed:
            found.append(f"  {self.untimed} words have no times: no cue begins with one of them")
        return found

    def to_dict(self) -> dict[str, Any]:
        """The report for machines."""
        names = ("fast", "short", "long", "wide", "tall", "close")
        limits = {name: getattr(self.limits, name) for name in Limits.__dataclass_fields__}
        lists = {name: list(getattr(self, name)) for name in names}
        return {"cues": self.cues, "met": self.met, **lists, "untimed": self.untimed, "limits": limits}


def recut(transcript: Transcript, limits: Limits | None = None) -> Captions:
    """Cut a transcript into cues anew, whatever its segments; every word is in one cue, in order.

    A cue begins with a word whose start is known, and with every change of speaker and after every long pause.
    It ends with its last word, or later, in the silence that follows, if that makes it easier to read.

    Raises:
        InputError: no word has a start.
    """
    limits = limits or Limits()
    texts, costs = transcript.texts, break_costs(transcript)
    clock = _Clock.of(transcript.words, texts, limits)
    cues: list[Cue] = []
    for first, stop in pairwise(_hard_breaks(transcript.words, clock, limits)):
        places = cut_places(texts, costs, first, stop, limits, clock)
        for start, end in pairwise(places):
            shown = clock.shown(start, end, sum(map(len, texts[start:end])) + end - start - 1, limits)
            speakers = {word.speaker for word in transcript.words[start:end]}
            speaker = speakers.pop() if len(speakers) == 1 else None
            cues.append(Cue(clock.begin[start], shown, wrap(texts, start, end, limits, costs), speaker))
    words = tuple(
        Word(text, word.start, word.end, word.speaker, word.confidence)
        for word, text in zip(transcript.words, texts, strict=True)
    )
    segments = tuple(Segment(cue.first, cue.stop, cue.start, cue.end, cue.speaker) for cue in cues)
    return Captions(words, segments, transcript.language, None, tuple(cues), limits)


def report(cues: Sequence[Cue], transcript: Transcript, limits: Limits | None = None) -> Report:
    """Measure cues against limits."""
    limits, texts = limits or Limits(), transcript.texts
    lengths = [[sum(len(texts[k]) + 1 for k in line) - 1 for line in cue.lines] for cue in cues]
    seen = list(enumerate(zip(cues, lengths, strict=True)))
    return Report(
        limits,
        len(cues),
        fast=tuple(k for k, (cue, sizes) in seen if _speed(sum(sizes) + len(sizes) - 1, cue) > limits.max_cps + 1e-3),
        short=tuple(k for k, (cue, _) in seen if cue.duration < limits.min_duration - _SLACK),
        long=tuple(k for k, (cue, _) in seen if cue.duration > limits.max_duration + _SLACK),
        wide=tuple(k for k, (_, sizes) in seen if max(sizes) > limits.max_chars),
        tall=tuple(k for k, (cue, _) in seen if len(cue.lines) > limits.max_lines),
        close=tuple(k for k, (a, b) in enumerate(pairwise(cues)) if b.start - a.end < limits.gap - _SLACK),
        untimed=sum(word.start is None for word in transcript.words),
    )


def _speed(characters: int, cue: Cue) -> float:
    return characters / cue.duration if cue.duration > 0 else math.inf


def break_costs(transcript: Transcript) -> list[float]:
    """For each word what it costs to begin a line or a cue with it, from the word before and the word itself."""
    language = languages.get((transcript.language or "").partition("-")[0].lower())
    costs = [SENTENCE] if transcript.words else []
    for (before, printed), (_, next_printed) in pairwise(zip(transcript.words, transcript.texts, strict=True)):
        mark = before.mark if isinstance(before, RestoredWord) else parse(printed).mark
        if mark != NONE:
            costs.append(SENTENCE if MARKS[mark].ends_sentence else CLAUSE)
        elif printed.lower() in language.phrase_starts:
            costs.append(INSIDE_PHRASE)
        else:
            costs.append(PHRASE if parse(next_printed).word.lower() in language.phrase_starts else PLAIN)
    return costs


@dataclass(frozen=True, slots=True)
class _Clock:
    """When each word begins and is over, as far as cues need to know. ``place``: whether a cue may begin there."""

    begin: list[float]
    over: list[float]
    place: list[bool]

    @classmethod
    def of(cls, words: Sequence[Word], texts: Sequence[str], limits: Limits) -> _Clock:
        """Words without a start begin no cue; an unknown end is taken to come as soon as the word can be read.

        Raises:
            InputError: no word has a start.
        """
        now = next((word.start for word in words if word.start is not None), None)
        if now is None:
            if words:
                raise InputError(
                    "the words have no times: cues are cut anew only where each word has its own "
                    "(recognisers write them; captions seldom do)"
                )
            return cls([], [], [])
        starts = [*(word.start for word in words), None]
        upcoming: list[float] = []  # for each word, the next known start after it
        for start in reversed(starts[1:]):
            upcoming.append(start if start is not None else upcoming[-1] if upcoming else math.inf)
        begin: list[float] = []
        over: list[float] = []
        place: list[bool] = []
        timed = False
        for word, text, following in zip(words, texts, reversed(upcoming), strict=True):
            place.append(timed and word.start is not None)
            end = word.end
            if word.start is not None:
                timed, now = True, max(now, word.start)
                end = min(now + len(text) / limits.max_cps, following) if end is None else end
            if end is None:
                end = over[-1] if over else now
            begin.append(now)
            over.append(max(now, end))
        return cls(begin, over, place)

    def shown(self, first: int, stop: int, characters: int, limits: Limits) -> float:
        """When a cue of the words ``[first, stop)`` leaves the screen."""
        start, end = self.begin[first], self.over[stop - 1]
        wanted = min(max(limits.min_duration, characters / limits.max_cps), limits.max_duration)
        end = max(end, start + wanted)
        return end if stop == len(self.begin) else max(start, min(end, self.begin[stop] - limits.gap))


def _hard_breaks(words: Sequence[Word], clock: _Clock, limits: Limits) -> list[int]:
    """Where a cue must begin: at a change of speaker, after a long pause. With both ends."""
    breaks = [0] if words else []
    for k, (before, word) in enumerate(pairwise(words), start=1):
        if clock.place[k] and (
            before.speaker != word.speaker or clock.begin[k] - clock.over[k - 1] >= limits.pause - _SLACK
        ):
            breaks.append(k)
    return [*breaks, len(words)] if words else []


def cut_places(
    texts: Sequence[str],
    costs: Sequence[float],
    first: int,
    stop: int,
    limits: Limits,
    clock: _Clock | None = None,
    *,
    allowed: Sequence[bool] | None = None,
) -> list[int]:
    """Where the cheapest cues of the words ``[first, stop)`` begin, and ``stop``.

    ``allowed`` says for each of these words whether it may begin a cue; the clock knows by itself. Without a
    clock, times cost nothing. Looks no further than a cue is long, so that the work grows with the words.
    """
    if allowed is None:
        allowed = [True] * (stop - first) if clock is None else clock.place[first:stop]
    size, full = stop - first, limits.max_chars * limits.max_lines
    best, back = [0.0, *[math.inf] * size], [0] * (size + 1)
    within = list(accumulate((_within(costs, k, first, clock) for k in range(first, stop)), initial=0.0))
    for j in range(first, stop):
        if best[j - first] == math.inf:
            continue
        lines, length, characters, reached = 1, -1, -1, False
        for k in range(j + 1, stop + 1):
            added = len(texts[k - 1]) + 1
            characters += added
            if length >= 0 and length + added > limits.max_chars:
                lines, length = lines + 1, added - 1
            else:
                length += added
            if lines > limits.max_lines and reached:
                break
            if k < stop and not allowed[k - first]:
                continue
            reached = True
            cost = best[j - first] + A_CUE + within[k - first] - within[j + 1 - first]
            cost += A_FULL_CUE * min(characters / full, 1.0) ** 2  # of two ways alike, the more even one
            cost += costs[k] if k < stop else 0.0
            cost += NO_FIT if lines > limits.max_lines else 0.0
            cost += 0.0 if clock is None else _time_cost(clock, j, k, characters, limits)
            if cost < best[k - first]:
                best[k - first], back[k - first] = cost, j
    places = [stop]
    while places[-1] > first:
        places.append(back[places[-1] - first])
    return places[::-1]


def _within(costs: Sequence[float], k: int, first: int, clock: _Clock | None) -> float:
    """What it costs to have the place before word ``k`` inside a cue."""
    if k == first:
        return 0.0
    silence = 0.0 if clock is None else clock.begin[k] - clock.over[k - 1]
    return (A_SENTENCE_WITHIN if costs[k] == SENTENCE else 0.0) + (
        A_SECOND_OF_SILENCE_WITHIN * silence if silence > AUDIBLE else 0.0
    )


def _time_cost(clock: _Clock, first: int, stop: int, characters: int, limits: Limits) -> float:
    duration = clock.shown(first, stop, characters, limits) - clock.begin[first]
    cost = 0.0
    if characters > limits.max_cps * (duration + _SLACK):
        cost += A_FAULT + TOO_FAST * (characters / max(duration, 0.1) - limits.max_cps)
    if duration < limits.min_duration - _SLACK:
        cost += A_FAULT + TOO_SHORT * (limits.min_duration - duration)
    elif duration > limits.max_duration + _SLACK:
        cost += A_FAULT + TOO_LONG * (duration - limits.max_duration)
    return cost


def wrap(
    texts: Sequence[str], first: int, stop: int, limits: Limits | None = None, costs: Sequence[float] | None = None
) -> tuple[range, ...]:
    """The words ``[first, stop)`` on as few lines as can be: balanced, and broken at the ends of clauses.

    A word that is longer than a line has one of its own.
    """
    limits = limits or Limits()
    lines = filled(texts, first, stop, limits)
    if not 1 < len(lines) <= limits.max_lines:
        return lines
    mean = (sum(len(text) + 1 for text in texts[first:stop]) - len(lines)) / len(lines)
    rows: dict[int, tuple[float, tuple[int, ...]]] = {first: (0.0, (first,))}
    for left in range(len(lines) - 1, -1, -1):
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for j, (cost, breaks) in rows.items():
            length = -1
            for k in range(j + 1, stop + 1):
                length += len(texts[k - 1]) + 1
                if length > limits.max_chars and k > j + 1:
                    break
                if (k == stop) != (left == 0):
                    continue
                total = cost + (length - mean) ** 2 / 72 + (IN_A_CUE * costs[k] if costs and k < stop else 0.0)
                if k not in longer or total < longer[k][0]:
                    longer[k] = (total, (*breaks, k))
        rows = longer
    return tuple(range(a, b) for a, b in pairwise(rows[stop][1]))


def filled(texts: Sequence[str], first: int, stop: int, limits: Limits) -> tuple[range, ...]:
    """The words ``[first, stop)`` on lines that are filled one after the other."""
    lines, start, length = [], first, -1
    for k in range(first, stop):
        if k > start and length + 1 + len(texts[k]) > limits.max_chars:
            lines.append(range(start, k))
            start, length = k, -1
        length += 1 + len(texts[k])
    return (*lines, range(start, stop))
