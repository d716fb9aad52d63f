"""The table of marks and what runs of punctuation stand for."""

from __future__ import annotations

import pickle

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.marks import MARKS, MarkSet, fold, mark_of_symbols


@pytest.mark.parametrize(
    ("symbols", "mark"),
    [
        (".", "PERIOD"),
        ("...", "PERIOD"),
        ("?!", "QUESTION"),
        (",”", "COMMA"),
        ("--", "DASH"),
        ("—", "DASH"),
        ("-", "NONE"),
        ("”)", "NONE"),
        ("", "NONE"),
        ("。", "PERIOD"),
        ("؟", "QUESTION"),
        (".,", "COMMA"),
    ],
)
def test_a_run_of_punctuation_stands_for_its_strongest_mark(symbols: str, mark: str) -> None:
    assert mark_of_symbols(symbols) == mark


def test_every_mark_folds_to_one_of_three() -> None:
    assert {fold(mark) for mark in MARKS} == {"PERIOD", "COMMA", "QUESTION"}


def test_every_written_symbol_is_read_as_its_mark() -> None:
    for mark in MARKS.values():
        for symbol in (mark.symbol, *mark.also):
            assert mark_of_symbols(symbol.strip()) == mark.name


def test_a_mark_outside_the_set_counts_as_the_one_it_folds_to() -> None:
    marks = MarkSet.of(["PERIOD", "COMMA"])
    assert [marks.names[marks.id(m)] for m in ("EXCLAMATION", "DASH", "QUESTION", "NONE")] == [
        "PERIOD",
        "COMMA",
        "NONE",
        "NONE",
    ]


def test_unknown_and_doubled_marks_are_refused() -> None:
    with pytest.raises(InputError, match="PERIOD, COMMA"):
        MarkSet.of(["FULLSTOP"])
    with pytest.raises(InputError, match="twice"):
        MarkSet.of(["COMMA", "COMMA"])


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(FormatError("broken", path="a.srt", line=3)))
    assert (str(error), error.path, error.line) == ("a.srt, line 3: broken", "a.srt", 3)
