"""Posteriors to marks and cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.decoding import check_thresholds, choose_case, decide, given_an_end, softmax
from interpunct.errors import InputError
from interpunct.marks import MARKS, MarkSet

ALL = MarkSet.of(list(MARKS))
HALF = dict.fromkeys(MARKS, 0.5)


def chosen(thresholds: dict[str, float] | None = None, marks: MarkSet = ALL, **probabilities: float) -> str:
    rest = 1 - sum(probabilities.values())
    row = np.array([[probabilities.get(mark, rest if mark == "NONE" else 0.0) for mark in marks]], np.float32)
    return marks.names[int(decide(row, marks, {**HALF, **(thresholds or {})})[0])]


def test_a_mark_needs_its_threshold() -> None:
    assert chosen(COMMA=0.45) == "NONE"
    assert chosen({"COMMA": 0.4}, COMMA=0.45) == "COMMA"
    assert chosen({"COMMA": 0.9}, COMMA=0.8) == "NONE"


def test_the_marks_of_a_family_stand_together() -> None:
    assert chosen(COMMA=0.3, DASH=0.25) == "COMMA"
    assert chosen(COMMA=0.2, DASH=0.4) == "DASH"
    assert chosen({"DASH": 0.8}, COMMA=0.2, DASH=0.4) == "COMMA"
    assert chosen(PERIOD=0.4, QUESTION=0.35, COMMA=0.2) == "NONE"


def test_the_family_furthest_above_its_threshold_wins() -> None:
    assert chosen({"QUESTION": 0.2, "PERIOD": 0.4}, PERIOD=0.45, QUESTION=0.4) == "QUESTION"


def test_a_family_without_its_head_is_led_by_what_there_is() -> None:
    assert chosen(marks=MarkSet.of(["DASH", "PERIOD"]), DASH=0.7) == "DASH"


@given(st.lists(st.lists(st.floats(-8, 8), min_size=8, max_size=8), min_size=1, max_size=20))
def test_any_posteriors_can_be_decided(logits: list[list[float]]) -> None:
    probabilities = softmax(np.array(logits, np.float32))
    np.testing.assert_allclose(probabilities.sum(1), 1, atol=1e-5)
    ids = decide(probabilities, ALL, HALF)
    one_by_one = [int(decide(row[None], ALL, HALF)[0]) for row in probabilities]
    assert ids.tolist() == one_by_one


def test_no_words_have_no_marks() -> None:
    assert decide(np.zeros((0, 8), np.float32), ALL, HALF).tolist() == []


def test_temperature_softens() -> None:
    logits = np.array([[2.0, 0.0]], np.float32)
    assert softmax(logits, 2.0)[0, 0] < softmax(logits)[0, 0]


def test_at_the_end_of_a_text_only_marks_that_end_a_sentence_count() -> None:
    given = given_an_end({"NONE": 0.5, "COMMA": 0.2, "SEMICOLON": 0.1, "QUESTION": 0.15, "PERIOD": 0.05})
    assert given == pytest.approx({"NONE": 0, "COMMA": 0, "SEMICOLON": 0, "QUESTION": 0.75, "PERIOD": 0.25})
    assert given_an_end({"NONE": 0.4, "COMMA": 0.6}) == {"NONE": 0.0, "COMMA": 0.0, "PERIOD": 1.0}


def test_a_capital_that_only_a_sentence_start_explains_is_taken_back() -> None:
    capital_if_a_sentence_starts = [0.35, 0.65, 0.0, 0.0]
    assert choose_case(capital_if_a_sentence_starts, starts=False, end_before=0.6) == "LOWER"
    assert choose_case(capital_if_a_sentence_starts, starts=False, end_before=0.0) == "TITLE"
    assert choose_case([0.9, 0.1, 0.0, 0.0], starts=True, end_before=0.9) == "TITLE"
    assert choose_case([0.0, 0.1, 0.9, 0.0], starts=True, end_before=0.9) == "UPPER"


@pytest.mark.parametrize("thresholds", [{"FULLSTOP": 0.5}, {"COMMA": 1.5}, {"COMMA": -0.1}, {"COMMA": float("nan")}])
def test_impossible_thresholds_are_refused(thresholds: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"COMMA"):
        check_thresholds(thresholds)
