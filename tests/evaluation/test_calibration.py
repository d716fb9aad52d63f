from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.decoding import fold_posteriors
from interpunct.errors import InputError
from interpunct.evaluation.calibration import calibrate, exact_error
from interpunct.marks import MARKS, MarkSet


def sample(probabilities: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw a reference from the probabilities themselves: then they are calibrated by construction."""
    return (random.random((len(probabilities), 1)) > probabilities.cumsum(axis=1)).sum(axis=1)


def test_calibrated_probabilities_have_no_error() -> None:
    random = np.random.default_rng(0)
    probabilities = random.dirichlet([2.0, 0.7, 0.7, 0.3], 400_000)
    reference = sample(probabilities, random)
    # Every word's best class is a mark, so that none is left out because of its reference.
    marked = probabilities.argmax(axis=1) > 0
    assert float(calibrate(probabilities[marked], reference[marked])) < 0.01


def test_sure_and_half_wrong_is_an_error_of_half() -> None:
    probabilities = np.tile([0.0, 1.0], (1000, 1))
    reference = np.arange(1000) % 2
    calibration = calibrate(probabilities, reference)
    assert float(calibration) == pytest.approx(0.5)
    assert calibration.bins[-1].words == calibration.words == 1000
    assert calibration.bins[0].accuracy is None


def test_words_that_nobody_marks_are_left_out() -> None:
    assert calibrate(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1])).words == 1
    assert float(calibrate(np.array([[0.9, 0.1]]), np.array([0]))) == 0.0


@given(st.integers(1, 40), st.integers(0, 10_000))
def test_the_table_agrees_with_a_loop(bins: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    probabilities = random.dirichlet([1.0, 1.0, 1.0], 50).astype(np.float32)
    reference = random.integers(0, 3, 50)
    calibration = calibrate(probabilities, reference, bins=bins)
    best = probabilities.argmax(axis=1)
    words = [i for i in range(50) if best[i] or reference[i]]
    total = 0.0
    for low in range(bins):
        held = [
            i
            for i in words
            if low / bins < probabilities[i].max() <= (low + 1) / bins or (low == 0 and probabilities[i].max() == 0)
        ]
        if held:
            right = sum(best[i] == reference[i] for i in held)
            total += abs(sum(float(probabilities[i].max()) for i in held) - right)
    assert float(calibration) == pytest.approx(total / max(1, len(words)), abs=1e-6)
    assert calibration.words == len(words)


def test_folding_adds_up_families() -> None:
    marks = MarkSet.of(tuple(MARKS))
    probabilities = np.random.default_rng(1).dirichlet(np.ones(len(marks)), 10)
    folded = fold_posteriors(probabilities, marks)
    assert folded.shape == (10, 4)
    assert folded.sum(axis=1) == pytest.approx(1.0)
    period = sum(probabilities[:, marks.id(name)] for name in ("PERIOD", "EXCLAMATION", "SEMICOLON"))
    assert folded[:, 1] == pytest.approx(period)


def test_shapes_are_checked() -> None:
    with pytest.raises(InputError, match="do not go with"):
        calibrate(np.zeros((3, 2)), np.zeros(2, np.int64))
    with pytest.raises(InputError, match="at least one"):
        calibrate(np.zeros((3, 2)), np.zeros(3, np.int64), bins=0)


def test_exact_probabilities_have_no_error_on_their_own_guesses_and_some_where_the_reference_chooses() -> None:
    random = np.random.default_rng(1)
    probabilities = random.dirichlet([4.0, 1.0, 1.0, 1.0], 40_000)
    draws = random.random((len(probabilities), 1))
    reference = (probabilities.cumsum(axis=1) < draws).sum(axis=1)
    assert calibrate(probabilities, reference, of="guess").error < 0.02
    assert calibrate(probabilities, reference).error > 0.05
    assert exact_error(probabilities) == pytest.approx(calibrate(probabilities, reference).error, abs=0.01)
