"""What adapting to a few hundred words gains elsewhere, on development texts.

    python scripts/adaptation.py --data $DATA --cache runs/adaptation [--words 500] [--prior 20]

Adapts on so many words in a row from each of several places, and measures micro F1 over three marks on up to
20,000 other words of the same text. TED is a style that was never seen in training; the other texts were, and the
model's thresholds were chosen on them; those of a recogniser have its errors. Prints points of F1, before → with
what is kept: the mean and spread over places, the worst place, how often the adaptation was kept, and the mean had
it always been. The model runs once a text.
"""

from __future__ import annotations

import argparse
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
from interpunct.marks import THREE

OTHERS = 20_000
PIECE = 15_000


def texts(data: Path) -> list[tuple[str, Path, int]]:
    """Name, file and number of words taken."""
    seen = sorted((data / "text" / "en").glob("*.dev.txt.xz"))
    timed = sorted((data / "timed").glob("*.dev.tsv.xz"))
    named = [(file.name.split(".")[0], file, 10_000) for file in (*seen, *timed)]
    return [("TED (iwslt dev2012)", data / "bench" / "iwslt2011" / "dev2012.tsv", 9 * PIECE), *named]


def known(restorer: Restorer, file: Path, limit: int, cache: Path) -> Evidence:
    """The evidence of a text: its beginning or, of a long one, pieces spread over it."""
    kept = cache / f"{file.name}.{limit}.npz"
    if not kept.exists():
        whole, rest = [], limit
        for document in documents_of(file):
            if limit > PIECE:  # one long stream
                size = len(document.words) // (limit // PIECE)
                pieces = [document.words[i : i + PIECE] for i in range(0, len(document.words) - PIECE, size)]
                marks = [document.word_marks[i : i + PIECE] for i in range(0, len(document.words) - PIECE, size)]
                whole = [type(document)(w, m) for w, m in zip(pieces, marks, strict=True)]
                break
            whole.append(document.first(rest))
            rest -= len(whole[-1].words)
            if rest <= 0:
                break
        found = evidence(restorer, whole)
        np.savez(kept, masses=found.masses, reference=found.reference)
    saved = np.load(kept)
    return Evidence(saved["masses"], saved["reference"])


def gains(
    text: Evidence, thresholds: np.ndarray, words: int, prior: float, places: int
) -> tuple[list[float], list[bool]]:
    """Points of F1 that a choice gains elsewhere in the text, and whether it would be kept; one each a place."""
    before = Choice(np.zeros(3), thresholds)
    points, kept = [], []
    for start in np.linspace(0, len(text) - words, places).astype(int):
        rows = np.arange(start, start + words)
        others = np.setdiff1d((np.arange(OTHERS) + start + len(text) // 2) % len(text), rows)
        mine, elsewhere = text.part(rows), text.part(others)
        choice = choose(mine, thresholds, prior)
        points.append(100 * (float(elsewhere.score(choice)) - float(elsewhere.score(before))))
        gain, nats = cross_validated(mine, thresholds, prior)
        kept.append(gain > 0 and nats > SURE)
    return points, kept


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
    print(f"{'text':<30}{'F1':>6}{'words':>7}{'mean':>8}{'spread':>8}{'worst':>8}{'kept':>7}{'always':>8}")
    for name, file, limit in texts(options.data):
        text = known(restorer, file, limit, options.cache)
        for words in options.words:
            points, kept = gains(text, thresholds, words, options.prior, options.places)
            got = np.where(kept, points, 0.0)
            print(
                f"{name:<30}{100 * float(text.score(before)):>6.1f}{words:>7}{got.mean():>+8.2f}{got.std():>8.2f}"
                f"{got.min():>+8.2f}{sum(kept):>4}/{len(kept):<2}{np.mean(points):>+8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
