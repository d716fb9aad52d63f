"""Times of words as they should not be, and as other recognisers would have them: for ``times.py --controls``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from interpunct import Word


def controls(words: list[list[Word]]) -> Iterator[tuple[str, list[list[Word]]]]:
    """Wrong times, and right ones in another shape."""
    random = np.random.default_rng(0)
    bare = [[replace(w, start=None, end=None, speaker=None) for w in call] for call in words]
    yield "no times", bare
    yield "all equal", [[replace(w, start=1.0, end=1.0, speaker=None) for w in call] for call in words]
    others = words[1:] + words[:1]
    yield (
        "times of another call",
        [
            [replace(b, start=o.start, end=o.end) for b, o in zip(call, stretched(other, len(call)), strict=True)]
            for call, other in zip(bare, others, strict=True)
        ],
    )
    for by in (1, 3):
        yield (
            f"times of the word {by} further",
            [
                [replace(b, start=o.start, end=o.end) for b, o in zip(call, call_[by:] + call_[-by:], strict=True)]
                for call, call_ in zip(bare, words, strict=True)
            ],
        )
    yield (
        "two calls in turn (channels)",
        [
            [replace(b, start=o.start, end=o.end) for b, o in zip(call, interleaved(own, other), strict=False)]
            for call, own, other in zip(bare, words, others, strict=True)
        ],
    )
    yield "no speakers", [[replace(w, speaker=None) for w in call] for call in words]
    yield "every word lasts to the next", [list(until_next(call)) for call in words]
    yield "every word begins with the end of the last", [list(from_last(call)) for call in words]
    for tick in (0.1, 0.5, 1.0):
        yield f"rounded to {tick} s", [[rounded(w, tick) for w in call] for call in words]
    for jitter in (0.05, 0.2):
        yield f"off by {jitter} s (normal)", [[jittered(w, jitter, random) for w in call] for call in words]
    yield (
        "30 % of the words without",
        [[replace(w, start=None, end=None) if random.random() < 0.3 else w for w in call] for call in words],
    )
    yield "a tenth faster", [[scaled(w, 0.9) for w in call] for call in words]
    yield "milliseconds", [[scaled(w, 1000) for w in call] for call in words]


def stretched(call: list[Word], length: int) -> list[Word]:
    return [call[i % len(call)] for i in range(length)]


def interleaved(one: list[Word], other: list[Word]) -> list[Word]:
    pair = zip(one, stretched(other, len(one)), strict=True)
    return [word for two in pair for word in two][: len(one)]


def until_next(call: list[Word]) -> Iterator[Word]:
    for word, following in zip(call, [*call[1:], None], strict=True):
        known = word.end is not None and following is not None and following.start is not None
        yield replace(word, end=max(word.end, following.start)) if known else word  # type: ignore[arg-type, union-attr, type-var]


def from_last(call: list[Word]) -> Iterator[Word]:
    for before, word in zip([None, *call[:-1]], call, strict=True):
        known = word.start is not None and before is not None and before.end is not None
        yield replace(word, start=min(word.start, before.end)) if known else word  # type: ignore[arg-type, union-attr, type-var]


def rounded(word: Word, tick: float) -> Word:
    return scaled(
        replace(word, **{k: v and round(v / tick) for k, v in (("start", word.start), ("end", word.end))}), tick
    )


def scaled(word: Word, by: float) -> Word:
    if word.start is None or word.end is None:
        return word
    return replace(word, start=word.start * by, end=word.end * by)


def jittered(word: Word, sigma: float, random: np.random.Generator) -> Word:
    if word.start is None or word.end is None:
        return word
    start = word.start + random.normal(0, sigma)
    return replace(word, start=start, end=max(start, word.end + random.normal(0, sigma)))
