"""What is done to training text, and that no sentence end is lost in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.languages._numbers import spell
from interpunct.training.noise import Noise, Sample, disturb

COMMA, PERIOD = 2, 1
samples = st.lists(
    st.builds(
        lambda form, mark: Sample(form, mark, 0, mark == PERIOD),
        st.sampled_from(["so", "uh", "um", "42", "$3.5", "end-to-end", "Paris", "we"]),
        st.sampled_from([0, 0, 0, COMMA, PERIOD]),
    ),
    max_size=30,
)
ALWAYS = Noise(errors=1, error_rate=(0.2, 0.2), spell_numbers=1, drop_fillers=1, part_compounds=1)


@given(samples, st.integers(0, 1000))
def test_sentences_end_where_they_ended(window: list[Sample], seed: int) -> None:
    noisy = disturb(window, ALWAYS, np.random.default_rng(seed), lambda: "xyz")
    ends = sum(s.ends for s in window)
    assert sum(s.ends for s in noisy) <= ends
    if noisy and window and window[-1].ends and window[0].form in ("so", "Paris", "we"):
        assert noisy[-1].ends or len(noisy) < len(window)
    assert all(s.form for s in noisy)


def test_no_noise_changes_nothing() -> None:
    window = [Sample("uh", COMMA, 0, False), Sample("42", PERIOD, 0, True)]
    none = Noise(errors=0, spell_numbers=0, drop_fillers=0, part_compounds=0)
    assert disturb(window, none, np.random.default_rng(0), lambda: "xyz") == window


def test_each_kind() -> None:
    random = np.random.default_rng(0)
    spelled = disturb([Sample("$3.5", PERIOD, 0, True)], Noise(0, (0, 0), 1, 0, 0), random, lambda: "")
    assert [(s.form, s.mark) for s in spelled] == [("three", 0), ("point", 0), ("five", 0), ("dollars", PERIOD)]
    parted = disturb([Sample("End-to-end", COMMA, 3, False)], Noise(0, (0, 0), 0, 0, 1), random, lambda: "")
    assert [(s.form, s.mark, s.case) for s in parted] == [("End", 0, 1), ("to", 0, 0), ("end", COMMA, 0)]
    window = [Sample("no", 0, 0, False), Sample("uh", PERIOD, 0, True)]
    assert disturb(window, Noise(0, (0, 0), 0, 1, 0), random, lambda: "") == [Sample("no", PERIOD, 0, True)]


def test_errors_come_at_their_rate() -> None:
    window = [Sample("so", 0, 0, False)] * 20_000
    noisy = disturb(window, Noise(1, (0.2, 0.2), 0, 0, 0), np.random.default_rng(0), lambda: "xyz")
    wrong = sum(s.form == "xyz" for s in noisy)
    assert 0.12 < wrong / len(window) < 0.16  # 7 of 10 errors leave a wrong word
    assert abs(len(noisy) / len(window) - 0.98) < 0.01


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("42", "forty two"),
        ("1995", "nineteen ninety five"),
        ("20th", "twentieth"),
        ("8.6%", "eight point six percent"),
        ("1,000", "one thousand"),
        ("$5", "five dollars"),
        ("3D", None),
        ("10:30", None),
        ("v2.1", None),
        ("90s", None),
    ],
)
def test_numbers_are_spelled_as_they_are_spoken(token: str, words: str | None) -> None:
    assert spell(token, "en") == (None if words is None else tuple(words.split()))


@given(samples, st.integers(0, 1000))
def test_hesitation_puts_words_in_and_changes_none(window: list[Sample], seed: int) -> None:
    hesitant = Noise(
        errors=0, spell_numbers=0, drop_fillers=0, part_compounds=0, hesitate=1, hesitation_rate=(0.3, 0.3)
    )
    noisy = disturb(window, hesitant, np.random.default_rng(seed), lambda: "xyz")
    marks = [s.mark for s in noisy if s.mark]
    assert marks == [s.mark for s in window if s.mark]
    rest = iter(noisy)
    assert all(any(s.form == old.form and s.mark == old.mark for s in rest) for old in window)
