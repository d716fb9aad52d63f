"""Casing and taking apart: a token is never changed except for the case of its letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct import casing
from interpunct.labelled import label
from interpunct.written import parse

tokens = st.text(min_size=1).filter(lambda text: len(text.split()) == 1 and text == text.strip())


@given(tokens)
def test_the_three_parts_join_to_the_token(token: str) -> None:
    written = parse(token)
    assert written.before + written.word + written.after == token


@given(tokens, st.sampled_from(casing.CASES), st.dictionaries(tokens, tokens, max_size=3))
def test_case_keeps_length_and_folds_back(word: str, case: str, lexicon: dict[str, str]) -> None:
    cased = casing.apply(word, case, {casing.lower(word): word, **lexicon})
    assert len(cased) == len(word)
    assert cased.casefold() == word.casefold()


@pytest.mark.parametrize("word", ["straße", "İstanbul", "ŉ", "ﬁne", "ǆ", "ΐ", "ς", "ı"])
def test_letters_that_cannot_change_case_and_back_stay(word: str) -> None:
    for case in casing.CASES:
        assert casing.lower(casing.apply(word, case)) == casing.lower(word)


@pytest.mark.parametrize(
    ("word", "case", "cased"),
    [
        ("mcdonald", "MIXED", "McDonald"),
        ("iphone", "TITLE", "Iphone"),
        ("nasa", "UPPER", "NASA"),
        ("o'brien", "TITLE", "O'brien"),
        ("21st", "TITLE", "21st"),
        ("PARIS", "LOWER", "paris"),
        ("unknown", "MIXED", "Unknown"),
    ],
)
def test_cases(word: str, case: str, cased: str) -> None:
    assert casing.apply(word, case, {"mcdonald": "McDonald"}) == cased


@pytest.mark.parametrize(
    ("token", "word", "mark"),
    [
        ("“Hello,”", "Hello", "COMMA"),
        ("u.s.a.", "u.s.a", "PERIOD"),
        ("dr.", "dr", "NONE"),
        ("42.", "42", "PERIOD"),
        ("3.5", "3.5", "NONE"),
        ("example.org.", "example.org", "PERIOD"),
        ("'em,", "'em", "COMMA"),
        ("dogs'", "dogs'", "NONE"),
        ("wait...?", "wait", "QUESTION"),
        ("...", "", "PERIOD"),
        ("–", "", "DASH"),
        ("#tag", "#tag", "NONE"),
        ("☂", "☂", "NONE"),
        ("a.m.", "a.m", "PERIOD"),
        ("me@x.com,", "me@x.com", "COMMA"),
        ("10:30", "10:30", "NONE"),
        ("(yes)", "yes", "NONE"),
        ("don't!”", "don't", "EXCLAMATION"),
        ("appro-", "appro-", "NONE"),
    ],
)
def test_tokens(token: str, word: str, mark: str) -> None:
    written = parse(token)
    assert (written.word, written.mark) == (word, mark)


def test_text_is_labelled_as_people_mean_it() -> None:
    line = "“Well,” said Mr. Smith of the U.S. army -- I met him at 5 p.m. He said... [laughs] nothing—no!"
    assert [(w.word, w.mark) for w in label(line)] == [
        ("Well", "COMMA"),
        ("said", "NONE"),
        ("Mr", "NONE"),
        ("Smith", "NONE"),
        ("of", "NONE"),
        ("the", "NONE"),
        ("U.S", "NONE"),
        ("army", "DASH"),
        ("I", "NONE"),
        ("met", "NONE"),
        ("him", "NONE"),
        ("at", "NONE"),
        ("5", "NONE"),
        ("p.m", "PERIOD"),
        ("He", "NONE"),
        ("said", "PERIOD"),
        ("nothing", "DASH"),
        ("no", "EXCLAMATION"),
    ]


@given(st.text())
def test_any_text_can_be_labelled(text: str) -> None:
    for word, mark, case in label(text):
        assert word
        assert mark
        assert case is None or case in casing.CASES
