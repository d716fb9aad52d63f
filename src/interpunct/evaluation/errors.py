"""Where a model is wrong, and where it was right by a hair: places to look at.

The surest mistakes come first, then what is right, the most narrowly decided first. Of each confusion only the
worst places are kept, in a heap, so memory does not grow with the text; how many there were is counted.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..decoding import fold_posteriors
from ..marks import NONE, MarkSet
from .by_pause import Floats64, pauses
from .scores import as_ids, fold_ids

__all__ = ["Answered", "Confusion", "Errors", "Kind", "Place", "Side", "find_errors"]

Kind = Literal["missed", "added", "confused", "doubtful"]

_NARROW = 0.2
"""What is right but was decided by less is worth a look."""


@dataclass(frozen=True)
class Answered:
    """A document with what a model made of it, one entry a word."""

    words: Sequence[str]
    reference: Sequence[str]
    """The mark that a person wrote after each word."""
    given: Sequence[str]
    """The mark that the model decided for."""
    probabilities: npt.NDArray[np.floating[Any]]
    """Shape (n_words, n_marks), in the order of ``marks``."""
    marks: MarkSet
    thresholds: npt.NDArray[np.floating[Any]]
    """Of the families, in the order of ``marks.THREE``: shape (3,), or (n_words, 3)."""
    spellings: tuple[Sequence[str], Sequence[str]] | None = None
    """The words as the reference spells them, and as the model does; ``None`` where case is not known."""
    times: Sequence[tuple[float, float] | None] | None = None
    """Start and end of each word in seconds."""


@dataclass(frozen=True, slots=True)
class Side:
    """A stretch of words as the reference, or the model, has it."""

    words: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A word after which a model went wrong, or nearly so. Documents and words are counted from 0."""

    document: int
    word: int
    reference: str
    given: str
    reference_probability: float
    """What the model gave to the reference's mark; 0 for a mark that it does not know."""
    confidence: float
    """What it gave to the mark that it decided for."""
    margin: float
    """How far the decision was from another one: 0 on the edge of a threshold, 1 as far as can be.
    Below 0 where something else decided, as at the end of a text."""
    reference_side: Side
    given_side: Side
    at: int
    """The word's position in both sides."""
    start: float | None = None
    """Seconds."""
    pause: float | None = None
    """Seconds until the next word; ``None`` where they are not known."""

    @property
    def kind(self) -> Kind:
        if self.reference == self.given:
            return "doubtful"
        if self.given == NONE:
            return "missed"
        return "added" if self.reference == NONE else "confused"


@dataclass(frozen=True)
class Confusion:
    """The words of one reference mark that were given one mark, the same or another."""

    reference: str
    given: str
    words: int
    found: int
    """Those to look at: all of them, but of the right ones only what is doubtful."""
    places: tuple[Place, ...]
    """The worst of these, the worst first."""

    @property
    def left_out(self) -> int:
        """How many more were found than are kept."""
        return self.found - len(self.places)


@dataclass(frozen=True)
class Errors:
    """The places of a benchmark's split, by confusion."""

    confusions: Mapping[tuple[str, str], Confusion]
    """By reference mark and given mark: those that occur."""

    @property
    def places(self) -> list[Place]:
        """All that are kept: the surest mistakes first, then the doubtful ones, the most narrowly decided first."""
        return sorted((place for c in self.confusions.values() for place in c.places), key=_order)


def find_errors(documents: Iterable[Answered], *, wrong: int = 40, doubtful: int = 20, context: int = 12) -> Errors:
    """Go through documents once and keep the places to look at.

    Args:
        wrong: at most so many places of each confusion.
        doubtful: at most so many places of each mark, NONE included, that is right.
        context: words on each side of a place, as far as its document goes.
    """
    words: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    kept: defaultdict[tuple[str, str], list[tuple[float, int, int, Place]]] = defaultdict(list)
    for number, document in enumerate(documents):
        margins = _margins(document).tolist()
        gaps = pauses(document.times, len(document.words))
        for at, cell in enumerate(zip(document.reference, document.given, strict=True)):
            words[cell] += 1
            right = cell[0] == cell[1]
            if right and not 0.0 <= margins[at] < _NARROW:
                continue
            found[cell] += 1
            badness = -margins[at] if right else _probability(document, at, cell[1])
            heap, size = kept[cell], doubtful if right else wrong
            rank = (badness, -number, -at)  # of places that are equally bad the earlier one stays
            if len(heap) < size or (heap and rank > heap[0][:3]):
                entry = (*rank, _place(document, number, at, margins, gaps, context))
                (heapq.heappush if len(heap) < size else heapq.heapreplace)(heap, entry)
    return Errors(
        {
            cell: Confusion(*cell, n, found[cell], tuple(sorted((entry[3] for entry in kept[cell]), key=_order)))
            for cell, n in words.items()
        }
    )


def _order(place: Place) -> tuple[bool, float, int, int]:
    right = place.kind == "doubtful"
    return right, place.margin if right else -place.confidence, place.document, place.word


def _probability(document: Answered, at: int, mark: str) -> float:
    names = document.marks.names
    return float(document.probabilities[at, names.index(mark)]) if mark in names else 0.0


def _margins(document: Answered) -> Floats64:
    """How far each decision was from another family or from none, shape (n_words,); see :attr:`Place.margin`."""
    masses = fold_posteriors(document.probabilities, document.marks)[:, 1:]
    limits = np.broadcast_to(np.clip(document.thresholds, 1e-6, 1.0), masses.shape)
    ratios = masses / limits
    rows, own = np.arange(len(masses)), fold_ids(as_ids(document.given)) - 1
    rivals = ratios.copy()
    rivals[rows, own] = 0.0
    above = (masses - limits)[rows, own] / np.maximum(1.0 - limits[rows, own], 1e-6)
    ahead = 1.0 - rivals.max(axis=1) / np.maximum(ratios[rows, own], 1e-6)
    margins: Floats64 = np.where(own < 0, 1.0 - ratios.max(axis=1), np.minimum(above, ahead))
    return margins


def _place(document: Answered, number: int, at: int, margins: Sequence[float], gaps: Floats64, context: int) -> Place:
    here = slice(max(at - context, 0), at + context + 1)
    as_reference, as_given = document.spellings or (document.words, document.words)
    pair = document.times[at] if document.times else None
    reference, given = document.reference[at], document.given[at]
    return Place(
        document=number,
        word=at,
        reference=reference,
        given=given,
        reference_probability=_probability(document, at, reference),
        confidence=_probability(document, at, given),
        margin=margins[at],
        reference_side=Side(tuple(as_reference[here]), tuple(document.reference[here])),
        given_side=Side(tuple(as_given[here]), tuple(document.given[here])),
        at=at - here.start,
        start=pair[0] if pair else None,
        pause=None if np.isnan(gaps[at]) else float(gaps[at]),
    )
