"""Windows: cut a stream of words by pieces, with real context on both sides; stitch the answers back.

Words come as the number of pieces of each. A window holds whole words, at most ``size`` pieces, and
overlaps the next by about ``2 * margin`` pieces. Everything here is incremental: a stream of any length
is cut and stitched while only the words of a few windows are held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from .errors import InputError

__all__ = ["STITCHES", "Stitch", "Window", "cut", "cut_items", "stitch"]

T = TypeVar("T")
Stitch = Literal["centre", "mean", "vote"]
STITCHES: tuple[Stitch, ...] = ("centre", "mean", "vote")
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Window:
    """The words ``[first, stop)``; those of ``[own_first, own_stop)`` are nearer to its centre than to that of
    any other window. The own ranges of all windows of a stream follow each other without gap or overlap."""

    first: int
    stop: int
    own_first: int
    own_stop: int


def cut(lengths: Iterable[int], size: int, margin: int) -> Iterator[Window]:
    """Cut a stream into windows.

    Args:
        lengths: pieces of each word; a word of more than ``size`` pieces counts as ``size``.
        size: the most pieces of a window.
        margin: pieces of context that a word has, at least, on both sides, where the stream has them.
            Words so long that this cannot be get less.

    Raises:
        InputError: the margins leave no room in the window.
    """
    if margin < 0 or size < 1 or 2 * margin >= size:
        raise InputError(f"windows of {size} pieces cannot have margins of {margin} on both sides")
    held: list[int] = []  # pieces of the words from ``first`` on
    first = own_first = total = 0
    for length in lengths:
        length = min(max(length, 1), size)
        if held and total + length > size:
            stop = first + len(held)
            kept, pieces = _overlap(held, min(2 * margin, size - length))
            own_stop = _middle(held[len(held) - kept :], stop - kept)
            yield Window(first, stop, own_first, own_stop)
            del held[: len(held) - kept]
            first, own_first, total = stop - kept, own_stop, pieces
        held.append(length)
        total += length
    if held:
        yield Window(first, first + len(held), own_first, first + len(held))


def cut_items(
    items: Iterable[T], length: Callable[[T], int], size: int, margin: int
) -> Iterator[tuple[Window, list[T]]]:
    """Like :func:`cut`, each window with the items that it holds; ``length`` says how long an item is."""
    held: list[T] = []
    start = 0  # the place of held[0]

    def lengths() -> Iterator[int]:
        for item in items:
            held.append(item)
            yield length(item)

    for window in cut(lengths(), size, margin):
        del held[: window.first - start]
        start = window.first
        yield window, held[: window.stop - start]


def _overlap(held: Sequence[int], most: int) -> tuple[int, int]:
    """How many of the last words fit into ``most`` pieces, and their pieces; never all of them."""
    words = pieces = 0
    while words < len(held) - 1 and pieces + held[-1 - words] <= most:
        pieces += held[-1 - words]
        words += 1
    return words, pieces


def _middle(overlap: Sequence[int], first: int) -> int:
    """The word at which an overlap that begins with word ``first`` is shared out: its middle, in pieces."""
    half, pieces = sum(overlap) / 2, 0
    for i, length in enumerate(overlap):
        if pieces + length / 2 >= half:
            return first + i
        pieces += length
    return first + len(overlap)


def stitch(answers: Iterable[tuple[Window, Scores]], how: Stitch = "centre") -> Iterator[Scores]:
    """Stitch the answers of windows, in order, to one answer a word.

    Args:
        answers: windows with their scores (words of the window, classes), probabilities.
        how: ``centre`` takes each word from the window whose centre is nearest; ``mean`` averages all
            windows that hold the word; ``vote`` counts the windows whose best class each is, and divides.

    Yields:
        Scores (words, classes) of the words next in line: each word exactly once.
    """
    if how == "centre":
        for window, scores in answers:
            yield scores[window.own_first - window.first : window.own_stop - window.first]
        return
    pending: Scores | None = None  # sums of the words not yet given, from ``start`` on
    counts = np.zeros(0, dtype=np.float32)
    start = 0
    for window, scores in answers:
        if how == "vote":
            scores = np.eye(scores.shape[1], dtype=np.float32)[scores.argmax(axis=1)]
        if pending is None:
            pending = np.zeros((0, scores.shape[1]), dtype=np.float32)
        ready = window.first - start  # no later window holds these
        if ready > 0:
            yield pending[:ready] / counts[:ready, None]
            pending, counts, start = pending[ready:], counts[ready:], window.first
        grown = window.stop - start - len(pending)
        pending = np.concatenate([pending, np.zeros((grown, scores.shape[1]), dtype=np.float32)])
        counts = np.concatenate([counts, np.zeros(grown, dtype=np.float32)])
        pending[window.first - start : window.stop - start] += scores
        counts[window.first - start : window.stop - start] += 1
    if pending is not None:
        yield pending / counts[:, None]
