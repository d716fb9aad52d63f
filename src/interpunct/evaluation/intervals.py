"""How far a figure could be off: bootstrap over blocks of words, since marks in one passage are not independent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..marks import NONE
from .scores import ALL_MARKS, Ids

__all__ = ["Difference", "Interval", "Intervals", "blocks_of", "bootstrap", "compare"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """An F1 with its interval. ``float(interval)`` is the figure itself."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Intervals:
    """Micro F1 over all marks, NONE left out, and the F1 of each mark that occurs."""

    micro: Interval
    marks: Mapping[str, Interval]
    blocks: int
    """How many blocks were drawn from: with a handful, an interval says little."""

    def __float__(self) -> float:
        return self.micro.value


@dataclass(frozen=True, slots=True)
class Difference:
    """Micro F1 of a first system less that of a second on the same words. ``float(difference)`` is the gap."""

    value: float
    low: float
    high: float
    p: float
    """Two-sided: twice the share of resamples in which the sign is not that of ``value``, at most 1."""

    def __float__(self) -> float:
        return self.value


def blocks_of(words: int, size: int = 1000) -> Ids:
    """The block of each word when a stream is cut every ``size`` words; shape (words,). The last may be shorter.

    Raises:
        InputError: ``size`` is not positive.
    """
    if size < 1:
        raise InputError(f"blocks of {size} words: at least 1 is needed")
    return np.arange(words) // size


def bootstrap(
    reference: Ids,
    hypothesis: Ids,
    blocks: Ids,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Intervals:
    """Percentile intervals of F1: whole blocks are drawn with replacement, as many as there are.

    The counts of each block are made once; a resample only adds them up. An interval is widened, where
    need be, to hold the figure itself. To score three marks, fold both sides first.

    Args:
        reference, hypothesis: ids in the order of ``scores.ALL_MARKS``, shape (n_words,).
        blocks: the block of each word, from 0, shape (n_words,): ``blocks_of``, or one a document or a call.

    Raises:
        InputError: the lengths differ.
    """
    counts = _block_counts(reference, hypothesis, blocks)
    draws = _draws(len(counts), resamples, seed) @ counts.reshape(len(counts), -1)
    resampled = draws.reshape(-1, *counts.shape[1:])
    total = counts.sum(axis=0)
    intervals = {
        mark: _interval(float(_f1(total[i])), _f1(resampled[:, i]), level)
        for i, mark in enumerate(ALL_MARKS)
        if mark != NONE and total[i, 1] > 0
    }
    micro = _interval(_micro(total[None])[0], _micro(resampled), level)
    return Intervals(micro, intervals, len(counts))


def compare(
    reference: Ids,
    first: Ids,
    second: Ids,
    blocks: Ids,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """The paired bootstrap: two systems scored on the same draws of the same blocks. Arguments as :func:`bootstrap`.

    Raises:
        InputError: the lengths differ.
    """
    one, two = (_block_counts(reference, system, blocks) for system in (first, second))
    draws = _draws(len(one), resamples, seed)
    gaps = np.subtract(*(_micro((draws @ c.reshape(len(c), -1)).reshape(-1, *c.shape[1:])) for c in (one, two)))
    value = float(_micro(one.sum(axis=0)[None])[0] - _micro(two.sum(axis=0)[None])[0])
    interval = _interval(value, gaps, level)
    against = (gaps <= 0) if value > 0 else (gaps >= 0)
    return Difference(value, interval.low, interval.high, min(1.0, 2 * float(against.mean())))


def _block_counts(reference: Ids, hypothesis: Ids, blocks: Ids) -> Floats:
    """Per block and mark: hits, and reference + output marks; shape (n_blocks, len(ALL_MARKS), 2)."""
    if not len(reference) == len(hypothesis) == len(blocks):
        raise InputError(f"{len(reference)} reference words, {len(hypothesis)} output words, {len(blocks)} blocks")
    size = len(ALL_MARKS)
    n = int(blocks.max()) + 1 if len(blocks) else 1

    def count(marks: Ids, where: Ids) -> Ids:
        return np.bincount(where * size + marks, minlength=n * size).reshape(n, size)

    right = reference == hypothesis
    hits = count(reference[right], blocks[right])
    return np.stack([hits, count(reference, blocks) + count(hypothesis, blocks)], axis=-1).astype(np.float64)


def _draws(blocks: int, resamples: int, seed: int) -> Floats:
    """How often each block is drawn in each resample; shape (resamples, blocks)."""
    random = np.random.default_rng(seed)
    return random.multinomial(blocks, np.full(blocks, 1.0 / blocks), size=resamples).astype(np.float64)


def _f1(counts: Floats) -> Floats:
    hits, marks = counts[..., 0], counts[..., 1]
    return np.where(marks > 0, 2 * hits / np.maximum(marks, 1), 1.0)


def _micro(counts: Floats) -> Floats:
    """Micro F1 of counts of shape (n, len(ALL_MARKS), 2); the first mark is NONE."""
    return _f1(counts[:, 1:].sum(axis=1))


def _interval(value: float, resampled: Floats, level: float) -> Interval:
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(value), min(float(low), float(value)), max(float(high), float(value)))
