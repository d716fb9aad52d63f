"""Adapt a model's decisions to one writer: a bias and a threshold for each family of marks, from a few hundred words.

The biases are those of greatest likelihood under a normal prior around 0, so few words move them little. The
adapted probabilities then say which threshold would give the best F1, and the model's own go half of the way
there. Both hold only if they also help on words that they were not chosen on; otherwise nothing changes. The
marks of a family share its bias, and the thresholds inside it stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..adaptation import Adaptation
from ..decoding import DEFAULT_THRESHOLDS, decide, fold_posteriors, softmax
from ..errors import InputError
from ..marks import NONE, THREE, MarkSet, fold
from ..reader import known_script
from .benchmarks import BENCHMARKS, Document, load
from .scores import Ids, Score

if TYPE_CHECKING:
    from ..restorer import Restorer

__all__ = [
    "FOLDS",
    "LEAST",
    "PRIOR",
    "SURE",
    "Choice",
    "Evidence",
    "Study",
    "adapt",
    "choose",
    "cross_validated",
    "documents_of",
    "evidence",
    "study",
]

Floats64 = npt.NDArray[np.float64]

PRIOR = 20.0
"""How strongly a bias is held at 0: 1 / variance, in nats⁻². Chosen on development texts (scripts/adaptation.py)."""
LEAST = 50
"""Words. On fewer, nothing can be said of a style, nor cross-validated."""
FOLDS = 5
SURE = 1.0
"""Nats that must be gained on held-out words in all: what one free number gains by chance (Akaike 1974)."""
_GRID = np.arange(0.20, 0.505, 0.01)
"""Thresholds that are tried; beyond them, a text is too short to be believed."""
_FAMILIES = MarkSet.of((NONE, *THREE))


@dataclass(frozen=True)
class Choice:
    """Biases (3,) in nats and thresholds (3,) of the families, in the order of ``marks.THREE``."""

    biases: Floats64
    thresholds: Floats64


@dataclass(frozen=True)
class Evidence:
    """What a model makes of words whose marks are known, in NONE and the three families."""

    masses: Floats64
    """Probabilities, shape (n_words, 4), in the order NONE, ``marks.THREE``."""
    reference: Ids
    """0 to 3, shape (n_words,)."""

    def __len__(self) -> int:
        return len(self.reference)

    def part(self, rows: npt.NDArray[Any]) -> Evidence:
        return Evidence(self.masses[rows], self.reference[rows])

    def biased(self, biases: Floats64) -> Floats64:
        """The probabilities under biases (3,) in nats."""
        logits = np.log(np.maximum(self.masses, 1e-9)) + np.concatenate([[0.0], biases])
        return softmax(logits.astype(np.float32)).astype(np.float64)

    def score(self, choice: Choice) -> Score:
        """Micro F1 over the three families."""
        thresholds = dict(zip(THREE, choice.thresholds.tolist(), strict=True))
        found = decide(self.biased(choice.biases).astype(np.float32), _FAMILIES, thresholds)
        hits = int(((found == self.reference) & (found > 0)).sum())
        return Score(hits, int((found > 0).sum()), int((self.reference > 0).sum()))

    def loss(self, choice: Choice) -> float:
        """Negative log-likelihood of the reference, in nats."""
        right = self.biased(choice.biases)[np.arange(len(self)), self.reference]
        return float(-np.log(np.maximum(right, 1e-9)).sum())


@dataclass(frozen=True)
class Study:
    """An adaptation and what is known of its worth. ``float(study)`` is the cross-validated gain in F1."""

    adaptation: Adaptation
    thresholds_before: Mapping[str, float]
    """The model's own, of the families' heads."""
    f1_before: float
    f1_after: float
    """On the very words that it was chosen on: flattering."""
    gain: float
    """In F1, on words held out in turn; of the choice, whether it was kept or not."""
    gain_in_nats: float
    """In the log-likelihood of all the words, on the same."""

    def __float__(self) -> float:
        return self.gain

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {
            "adaptation": self.adaptation.to_dict(),
            "thresholds_before": dict(self.thresholds_before),
            "f1_before": self.f1_before,
            "f1_after": self.f1_after,
            "cross_validated_gain": self.gain,
            "cross_validated_gain_in_nats": self.gain_in_nats,
            "helps": not self.adaptation.changes_nothing,
        }

    def table(self) -> str:
        """For people, lines of plain text."""
        adaptation, before = self.adaptation, self.thresholds_before
        lines = [f"{adaptation.words:,} words, for the model {adaptation.model!r}", ""]
        lines.append(f"{'mark':<10}{'bias':>7}   threshold")
        for mark, threshold in before.items():
            after = adaptation.thresholds.get(mark, threshold)
            lines.append(f"{mark:<10}{adaptation.biases.get(mark, 0.0):>+7.2f}   {threshold:.2f} → {after:.2f}")
        lines += [
            "",
            f"F1 on this text   {self.f1_before:.3f} → {self.f1_after:.3f}   (adapted on these very words)",
            f"cross-validated   {self.gain:+.3f}   (on words held out, a fifth at a time)",
        ]
        if adaptation.changes_nothing:
            lines += [
                "",
                "No gain on words held out: nothing is changed. The model's own marks do as well here.",
            ]
        return "\n".join(lines)


def adapt(restorer: Restorer, text: str | Path | Sequence[Document]) -> Adaptation:
    """What a text of the user's own says of the model's marks; see :func:`study`."""
    return study(restorer, text).adaptation


def study(restorer: Restorer, text: str | Path | Sequence[Document]) -> Study:
    """Adapt a model to punctuated text; a second for a few hundred words.

    Args:
        text: a file as :func:`documents_of` reads it, or labelled documents.

    Raises:
        InputError: the text cannot be read, has fewer than 50 words, or no mark of the model's; or ``restorer``
            is adapted already.
    """
    if restorer.adaptation is not None:
        raise InputError("this model is adapted already: adapt one fresh from from_pretrained()")
    documents = documents_of(text) if isinstance(text, str | Path) else text
    if not known_script([word for document in documents for word in document.words], restorer.config.scripts):
        raise InputError(f"most of this text is in a script that the model {restorer.config.name!r} never learnt")
    known = evidence(restorer, documents)
    if len(known) < LEAST:
        raise InputError(f"{len(known)} words are too few to adapt to: give at least {LEAST}, better 500")
    if not known.reference.any():
        raise InputError(
            f"none of the {len(known)} words has a mark to learn from: give text punctuated as you like it"
        )
    config = restorer.config
    heads = [mark for mark in THREE if mark in config.mark_set]
    own = {mark: config.thresholds.get(mark, DEFAULT_THRESHOLDS[mark]) for mark in THREE}
    before = Choice(np.zeros(len(THREE)), np.array(list(own.values())))
    gain, nats = cross_validated(known, before.thresholds)
    helps = gain > 0 and nats > SURE
    after = choose(known, before.thresholds) if helps else before
    members = {mark: THREE.index(fold(mark)) for mark in config.mark_set if mark != NONE}
    adaptation = Adaptation(
        config.name,
        {mark: round(float(after.biases[i]), 3) for mark, i in members.items()} if helps else {},
        {mark: round(float(after.thresholds[i]), 3) for i, mark in enumerate(THREE) if mark in heads} if helps else {},
        len(known),
    )
    scores = [float(known.score(each)) for each in (before, after)]
    return Study(adaptation, {mark: own[mark] for mark in heads}, scores[0], scores[1], gain, nats)


def documents_of(text: str | Path) -> tuple[Document, ...]:
    """Labelled documents: a file of punctuated text, a ``.tsv`` of tokens and labels, or ``NAME:PATH`` of a benchmark.

    Raises:
        InputError: it cannot be read or holds no words.
    """
    name, colon, _ = str(text).partition(":")
    spec = str(text) if colon and name in BENCHMARKS.names else f"{_reader(str(text))}:{text}"
    return tuple(document for split in load(spec) for document in split.documents)


def evidence(restorer: Restorer, documents: Sequence[Document]) -> Evidence:
    """Run the model over the words alone. A mark of a family that it lacks counts as NONE."""
    marks = restorer.config.mark_set
    order = (NONE, *THREE)
    known = {fold(mark) for mark in marks}
    documents = [document for document in documents if document.words]
    masses = [fold_posteriors(restorer.posteriors(document.words).marks, marks) for document in documents]
    reference = [fold(mark) for document in documents for mark in document.word_marks]
    ids = np.array([order.index(mark) if mark in known else 0 for mark in reference], dtype=np.int64)
    return Evidence(np.concatenate([*masses, np.zeros((0, len(order)))]), ids)


def choose(known: Evidence, thresholds: Floats64, prior: float = PRIOR) -> Choice:
    """Biases by penalised likelihood, and thresholds half-way from ``thresholds`` (3,) to the best expected F1."""
    biases = _biases(known, prior)
    return Choice(biases, (thresholds + _expected_best(known.biased(biases))) / 2)


def _biases(known: Evidence, prior: float) -> Floats64:
    """Newton's method; the loss is convex, and the prior makes it strictly so."""
    given = np.bincount(known.reference, minlength=len(_FAMILIES))[1:]
    biases = np.zeros(len(THREE))
    for _ in range(30):
        p = known.biased(biases)[:, 1:]
        slope = p.sum(axis=0) - given + prior * biases
        curve = np.diag(p.sum(axis=0) + prior) - p.T @ p
        step = np.linalg.solve(curve, slope)
        biases -= np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-5:
            break
    return biases


def _expected_best(probabilities: Floats64) -> float:
    """The threshold for all families that maximises F1 if the probabilities (n_words, 4) are honest.

    It needs no reference, so it wavers less with a short text than one that is counted out; and the more
    uncertain a text, the lower it is.
    """
    best = probabilities[:, 1:].max(axis=1)
    wanted = probabilities[:, 1:].sum()
    given = best >= _GRID[:, None]
    return float(_GRID[np.argmax(2 * (best * given).sum(axis=1) / (given.sum(axis=1) + wanted))])


def cross_validated(known: Evidence, thresholds: Floats64, prior: float = PRIOR) -> tuple[float, float]:
    """The gain in F1 and in nats over the model's ``thresholds`` (3,), each fifth of the words by what the rest say."""
    before, rows = Choice(np.zeros(len(THREE)), thresholds), np.arange(len(known))
    old, new, nats = [], [], 0.0
    for held_out in np.array_split(rows, FOLDS):
        choice = choose(known.part(np.setdiff1d(rows, held_out)), thresholds, prior)
        part = known.part(held_out)
        old.append(part.score(before))
        new.append(part.score(choice))
        nats += part.loss(before) - part.loss(choice)
    return float(reduce(Score.__add__, new)) - float(reduce(Score.__add__, old)), nats


def _reader(file: str) -> str:
    return "timed" if file.endswith(".tsv.xz") else "iwslt2011" if file.endswith(".tsv") else "text"
