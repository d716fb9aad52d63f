import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.audio.encoders.timing import FEATURES, Timing, encode, problem

TIMES = st.floats(-10, 1e5, allow_nan=False) | st.none()


def spoken(words: int, *, pause: float = 0.8) -> Timing:
    """Words of 1 to 9 letters at 0.07 s a letter; a pause after each tenth."""
    letters = np.random.default_rng(1).integers(1, 10, words)
    lengths = 0.07 * (letters + 2.0)
    gaps = np.where(np.arange(words) % 10 == 9, pause, 0.02)
    starts = np.concatenate([[0.0], np.cumsum(lengths + gaps)[:-1]])
    return Timing(letters.astype(float), starts, starts + lengths, np.full(words, -1))


def column(table: np.ndarray, name: str) -> np.ndarray:
    return table[:, FEATURES.index(name)]


@given(st.lists(st.tuples(TIMES, TIMES, st.sampled_from([None, "a", "b"])), max_size=40))
def test_any_times_give_finite_features(rows: list[tuple[float | None, float | None, str | None]]) -> None:
    timing = Timing.of(["word"] * len(rows), [(start, end) for start, end, _ in rows], [who for _, _, who in rows])
    table = encode(timing)
    assert table.shape == (len(rows), len(FEATURES))
    assert np.isfinite(table).all()
    untimed = column(table, "timed") == 0
    assert not table[untimed][:, 1 : FEATURES.index("touching")].any()
    problem(timing)


def test_a_moved_clock_changes_nothing() -> None:
    timing = spoken(300)
    later = Timing(timing.letters, timing.start + 100, timing.end + 100, timing.speakers)
    np.testing.assert_allclose(encode(later), encode(timing), atol=1e-3)


def test_the_same_speech_at_another_pace_has_the_same_ranks() -> None:
    timing = spoken(300)
    slower = Timing(timing.letters, timing.start * 1.5, timing.end * 1.5, timing.speakers)
    for name in ("duration", "next duration", "local pace"):
        np.testing.assert_allclose(column(encode(slower), name), column(encode(timing), name), atol=0.1)
    assert (np.argsort(column(encode(slower), "gap rank"))[-20:] % 10 == 9).all()


@pytest.mark.parametrize("convention", ["between", "before", "after"])
def test_a_pause_is_found_wherever_the_recogniser_puts_it(convention: str) -> None:
    timing = spoken(300)
    start, end = timing.start.copy(), timing.end.copy()
    if convention == "before":
        end[:-1] = start[1:]
    elif convention == "after":
        start[1:] = end[:-1]
    table = encode(Timing(timing.letters, start, end, timing.speakers))
    name = {"between": "gap rank", "before": "onset rank", "after": "offset rank"}[convention]
    paused = np.arange(300) % 10 == 9
    paused[-1] = False  # after the last word there is no boundary
    assert column(table, name)[paused].min() > np.quantile(column(table, name)[:-1][~paused[:-1]], 0.99)


def test_speakers_and_turns() -> None:
    table = encode(Timing.of(["a"] * 5, None, ["x", "x", "y", "y", None]))
    assert column(table, "speaker change").tolist() == [0, 1, 0, 0, 0]
    assert column(table, "speakers known").tolist() == [1, 1, 1, 0, 0]
    assert column(table, "position in turn")[0] < column(table, "position in turn")[1]
    assert column(table, "position in turn")[2] == 0


def test_times_that_cannot_be_those_of_the_words_are_told() -> None:
    timing = spoken(600)
    assert problem(timing) is None
    assert problem(Timing.of(["a"] * 600, None)) is None
    others = Timing(np.roll(timing.letters, 7), timing.start, timing.end, timing.speakers)
    assert "other words" in str(problem(others))
    same = np.zeros(600)
    assert "same time" in str(problem(Timing(timing.letters, same, same, timing.speakers)))
    thousands = Timing(timing.letters, timing.start * 1000, timing.end * 1000, timing.speakers)
    assert "seconds" in str(problem(thousands))
    mixed = timing.start.copy()
    mixed[::2] += 30
    assert "two channels" in str(problem(Timing(timing.letters, mixed, mixed + 0.2, timing.speakers)))
