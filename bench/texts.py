"""Texts to measure on: lower-case words without marks, as many as asked for, the same ones every time.

    python -m bench.texts --words 1000000 --data DATA > words.txt

The sentences of the test files are shuffled, then used again in another order until there are words enough. Speed does
not depend on what is said, but it does depend on how many pieces a word has: so the words are real ones.
"""

from __future__ import annotations

import argparse
import lzma
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "words.txt"
SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
# A mark between two digits or letters (2.5, don't, e-mail) belongs to the word; every other one goes.
OUTER_MARKS = re.compile(r"^[^\w]+|[^\w]+$")


def bare_words(sentence: str) -> list[str]:
    """The words of a sentence as a recogniser writes them; what has no letter or digit is left out."""
    words = (OUTER_MARKS.sub("", word) for word in sentence.replace("—", " ").replace("–", " ").lower().split())
    return [word for word in words if any(map(str.isalnum, word))]


def sentences(data: Path | None) -> list[list[str]]:
    """The sentences of ``data/text/en/*.test.txt.xz``; without ``data``, the bundled example in tens of words.

    Raises:
        SystemExit: ``data`` has no such file.
    """
    if data is None:
        words = EXAMPLE.read_text(encoding="utf-8").split()
        return [words[start : start + 10] for start in range(0, len(words), 10)]
    files = sorted((data / "text" / "en").glob("*.test.txt.xz"))
    if not files:
        raise SystemExit(f"no text/en/*.test.txt.xz in {data}: give the folder that holds text/ as --data")
    found: list[list[str]] = []
    for file in files:
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            found += [words for line in lines for part in SENTENCE_END.split(line) if (words := bare_words(part))]
    return found


def stream(count: int, data: Path | None, seed: int = 0) -> Iterator[list[str]]:
    """Sentences that hold ``count`` words together; the last one is cut to fit."""
    pool, order = sentences(data), random.Random(seed)
    left = count
    while left > 0:
        order.shuffle(pool)
        for sentence in pool:
            yield sentence[:left]
            left -= len(sentence)
            if left <= 0:
                return


def main() -> int:
    """Write the words to stdout, all on one line."""
    parser = argparse.ArgumentParser(description="Words to measure on.")
    parser.add_argument("--words", type=int, required=True)
    parser.add_argument("--data", type=Path)
    arguments = parser.parse_args()
    separator = ""
    for sentence in stream(arguments.words, arguments.data):
        sys.stdout.write(separator + " ".join(sentence))
        separator = " "
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
