"""Whether a probability means what it says: of the marks given with 0.8, are 80 % right?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import InputError

__all__ = ["Calibration", "ReliabilityBin", "calibrate", "exact_error"]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The words whose confidence lies in ``(low, high]`` (the first bin holds 0 too)."""

    low: float
    high: float
    words: int
    confidence: float | None
    """Their mean confidence; ``None`` for an empty bin."""
    accuracy: float | None
    """The share of them that is right; ``None`` for an empty bin."""


@dataclass(frozen=True)
class Calibration:
    """The reliability table. ``float(calibration)`` is the expected calibration error, from 0 to 1."""

    bins: tuple[ReliabilityBin, ...]

    @property
    def words(self) -> int:
        return sum(row.words for row in self.bins)

    @property
    def error(self) -> float:
        """The mean over words of their bin's |confidence − accuracy|; 0 where there are no words."""
        gaps = (
            row.words * abs(row.confidence - row.accuracy)
            for row in self.bins
            if row.confidence is not None and row.accuracy is not None
        )
        return sum(gaps) / max(1, self.words)

    def __float__(self) -> float:
        return self.error

    def to_dict(self) -> dict[str, Any]:
        rows = [
            {"low": b.low, "high": b.high, "words": b.words, "confidence": b.confidence, "accuracy": b.accuracy}
            for b in self.bins
        ]
        return {"error": self.error, "words": self.words, "bins": rows}


def calibrate(
    probabilities: npt.NDArray[np.floating[Any]],
    reference: npt.NDArray[np.integer[Any]],
    *,
    bins: int = 15,
    of: Literal["either", "guess"] = "either",
) -> Calibration:
    """The reliability of mark probabilities, in ``bins`` bins of equal width (Guo et al. 2017).

    A word's confidence is the probability of its most probable class, NONE included; it is right when
    that class is the reference's. Thresholds play no part. Not all words count: the many that nobody would
    put a mark after would hide everything else. With ``of="either"``, those count whose reference or most
    probable class is a mark. Choosing by the reference adds every miss and no right NONE, so that even exact
    probabilities have an error then (:func:`exact_error` says how large); with ``of="guess"``, the words whose
    most probable class is a mark, they have none.

    Args:
        probabilities: shape (n_words, n_marks); column 0 is NONE.
        reference: the columns of the reference marks, shape (n_words,).

    Raises:
        InputError: the shapes do not agree, or there is less than one bin.
    """
    if probabilities.ndim != 2 or probabilities.shape[:1] != reference.shape:
        raise InputError(f"probabilities {probabilities.shape} do not go with {reference.shape} reference marks")
    if bins < 1:
        raise InputError(f"{bins} bins: at least one is needed")
    best = probabilities.argmax(axis=1)
    counted = (best > 0) | (reference > 0) if of == "either" else best > 0
    confidence = probabilities[counted].max(axis=1).astype(np.float64)
    right = (best == reference)[counted]
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, bins - 1)
    words = np.bincount(place, minlength=bins)
    confidences = np.bincount(place, confidence, bins)
    hits = np.bincount(place, right, bins)
    return Calibration(
        tuple(
            ReliabilityBin(
                float(edges[i]),
                float(edges[i + 1]),
                int(words[i]),
                float(confidences[i] / words[i]) if words[i] else None,
                float(hits[i] / words[i]) if words[i] else None,
            )
            for i in range(bins)
        )
    )


def exact_error(probabilities: npt.NDArray[np.floating[Any]], *, seed: int = 0) -> float:
    """The error by :func:`calibrate` if the probabilities were exact: against a reference drawn from them."""
    draws = np.random.default_rng(seed).random((len(probabilities), 1))
    reference = (probabilities.cumsum(axis=1) < draws).sum(axis=1)
    return calibrate(probabilities, np.minimum(reference, probabilities.shape[1] - 1)).error
