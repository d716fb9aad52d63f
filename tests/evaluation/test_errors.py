from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.decoding import decide
from interpunct.evaluation.errors import Answered, find_errors
from interpunct.evaluation.errors_page import errors_page
from interpunct.marks import MARKS, THREE, MarkSet

from .test_evaluate import KNOWN, FakeRestorer, run

KNOWS = MarkSet.of(tuple(MARKS))
LIMITS = np.array([0.5, 0.4, 0.3])
MARK = st.sampled_from(KNOWS.names)


def answered(
    reference: Sequence[str], probabilities: Sequence[dict[str, float]], given: Sequence[str] | None = None, **more: Any
) -> Answered:
    """A document of words w0, w1, ...; what is not given to a mark is NONE's."""
    table = np.zeros((len(reference), len(KNOWS)))
    for row, marks in zip(table, probabilities, strict=True):
        row[0] = 1.0 - sum(marks.values())
        for mark, p in marks.items():
            row[KNOWS.id(mark)] = p
    if given is None:
        given = [KNOWS.names[i] for i in decide(table, KNOWS, dict(zip(THREE, LIMITS, strict=True)))]
    words = tuple(f"w{i}" for i in range(len(reference)))
    return Answered(words, reference, given, table, KNOWS, LIMITS, **more)


def test_the_surest_mistakes_come_first_then_what_is_narrow() -> None:
    document = answered(
        ["NONE", "COMMA", "PERIOD", "PERIOD", "NONE", "COMMA"],
        [{"COMMA": 0.6}, {"COMMA": 0.1}, {"QUESTION": 0.7}, {"PERIOD": 0.52}, {"PERIOD": 0.499}, {"COMMA": 0.99}],
    )
    places = find_errors([document]).places
    assert [(p.word, p.kind) for p in places] == [
        (1, "missed"),
        (2, "confused"),
        (0, "added"),
        (4, "doubtful"),
        (3, "doubtful"),
    ]
    missed = places[0]
    assert (missed.reference, missed.given) == ("COMMA", "NONE")
    assert (missed.reference_probability, missed.confidence) == (pytest.approx(0.1), pytest.approx(0.9))


def test_what_a_threshold_did_not_decide_is_not_doubtful() -> None:
    end_of_text = answered(["PERIOD"], [{"PERIOD": 0.1}], ["PERIOD"])
    assert find_errors([end_of_text]).places == []


def test_context_ends_with_the_document() -> None:
    wanted = ["NONE"] * 40
    wanted[1] = wanted[20] = "COMMA"
    document = answered(wanted, [{}] * 40, times=[(float(i), i + 0.75) for i in range(40)])
    first, second = find_errors([document], context=3).places
    assert first.given_side.words == ("w0", "w1", "w2", "w3", "w4")
    assert (first.at, second.at) == (1, 3)
    assert second.reference_side.marks == ("NONE",) * 3 + ("COMMA",) + ("NONE",) * 3
    assert (second.start, second.pause) == (20.0, 0.25)


def test_the_worst_are_kept_and_the_rest_counted() -> None:
    documents = [answered(["NONE"] * 5, [{"COMMA": 0.5 + 0.01 * (5 * d + i)} for i in range(5)]) for d in range(4)]
    errors = find_errors(iter(documents), wrong=3)
    assert [(p.document, p.word) for p in errors.places] == [(3, 4), (3, 3), (3, 2)]
    confusion = errors.confusions["NONE", "COMMA"]
    assert (confusion.words, confusion.found, confusion.left_out) == (20, 20, 17)
    assert find_errors(documents, wrong=0).places == []


ROWS = st.lists(st.tuples(MARK, MARK, st.floats(0.0, 1.0)), max_size=30)


@given(st.lists(ROWS, max_size=3))
def test_every_wrong_word_is_one_place(rows: list[list[tuple[str, str, float]]]) -> None:
    documents = [answered([r for r, _, _ in row], [{m: p} if m != "NONE" else {} for _, m, p in row]) for row in rows]
    errors = find_errors(documents, wrong=90)
    expected = {
        (number, at): pair
        for number, document in enumerate(documents)
        for at, pair in enumerate(zip(document.reference, document.given, strict=True))
    }
    wrong = [place for place in errors.places if place.kind != "doubtful"]
    assert sorted((p.document, p.word) for p in wrong) == sorted(at for at, (r, g) in expected.items() if r != g)
    assert all(expected[p.document, p.word] == (p.reference, p.given) for p in errors.places)
    assert all(a.confidence >= b.confidence for a, b in pairwise(wrong))
    assert sum(confusion.words for confusion in errors.confusions.values()) == len(expected)
    for place in errors.places:
        assert place.reference_side.words[place.at] == f"w{place.word}"
        assert place.given_side.marks[place.at] == place.given


class Parsed(HTMLParser):
    """A page whose elements all end, and what links and scripts it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.ids, self.links, self.tags, self.open = "", [], [], set(), []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.ids += [value for name, value in attributes if name == "id"]
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def page_of(path: Path, spec: str = "text", model: str = "en") -> Parsed:
    report = run(FakeRestorer(KNOWN), f"{spec}:{path}", errors=True)
    return Parsed("".join(errors_page(model, [report, report])))


def test_a_page_is_whole_and_leads_to_each_of_its_places(tmp_path: Path) -> None:
    path = tmp_path / "a&b.txt"
    path.write_text('Hello x<script src=1>y, "Anna! It" works <b> – fine.\n\nDoes it?\n', encoding="utf-8")
    page = page_of(path, model="<i>")
    assert "script" not in page.tags
    assert "x<script src=1>y" in page.text
    assert "Errors of <i>" in page.text
    assert len(set(page.ids)) == len(page.ids)
    assert page.links
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    for text in ("missed: comma ,", "confused: question ? → period .", "reference", "given"):
        assert text in page.text


def test_pauses_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("hello\tO\t61.0\t61.5\nanna\tPERIOD\t62.25\t62.5\n", encoding="utf-8")
    page = page_of(path, "timed")
    assert "word 1, at 1:01, pause 0.75 s" in page.text
    assert "added: comma ," in page.text


def test_errors_are_kept_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Hello, Anna.", encoding="utf-8")
    assert run(FakeRestorer(KNOWN), f"text:{path}").splits[0].errors is None
