"""Stretches of recordings: times, what the text model thinks, and what is right; and times as others have them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...audio.encoders.timing import FEATURES, Timing, encode
from ...decoding import Floats, fold_posteriors
from ...evaluation.benchmarks import Document, load
from ...fusion.timing import MARGIN, SIZE, log_posteriors
from ...hooks import say
from ...marks import NONE, THREE
from ...restorer import Restorer
from ...windows import cut

__all__ = ["IGNORED", "Arrays", "Recording", "collate", "disturb_times", "recordings", "stretches"]

IGNORED = -100
_CLASSES = (NONE, *THREE)


@dataclass(frozen=True)
class Recording:
    """A recording, or a stretch of one: ``text`` are posteriors (words, marks), ``labels`` places in NONE, THREE."""

    timing: Timing
    text: Floats
    folded: Floats
    labels: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def part(self, first: int, stop: int) -> Recording:
        here = slice(first, stop)
        t = self.timing
        timing = Timing(t.letters[here], t.start[here], t.end[here], t.speakers[here])
        return Recording(timing, self.text[here], self.folded[here], self.labels[here])


@dataclass(frozen=True)
class Arrays:
    """A batch: features (batch, words, 15), log posteriors of the text (batch, words, 4), labels (batch, words)."""

    features: Floats
    text: Floats
    labels: npt.NDArray[np.int64]


def recordings(restorer: Restorer, path: Path, part: tuple[float, float], cache: Path) -> list[Recording]:
    """The recordings of a file that begin in a part of it. Posteriors are computed once, and kept in ``cache``.

    Raises:
        InputError: the file cannot be read.
    """
    (split,) = load(f"timed:{path}")
    documents = list(_within(split.documents, part))
    key = hashlib.sha256(f"{restorer.config.files['model.onnx']} {restorer.config.temperature} {part}".encode())
    file = cache / f"{path.name.removesuffix('.tsv.xz')}-{key.hexdigest()[:12]}.npz"
    if not file.exists():
        say(f"reading {path.name} with {restorer.config.name}")
        cache.mkdir(parents=True, exist_ok=True)
        found: dict[str, Any] = {f"{i:03d}": restorer.posteriors(d.words).marks for i, d in enumerate(documents)}
        partial = file.with_suffix(".partial.npz")
        np.savez(partial, **found)
        partial.replace(file)
    with np.load(file, allow_pickle=False) as stored:
        return [_recording(restorer, document, stored[f"{i:03d}"]) for i, document in enumerate(documents)]


def _within(documents: Sequence[Document], part: tuple[float, float]) -> Iterator[Document]:
    total, before = sum(len(d.words) for d in documents), 0
    for document in documents:
        if part[0] * total <= before < part[1] * total:
            yield document
        before += len(document.words)


def _recording(restorer: Restorer, document: Document, text: Floats) -> Recording:
    labels = np.array([_CLASSES.index(mark) for mark in document.marks], dtype=np.int64)
    folded = fold_posteriors(text, restorer.config.mark_set).astype(np.float32)
    return Recording(Timing.of(document.words, document.times, document.speakers), text, folded, labels)


def stretches(recording: Recording) -> Iterator[tuple[Recording, slice]]:
    """The stretches that are read as one, each with the words that are its own."""
    for w in cut([1] * len(recording), SIZE, MARGIN):
        yield recording.part(w.first, w.stop), slice(w.own_first - w.first, w.own_stop - w.first)


def collate(rows: Sequence[Recording], timings: Sequence[Timing]) -> Arrays:
    """Padded arrays, with ``timings`` instead of the rows' own. Boundaries without times teach nothing."""
    shape = len(rows), max(map(len, rows))
    features = np.zeros((*shape, len(FEATURES)), np.float32)
    text = np.zeros((*shape, len(_CLASSES)), np.float32)
    labels = np.full(shape, IGNORED)
    for i, (row, timing) in enumerate(zip(rows, timings, strict=True)):
        here = slice(0, len(row))
        features[i, here] = encode(timing)
        text[i, here] = log_posteriors(row.folded)
        labels[i, here] = np.where(features[i, here, FEATURES.index("timed")] > 0, row.labels, IGNORED)
    return Arrays(features, text, labels)


def disturb_times(timing: Timing, random: np.random.Generator, often: float = 1.0) -> Timing:
    """The times as other recognisers would have them, who are not in the corpora.

    Half have no speakers. Some give the pauses to the word before, as those that only know starts, or to the word
    after, as Whisper does, or share them out, or know none that are short; some are vague, or round to a tick;
    some speakers are slower; some words have no time.
    """
    start, end, speakers = timing.start.copy(), timing.end.copy(), timing.speakers

    def chance(share: float) -> bool:
        return bool(random.random() < share * often)

    if random.random() < 0.5:
        speakers = np.full_like(speakers, -1)
    pause = np.maximum(np.nan_to_num(start[1:] - end[:-1]), 0)
    if chance(0.36):
        how = random.choice(4, p=(0.33, 0.33, 0.17, 0.17))
        if how == 0:
            end[:-1] += pause * random.choice([1.0, 1.0, 0.5])
        elif how == 1:
            start[1:] -= pause * random.choice([1.0, 1.0, 0.5])
        elif how == 2:
            end[:-1] += pause / 2
            start[1:] -= pause / 2
        else:
            end[:-1] += np.where(pause < random.uniform(0.1, 0.5), pause, 0)
    if chance(0.25):
        jitter = random.uniform(0.01, 0.06)
        start = start + random.normal(0, jitter, len(start))
        end = np.maximum(end + random.normal(0, jitter, len(end)), start)
    if chance(0.2):
        tick = random.choice([0.02, 0.05, 0.1])
        start, end = np.round(start / tick) * tick, np.round(end / tick) * tick
    if chance(0.2):
        pace = random.uniform(0.7, 1.4)
        start, end = start * pace, end * pace
    if chance(0.15):
        lost = random.random(len(start)) < random.uniform(0, 0.3)
        start, end = np.where(lost, np.nan, start), np.where(lost, np.nan, end)
    return Timing(timing.letters, start, end, speakers)
