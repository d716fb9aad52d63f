"""Choose temperature and thresholds on development texts, each text counting the same.

First the temperature (probabilities come first, decisions second), then the thresholds of the three
families, together, then those of the marks inside a family, each for its own F1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..decoding import DEFAULT_THRESHOLDS, Floats, decide, softmax
from ..errors import InputError
from ..marks import NONE, MarkSet, fold
from .calibration import fold_posteriors
from .scores import THREE, Ids

__all__ = ["DevText", "Tuned", "choose_temperature", "choose_thresholds", "tune"]

_THREE = MarkSet((NONE, *THREE))
_GRID: tuple[float, ...] = tuple(round(0.02 * i, 2) for i in range(3, 49))
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
    """Choose temperature and thresholds; of the order of ten seconds for 500,000 words.

    Raises:
        InputError: there is no text, or the logits do not go with ``marks``.
    """
    temperature = choose_temperature(texts)
    thresholds = choose_thresholds(texts, marks, temperature)
    f1 = {text.name: float(_three_f1([_three(text, marks, temperature)], thresholds)) for text in texts}
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
    text's counts divided by its words. Ties go to the threshold nearest to the default.

    Raises:
        InputError: there is no text, or the logits do not go with ``marks``.
    """
    if not texts:
        raise InputError("there is no text to tune on")
    for text in texts:
        if text.logits.shape[1] != len(marks):
            raise InputError(f"{text.name}: logits of {text.logits.shape[1]} marks for a set of {len(marks)}")
    heads = _families(texts, marks, temperature, grid)
    return heads | _members(texts, marks, temperature, grid, heads)


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


@dataclass(frozen=True)
class _Folded:
    """A text in NONE and three marks; words that no threshold of the grid would mark are only counted."""

    probabilities: Floats
    reference: Ids
    marks: int
    """Reference marks of the whole text."""
    weight: float


def _three(text: DevText, marks: MarkSet, temperature: float, floor: float = 0.0) -> _Folded:
    probabilities = fold_posteriors(softmax(text.logits, temperature), marks).astype(np.float32)
    column = np.array([_THREE.id(fold(mark)) for mark in marks])
    reference = column[text.reference]
    near = probabilities[:, 1:].max(axis=1) >= floor
    return _Folded(probabilities[near], reference[near], int((reference > 0).sum()), text.weight)


def _three_f1(texts: Sequence[_Folded], thresholds: Mapping[str, float]) -> float:
    scores = []
    for text in texts:
        found = decide(text.probabilities, _THREE, thresholds)
        hits = int(((found == text.reference) & (found > 0)).sum())
        given = int((found > 0).sum())
        scores.append(2 * hits / (given + text.marks) if given + text.marks else 1.0)
    return float(np.average(scores, weights=[text.weight for text in texts]))


def _families(texts: Sequence[DevText], marks: MarkSet, temperature: float, grid: Sequence[float]) -> dict[str, float]:
    folded = [_three(text, marks, temperature, min(grid)) for text in texts]
    heads = [mark for mark in THREE if any(fold(name) == mark for name in marks)]
    chosen = {mark: DEFAULT_THRESHOLDS[mark] for mark in heads}
    best = _three_f1(folded, chosen)
    for _ in range(10):
        before = best
        for mark in heads:

            def score(value: float, mark: str = mark) -> float:
                return _three_f1(folded, {**chosen, mark: value})

            chosen[mark], best = _best(grid, chosen[mark], best, score)
        if best <= before:
            break
    return chosen


def _members(
    texts: Sequence[DevText], marks: MarkSet, temperature: float, grid: Sequence[float], heads: Mapping[str, float]
) -> dict[str, float]:
    members = [mark for mark in marks if mark not in (NONE, *THREE)]
    chosen = {mark: DEFAULT_THRESHOLDS[mark] for mark in members}
    inside = [_marked(text, marks, temperature, heads) for text in texts]
    for _ in range(2):  # two members meet only where both thresholds are below a half
        for mark in members:
            column = marks.id(mark)
            if sum(int((text.reference == column).sum()) for text in texts) < _FEW:
                continue

            def score(value: float, mark: str = mark, column: int = column) -> float:
                return _own_f1(texts, inside, marks, {**heads, **chosen, mark: value}, column)

            chosen[mark], _ = _best(grid, chosen[mark], score(chosen[mark]), score)
    return chosen


def _best(grid: Sequence[float], value: float, best: float, score: Callable[[float], float]) -> tuple[float, float]:
    """The value of the grid with the best score, where one is better than ``value``'s."""
    start = value
    for candidate in sorted(grid, key=lambda candidate: abs(candidate - start)):
        found = score(candidate)
        if found > best + 1e-9:
            value, best = candidate, found
    return value, best


def _marked(text: DevText, marks: MarkSet, temperature: float, thresholds: Mapping[str, float]) -> tuple[Floats, Ids]:
    """Probabilities and reference of the words that get any mark: which mark is all that is still open."""
    probabilities = softmax(text.logits, temperature)
    rows = decide(probabilities, marks, thresholds) > 0
    return probabilities[rows], text.reference[rows]


def _own_f1(
    texts: Sequence[DevText],
    inside: Sequence[tuple[Floats, Ids]],
    marks: MarkSet,
    thresholds: Mapping[str, float],
    column: int,
) -> float:
    hits = total = 0.0
    for text, (probabilities, reference) in zip(texts, inside, strict=True):
        found = decide(probabilities, marks, thresholds) == column
        share = text.weight / len(text.reference)
        hits += share * int((found & (reference == column)).sum())
        total += share * (int(found.sum()) + int((text.reference == column).sum()))
    return 2 * hits / total if total else 1.0
