"""Mixing two opinions, and the times of words in the whole flow."""

from __future__ import annotations

import random
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpunct import InputError, Restorer, Word, hooks
from interpunct.decoding import fold_posteriors
from interpunct.fusion.gate import mix, unfold
from interpunct.fusion.timing import MARGIN, SIZE
from interpunct.marks import MarkSet
from interpunct.transcript import RestoredWord

MARKS = MarkSet.of(["PERIOD", "COMMA", "QUESTION", "EXCLAMATION", "COLON", "SEMICOLON", "DASH"])
SENTENCES = ("so what did you say to them", "i said that we would come", "they were glad", "and so was i you know")


def talk(sentences: int, pause: float = 0.9, seed: int = 0) -> list[Word]:
    """Words with times: a pause after each sentence, none inside."""
    clock, chance = 0.5, random.Random(seed)
    words = []
    for _ in range(sentences):
        for text in chance.choice(SENTENCES).split():
            length = 0.06 * (len(text) + 2) * chance.uniform(0.85, 1.15)
            words.append(Word(text, round(clock, 3), round(clock + length, 3)))
            clock += length
        clock += pause
    return words


def posteriors(count: int) -> st.SearchStrategy[np.ndarray]:
    cells = st.lists(st.floats(-9, 0, width=32), min_size=count * len(MARKS), max_size=count * len(MARKS))
    return cells.map(lambda v: _normal(np.exp(np.array(v, np.float32).reshape(count, len(MARKS)))))


def _normal(rows: np.ndarray) -> np.ndarray:
    return rows / rows.sum(axis=1, keepdims=True)


@given(posteriors(3), st.lists(st.floats(-9, 0), min_size=12, max_size=12))
def test_unfolded_masses_are_those_of_the_opinion_and_shares_those_of_the_text(
    text: np.ndarray, logits: list[float]
) -> None:
    folded = _normal(np.exp(np.array(logits, np.float32).reshape(3, 4)))
    unfolded = unfold(folded, text, MARKS)
    np.testing.assert_allclose(fold_posteriors(unfolded, MARKS), folded, atol=1e-5)
    dash, comma = MARKS.id("DASH"), MARKS.id("COMMA")
    np.testing.assert_allclose(unfolded[:, dash] * text[:, comma], unfolded[:, comma] * text[:, dash], atol=1e-5)


def test_a_family_that_the_text_gave_nothing_goes_to_its_head() -> None:
    text = np.zeros((1, len(MARKS)), np.float32)
    text[0, 0] = 1.0
    unfolded = unfold(np.array([[0.1, 0.6, 0.2, 0.1]], np.float32), text, MARKS)
    assert unfolded.sum() == pytest.approx(1.0)
    assert unfolded[0, MARKS.id("PERIOD")] == pytest.approx(0.6)


def test_alpha_weighs_what_is_not_text() -> None:
    text, other = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 1.0]], np.float32)
    np.testing.assert_allclose(mix(text, other, np.array([0.4], np.float32)), [[0.6, 0.4]])


def test_a_pause_speaks_for_a_sentence_end(restorer: Restorer) -> None:
    paused, hurried = (restorer.restore(talk(60, pause)).words for pause in (0.9, 0.0))
    ends = [i for i, (a, b) in enumerate(pairwise(talk(60))) if b.start - a.end > 0.5]  # type: ignore[operator]

    def full_stop(words: tuple[RestoredWord, ...]) -> float:
        return float(np.mean([words[i].probabilities["PERIOD"] + words[i].probabilities["QUESTION"] for i in ends]))

    assert full_stop(paused) > full_stop(hurried) + 0.05


def test_evidence_names_both_sources_and_the_mixture_is_theirs(restorer: Restorer) -> None:
    for word in restorer.restore(talk(30)).words[:-1]:
        assert set(word.evidence) == {"text", "timing"}
        assert word.alpha is not None
        for mark, probability in word.probabilities.items():
            text, timing = word.evidence["text"][mark], word.evidence["timing"][mark]
            assert probability == pytest.approx(word.alpha * timing + (1 - word.alpha) * text, abs=1e-5)


@settings(max_examples=25)
@given(st.data())
def test_without_times_it_is_the_text(restorer: Restorer, data: st.DataObject) -> None:
    """None at all, one of the two, the same for all: to the last digit what the words alone give."""
    words = talk(data.draw(st.integers(1, 12)))
    spoiled = data.draw(
        st.sampled_from(
            [
                [Word(w.text) for w in words],
                [Word(w.text, w.start) for w in words],
                [Word(w.text, None, w.end) for w in words],
            ]
        )
    )
    wanted = restorer.restore([w.text for w in words])
    got = restorer.restore(spoiled)
    assert [(w.written, w.probabilities, w.alpha) for w in got.words] == [
        (w.written, w.probabilities, w.alpha) for w in wanted.words
    ]


def test_alpha_nought_is_the_text(restorer: Restorer) -> None:
    words = talk(30)
    wanted = restorer.restore([w.text for w in words])
    assert restorer.restore(words, alpha=0).texts == wanted.texts
    assert restorer.restore(words, alpha=0).words[0].probabilities == wanted.words[0].probabilities


def test_a_fixed_alpha_is_the_weight_everywhere(restorer: Restorer) -> None:
    assert {w.alpha for w in restorer.restore(talk(30), alpha=0.25).words[:-1]} == {0.25}


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_an_alpha_that_is_no_weight(restorer: Restorer, alpha: float) -> None:
    with pytest.raises(InputError, match="alpha"):
        restorer.restore(talk(2), alpha=alpha)


@pytest.fixture
def warnings_heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    heard: list[str] = []
    monkeypatch.setattr(hooks, "_warning", heard.append)
    return heard


def test_times_of_other_words_are_told_and_not_used(restorer: Restorer, warnings_heard: list[str]) -> None:
    words = talk(80)
    equal = [Word(w.text, 1.0, 1.0) for w in words]
    assert restorer.restore(equal).texts == restorer.restore([w.text for w in words]).texts
    assert len(warnings_heard) == 1
    assert "same time" in warnings_heard[0]
    restorer.restore(equal)
    assert len(warnings_heard) == 2  # once a text


def test_a_long_stream_is_as_a_whole_text(restorer: Restorer) -> None:
    """Over several stretches; what a word sees does not depend on how the words come."""
    words = talk(SIZE // 3)
    assert len(words) > SIZE + 2 * MARGIN
    assert tuple(restorer.restore_stream(words)) == restorer.restore(words).words


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.text(min_size=1, max_size=9).filter(lambda t: len(t.split()) == 1 and t == t.strip()),
            st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False, width=32)),
            st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False, width=32)),
            st.one_of(st.none(), st.sampled_from("ab")),
        ),
        max_size=30,
    )
)
def test_words_and_times_out_are_those_in_whatever_the_times(restorer: Restorer, rows: list[tuple]) -> None:  # type: ignore[type-arg]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        restored = restorer.restore([Word(*row) for row in rows])
    assert [(w.text, w.start, w.end, w.speaker) for w in restored.words] == rows
    for word in restored.words:
        assert not word.probabilities or sum(word.probabilities.values()) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    "spoiled",
    [
        [Word(w.text, 1000 * w.start, 1000 * w.end) for w in talk(1)],  # type: ignore[operator]
        [Word(w.text, -w.start, -w.end) for w in talk(1)],  # type: ignore[operator]
        [Word(w.text, w.end, w.start) for w in talk(1)],
        [Word(w.text, w.start, w.start + 50) for w in talk(1)],  # type: ignore[operator]
        [Word(w.text, 0.0, 0.0) for w in talk(1)],
        [Word("so", 1e308, 1.7e308), Word("the", -1.7e308, 1.7e308)],
    ],
)
def test_few_words_with_impossible_times_are_words_alone(
    restorer: Restorer, warnings_heard: list[str], spoiled: list[Word]
) -> None:
    assert restorer.restore(spoiled).texts == restorer.restore([w.text for w in spoiled]).texts
    assert len(warnings_heard) == 1


def test_a_part_that_was_not_aligned_has_no_times(restorer: Restorer) -> None:
    words = talk(60)
    half = len(words) // 2
    restored = restorer.restore([w if i < half else Word(w.text, 9.0, 9.0) for i, w in enumerate(words)])
    assert all(word.alpha is None for word in restored.words[half:])
    assert all(word.alpha is not None for word in restored.words[: half - 1])


@pytest.mark.parametrize("time", ["1.5", "", (1, 2), b"1"])
def test_a_time_that_is_no_number(restorer: Restorer, time: object) -> None:
    with pytest.raises(InputError, match="number of seconds"):
        restorer.restore([Word("so", time, 2.0)])  # type: ignore[arg-type]


@pytest.mark.parametrize("alpha", ["0.5", [0.5], 1j])
def test_an_alpha_that_is_no_number(restorer: Restorer, alpha: object) -> None:
    with pytest.raises(InputError, match="alpha"):
        restorer.restore(talk(1), alpha=alpha)  # type: ignore[arg-type]
