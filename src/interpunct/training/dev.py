"""The running dev figure: micro F1 over the three folded marks, windows side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..marks import NONE, MarkSet, fold
from .batches import Batch, collate, forward
from .corpus import ALL_MARKS, IGNORED, Corpus, Vocabulary
from .encoder import TextModel
from .noise import Sample

__all__ = ["Dev"]

_ORDER = (NONE, "PERIOD", "COMMA", "QUESTION")


@dataclass(frozen=True)
class Dev:
    """Batches of each dev text, and the mark set that they are labelled in."""

    texts: Mapping[str, Sequence[Batch]]
    marks: MarkSet

    @classmethod
    def of(cls, texts: Mapping[str, Corpus], vocabulary: Vocabulary, marks: MarkSet, window: int) -> Dev:
        to_id = [marks.id(mark) for mark in ALL_MARKS]
        return cls({name: _windows(text, vocabulary, window, to_id) for name, text in texts.items()}, marks)

    def f1(self, model: TextModel) -> dict[str, float]:
        """Micro F1 of the likeliest marks, by text. Without overlap and thresholds it is below the final figure."""
        folded = np.array([_ORDER.index(fold(mark)) for mark in self.marks])
        model.eval()
        scores = {}
        for name, batches in self.texts.items():
            hits = total = 0
            for batch in batches:
                with torch.inference_mode():
                    logits, _, _ = forward(model, batch)
                known = batch.marks != IGNORED
                guess, truth = folded[logits.argmax(-1).numpy()[known]], folded[batch.marks[known]]
                hits += int(((guess == truth) & (truth > 0)).sum())
                total += int((guess > 0).sum()) + int((truth > 0).sum())
            scores[name] = 2 * hits / max(1, total)
        model.train()
        return scores


def _windows(stream: Corpus, vocabulary: Vocabulary, window: int, to_id: Sequence[int]) -> list[Batch]:
    words = window * 3 // 4  # so many words nearly always fit
    columns = zip(stream.words.tolist(), stream.marks.tolist(), stream.cases.tolist(), strict=True)
    samples = [Sample(vocabulary.forms[word], mark, case, False) for word, mark, case in columns]
    rows = [samples[i : i + words] for i in range(0, len(samples), words)]
    return [collate(rows[i : i + 8], vocabulary, window * 2, to_id) for i in range(0, len(rows), 8)]
