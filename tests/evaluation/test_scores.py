from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_recall_fscore_support

from interpunct.errors import InputError
from interpunct.evaluation.scores import ALL_MARKS, THREE, Score, as_ids, fold_ids, score_case, score_marks
from interpunct.marks import MARKS, NONE, fold

marks = st.sampled_from(ALL_MARKS)
pairs = st.lists(st.tuples(marks, marks), min_size=1, max_size=200)


def random_marks(seed: int, n: int = 5000) -> tuple[list[str], list[str]]:
    random = np.random.default_rng(seed)
    reference = random.choice(len(ALL_MARKS), n, p=[0.8, 0.06, 0.07, 0.02, 0.02, 0.01, 0.01, 0.01])
    hypothesis = np.where(random.random(n) < 0.8, reference, random.permutation(reference))
    return [ALL_MARKS[i] for i in reference], [ALL_MARKS[i] for i in hypothesis]


def test_every_mark_has_an_id_and_the_three_come_first() -> None:
    assert set(ALL_MARKS) == {NONE, *MARKS}
    assert ALL_MARKS[:4] == (NONE, *THREE)
    assert set(fold_ids(np.arange(len(ALL_MARKS)))) == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", range(3))
def test_full_figures_agree_with_scikit_learn(seed: int) -> None:
    reference, hypothesis = random_marks(seed)
    scores = score_marks(reference, hypothesis).full
    labels = list(scores.marks)
    assert set(labels) == set(MARKS)
    expected = precision_recall_fscore_support(reference, hypothesis, labels=labels, zero_division=0)
    for label, precision, recall, f1, support in zip(labels, *expected, strict=True):
        score = scores.marks[label]
        assert (score.precision, score.recall, score.f1) == pytest.approx((precision, recall, f1))
        assert score.reference == support
    assert scores.micro.f1 == pytest.approx(f1_score(reference, hypothesis, labels=labels, average="micro"))
    assert scores.macro_f1 == pytest.approx(f1_score(reference, hypothesis, labels=labels, average="macro"))


def test_folded_figures_agree_with_scikit_learn_on_folded_marks() -> None:
    reference, hypothesis = random_marks(7)
    expected = f1_score(
        [fold(m) for m in reference], [fold(m) for m in hypothesis], labels=list(THREE), average="micro"
    )
    scores = score_marks(reference, hypothesis)
    assert float(scores) == scores.folded.micro.f1 == pytest.approx(expected)
    assert set(scores.folded.marks) == set(THREE)


def test_slot_errors_by_hand() -> None:
    reference = ["PERIOD", "COMMA", "NONE", "NONE", "QUESTION"]
    hypothesis = ["COMMA", "NONE", "COMMA", "NONE", "QUESTION"]
    scores = score_marks(reference, hypothesis).full
    assert (scores.substitutions, scores.deletions, scores.insertions) == (1, 1, 1)
    assert scores.slot_error_rate == 1.0
    assert scores.confusion["PERIOD"] == {"COMMA": 1}


def test_sentence_ends_do_not_care_which_mark_ends() -> None:
    scores = score_marks(["PERIOD", "COMMA", "SEMICOLON"], ["QUESTION", "NONE", "PERIOD"])
    assert scores.boundaries == Score(hits=1, guessed=2, reference=1)


@given(pairs)
def test_counts_add_up(drawn: list[tuple[str, str]]) -> None:
    reference, hypothesis = [p[0] for p in drawn], [p[1] for p in drawn]
    for scores in (score_marks(reference, hypothesis).full, score_marks(reference, hypothesis).folded):
        micro = scores.micro
        assert micro.reference == micro.hits + scores.substitutions + scores.deletions
        assert micro.guessed == micro.hits + scores.substitutions + scores.insertions
        assert micro.reference == sum(mark != NONE for mark in reference)
        assert sum(sum(row.values()) for row in scores.confusion.values()) == len(drawn)


@given(pairs)
def test_turning_the_sides_around_swaps_precision_and_recall(drawn: list[tuple[str, str]]) -> None:
    reference, hypothesis = [p[0] for p in drawn], [p[1] for p in drawn]
    one, two = score_marks(reference, hypothesis).full, score_marks(hypothesis, reference).full
    assert one.micro.f1 == two.micro.f1
    assert one.micro.precision == two.micro.recall
    assert (one.insertions, one.substitutions) == (two.deletions, two.substitutions)


@given(st.lists(marks, max_size=100))
def test_a_perfect_output_scores_one(reference: list[str]) -> None:
    scores = score_marks(reference, reference)
    assert float(scores) == float(scores.full) == float(scores.boundaries) == scores.full.macro_f1 == 1.0
    assert scores.full.slot_error_rate == 0.0


def test_marks_where_none_belong_make_the_slot_error_rate_infinite_but_json_valid() -> None:
    scores = score_marks(["NONE"], ["COMMA"])
    assert scores.full.micro.f1 == 0.0
    assert math.isinf(scores.full.slot_error_rate)
    assert json.loads(json.dumps(scores.to_dict(), allow_nan=False))["full"]["slot_error_rate"] is None


def test_lengths_and_names_are_checked() -> None:
    with pytest.raises(InputError, match="align them first"):
        score_marks(["NONE"], [])
    with pytest.raises(InputError, match="unknown mark 'DOT'"):
        as_ids(["DOT"])


def test_case_counts_words_that_are_not_lower() -> None:
    reference = ["Hello", "from", "NASA", "and", "iPhone", None, "42"]
    output = ["Hello", "From", "nasa", "and", "Iphone", "X", "42"]
    assert score_case(reference, output) == Score(hits=1, guessed=3, reference=3)


@given(st.lists(st.text(min_size=1, max_size=8), max_size=30))
def test_case_of_a_perfect_output_is_one(words: list[str]) -> None:
    assert float(score_case(words, words)) == 1.0
