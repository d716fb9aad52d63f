"""Times as features: how a speaker paused, hurried and slowed down at each word boundary.

Recognisers place the silence between two words differently: Kaldi leaves it between them, others let the word
before it last until the next one, Whisper begins the next one early. So a pause is measured in three ways:
the gap itself, the time from start to start less what the word before should take, and the time from end
to end less what the word after should take. What a word should take comes from its letters and from the pace
of the recording; each pause also comes as its rank among the recording's, which knows no convention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["FEATURES", "Timing", "encode", "problem"]

Floats = npt.NDArray[np.float32]
Floats64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

FEATURES = (
    "timed",
    "gap",
    "onset pause",
    "offset pause",
    "gap rank",
    "onset rank",
    "offset rank",
    "duration",
    "next duration",
    "local pace",
    "pace",
    "touching",
    "speakers known",
    "speaker change",
    "position in turn",
)
"""The columns of :func:`encode`. Where ``timed`` or ``speakers known`` is 0, the columns that rest on it are 0 too."""

_TICK = 0.1
"""Seconds: pauses well above it count by their logarithm."""
_AFFIX = 2.0
"""A word takes as long as its letters and so many more."""
_NEIGHBOURS = 5
_TURN = 64.0
_LATEST = 1e9
"""Seconds: no recording is so long."""
_ENOUGH = 150
"""Words from which on a correlation says something."""
_AGREES = 0.1
"""Of 1,024 words, four recognisers' times have at least .36 with their own words, and at most .09 with others."""


@dataclass(frozen=True)
class Timing:
    """The times of a stretch of words, one entry a word; seconds, NaN where not known.

    ``letters``: letters and digits of each word. ``speakers``: a number a speaker, -1 where not known.
    """

    letters: Floats64
    start: Floats64
    end: Floats64
    speakers: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.letters)

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        times: Sequence[tuple[float | None, float | None] | None] | None,
        speakers: Sequence[str | None] | None = None,
    ) -> Timing:
        """The timing of words whose times and speakers may be missing."""
        pairs = [(None, None) if pair is None else pair for pair in times or [None] * len(words)]
        table = np.array(pairs, dtype=np.float64).reshape(len(words), 2)
        numbers: dict[str | None, int] = {None: -1}
        ids = [numbers.setdefault(name, len(numbers) - 1) for name in speakers or [None] * len(words)]
        letters = np.array([max(1, sum(map(str.isalnum, word))) for word in words], dtype=np.float64)
        return cls(letters, table[:, 0], table[:, 1], np.array(ids, dtype=np.int64))

    @property
    def given(self) -> Bools:
        """Which words have both times."""
        return np.isfinite(self.start) & np.isfinite(self.end)

    @property
    def known(self) -> Bools:
        """Which words have times that a word can have.

        No word ends before it begins. Nobody says three words at once, but what could not be aligned is often put
        in one place.
        """
        changes = np.append(True, self.start[1:] != self.start[:-1])
        at_once = np.bincount(np.cumsum(changes))[np.cumsum(changes)]
        with np.errstate(invalid="ignore"):
            possible = (self.end >= self.start) & (np.abs(self.start) < _LATEST) & (np.abs(self.end) < _LATEST)
        known: Bools = self.given & possible & (at_once < 3)
        return known


def problem(timing: Timing) -> str | None:
    """Why the times of a stretch cannot be those of its words; ``None`` where nothing speaks against them.

    Long words take longer than short ones. Where they do not, the times belong to something else.
    """
    given, known = timing.given, timing.known
    if not given.any():
        return None
    if given.sum() > 1 and (timing.start[given] == timing.start[given][0]).all():
        return "all words have the same time"
    if known.sum() < 0.5 * given.sum():
        return "most words begin at once with others, or end before they begin"
    start, end, letters = timing.start[known], timing.end[known], timing.letters[known]
    steps = np.diff(start)
    if len(steps) and (steps < 0).mean() > 0.1:
        return "many words begin before the word before them, as where two channels are mixed"
    pace = _pace(end - start, letters)
    if not 0.01 <= pace <= 0.5:
        return f"a letter takes {pace:.3g} s: times should be in seconds"
    if len(start) >= _ENOUGH and _agreement(end - start, letters, pace) < _AGREES:
        return "long words take no longer than short ones: these are the times of other words"
    return None


def _agreement(durations: Floats64, letters: Floats64, pace: float) -> float:
    """The correlation of word durations with their letters; pauses inside a duration count little."""
    capped = np.minimum(durations, 20 * pace)
    if not capped.std() or not letters.std():
        return 0.0
    return float(np.corrcoef(np.sqrt(np.maximum(capped, 0.0)), np.sqrt(np.minimum(letters, 14)))[0, 1])


def encode(timing: Timing) -> Floats:
    """The features (words, len(FEATURES)) of the boundary after each word; all 0 at the last one.

    A word's row depends on its neighbours' times and on the pace and the pauses of the whole stretch: give
    it some hundreds of words.
    """
    table = np.zeros((len(timing), len(FEATURES)), dtype=np.float32)
    if len(timing) < 2:
        return table
    columns = {name: table[:-1, i] for i, name in enumerate(FEATURES)}
    _speakers(timing.speakers, columns)
    known = timing.known
    timed = known[:-1] & known[1:]
    if timed.sum() < 1:
        return table
    start, end = np.where(known, timing.start, np.nan), np.where(known, timing.end, np.nan)
    durations = end - start
    pace = _pace(durations[known], timing.letters[known])
    expected = pace * (timing.letters + _AFFIX)
    pauses = {
        "gap": start[1:] - end[:-1],
        "onset": np.diff(start) - expected[:-1],
        "offset": np.diff(end) - expected[1:],
    }
    columns["timed"][:] = timed
    for name, pause in pauses.items():
        columns[name if name == "gap" else f"{name} pause"][timed] = _compressed(pause[timed])
        columns[f"{name} rank"][timed] = _ranks(pause[timed])
    stretch = np.log((np.maximum(durations, 0.0) + 0.02) / (expected + 0.02))
    columns["duration"][timed] = stretch[:-1][timed]
    columns["next duration"][timed] = stretch[1:][timed]
    columns["local pace"][timed] = _around(stretch, known)[:-1][timed]
    columns["pace"][timed] = np.log(pace / 0.07)
    columns["touching"][timed] = (np.abs(pauses["gap"][timed]) < 0.005).mean()
    return np.clip(table, -8.0, 8.0)


def _speakers(speakers: npt.NDArray[np.int64], columns: dict[str, Floats]) -> None:
    known = (speakers[:-1] >= 0) & (speakers[1:] >= 0)
    change = known & (speakers[:-1] != speakers[1:])
    columns["speakers known"][:] = known
    columns["speaker change"][:] = change
    places = np.arange(len(known))
    begun = np.maximum.accumulate(np.where(change, places + 1, 0))
    begun = np.concatenate([[0], begun[:-1]])  # where the turn of word i began
    columns["position in turn"][:] = np.where(known, np.log1p(np.minimum(places - begun, _TURN)) / 4, 0.0)


def _pace(durations: Floats64, letters: Floats64) -> float:
    """Seconds a letter: the median, which a few long pauses inside words do not move."""
    return max(float(np.median(durations / (letters + _AFFIX))), 1e-3)


def _compressed(pause: Floats64) -> Floats64:
    return np.sign(pause) * np.log1p(np.abs(pause) / _TICK)


def _ranks(pause: Floats64) -> Floats64:
    """The share of pauses that are shorter, spread so that the longest tell apart: -log(1 - share) / 4."""
    rounded = np.round(pause, 2)
    below = np.searchsorted(np.sort(rounded), rounded, side="left")
    share: Floats64 = -np.log1p(-below / (len(pause) + 1)) / 4
    return share


def _around(values: Floats64, known: Bools) -> Floats64:
    """The mean of the known values of a word and its neighbours."""
    kernel = np.ones(2 * _NEIGHBOURS + 1)
    total = np.convolve(np.where(known, values, 0.0), kernel)[_NEIGHBOURS : _NEIGHBOURS + len(values)]
    count = np.convolve(known.astype(np.float64), kernel)[_NEIGHBOURS : _NEIGHBOURS + len(values)]
    return total / np.maximum(count, 1.0)
