"""What adapting to a few hundred words gains elsewhere, on development texts.

    python scripts/adaptation.py --data $DATA --cache runs/adaptation [--words 500] [--prior 20]

Adapts on so many words in a row from each of several places, and measures micro F1 over three marks on up to
20,000 other words of the same text. TED is a style that was never seen in training; the other texts were, and the
model's thresholds were chosen on them; those of a recogniser have its errors. Prints points of F1, before → with
what is kept: the mean and spread over places, the worst place, how often the adaptation was kept, and the mean had
it always been. Writers differ inside a text too, so a second table adapts on the first words of each document and
measures on the rest of it: the same writer. The model runs once a text.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from interpunct import Restorer
from interpunct.decoding import DEFAULT_THRESHOLDS
from interpunct.evaluation.adapting import (
    PRIOR,
    SURE,
    Choice,
    Evidence,
    choose,
    cross_validated,
    documents_of,
    evidence,
)
from interpunct.evaluation.benchmarks import Document, Split
from interpunct.marks import THREE

OTHERS = 20_000
LEAST_OTHERS = 1_000
PIECE = 15_000
STREAM = "TED (iwslt dev2012)"
"""Talks that are not parted."""
Gain = tuple[float, bool]


def texts(data: Path) -> list[tuple[str, Path, int]]:
    """Name, file and number of words taken."""
    seen = sorted((data / "text" / "en").glob("*.dev.txt.xz"))
    timed = sorted((data / "timed").glob("*.dev.tsv.xz"))
    named = [(f.name.split(".")[0], f, 2 * PIECE) for f in seen] + [(f.name.split(".")[0], f, 10_000) for f in timed]
    return [(STREAM, data / "bench" / "iwslt2011" / "dev2012.tsv", 9 * PIECE), *named]


def known(restorer: Restorer, file: Path, limit: int, cache: Path) -> tuple[Evidence, np.ndarray]:
    """The evidence of a text and the words of each document: its beginning or, of one long stream, pieces of it."""
    kept = cache / f"{file.name}.{limit}.npz"
    if not kept.exists():
        documents = documents_of(file)
        if len(documents) == 1:
            words, marks = documents[0].words, documents[0].word_marks
            starts = np.linspace(0, len(words) - PIECE, max(1, limit // PIECE)).astype(int)
            documents = tuple(Document(words[i : i + PIECE], marks[i : i + PIECE]) for i in starts)
        documents = Split(file.name, documents).first(limit).documents
        found = evidence(restorer, documents)
        lengths = [len(document.words) for document in documents]
        np.savez(kept, masses=found.masses, reference=found.reference, lengths=lengths)
    saved = np.load(kept)
    return Evidence(saved["masses"], saved["reference"]), saved["lengths"]


def gain(text: Evidence, mine: np.ndarray, others: np.ndarray, thresholds: np.ndarray, prior: float) -> Gain:
    """Points of F1 on some rows by what other rows say, and whether it would be kept."""
    known, elsewhere = text.part(mine), text.part(others)
    choice, before = choose(known, thresholds, prior), Choice(np.zeros(3), thresholds)
    f1, nats = cross_validated(known, thresholds, prior)
    return 100 * (float(elsewhere.score(choice)) - float(elsewhere.score(before))), f1 > 0 and nats > SURE


def of_places(text: Evidence, words: int, places: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Words in a row, and others of the same text."""
    for start in np.linspace(0, len(text) - words, places).astype(int):
        rows = np.arange(start, start + words)
        others = np.unique((np.arange(OTHERS) + start + len(text) // 2) % len(text))
        yield rows, np.setdiff1d(others, rows)


def of_documents(lengths: np.ndarray, words: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The first words of a document, and its others; documents that are long enough."""
    for start, length in zip(np.cumsum(lengths) - lengths, lengths, strict=True):
        if length >= words + LEAST_OTHERS:
            yield np.arange(start, start + words), np.arange(start + words, start + length)


def line(name: str, f1: float, words: int, found: list[Gain]) -> str:
    points, kept = np.array(found, dtype=float).T
    got = points * kept
    return (
        f"{name:<30}{100 * f1:>6.1f}{words:>7}{got.mean():>+8.2f}{got.std():>8.2f}{got.min():>+8.2f}"
        f"{int(kept.sum()):>5}/{len(kept):<3}{points.mean():>+8.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path("runs/adaptation"))
    parser.add_argument("--model", default="en")
    parser.add_argument("--words", type=int, nargs="+", default=[50, 100, 200, 500, 1000])
    parser.add_argument("--prior", type=float, default=PRIOR)
    parser.add_argument("--places", type=int, default=16)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    restorer = Restorer.from_pretrained(options.model)
    thresholds = np.array([restorer.config.thresholds.get(mark, DEFAULT_THRESHOLDS[mark]) for mark in THREE])
    before = Choice(np.zeros(3), thresholds)
    known_texts = {name: known(restorer, file, limit, options.cache) for name, file, limit in texts(options.data)}
    for title in ("other words of the text", "the rest of the document"):
        print(f"\n{title:<30}{'F1':>6}{'words':>7}{'mean':>8}{'spread':>8}{'worst':>8}{'kept':>9}{'always':>8}")
        for name, (text, lengths) in known_texts.items():
            for words in options.words:
                if title == "other words of the text":
                    pairs = of_places(text, words, options.places)
                elif name == STREAM:
                    continue
                else:
                    pairs = of_documents(lengths, words)
                found = [gain(text, *pair, thresholds, options.prior) for pair in pairs]
                if found:
                    print(line(name, float(text.score(before)), words, found), flush=True)


if __name__ == "__main__":
    main()
