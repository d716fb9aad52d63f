"""Each word is predicted exactly once, whatever the lengths, window and margin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.errors import InputError
from interpunct.windows import STITCHES, Stitch, Window, cut, stitch

sizes_and_margins = st.integers(2, 60).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, (size - 1) // 2)))


@given(st.lists(st.integers(1, 80), max_size=300), sizes_and_margins)
def test_own_ranges_follow_each_other_and_cover_the_stream(lengths: list[int], shape: tuple[int, int]) -> None:
    size, margin = shape
    place = 0
    for window in cut(lengths, size, margin):
        assert window.own_first == place
        assert window.first <= window.own_first <= window.own_stop <= window.stop
        assert sum(min(length, size) for length in lengths[window.first : window.stop]) <= size
        place = window.own_stop
    assert place == len(lengths)


@given(st.lists(st.integers(1, 3), max_size=300), sizes_and_margins)
def test_every_word_has_its_margin_of_context_where_the_stream_has_it(
    lengths: list[int], shape: tuple[int, int]
) -> None:
    size, margin = shape
    longest = 3
    for window in cut(lengths, size, margin):
        if size < 2 * margin + 2 * longest:
            continue  # too narrow for whole words
        left = sum(lengths[window.first : window.own_first])
        right = sum(lengths[window.own_stop : window.stop])
        assert window.own_first == 0 or left >= margin - longest
        assert window.own_stop == len(lengths) or right >= margin - longest


@given(st.lists(st.integers(1, 9), min_size=1, max_size=200), sizes_and_margins, st.sampled_from(STITCHES))
def test_stitching_gives_each_word_once_and_its_own_answer(
    lengths: list[int], shape: tuple[int, int], how: Stitch
) -> None:
    """A word's answer depends on the word alone here, so every stitching must give just that."""
    truth = np.eye(4, dtype=np.float32)[np.arange(len(lengths)) % 4]
    answers = ((window, truth[window.first : window.stop]) for window in cut(lengths, *shape))
    np.testing.assert_allclose(np.concatenate(list(stitch(answers, how))), truth, atol=1e-6)


@pytest.mark.parametrize("words", [0, 1, 253, 254, 255, 508, 1000])
def test_lengths_around_the_window(words: int) -> None:
    windows = list(cut([1] * words, 254, 32))
    assert sum(w.own_stop - w.own_first for w in windows) == words
    assert (len(windows) > 1) == (words > 254)


def test_a_word_of_300_pieces_is_predicted_once() -> None:
    windows = list(cut([1] * 100 + [300] + [1] * 100, 254, 32))
    assert [i for w in windows for i in range(w.own_first, w.own_stop)] == list(range(201))


def test_mean_and_vote_average_the_windows_that_hold_a_word() -> None:
    answers: list[tuple[Window, Any]] = [
        (Window(0, 2, 0, 1), np.array([[1.0, 0.0], [0.6, 0.4]], np.float32)),
        (Window(1, 3, 1, 3), np.array([[0.2, 0.8], [0.0, 1.0]], np.float32)),
    ]
    np.testing.assert_allclose(np.concatenate(list(stitch(answers, "mean"))), [[1, 0], [0.4, 0.6], [0, 1]], atol=1e-6)
    np.testing.assert_allclose(np.concatenate(list(stitch(answers, "vote"))), [[1, 0], [0.5, 0.5], [0, 1]], atol=1e-6)


def test_windows_are_cut_while_the_stream_goes_on() -> None:
    taken = 0

    def endless() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield 1

    windows = cut(endless(), 100, 10)
    for _ in range(50):
        next(windows)
    assert taken <= 51 * 100


@pytest.mark.parametrize(("size", "margin"), [(0, 0), (10, 5), (10, -1)])
def test_margins_must_leave_room(size: int, margin: int) -> None:
    with pytest.raises(InputError, match="margins"):
        list(cut([1], size, margin))
