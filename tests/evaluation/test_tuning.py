from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpunct.decoding import DEFAULT_THRESHOLDS, check_thresholds, decide, softmax
from interpunct.errors import InputError
from interpunct.evaluation.scores import THREE, as_ids, score_ids
from interpunct.evaluation.tuning import DevText, choose_temperature, choose_thresholds, tune
from interpunct.marks import MARKS, MarkSet

MARK_SET = MarkSet.of(tuple(MARKS))


def text(n: int, seed: int, *, sharpness: float = 1.0, name: str = "dev", weight: float = 1.0) -> DevText:
    """Calibrated log-probabilities, made ``sharpness`` times as sure."""
    random = np.random.default_rng(seed)
    logits = random.normal(0, 2.5, (n, len(MARK_SET))) + np.array([3.0, 1, 1, 0, -1, -1, -1, -1])
    probabilities = softmax(logits.astype(np.float32))
    reference = (random.random((n, 1)) > probabilities.cumsum(axis=1)).sum(axis=1).clip(0, len(MARK_SET) - 1)
    return DevText(name, (logits * sharpness).astype(np.float32), reference, weight)


def f1(dev: DevText, temperature: float, thresholds: dict[str, float]) -> float:
    to_id = as_ids(MARK_SET.names)
    found = decide(softmax(dev.logits, temperature), MARK_SET, thresholds)
    return float(score_ids(to_id[dev.reference], to_id[found]))


@pytest.mark.parametrize("sharpness", [0.5, 1.0, 2.5])
def test_the_temperature_undoes_a_wrong_sharpness(sharpness: float) -> None:
    assert choose_temperature([text(30_000, 0, sharpness=sharpness)]) == pytest.approx(sharpness, rel=0.05)


def test_the_temperature_is_the_best_of_a_grid() -> None:
    dev = text(5000, 3, sharpness=1.7)

    def loss(temperature: float) -> float:
        p = softmax(dev.logits, temperature)
        return float(-np.log(p[np.arange(len(p)), dev.reference]).mean())

    best = min(np.linspace(0.3, 4, 371), key=loss)
    assert choose_temperature([dev]) == pytest.approx(best, abs=0.011)


def test_thresholds_beat_the_default_and_the_neighbours() -> None:
    texts = [text(8000, 1, name="a"), text(2000, 2, name="b")]
    tuned = tune(texts, MARK_SET)
    check_thresholds(tuned.thresholds)
    assert set(tuned.thresholds) == set(MARKS)
    assert all(f1(t, tuned.temperature, dict(tuned.thresholds)) == pytest.approx(tuned.f1[t.name]) for t in texts)

    def mean(thresholds: dict[str, float]) -> float:
        return sum(f1(t, tuned.temperature, thresholds) for t in texts) / 2

    assert float(tuned) == pytest.approx(mean(dict(tuned.thresholds)))
    assert float(tuned) > mean(dict(DEFAULT_THRESHOLDS))
    for mark in THREE:
        for step in (-0.05, -0.01, 0.01, 0.05):
            assert mean({**tuned.thresholds, mark: tuned.thresholds[mark] + step}) <= float(tuned) + 1e-9


def test_a_mark_inside_a_family_has_its_own_best() -> None:
    dev = text(8000, 4)
    thresholds = choose_thresholds([dev], MARK_SET, 1.0)

    def own(changed: dict[str, float], mark: str) -> float:
        to_id = as_ids(MARK_SET.names)
        found = to_id[decide(softmax(dev.logits), MARK_SET, {**thresholds, **changed})]
        return float(score_ids(to_id[dev.reference], found).full.marks[mark])

    for mark in ("EXCLAMATION", "SEMICOLON", "COLON", "DASH"):
        for step in (-0.1, -0.01, 0.01, 0.1):
            assert own({mark: thresholds[mark] + step}, mark) <= own({}, mark) + 1e-9


def test_weights_say_which_text_counts() -> None:
    a, b = text(3000, 1, name="a"), text(3000, 2, name="b", sharpness=0.3)
    only = choose_thresholds([a], MARK_SET, 1.0)
    both = choose_thresholds([a, DevText("b", b.logits, b.reference, 1e-9)], MARK_SET, 1.0)
    assert {m: only[m] for m in ("PERIOD", "COMMA", "QUESTION")} == {
        m: both[m] for m in ("PERIOD", "COMMA", "QUESTION")
    }


def test_a_rare_mark_keeps_its_default() -> None:
    dev = text(3000, 5)
    colon = MARK_SET.id("COLON")
    rare = DevText("rare", dev.logits, np.where(dev.reference == colon, MARK_SET.id("COMMA"), dev.reference))
    assert choose_thresholds([rare], MARK_SET, 1.0)["COLON"] == DEFAULT_THRESHOLDS["COLON"]


def test_a_model_of_three_marks_has_three_thresholds() -> None:
    three = MarkSet.of(("PERIOD", "COMMA", "QUESTION"))
    dev = text(2000, 1)
    folded = DevText("a", dev.logits[:, :4], np.minimum(dev.reference, 3))
    assert set(tune([folded], three).thresholds) == {"PERIOD", "COMMA", "QUESTION"}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_any_text_can_be_tuned_on(seed: int, n: int) -> None:
    tuned = tune([text(n, seed)], MARK_SET)
    check_thresholds(tuned.thresholds)
    assert 0.0 <= float(tuned) <= 1.0


def test_what_cannot_be_tuned_on_is_refused() -> None:
    with pytest.raises(InputError, match="no text"):
        tune([], MARK_SET)
    with pytest.raises(InputError, match="a set of 4"):
        choose_thresholds([text(10, 0)], MarkSet.of(("PERIOD", "COMMA", "QUESTION")), 1.0)
    with pytest.raises(InputError, match="broken"):
        DevText("broken", np.zeros((3, 8), np.float32), np.zeros(2, np.int64))
