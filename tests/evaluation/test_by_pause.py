from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.evaluation.by_pause import BUCKETS, bucket_of, pauses, score_by_pause
from interpunct.evaluation.scores import as_ids

MARKS = st.sampled_from(["NONE", "COMMA", "PERIOD", "QUESTION", "DASH"])


def test_pauses_are_gaps_between_words() -> None:
    found = pauses([(0.0, 1.0), (1.5, 2.0), None, (4.0, 5.0), (4.9, 6.0)], 5)
    np.testing.assert_allclose(found, [0.5, np.nan, np.nan, -0.1, np.nan])
    assert np.isnan(pauses(None, 3)).all()
    assert pauses(None, 0).shape == (0,)
    assert pauses([], 0).shape == (0,)


@pytest.mark.parametrize(
    ("gap", "bucket"),
    [
        (np.nan, "no times"),
        (-0.3, "< 0.05 s"),
        (0.0499, "< 0.05 s"),
        (1.25 - 1.2, "0.05–0.2 s"),  # a little less than 0.05 to a computer
        (0.2, "0.2–0.5 s"),
        (0.5, "0.5–1 s"),
        (0.99, "0.5–1 s"),
        (1.0, ">= 1 s"),
        (600.0, ">= 1 s"),
    ],
)
def test_an_edge_belongs_to_the_longer_pause(gap: float, bucket: str) -> None:
    (found,) = bucket_of(np.array([gap]))
    assert BUCKETS[found] == bucket


def test_marks_are_folded_and_counted_by_pause() -> None:
    reference = as_ids(["COMMA", "NONE", "PERIOD", "NONE"])
    hypothesis = as_ids(["DASH", "COMMA", "NONE", "NONE"])
    scores = {s.pause: s for s in score_by_pause(np.array([0.3, 0.3, 2.0, np.nan]), reference, hypothesis)}
    assert tuple(scores) == BUCKETS
    middle = scores["0.2–0.5 s"]
    assert (middle.words, middle.marks.reference, middle.marks.guessed, middle.marks.hits) == (2, 1, 2, 1)
    assert float(middle) == pytest.approx(2 / 3)
    assert float(scores[">= 1 s"]) == 0.0
    assert scores["0.5–1 s"].words == 0
    assert scores["no times"].to_dict()["words"] == 1


@given(st.lists(st.tuples(st.none() | st.floats(-2, 5), MARKS, MARKS)))
def test_every_word_is_in_one_bucket(rows: list[tuple[float | None, str, str]]) -> None:
    gaps = np.array([np.nan if gap is None else gap for gap, _, _ in rows], np.float64)
    scores = score_by_pause(gaps, as_ids([r for _, r, _ in rows]), as_ids([h for _, _, h in rows]))
    assert sum(score.words for score in scores) == len(rows)
    assert sum(score.marks.reference for score in scores) == sum(r != "NONE" for _, r, _ in rows)
    assert sum(score.marks.guessed for score in scores) == sum(h != "NONE" for _, _, h in rows)
