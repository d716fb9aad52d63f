"""Choose temperature and thresholds on development texts, each text counting the same.

First the temperature (probabilities come first, decisions second), then the thresholds of the three
families, together, then those of the marks inside a family, each for its own F1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..decoding import DEFAULT_THRESHOLDS, Floats, decide, fold_posteriors, softmax
from ..errors import InputError
from ..marks import NONE, THREE, MarkSet, fold
from .scores import Ids

__all__ = ["DevText", "Tuned", "choose_temperature", "choose_thresholds", "tune"]

Floats64 = npt.NDArray[np.float64]

_GRID: tuple[float, ...] = tuple(round(0.01 * i, 2) for i in range(3, 98))
_FEW = 20
"""A mark with fewer examples than this keeps its default threshold: a choice on so few is noise."""


@dataclass(frozen=True)
class DevText:
    """A development text: what the model says of each word, before any temperature, and what is right."""

    name: str
    logits: Floats
    """Logits or log-probabilities of marks, shape (n_words, n_marks), in the order of the model's mark set."""
    reference: Ids
    """The columns of the reference marks, shape (n_words,)."""
    weight: float = 1.0
    """How much the text counts, whatever its length."""

    def __post_init__(self) -> None:
        if self.logits.ndim != 2 or self.logits.shape[:1] != self.reference.shape or not len(self.reference):
            raise InputError(f"{self.name}: logits {self.logits.shape} for {self.reference.shape} reference marks")


@dataclass(frozen=True)
class Tuned:
    """What was chosen. ``float(tuned)`` is the mean micro F1 over the three folded marks."""

    temperature: float
    thresholds: Mapping[str, float]
    f1: Mapping[str, float]
    """Micro F1 over the three folded marks, by text."""
    mean_f1: float
    """Their mean, by weight."""
    loss: float
    """Mean negative log-likelihood (nats a word) at the temperature, by weight."""

    def __float__(self) -> float:
        return self.mean_f1

    def to_dict(self) -> dict[str, Any]:
        return {
            "temperature": self.temperature,
            "thresholds": dict(self.thresholds),
            "f1": dict(self.f1),
            "mean_f1": self.mean_f1,
            "loss": self.loss,
        }


def tune(texts: Sequence[DevText], marks: MarkSet) -> Tuned:
    """Choose temperature and thresholds; seconds for 500,000 words.

    Raises:
        InputError: there is no text, or the logits do not go with ``marks``.
    """
    temperature = choose_temperature(texts)
    thresholds = choose_thresholds(texts, marks, temperature)
    f1 = {text.name: _three_f1(text, marks, temperature, thresholds) for text in texts}
    weights = [text.weight for text in texts]
    mean = float(np.average(list(f1.values()), weights=weights))
    return Tuned(temperature, thresholds, f1, mean, _loss(texts, temperature))


def choose_temperature(texts: Sequence[DevText], low: float = 0.25, high: float = 4.0) -> float:
    """The temperature with the least negative log-likelihood of the marks, by golden-section search.

    The loss has one minimum in 1/temperature (it is convex there), so the search cannot miss it.

    Raises:
        InputError: there is no text.
    """
    if not texts:
        raise InputError("there is no text to tune on")
    best = _golden(lambda inverse: _loss(texts, 1.0 / inverse), 1.0 / high, 1.0 / low)
    return round(1.0 / best, 4)


def choose_thresholds(
    texts: Sequence[DevText], marks: MarkSet, temperature: float, grid: Sequence[float] = _GRID
) -> dict[str, float]:
    """The threshold of each mark of the set, as :func:`interpunct.decoding.decide` reads them.

    The families' thresholds maximise the mean micro F1 over the three folded marks, one at a time until
    none gains. A threshold inside a family then maximises that mark's own F1, over the texts as one, each
    text's counts divided by its words. Of equals, the one nearest to the default is taken.
    A mark with fewer than 20 examples keeps its default.

    Raises:
        InputError: there is no text, or the logits do not go with ``marks``.
    """
    if not texts:
        raise InputError("there is no text to tune on")
    for text in texts:
        if text.logits.shape[1] != len(marks):
            raise InputError(f"{text.name}: logits of {text.logits.shape[1]} marks for a set of {len(marks)}")
    values = np.unique([*grid, *DEFAULT_THRESHOLDS.values()])
    heads = _families(texts, marks, temperature, values)
    return heads | _members(texts, marks, temperature, values, heads)


def _golden(loss: Callable[[float], float], low: float, high: float, steps: int = 30) -> float:
    ratio = (5**0.5 - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(steps):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = loss(right)
    return (low + high) / 2


def _loss(texts: Sequence[DevText], temperature: float) -> float:
    losses = []
    for text in texts:
        scaled = text.logits / np.float32(temperature)
        scaled -= scaled.max(axis=1, keepdims=True)
        right = np.take_along_axis(scaled, text.reference[:, None], axis=1)[:, 0]
        losses.append(float(np.mean(np.log(np.exp(scaled).sum(axis=1)) - right, dtype=np.float64)))
    return float(np.average(losses, weights=[text.weight for text in texts]))


def _three_f1(text: DevText, marks: MarkSet, temperature: float, thresholds: Mapping[str, float]) -> float:
    found = _column_of_three(marks)[decide(softmax(text.logits, temperature), marks, thresholds)]
    reference = _column_of_three(marks)[text.reference]
    hits, given, wanted = ((found == reference) & (found > 0)).sum(), (found > 0).sum(), (reference > 0).sum()
    return float(2 * hits / (given + wanted)) if given + wanted else 1.0


def _column_of_three(marks: MarkSet) -> Ids:
    return np.array([(NONE, *THREE).index(fold(mark)) for mark in marks])


@dataclass(frozen=True)
class _Masses:
    """A text in NONE and the three families."""

    masses: Floats64
    """Shape (n_words, 4), in the order NONE, ``THREE``."""
    reference: Ids
    weight: float


def _families(texts: Sequence[DevText], marks: MarkSet, temperature: float, grid: Floats64) -> dict[str, float]:
    folded = [
        _Masses(
            fold_posteriors(softmax(text.logits, temperature), marks),
            _column_of_three(marks)[text.reference],
            text.weight,
        )
        for text in texts
    ]
    weights = [text.weight for text in texts]
    chosen = np.array([DEFAULT_THRESHOLDS[mark] for mark in THREE])
    known = [i for i, mark in enumerate(THREE) if any(fold(name) == mark for name in marks if name != NONE)]
    for _ in range(20):
        before = chosen.copy()
        for i in known:
            scores = np.average([_family_f1(text, chosen, i, grid) for text in folded], axis=0, weights=weights)
            chosen[i] = _best(grid, scores, chosen[i])
        if (before == chosen).all():
            break
    return {THREE[i]: float(chosen[i]) for i in known}


def _family_f1(text: _Masses, thresholds: Floats64, family: int, grid: Floats64) -> Floats64:
    """Micro F1 for each threshold of one family, the others' as they are; shape of ``grid``.

    A word goes to the family while its threshold is at most the word's *reach*: the mass, or less where
    another family is eligible and has to be outdone. Above, it goes to that other one, or to none.
    """
    masses, mark = text.masses[:, 1:], family + 1
    ratios = np.where(masses >= thresholds, masses / thresholds, 0.0)
    ratios[:, family] = 0.0
    rival = np.where(ratios.max(axis=1) > 0, ratios.argmax(axis=1) + 1, 0)
    reach = masses[:, family] / np.maximum(ratios.max(axis=1), 1.0)
    rival_hits = (rival == text.reference) & (rival > 0)
    hits = rival_hits.sum() + _reached(reach, (text.reference == mark) * 1.0 - rival_hits, grid)
    given = (rival > 0).sum() + _reached(reach, (rival == 0) * 1.0, grid)
    return _f1(hits, given + (text.reference > 0).sum())


def _members(
    texts: Sequence[DevText], marks: MarkSet, temperature: float, grid: Floats64, heads: Mapping[str, float]
) -> dict[str, float]:
    members = [mark for mark in marks if mark not in (NONE, *THREE)]
    chosen = {mark: DEFAULT_THRESHOLDS[mark] for mark in members}
    inside = [_Inside.of(text, marks, temperature, heads) for text in texts]
    for _ in range(3):  # two members meet only where both thresholds are below a half
        for mark in members:
            if sum(int((text.reference == marks.id(mark)).sum()) for text in texts) >= _FEW:
                hits, total = np.sum([text.counts(marks, mark, chosen, grid) for text in inside], axis=0)
                chosen[mark] = float(_best(grid, _f1(hits, total), chosen[mark]))
    return chosen


@dataclass(frozen=True)
class _Inside:
    """The words of a text that get a mark: which one of the family is all that is still open."""

    shares: Floats64
    """Of each mark in its family's mass, 0 for marks of other families; shape (n_marked, n_marks)."""
    reference: Ids
    totals: Ids
    """Reference marks of the whole text, by column."""
    scale: float
    """What one word of it counts."""

    @classmethod
    def of(cls, text: DevText, marks: MarkSet, temperature: float, heads: Mapping[str, float]) -> _Inside:
        probabilities = softmax(text.logits, temperature).astype(np.float64)
        family = _column_of_three(marks)
        found = family[decide(probabilities.astype(np.float32), marks, heads)]
        rows = found > 0
        own = np.where(family == found[rows, None], probabilities[rows], 0.0)
        return cls(
            own / own.sum(axis=1, keepdims=True),
            text.reference[rows],
            np.bincount(text.reference, minlength=len(marks)),
            text.weight / len(text.reference),
        )

    def counts(self, marks: MarkSet, mark: str, thresholds: Mapping[str, float], grid: Floats64) -> Floats64:
        """Hits, and output + reference marks, for each threshold of ``mark``; shape (2, len(grid))."""
        column = marks.id(mark)
        others = [marks.id(other) for other in thresholds if other != mark]
        limits = np.array([thresholds[marks.names[other]] for other in others])
        rivals = self.shares[:, others]
        rival = np.where(rivals >= limits, rivals, 0.0).max(axis=1, initial=0.0)
        reach = np.where(self.shares[:, column] > rival, self.shares[:, column], 0.0)
        hits = _reached(reach, (self.reference == column) * 1.0, grid)
        given = _reached(reach, np.ones(len(reach)), grid)
        return np.stack([hits, given + self.totals[column]]) * self.scale


def _reached(reach: Floats64, gains: Floats64, grid: Floats64) -> Floats64:
    """For each threshold of the rising ``grid``: the sum of ``gains`` of the words whose reach is not below it."""
    passed = np.bincount(np.searchsorted(grid, reach, side="right"), gains, len(grid) + 1)
    sums: Floats64 = passed[::-1].cumsum()[::-1][1:]
    return sums


def _f1(hits: Floats64, total: Floats64) -> Floats64:
    """F1 from hits and output + reference marks; 1 where there are none of either."""
    return np.where(total > 0, 2 * hits / np.where(total > 0, total, 1.0), 1.0)


def _best(grid: Floats64, scores: Floats64, current: float) -> float:
    """The threshold with the best score; of equals, the nearest to the current one."""
    best = grid[scores >= scores.max() - 1e-9]
    return float(best[np.abs(best - current).argmin()])
