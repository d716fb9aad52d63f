from __future__ import annotations

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.errors import InputError
from interpunct.evaluation import alignment
from interpunct.evaluation.alignment import align
from interpunct.evaluation.scores import score_marks

words = st.lists(st.sampled_from("a b c d e".split()), max_size=40)


@given(st.lists(st.sampled_from("a b c d e".split()), min_size=1, max_size=40), words)
def test_edits_agree_with_jiwer(reference: list[str], hypothesis: list[str]) -> None:
    found = align(reference, hypothesis)
    expected = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
    assert float(found) == pytest.approx(expected.wer)
    assert found.hits + found.substitutions + found.deletions == len(reference)


def assert_complete(found: alignment.Alignment, reference: list[str], hypothesis: list[str]) -> None:
    assert found.reference[found.reference >= 0].tolist() == list(range(len(reference)))
    assert found.hypothesis[found.hypothesis >= 0].tolist() == list(range(len(hypothesis)))
    assert ((found.reference >= 0) | (found.hypothesis >= 0)).all()


@given(words, words)
def test_every_word_is_paired_once_and_in_order(reference: list[str], hypothesis: list[str]) -> None:
    assert_complete(align(reference, hypothesis), reference, hypothesis)


@given(words, words)
def test_marks_of_unaligned_words_are_errors(reference: list[str], hypothesis: list[str]) -> None:
    found = align(reference, hypothesis)
    one, two = found.pair(["COMMA"] * len(reference), ["COMMA"] * len(hypothesis))
    scores = score_marks(one, two).full
    assert (scores.deletions, scores.insertions) == (found.deletions, found.insertions)
    assert scores.micro.hits == found.hits + found.substitutions


def test_case_marks_and_apostrophes_do_not_matter() -> None:
    assert float(align(["“Don’t", "go,", "Anna."], ["don't", "go", "anna"])) == 0.0
    assert float(align([], [])) == 0.0
    assert float(align([], ["a"])) == float("inf")


def test_long_streams_are_aligned_window_by_window(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    reference = [f"w{n}" for n in random.zipf(1.3, 6000) % 3000]
    hypothesis = []
    for word in reference:
        fate = random.random()
        hypothesis += [] if fate < 0.05 else ["xx"] if fate < 0.12 else [word, "um"] if fate < 0.15 else [word]
    exact = align(reference, hypothesis)
    monkeypatch.setattr(alignment, "_EXACT", 500)
    monkeypatch.setattr(alignment, "_WINDOW", 400)
    found = align(reference, hypothesis)
    assert_complete(found, reference, hypothesis)
    assert float(found) <= float(exact) * 1.02


@pytest.mark.parametrize(("one", "two"), [(3000, 0), (0, 3000), (3000, 1), (40, 3000), (3000, 2999)])
def test_streams_that_have_nothing_in_common_still_end(monkeypatch: pytest.MonkeyPatch, one: int, two: int) -> None:
    monkeypatch.setattr(alignment, "_EXACT", 500)
    monkeypatch.setattr(alignment, "_WINDOW", 400)
    reference, hypothesis = [f"a{i}" for i in range(one)], [f"b{i}" for i in range(two)]
    assert_complete(align(reference, hypothesis), reference, hypothesis)


def test_pairing_checks_the_number_of_marks() -> None:
    with pytest.raises(InputError, match="2 marks for 1 aligned words"):
        align(["a"], ["a"]).pair(["NONE", "NONE"], ["NONE"])
