"""The words with capitals inside (``McDonald``, ``iPhone``), learnt from training text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np

from ..casing import LOWER, MIXED, lower, observe
from .corpus import Corpus, Vocabulary

__all__ = ["mixed_case_words"]


def mixed_case_words(
    corpora: Iterable[Corpus], vocabulary: Vocabulary, *, least: int = 5, share: float = 0.5
) -> list[str]:
    """Words that are written with capitals inside at least ``least`` times, and so in at least ``share`` of all
    places where they are not in lower case; the commonest form of each, sorted."""
    totals: Counter[str] = Counter()
    for corpus in corpora:
        ids, counts = np.unique(corpus.words, return_counts=True)
        for word, count in zip(ids.tolist(), counts.tolist(), strict=True):
            totals[vocabulary.forms[word]] += count
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for form, count in totals.items():
        if observe(form) not in (None, LOWER):
            forms[lower(form)][form] += count
    kept = []
    for written in forms.values():
        form, count = written.most_common(1)[0]
        if observe(form) == MIXED and count >= least and count >= share * sum(written.values()) and _plain(form):
            kept.append(form)
    return sorted(kept)


def _plain(form: str) -> bool:
    return all(c.isalnum() or c in "'-’" for c in form) and any(c.islower() for c in form)
