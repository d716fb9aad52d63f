"""Posteriors to marks and cases.

Marks form three families by what they fold to: that of PERIOD (with EXCLAMATION and SEMICOLON), that of
COMMA (with COLON and DASH) and QUESTION alone. First the family is decided, by the mass of all its marks,
then the mark in it: a place that is half comma, half dash is surely not without a mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .casing import CASES, LOWER, TITLE
from .errors import InputError
from .marks import MARKS, NONE, THREE, MarkSet, fold

__all__ = [
    "DEFAULT_THRESHOLDS",
    "Posteriors",
    "check_thresholds",
    "choose_case",
    "decide",
    "fold_posteriors",
    "given_an_end",
    "joined",
    "sentence_end_mass",
    "softmax",
]

Floats = npt.NDArray[np.float32]
DEFAULT_THRESHOLDS: Mapping[str, float] = dict.fromkeys(MARKS, 0.5)


@dataclass(frozen=True)
class Posteriors:
    """Probabilities of a stretch of words: ``marks`` (words, marks) and ``cases`` (words, 4).

    Where the times of the words had their say, ``marks`` are a mixture; ``text`` and ``timing`` are what
    went into it, and ``alpha`` (words,) is the weight of ``timing``, 0 where a time is missing.
    """

    marks: Floats
    cases: Floats
    text: Floats | None = None
    timing: Floats | None = None
    alpha: Floats | None = None

    def __len__(self) -> int:
        return len(self.marks)


def joined(blocks: Sequence[Posteriors]) -> Posteriors:
    """The posteriors of blocks, one after the other; at least one block."""
    marks, cases = (np.concatenate([getattr(block, name) for block in blocks]) for name in ("marks", "cases"))
    if all(block.alpha is None for block in blocks):
        return Posteriors(marks, cases)
    text, timing = (
        np.concatenate([getattr(b, name) if getattr(b, name) is not None else b.marks for b in blocks])
        for name in ("text", "timing")
    )
    alpha = [np.zeros(len(b), np.float32) if b.alpha is None else b.alpha for b in blocks]
    return Posteriors(marks, cases, text, timing, np.concatenate(alpha))


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Probabilities along the last axis. A temperature above 1 makes them less sure (Guo et al. 2017)."""
    scaled = logits / np.float32(temperature)
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result


def check_thresholds(thresholds: Mapping[str, float]) -> None:
    """Refuse a threshold for a mark that does not exist or outside 0 to 1.

    Raises:
        InputError: with the name or value, and what would do.
    """
    if not isinstance(thresholds, Mapping):
        raise InputError(f"thresholds={thresholds!r}: write them as {{'COMMA': 0.4}}")
    given: Mapping[str, Any] = thresholds
    for mark, value in given.items():
        if mark not in MARKS:
            raise InputError(f"no mark is called {mark!r}; the marks are {', '.join(MARKS)}")
        if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not 0.0 <= value <= 1.0:
            raise InputError(f"threshold {mark}={value!r}: a threshold is a probability, from 0 to 1")


def decide(probabilities: Floats, marks: MarkSet, thresholds: Mapping[str, float]) -> npt.NDArray[np.int64]:
    """The mark id of each word, from mark probabilities (words, marks).

    A family whose mass reaches the threshold of its head (PERIOD, COMMA, QUESTION) is eligible; the
    eligible family of the largest mass/threshold wins, else there is no mark. In a family, another mark
    than the head is taken when its share of the mass reaches its own threshold.
    """
    families = _families(marks)
    masses = np.stack([probabilities[:, members].sum(axis=1) for members in families], axis=1)
    limits = np.array([max(_threshold(thresholds, marks.names[members[0]]), 1e-6) for members in families])
    ratios = np.where(masses >= limits, masses / limits, 0.0)
    winner = ratios.argmax(axis=1)
    chosen = np.zeros(len(probabilities), dtype=np.int64)
    for i, members in enumerate(families):
        rows = np.flatnonzero((winner == i) & (ratios[:, i] > 0))
        if not len(rows):
            continue
        chosen[rows] = members[0]
        if len(members) > 1:
            shares = probabilities[rows][:, members[1:]] / masses[rows, i : i + 1]
            wanted = np.array([_threshold(thresholds, marks.names[m]) for m in members[1:]])
            excess = np.where(shares >= wanted, shares, -1.0)
            best = excess.argmax(axis=1)
            taken = excess[np.arange(len(rows)), best] >= 0
            chosen[rows[taken]] = np.array(members[1:])[best[taken]]
    return chosen


def _families(marks: MarkSet) -> list[list[int]]:
    """The mark ids of each family, its head first; a family without its head is led by its first mark."""
    families: dict[str, list[int]] = {}
    for i, name in enumerate(marks.names):
        if name != NONE:
            family = families.setdefault(MARKS[name].folds_to, [])
            family.insert(0 if MARKS[name].folds_to == name else len(family), i)
    return list(families.values())


def fold_posteriors(probabilities: npt.NDArray[np.floating[Any]], marks: MarkSet) -> npt.NDArray[np.float64]:
    """Probabilities of NONE and the three folded marks, in the order of ``marks.THREE``: sums over families.

    Shape (n_words, n_marks) becomes (n_words, 4).
    """
    order = (NONE, *THREE)
    folding = np.zeros((len(marks), len(order)))
    for column, mark in enumerate(marks):
        folding[column, order.index(fold(mark))] = 1.0
    return probabilities.astype(np.float64) @ folding


def _threshold(thresholds: Mapping[str, float], mark: str) -> float:
    return thresholds.get(mark, DEFAULT_THRESHOLDS[mark])


def given_an_end(probabilities: Mapping[str, float]) -> dict[str, float]:
    """Mark probabilities, once it is known that a sentence ends here: those of other marks are 0.

    A model that reads windows cannot know that a text ends with its last word; who restores it does.
    ``;`` ends a clause, never a text. Without any mark that ends a sentence, PERIOD is certain.
    """
    ending = {m: p for m, p in probabilities.items() if m != NONE and MARKS[m].ends_sentence}
    total = sum(ending.values())
    if not total:
        return {**dict.fromkeys(probabilities, 0.0), "PERIOD": 1.0}
    return {m: ending.get(m, 0.0) / total for m in probabilities}


def sentence_end_mass(probabilities: Floats, marks: MarkSet) -> Floats:
    """The probability (words,) that a sentence ends after each word."""
    ending = [i for i, m in enumerate(marks.names) if m != NONE and MARKS[m].ends_sentence]
    mass: Floats = probabilities[:, ending].sum(axis=1)
    return mass


def choose_case(probabilities: Sequence[float], starts: bool, end_before: float) -> str:
    """The case class of one word, from its case probabilities (4).

    ``starts``: a sentence begins here. ``end_before``: the probability that one might, had it been decided
    otherwise. The model's TITLE holds both "a name" and "a sentence begins"; once it is decided that none
    begins, the second is taken out: P(name) = (P(TITLE) - P(begins)) / (1 - P(begins)).
    """
    lower, title, *rest = probabilities
    if starts:
        lower = -1.0
    else:
        inside = max(1.0 - end_before, 1e-6)
        lower, title = lower / inside, max(0.0, (title - end_before) / inside)
    best = max(zip((lower, title, *rest), CASES, strict=True))
    return best[1]


assert CASES[:2] == (LOWER, TITLE)
