from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.errors import InputError
from interpunct.evaluation.intervals import blocks_of, bootstrap, compare
from interpunct.evaluation.scores import ALL_MARKS, score_ids


def system(reference: np.ndarray, wrong: float, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.where(random.random(len(reference)) < wrong, random.permutation(reference), reference)


def reference_marks(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice(len(ALL_MARKS), n, p=[0.8, 0.08, 0.07, 0.01, 0.01, 0.01, 0.01, 0.01])


@given(st.integers(0, 1000), st.integers(1, 300), st.integers(1, 100))
def test_intervals_hold_the_figures_that_the_scores_give(seed: int, words: int, size: int) -> None:
    reference = reference_marks(words, seed)
    hypothesis = system(reference, 0.4, seed + 1)
    scores = score_ids(reference, hypothesis).full
    intervals = bootstrap(reference, hypothesis, blocks_of(words, size), resamples=50, seed=seed)
    assert float(intervals) == pytest.approx(scores.micro.f1)
    assert set(intervals.marks) == set(scores.marks)
    for interval, score in [
        (intervals.micro, scores.micro),
        *((intervals.marks[m], s) for m, s in scores.marks.items()),
    ]:
        assert interval.value == pytest.approx(score.f1)
        assert 0.0 <= interval.low <= interval.value <= interval.high <= 1.0


def test_a_resample_is_the_f1_of_the_drawn_blocks() -> None:
    reference, size = reference_marks(5000), 500
    hypothesis = system(reference, 0.3, 1)
    intervals = bootstrap(reference, hypothesis, blocks_of(5000, size), resamples=200, seed=3)
    draws = np.random.default_rng(3).multinomial(10, np.full(10, 0.1), size=200)
    found = []
    for draw in draws:
        words = np.concatenate([np.arange(b * size, (b + 1) * size) for b, n in enumerate(draw) for _ in range(n)])
        found.append(float(score_ids(reference[words], hypothesis[words]).full))
    assert (intervals.micro.low, intervals.micro.high) == pytest.approx(tuple(np.quantile(found, [0.025, 0.975])))


def test_the_seed_decides() -> None:
    reference = reference_marks(20_000)
    hypothesis, blocks = system(reference, 0.3, 1), blocks_of(20_000)
    assert bootstrap(reference, hypothesis, blocks) == bootstrap(reference, hypothesis, blocks, seed=0)
    assert bootstrap(reference, hypothesis, blocks) != bootstrap(reference, hypothesis, blocks, seed=1)
    assert bootstrap(reference, hypothesis, blocks).blocks == 20


def test_more_words_narrow_an_interval() -> None:
    widths = []
    for n in (10_000, 160_000):
        reference = reference_marks(n)
        micro = bootstrap(reference, system(reference, 0.3, 1), blocks_of(n)).micro
        widths.append(micro.high - micro.low)
    assert widths[1] < widths[0] / 2


def test_comparing_a_system_with_itself_and_with_a_worse_one() -> None:
    reference, blocks = reference_marks(30_000), blocks_of(30_000)
    good, bad = system(reference, 0.1, 1), system(reference, 0.3, 2)
    same = compare(reference, good, good, blocks)
    assert (same.value, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
    better, worse = compare(reference, good, bad, blocks), compare(reference, bad, good, blocks)
    assert 0 < better.low < better.value < better.high
    assert better.p < 0.01
    assert worse.value == pytest.approx(-better.value)


def test_no_words_and_wrong_lengths() -> None:
    empty = np.zeros(0, np.int64)
    assert float(bootstrap(empty, empty, empty)) == 1.0
    with pytest.raises(InputError, match="blocks"):
        bootstrap(np.zeros(3, np.int64), np.zeros(3, np.int64), empty)
    with pytest.raises(InputError, match="at least 1"):
        blocks_of(10, 0)
