"""Training batches: windows that begin and end anywhere in the stream.

A batch depends on the seed and its number alone, so that a resumed run sees what an undisturbed one
would have seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..marks import MARKS, NONE, MarkSet
from .corpus import ALL_MARKS, IGNORED, Corpus, Vocabulary, special_piece
from .encoder import TextModel
from .noise import Noise, Sample, disturb
from .recipe import Recipe

__all__ = ["Batch", "Batches", "collate", "forward"]

_ENDS = tuple(mark != NONE and MARKS[mark].ends_sentence for mark in ALL_MARKS)


@dataclass(frozen=True)
class Batch:
    """Arrays of one batch. ``mask`` is None where no position is padding.

    ``pieces`` (batch, pieces), ``ends`` (batch, words): position of each word's last piece, 0 for
    padding; ``marks`` and ``cases`` (batch, words), ``IGNORED`` where there is nothing to learn.
    """

    pieces: npt.NDArray[np.int64]
    mask: npt.NDArray[np.bool_] | None
    ends: npt.NDArray[np.int64]
    marks: npt.NDArray[np.int64]
    cases: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batches:
    """Draws batches of about ``pieces`` pieces from corpora, by weight.

    ``short`` is the share of batches made of fragments of 3 to 60 words instead of full windows; half
    of the fragments begin at a sentence start, and half end at a sentence end.
    """

    corpora: Sequence[Corpus]
    weights: Sequence[float]
    vocabulary: Vocabulary
    marks: MarkSet
    window: int
    pieces: int
    noise: Noise
    short: float
    seed: int
    tags: Sequence[int | None] = ()
    """The piece of each corpus's style."""

    @classmethod
    def of(cls, recipe: Recipe, corpora: Sequence[Corpus], vocabulary: Vocabulary, marks: MarkSet) -> Batches:
        return cls(
            corpora,
            [corpus.weight for corpus in recipe.corpora],
            vocabulary,
            marks,
            recipe.window,
            recipe.batch_pieces,
            recipe.noise,
            recipe.short,
            recipe.seed,
            [special_piece(vocabulary.tokenizer, recipe.styles[c.style]) if c.style else None for c in recipe.corpora],
        )

    def batch(self, step: int) -> Batch:
        """The batch of one step."""
        random = np.random.default_rng((self.seed, step))
        if random.random() >= self.short:
            count, length, whole = self.pieces // self.window, self.window, True
        else:
            length = int(random.choice((16, 32, 64)))
            count, whole = self.pieces // length, False
        share = np.asarray(self.weights) / sum(self.weights)
        rows, begins = [], []
        for _ in range(count):
            chosen = int(random.choice(len(self.corpora), p=share))
            rows.append(self._row(self.corpora[chosen], length, whole, random))
            tag = self.tags[chosen] if self.tags else None
            begins.append(self.vocabulary.begin if tag is None or random.random() < 0.5 else tag)
        to_id = [self.marks.id(mark) for mark in ALL_MARKS]
        return collate(rows, self.vocabulary, length, to_id, begins)

    def _row(self, corpus: Corpus, length: int, whole: bool, random: np.random.Generator) -> list[Sample]:
        words = length if whole else int(random.integers(3, max(4, length * 3 // 4)))
        start = int(random.integers(0, max(1, len(corpus) - words)))
        if not whole and random.random() < 0.5:
            start = _next_sentence(corpus, start)
        stop = min(len(corpus), start + words)
        if not whole and random.random() < 0.5:
            stop = min(max(_next_sentence(corpus, max(start, stop - words // 2)), start + 1), start + words)
        forms = self.vocabulary.forms
        window = [
            Sample(forms[word], mark, case, _ENDS[mark])
            for word, mark, case in zip(
                corpus.words[start:stop].tolist(),
                corpus.marks[start:stop].tolist(),
                corpus.cases[start:stop].tolist(),
                strict=True,
            )
        ]

        def other_word() -> str:
            return forms[int(corpus.words[random.integers(0, len(corpus))])]

        return disturb(window, self.noise, random, other_word)


def _next_sentence(corpus: Corpus, start: int) -> int:
    for i in range(start, min(start + 60, len(corpus))):
        if _ENDS[corpus.marks[i]]:
            return i + 1
    return start


def collate(
    rows: Sequence[Sequence[Sample]],
    vocabulary: Vocabulary,
    length: int,
    to_id: Sequence[int],
    begins: Sequence[int] | None = None,
) -> Batch:
    """Cut rows of words to ``length`` pieces and pad them to one shape.

    A row that has more words than fit is filled to the last position with the first pieces of the word
    that no longer fits, which gets no label: a full window then needs no mask. ``begins``: the piece at
    the start of each row, which may name a style.
    """
    all_pieces: list[list[int]] = []
    all_ends: list[list[int]] = []
    all_marks: list[list[int]] = []
    all_cases: list[list[int]] = []
    for row, begin in zip(rows, begins or [vocabulary.begin] * len(rows), strict=True):
        pieces, ends, marks, cases = [begin], [], [], []
        for sample in row:
            word = vocabulary.pieces(vocabulary.id(sample.form))
            room = length - 1 - len(pieces)
            pieces += word[:room]
            if len(word) > room:
                break
            ends.append(len(pieces) - 1)
            marks.append(to_id[sample.mark])
            cases.append(sample.case)
        pieces.append(vocabulary.end)
        all_pieces.append(pieces)
        all_ends.append(ends)
        all_marks.append(marks)
        all_cases.append(cases)
    widest = max(map(len, all_pieces))
    words = max(1, max(map(len, all_ends)))
    mask = np.array([[True] * len(row) + [False] * (widest - len(row)) for row in all_pieces])
    return Batch(
        pieces=_padded(all_pieces, widest, 0),
        mask=None if mask.all() else mask,
        ends=_padded(all_ends, words, 0),
        marks=_padded(all_marks, words, IGNORED),
        cases=_padded(all_cases, words, IGNORED),
    )


def _padded(rows: Sequence[Sequence[int]], width: int, value: int) -> npt.NDArray[np.int64]:
    return np.array([[*row, *[value] * (width - len(row))] for row in rows], dtype=np.int64)


def forward(model: TextModel, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The model's mark logits, case logits and states of a batch."""
    mask = None if batch.mask is None else torch.from_numpy(batch.mask)
    answer: tuple[Tensor, Tensor, Tensor] = model(torch.from_numpy(batch.pieces), mask, torch.from_numpy(batch.ends))
    return answer
