from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from interpunct.casing import CASES, TITLE
from interpunct.casing import apply as apply_case
from interpunct.decoding import Posteriors, decide
from interpunct.errors import InputError
from interpunct.evaluation.evaluate import evaluate
from interpunct.marks import MARKS, NONE, MarkSet
from interpunct.restorer import Restorer
from interpunct.transcript import Word


class FakeRestorer:
    """Knows the mark after some words; writes a capital where a sentence begins."""

    def __init__(self, marks: dict[str, str], sure: float = 0.9) -> None:
        self.known, self.sure = marks, sure
        self.config = SimpleNamespace(mark_set=MarkSet.of(tuple(MARKS)), temperature=1.0, thresholds={"PERIOD": 0.5})
        self.seen: list[tuple[str, ...]] = []

    def adapted(self, adaptation: object) -> FakeRestorer:
        assert adaptation is None
        return self

    def posteriors(self, words: Sequence[Word], *, alpha: float | None = None, style: str | None = None) -> Posteriors:
        del alpha, style
        self.seen.append(tuple(word.text for word in words))
        marks = self.config.mark_set
        table = np.full((len(words), len(marks)), (1 - self.sure) / (len(marks) - 1), np.float32)
        for row, word in zip(table, words, strict=True):
            row[marks.id("PERIOD")] += 0.001  # the likeliest end, where one must stand
            row[marks.id(self.known.get(word.text, NONE))] = self.sure
        return Posteriors(table, np.full((len(words), len(CASES)), 0.25, np.float32))

    def decide(self, posteriors: Posteriors, thresholds: Mapping[str, float] | None = None) -> list[str]:
        marks = self.config.mark_set
        chosen = decide(posteriors.marks, marks, {**self.config.thresholds, **(thresholds or {})})
        return [marks.names[i] for i in chosen.tolist()]

    def spell(self, words: Sequence[str], posteriors: Posteriors, marks: Sequence[str]) -> list[str]:
        assert len(words) == len(posteriors) == len(marks)
        starts = [True, *(mark != NONE and MARKS[mark].ends_sentence for mark in marks[:-1])]
        return [apply_case(w, TITLE) if start else w for w, start in zip(words, starts, strict=True)]


def run(restorer: FakeRestorer, spec: str, **options: Any) -> Any:
    return evaluate(cast(Restorer, restorer), spec, **options)


@pytest.fixture
def text(tmp_path: Path) -> str:
    path = tmp_path / "minutes.txt"
    path.write_text("Hello, Anna! It works.\n\nDoes it? Yes; it does.\n", encoding="utf-8")
    return f"text:{path}"


KNOWN = {"hello": "COMMA", "anna": "EXCLAMATION", "works": "PERIOD", "it": "NONE", "yes": "SEMICOLON"}


def test_a_text_is_scored(text: str) -> None:
    restorer = FakeRestorer(KNOWN)
    report = run(restorer, text)
    (split,) = report.splits
    assert restorer.seen == [("hello", "anna", "it", "works"), ("does", "it", "yes", "it", "does")]
    assert (split.words, split.tokens, split.documents) == (9, 9, 2)
    # All but the "?"; the last word of each document ends a sentence although the model sees no mark there.
    assert split.scores.full.micro.hits == 5
    assert split.scores.full.micro.guessed == 5
    assert split.scores.full.micro.reference == 6
    assert float(split) == pytest.approx(10 / 11)
    assert (split.case.hits, split.case.guessed, split.case.reference) == (3, 3, 5)  # not Anna, not Yes
    assert (split.case_given_ends.hits, split.case_given_ends.reference) == (4, 5)
    assert split.calibration.words == 6
    assert float(split.calibration) == pytest.approx(0.9 - 4 / 6, abs=0.03)  # two words of six are wrong


def test_the_words_given_never_hold_what_is_asked(text: str) -> None:
    restorer = FakeRestorer({})
    run(restorer, text)
    for words in restorer.seen:
        assert all(word.islower() and word.isalpha() for word in words)


def test_tokens_of_joined_words_have_no_mark_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "test2011.tsv"
    path.write_text("do\tO\nn't\tPERIOD\nit\tO\n's\tO\nhere\tCOMMA\nnow\tPERIOD\n", encoding="utf-8")
    (split,) = run(FakeRestorer({"don't": "EXCLAMATION", "here": "DASH", "it's": "COMMA"}), f"iwslt2011:{path}").splits
    assert (split.words, split.tokens) == (4, 6)
    assert split.scores.folded.micro.hits == 3
    assert split.scores.folded.insertions == 1
    assert set(split.scores.full.marks) == {"PERIOD", "COMMA"}  # folded: the reference knows no more
    assert split.scores.boundaries.f1 == 1.0
    assert split.case is None
    assert split.full_intervals is None
    assert "full" not in split.to_dict()


def test_a_limit_and_thresholds(text: str) -> None:
    report = run(FakeRestorer(KNOWN), text, limit=5, thresholds={"COMMA": 0.95})
    (split,) = report.splits
    assert split.words == 5
    assert split.scores.full.marks["COMMA"].guessed == 0
    assert report.thresholds == {"PERIOD": 0.5, "COMMA": 0.95}
    with pytest.raises(InputError, match="at least 1"):
        run(FakeRestorer(KNOWN), text, limit=0)
    with pytest.raises(InputError, match="PERIODE"):
        run(FakeRestorer(KNOWN), text, thresholds={"PERIODE": 0.5})


def test_the_report_as_json_and_as_a_table(text: str) -> None:
    report = run(FakeRestorer(KNOWN), text)
    again = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    (split,) = again["splits"]
    assert split["folded"]["micro"]["f1"] == pytest.approx(10 / 11)
    assert len(split["folded"]["intervals"]["micro"]) == 2
    assert split["full"]["marks"]["SEMICOLON"]["f1"] == 1.0
    table = report.table()
    assert "minutes: 9 words, 2 documents" in table
    for row in ("PERIOD", "SEMICOLON", "micro", "macro", "slot error rate", "sentence ends", "case", "calibration"):
        assert row in table
    assert max(map(len, table.splitlines())) <= 100
