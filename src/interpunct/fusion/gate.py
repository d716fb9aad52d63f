"""Mix what the words and what the times say, word by word.

``p = α · p_timing + (1 − α) · p_text``, the ensemble of EfficientPunct (equation 3), but with an α for each word:
a gate, trained on calls that neither source has learnt from, says how far to trust the times there. A fixed
``alpha`` takes its place when it is given; 0 is the text alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ..audio.encoders.timing import Timing, problem
from ..decoding import Floats, Posteriors, fold_posteriors
from ..hooks import warn
from ..marks import NONE, THREE, MarkSet, fold
from ..transcript import Word
from ..windows import cut_items
from .timing import MARGIN, SIZE, TimingModel

__all__ = ["fuse", "mix", "unfold"]


def fuse(
    blocks: Iterable[Posteriors], words: Iterable[Word], model: TimingModel, marks: MarkSet, alpha: float | None
) -> Iterator[Posteriors]:
    """Let the times of words have their say in a stream of text posteriors.

    Times that cannot be those of the words are told once, and not used where they stand.

    Args:
        blocks: posteriors of the text, block by block.
        words: the same words, one by one.
        alpha: a fixed weight of the times, instead of the gate's.

    Yields:
        Posteriors, block by block, of the same words in all. Holds some :data:`~interpunct.fusion.timing.SIZE` words.
    """
    width, warned = len(marks), False
    rows = (row for block in blocks for row in np.concatenate([block.marks, block.cases], axis=1))
    for window, held in cut_items(zip(words, rows, strict=True), lambda _: 1, SIZE, MARGIN):
        own = slice(window.own_first - window.first, window.own_stop - window.first)
        scores = np.stack([row for _, row in held])
        text, cases = scores[:, :width], scores[own, width:]
        timing = _timing([word for word, _ in held])
        reason = problem(timing)
        if reason and not warned:
            warn(f"the times of the words are not used: {reason}")
            warned = True
        opinion = None if reason else model.opinion(timing, fold_posteriors(text, marks).astype(np.float32))
        if opinion is None:
            yield Posteriors(text[own], cases)
            continue
        other = unfold(opinion.folded, text, marks)
        weight = opinion.alpha if alpha is None else np.where(opinion.alpha > 0, np.float32(alpha), np.float32(0))
        yield Posteriors(mix(text, other, weight)[own], cases, text[own], other[own], weight[own])


def mix(text: Floats, other: Floats, alpha: Floats) -> Floats:
    """``α · other + (1 − α) · text`` of posteriors (words, marks), ``alpha`` (words,)."""
    weight = alpha[:, None]
    result: Floats = weight * other + (1 - weight) * text
    return result


def unfold(folded: Floats, text: Floats, marks: MarkSet) -> Floats:
    """Posteriors of all marks (words, marks) from those of three: inside a family, the text's shares stay."""
    mass = fold_posteriors(text, marks).astype(np.float32)
    family = [(NONE, *THREE).index(fold(mark)) for mark in marks]
    head = np.array([fold(mark) == mark for mark in marks], dtype=np.float32)  # gets all where the text saw nothing
    shares = np.where(mass[:, family] > 0, text / np.maximum(mass, np.float32(1e-37))[:, family], head)
    result: Floats = folded[:, family] * shares
    return result


def _timing(words: list[Word]) -> Timing:
    return Timing.of(
        [word.text for word in words], [(word.start, word.end) for word in words], [word.speaker for word in words]
    )
