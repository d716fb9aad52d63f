"""What times cost: words with times against the same words without, in one run.

    python -m bench.times_cost --data $DATA [--words 20000] [--rounds 7]

Prints the time for words with times as a multiple of that for words alone, the median over rounds in which both
run, each first in turn.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from interpunct import Restorer
from interpunct.evaluation.benchmarks import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="en")
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    (split,) = load(f"timed:{options.data / 'timed' / 'earnings21_amazon.dev.tsv.xz'}")
    words = [word for document in split.documents for word in document.timed_words][: options.words]
    restorer = Restorer.from_pretrained(options.model, threads=options.threads)

    def seconds(alpha: float | None) -> float:
        start = time.perf_counter()
        restorer.restore(words, alpha=alpha)
        return time.perf_counter() - start

    seconds(None)  # both once, so that what is made once is made
    ratios = []
    for turn in range(options.rounds):
        pair = {alpha: seconds(alpha) for alpha in ((None, 0.0) if turn % 2 else (0.0, None))}
        ratios.append(pair[None] / pair[0.0])
    print(
        f"{len(words):,} words, {options.threads} thread(s): with times {statistics.median(ratios):.3f} of words alone"
    )
    print(f"  rounds: {', '.join(f'{ratio:.3f}' for ratio in sorted(ratios))}")


if __name__ == "__main__":
    main()
