from __future__ import annotations

from html.parser import HTMLParser

from interpunct.formats import html
from interpunct.transcript import Restored, RestoredWord, Segment, Transcript, Word


class Parsed(HTMLParser):
    """The text of a page without its styles, and every attribute."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.attributes, self.open, self.tags = "", [], [], []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attributes
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def word(
    text: str, written: str, start: float | None = None, speaker: str | None = None, **marks: float
) -> RestoredWord:
    best = max(marks, key=lambda name: marks[name]) if marks else "NONE"
    return RestoredWord(text, start, start, speaker, None, best, "LOWER", written, marks)


RESTORED = Restored(
    (
        word("so", "So", 0.5, "Jon", NONE=0.6, COMMA=0.4),
        word("what", "what", 0.7, "Jon", NONE=0.99),
        word("now", "now?", 0.9, "Jon", QUESTION=0.95, PERIOD=0.05),
        word("wait", "Wait –", 61.0, "Jon", DASH=0.55, COMMA=0.45),
        word("<b>&", "<b>&.", 3725.0, "Eve & <Bob>", PERIOD=0.3, NONE=0.2),
    ),
    language="en",
    sentence_ends=(2, 3, 4),
)


def test_every_word_is_there_as_printed() -> None:
    for output in (html.write(RESTORED), RESTORED._repr_html_()):
        parsed = Parsed(output)
        assert parsed.open == []
        assert "So what now?" in parsed.text
        assert "Wait –" in parsed.text
        assert "<b>&." in parsed.text
        assert "Eve & <Bob>" in parsed.text
        assert "<Bob>" not in output


def test_marks_show_how_sure_they_are_and_the_pointer_shows_the_distribution() -> None:
    output = html.write(RESTORED)
    assert '<span title="question ? 95 % · period . 5 %">now<b class="c0">?</b></span>' in output
    assert '<span title="no mark 60 % · comma , 40 %">So<b class="none c2"></b></span>' in output
    assert '<span title="no mark 99 %">what</span>' in output
    assert 'Wait <b class="c2">–</b>' in output
    assert '<b class="c3">.</b>' in output
    assert 'class="legend"' in output


def test_sentences_are_paragraphs_with_their_times() -> None:
    output = html.write(RESTORED)
    assert '<p id="t=0.5"><a class="time" href="#t=0.5">0:00</a>' in output
    assert '<a class="time" href="#t=61">1:01</a>' in output
    assert ">1:02:05</a>" in output
    assert output.count("<section>") == 2
    assert "id=" not in RESTORED._repr_html_()  # a notebook holds many


def test_two_sentences_may_start_at_once() -> None:
    words = (word("a", "a.", 1.0, PERIOD=1.0), word("b", "b.", 1.0, PERIOD=1.0))
    ids = [
        value for name, value in Parsed(html.write(Restored(words, sentence_ends=(0, 1)))).attributes if name == "id"
    ]
    assert ids == ["t=1", "t=1-2"]


def test_without_probabilities_it_is_plain() -> None:
    output = html.write(Transcript((Word("so"), Word("what.", 1.0, 2.0)), (Segment(0, 2),)))
    assert "so what." in Parsed(output).text
    assert 'class="legend"' not in output
    assert "<b" not in output.split("<body>")[1]


def test_nothing_comes_from_elsewhere() -> None:
    parsed = Parsed(html.write(RESTORED))
    assert "script" not in parsed.tags
    assert "link" not in parsed.tags
    assert all(
        name not in ("src", "style") and not (name == "href" and value[0] != "#") for name, value in parsed.attributes
    )


def test_a_long_fragment_says_what_it_leaves_out() -> None:
    output = html.fragment(Transcript(tuple(map(Word, ["so"] * 30))), limit=10)
    assert Parsed(output).text.split().count("so") == 10
    assert "20 words more" in output


def test_sources_are_shown_when_several_were_used() -> None:
    heard = RestoredWord(
        "so",
        mark="COMMA",
        written="so,",
        probabilities={"COMMA": 0.8},
        evidence={"text": {"COMMA": 0.6}, "audio": {"NONE": 0.9}},
    )
    output = html.write(Restored((heard,)))
    assert "comma , 80 %\ntext: comma , 60 %\naudio: no mark 90 %" in output
