"""How good marks and letter case are: everything is computed from counts, and every figure keeps its counts.

A share of nothing is 0, except where nothing was to be found and nothing was given: that is 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ..casing import lower
from ..errors import InputError
from ..marks import MARKS, NONE, THREE, fold

__all__ = [
    "ALL_MARKS",
    "THREE",
    "MarkScores",
    "Score",
    "Scores",
    "as_ids",
    "fold_ids",
    "score_case",
    "score_ids",
    "score_marks",
]

Ids = npt.NDArray[np.int64]

ALL_MARKS: tuple[str, ...] = (NONE, *THREE, *(mark for mark in MARKS if mark not in THREE))
"""The order of ids in this package, whatever a model's own order is; folded ids are 0 to 3."""

_ID = {mark: i for i, mark in enumerate(ALL_MARKS)}
_FOLDED: Ids = np.array([_ID[fold(mark)] for mark in ALL_MARKS])
_ENDS: npt.NDArray[np.bool_] = np.array([mark != NONE and MARKS[mark].ends_sentence for mark in ALL_MARKS])


@dataclass(frozen=True, slots=True)
class Score:
    """What was found: ``hits`` of ``guessed`` and of ``reference``. ``float(score)`` is its F1."""

    hits: int
    guessed: int
    """How many the output has."""
    reference: int
    """How many the reference has."""

    @property
    def precision(self) -> float:
        return self._share(self.guessed)

    @property
    def recall(self) -> float:
        return self._share(self.reference)

    @property
    def f1(self) -> float:
        return self._share((self.guessed + self.reference) / 2)

    def _share(self, of: float) -> float:
        if of:
            return self.hits / of
        return float(self.guessed == self.reference == 0)

    def __float__(self) -> float:
        return self.f1

    def __add__(self, other: Score) -> Score:
        return Score(self.hits + other.hits, self.guessed + other.guessed, self.reference + other.reference)

    def to_dict(self) -> dict[str, Any]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "hits": self.hits,
            "guessed": self.guessed,
            "reference": self.reference,
        }


@dataclass(frozen=True)
class MarkScores:
    """Marks of an output against a reference. ``float(scores)`` is micro F1, NONE left out."""

    marks: Mapping[str, Score]
    """By mark: those that occur in the reference or in the output."""
    substitutions: int
    """Words with another mark than the reference's."""
    insertions: int
    """Words with a mark where the reference has none."""
    deletions: int
    """Words without a mark where the reference has one."""
    confusion: Mapping[str, Mapping[str, int]]
    """Words by reference mark, then by output mark, NONE included; zeros are left out."""

    @property
    def micro(self) -> Score:
        """All marks pooled."""
        return reduce(Score.__add__, self.marks.values(), Score(0, 0, 0))

    @property
    def macro_f1(self) -> float:
        """The mean of the marks' F1, each counting the same."""
        return sum(score.f1 for score in self.marks.values()) / len(self.marks) if self.marks else 1.0

    @property
    def slot_error_rate(self) -> float:
        """(substitutions + insertions + deletions) / marks of the reference; infinite where it has none."""
        errors = self.substitutions + self.insertions + self.deletions
        reference = self.micro.reference
        if reference:
            return errors / reference
        return float("inf") if errors else 0.0

    def __float__(self) -> float:
        return self.micro.f1

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON has it; an infinite slot error rate is ``null`` there."""
        rate = self.slot_error_rate
        return {
            "marks": {mark: score.to_dict() for mark, score in self.marks.items()},
            "micro": self.micro.to_dict(),
            "macro_f1": self.macro_f1,
            "slot_error_rate": None if rate == float("inf") else rate,
            "substitutions": self.substitutions,
            "insertions": self.insertions,
            "deletions": self.deletions,
            "confusion": {mark: dict(row) for mark, row in self.confusion.items()},
        }


@dataclass(frozen=True)
class Scores:
    """Marks and sentence ends. ``float(scores)`` is the headline: micro F1 over the three folded marks."""

    folded: MarkScores
    """``!`` and ``;`` counted as PERIOD, ``:`` and dashes as COMMA, in reference and output alike."""
    full: MarkScores
    boundaries: Score
    """Words that end a sentence, whatever mark says so."""

    def __float__(self) -> float:
        return float(self.folded)

    def to_dict(self) -> dict[str, Any]:
        return {
            "folded": self.folded.to_dict(),
            "full": self.full.to_dict(),
            "boundaries": self.boundaries.to_dict(),
        }


def as_ids(marks: Sequence[str]) -> Ids:
    """Mark names as positions in :data:`ALL_MARKS`, shape (n_words,).

    Raises:
        InputError: a name is no mark.
    """
    try:
        return np.fromiter((_ID[mark] for mark in marks), dtype=np.int64, count=len(marks))
    except KeyError as error:
        raise InputError(f"unknown mark {error.args[0]!r}; the marks are {', '.join(ALL_MARKS)}") from None


def fold_ids(ids: Ids) -> Ids:
    """The same ids after folding to the three marks."""
    return _FOLDED[ids]


def score_marks(reference: Sequence[str], hypothesis: Sequence[str]) -> Scores:
    """Score the marks after words; both sequences have one mark name a word, ``NONE`` for none.

    >>> float(score_marks(["NONE", "PERIOD"], ["NONE", "EXCLAMATION"]))
    1.0

    Raises:
        InputError: a name is no mark, or the lengths differ.
    """
    return score_ids(as_ids(reference), as_ids(hypothesis))


def score_ids(reference: Ids, hypothesis: Ids) -> Scores:
    """The same from ids in the order of :data:`ALL_MARKS`, both of shape (n_words,).

    Raises:
        InputError: the lengths differ.
    """
    if reference.shape != hypothesis.shape:
        raise InputError(f"{len(reference)} reference words but {len(hypothesis)} output words: align them first")
    return Scores(
        _from_confusion(_confusion(fold_ids(reference), fold_ids(hypothesis))),
        _from_confusion(_confusion(reference, hypothesis)),
        _score(_ENDS[reference], _ENDS[hypothesis]),
    )


def score_case(reference: Sequence[str | None], hypothesis: Sequence[str]) -> Score:
    """Score the letter case of words, given without their marks.

    Words that are not lower case in the reference count as ``reference``, those that are not in the
    output as ``guessed``; a hit is spelled exactly as the reference has it. A word whose reference
    spelling is ``None`` (not known) is left out.

    >>> score_case(["The", "iPhone", "is"], ["The", "Iphone", "is"])
    Score(hits=1, guessed=2, reference=2)

    Raises:
        InputError: the lengths differ.
    """
    if len(reference) != len(hypothesis):
        raise InputError(f"{len(reference)} reference words but {len(hypothesis)} output words: align them first")
    hits = guessed = wanted = 0
    for true, found in zip(reference, hypothesis, strict=True):
        if true is None:
            continue
        not_lower = true != lower(true)
        wanted += not_lower
        guessed += found != lower(found)
        hits += not_lower and true == found
    return Score(hits, guessed, wanted)


def _score(reference: npt.NDArray[np.bool_], hypothesis: npt.NDArray[np.bool_]) -> Score:
    return Score(int((reference & hypothesis).sum()), int(hypothesis.sum()), int(reference.sum()))


def _confusion(reference: Ids, hypothesis: Ids) -> Ids:
    size = len(ALL_MARKS)
    return np.bincount(reference * size + hypothesis, minlength=size * size).reshape(size, size)


def _from_confusion(counts: Ids) -> MarkScores:
    hits, reference, guessed = counts.diagonal(), counts.sum(axis=1), counts.sum(axis=0)
    marks = {
        mark: Score(int(hits[i]), int(guessed[i]), int(reference[i]))
        for i, mark in enumerate(ALL_MARKS)
        if mark != NONE and guessed[i] + reference[i]
    }
    insertions, deletions = int(counts[0, 1:].sum()), int(counts[1:, 0].sum())
    errors = int(counts.sum() - hits.sum())
    confusion = {
        mark: {other: int(n) for other, n in zip(ALL_MARKS, row, strict=True) if n}
        for mark, row in zip(ALL_MARKS, counts, strict=True)
        if row.any()
    }
    return MarkScores(marks, errors - insertions - deletions, insertions, deletions, confusion)
