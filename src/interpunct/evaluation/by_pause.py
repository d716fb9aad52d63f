"""Figures by how long a speaker paused after a word: what silence gives away, and what it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .scores import Ids, Score, fold_ids

__all__ = ["BUCKETS", "PauseScore", "bucket_of", "pauses", "score_by_pause"]

Floats64 = npt.NDArray[np.float64]

_EDGES = (0.05, 0.2, 0.5, 1.0)
BUCKETS = ("no times", "< 0.05 s", "0.05–0.2 s", "0.2–0.5 s", "0.5–1 s", ">= 1 s")
"""Each begins with the edge that the one before it ends below."""


@dataclass(frozen=True, slots=True)
class PauseScore:
    """The marks at pauses of one length. ``float(score)`` is micro F1 over the three folded marks."""

    pause: str
    """One of :data:`BUCKETS`."""
    words: int
    marks: Score

    def __float__(self) -> float:
        return float(self.marks)

    def to_dict(self) -> dict[str, Any]:
        return {"pause": self.pause, "words": self.words, **self.marks.to_dict()}


def pauses(times: Sequence[tuple[float, float] | None] | None, words: int) -> Floats64:
    """Seconds from the end of each word to the start of the next one, shape (words,).

    NaN where one of the two has no time, and after the last word; below 0 where words overlap.
    """
    unknown = (np.nan, np.nan)
    table = np.array([pair or unknown for pair in times or [None] * words], np.float64).reshape(-1, 2)
    return np.append(table[1:, 0] - table[:-1, 1], np.nan)[:words]


def bucket_of(gaps: Floats64) -> Ids:
    """The position in :data:`BUCKETS` of each pause in seconds, NaN for "no times"; the shape stays."""
    # Times come in hundredths: 1.25 - 1.20 is a little less than the edge that it is meant to reach.
    found = 1 + np.searchsorted(_EDGES, np.round(gaps, 6), side="right")
    return np.where(np.isnan(gaps), 0, found).astype(np.int64)


def score_by_pause(gaps: Floats64, reference: Ids, hypothesis: Ids) -> tuple[PauseScore, ...]:
    """A score for each of :data:`BUCKETS`, empty ones too.

    Args:
        gaps: seconds after each word, shape (n_words,), as :func:`pauses` gives them.
        reference: marks by id, shape (n_words,), and ``hypothesis`` likewise; they are folded here.
    """
    reference, hypothesis = fold_ids(reference), fold_ids(hypothesis)
    buckets, hits = bucket_of(gaps), (reference == hypothesis) & (reference > 0)

    def counts(these: npt.NDArray[np.bool_]) -> Ids:
        return np.bincount(buckets[these], minlength=len(BUCKETS))

    columns = counts(buckets >= 0), counts(hits), counts(hypothesis > 0), counts(reference > 0)
    return tuple(
        PauseScore(name, words, Score(right, given, wanted))
        for name, words, right, given, wanted in zip(BUCKETS, *(column.tolist() for column in columns), strict=True)
    )
