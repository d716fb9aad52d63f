"""Bring the words of a recogniser and of a person together, so that their marks can be compared.

Words are aligned with the fewest edits (Levenshtein), which does not look at marks or times. Where
several alignments have as few edits, which one is taken is arbitrary, and so is then the place of a mark
beside a lost word. A mark counts where its word stands: one that the recogniser's text has on the word
before a lost word is an insertion and the reference's own is a deletion, although a reader would forgive it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..extras import require
from ..marks import NONE
from ..written import parse, reading

__all__ = ["Alignment", "align"]

_EXACT = 50_000
"""Up to this many words the alignment is exact: time grows with the square (under a second here)."""
_WINDOW = 20_000
_RUN = 8


@dataclass(frozen=True)
class Alignment:
    """Pairs of word positions in order. ``float(alignment)`` is the word error rate."""

    reference: npt.NDArray[np.int64]
    """The reference word of each pair, −1 where the hypothesis has a word too many; shape (n_pairs,)."""
    hypothesis: npt.NDArray[np.int64]
    """The hypothesis word of each pair, −1 where it lacks the reference's; shape (n_pairs,)."""
    hits: int
    substitutions: int
    insertions: int
    deletions: int

    @property
    def word_error_rate(self) -> float:
        """Edits / reference words; infinite where there are none but edits."""
        edits = self.substitutions + self.insertions + self.deletions
        words = self.hits + self.substitutions + self.deletions
        if words:
            return edits / words
        return float("inf") if edits else 0.0

    def __float__(self) -> float:
        return self.word_error_rate

    def pair(self, reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[list[str], list[str]]:
        """The marks of both sides, one a pair, ready to be scored; a word that is not there has ``NONE``.

        So a reference mark on a lost word is a deletion, a mark on a word too many is an insertion.

        Raises:
            InputError: not one mark a word.
        """
        words = self.hits + self.substitutions
        for marks, expected in ((reference, words + self.deletions), (hypothesis, words + self.insertions)):
            if len(marks) != expected:
                raise InputError(f"{len(marks)} marks for {expected} aligned words")
        return (
            [reference[i] if i >= 0 else NONE for i in self.reference.tolist()],
            [hypothesis[i] if i >= 0 else NONE for i in self.hypothesis.tolist()],
        )


def align(reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    """Align hypothesis words to reference words; case and punctuation around words do not matter.

    Exact up to 50,000 words a side. Longer streams are aligned window by window of 20,000 words, each
    kept up to its last eight words in a row that agree; the result then still pairs every word once, but
    where the two sides drift apart by thousands of words (a passage that only one has) it may be poor:
    align documents one by one.

    Raises:
        MissingExtraError: rapidfuzz is not installed.
    """
    ids: dict[str, int] = {}
    one, two = (
        np.array([ids.setdefault(_plain(word), len(ids)) for word in side], np.int64)
        for side in (reference, hypothesis)
    )
    pairs: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
    i = j = 0
    while i < len(one) and j < len(two) and max(len(one) - i, len(two) - j) > _EXACT:
        ref, hyp = _pairs(one[i : i + _WINDOW], two[j : j + _WINDOW])
        keep = _stable(one[i:], two[j:], ref, hyp)
        ref, hyp = ref[:keep], hyp[:keep]
        pairs.append((_moved(ref, i), _moved(hyp, j)))
        i, j = i + int((ref >= 0).sum()), j + int((hyp >= 0).sum())
    ref, hyp = _pairs(one[i:], two[j:])
    pairs.append((_moved(ref, i), _moved(hyp, j)))
    return _alignment(one, two, *(np.concatenate(side) for side in zip(*pairs, strict=True)))


def _plain(word: str) -> str:
    return reading(parse(word).word or word).casefold()


def _moved(positions: npt.NDArray[np.int64], by: int) -> npt.NDArray[np.int64]:
    return np.where(positions >= 0, positions + by, -1)


def _pairs(
    one: npt.NDArray[np.int64], two: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    levenshtein = require("rapidfuzz.distance", "evaluate").Levenshtein
    left: list[npt.NDArray[np.int64]] = [np.empty(0, np.int64)]
    right: list[npt.NDArray[np.int64]] = [np.empty(0, np.int64)]
    for operation in levenshtein.opcodes(one.tolist(), two.tolist()):
        ref = np.arange(operation.src_start, operation.src_end)
        hyp = np.arange(operation.dest_start, operation.dest_end)
        size = max(len(ref), len(hyp))
        left.append(ref if len(ref) else np.full(size, -1))
        right.append(hyp if len(hyp) else np.full(size, -1))
    return np.concatenate(left), np.concatenate(right)


def _stable(
    one: npt.NDArray[np.int64], two: npt.NDArray[np.int64], ref: npt.NDArray[np.int64], hyp: npt.NDArray[np.int64]
) -> int:
    """How many pairs of a window to keep: up to a run of equal words, away from the window's cut end."""
    last = max(1, len(ref) * 3 // 4)
    both = np.flatnonzero((ref[:last] >= 0) & (hyp[:last] >= 0))
    equal = np.zeros(last, np.int64)
    equal[both] = one[ref[both]] == two[hyp[both]]
    runs = np.convolve(equal, np.ones(_RUN, np.int64))[:last] == _RUN
    ends = np.flatnonzero(runs)
    return int(ends[-1]) + 1 if len(ends) else last


def _alignment(
    one: npt.NDArray[np.int64], two: npt.NDArray[np.int64], ref: npt.NDArray[np.int64], hyp: npt.NDArray[np.int64]
) -> Alignment:
    both = (ref >= 0) & (hyp >= 0)
    hits = int((one[ref[both]] == two[hyp[both]]).sum())
    return Alignment(ref, hyp, hits, int(both.sum()) - hits, int((ref < 0).sum()), int((hyp < 0).sum()))
