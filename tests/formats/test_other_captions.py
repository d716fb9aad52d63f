"""ASS, MicroDVD, SAMI and TTML; where pysubs2 is installed, it must find the same words at the same times."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import FORMATS, ass, microdvd, read, sami, ttml
from interpunct.transcript import Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
FILES = {"ass": "ass.ass", "microdvd": "microdvd.sub", "sami": "sami.smi", "ttml": "ttml.ttml"}
WORDS = (Word("so", 0.0, 0.5), Word("what", 0.5, 3661.25))


def cues_of(transcript: Transcript) -> list[tuple[float | None, float | None, str]]:
    return [(s.start, s.end, " ".join(transcript.texts[s.first : s.stop])) for s in transcript.segments]


@pytest.mark.parametrize("name", FILES)
def test_pysubs2_reads_the_same(name: str) -> None:
    pysubs2 = pytest.importorskip("pysubs2")
    theirs = [e for e in pysubs2.load(str(GOLDEN / FILES[name]), format_=name) if not e.is_comment]
    expected = [(e.start / 1000, " ".join(e.plaintext.split())) for e in theirs if e.plaintext.strip()]
    ours = [(start, text.removesuffix(" {x}")) for start, _, text in cues_of(read(GOLDEN / FILES[name])) if text]
    assert ours == expected


@pytest.mark.parametrize("name", FILES)
def test_new_cues_have_the_words_and_times(name: str) -> None:
    module = FORMATS.get(name)
    again = module.read(module.write(Transcript(WORDS)))
    assert again.texts == ["so", "what"]
    assert again.segments[0] == Segment(0, 2, 0.0, 3661.25)


@pytest.mark.parametrize(
    ("name", "word"), [("ass", "{i}"), ("ass", "a\\Nb"), ("microdvd", "a|b"), ("microdvd", "{y:i}")]
)
def test_a_word_that_would_be_read_as_something_else_is_refused(name: str, word: str) -> None:
    with pytest.raises(InputError, match="cannot stand in"):
        FORMATS.get(name).write(Transcript((Word(word, 0.0, 1.0),)))


@pytest.mark.parametrize("word", ["<i>", "&amp;", "</p>", "]]>", "<!--", "<SYNC", "&nbsp;"])
def test_any_word_can_stand_in_markup(word: str) -> None:
    for module in (sami, ttml):
        assert module.read(module.write(Transcript((Word(word, 0.0, 1.0),)))).texts == [word]


def test_frames_are_those_of_the_file() -> None:
    assert microdvd.read("{24}{48}so").segments == (Segment(0, 1, 1.001, 2.002),)
    assert microdvd.read("{1}{1}25\n{25}{50}so").segments == (Segment(0, 1, 1.0, 2.0),)


@pytest.mark.parametrize("end", ["00:00:03:12", "3.48s", "3480ms", "87f", "348t", "00:00:03.48"])
def test_times_of_a_paragraph(end: str) -> None:
    text = paragraph(f'begin="1s" end="{end}"').replace("<tt ", '<tt ttp:frameRate="25" ttp:tickRate="100" ')
    assert ttml.read(text).segments == (Segment(0, 1, 1.0, 3.48),)
    assert ttml.read(paragraph('begin="1s" dur="2480ms"')).segments == (Segment(0, 1, 1.0, 3.48),)


def paragraph(attributes: str, text: str = "so") -> str:
    return f'<tt xmlns="http://www.w3.org/ns/ttml">\n<p {attributes}>{text}</p></tt>'


@pytest.mark.parametrize(
    ("read", "text", "line", "problem"),
    [
        (ass.read, "[Script Info]\n[Events]\nDialogue: 0,1", 3, "an event has 10 fields"),
        (ass.read, "[Script Info]\n[Events]\nFormat: Text, Start\n", 3, "needs Start and End"),
        (ass.read, "[Script Info]\n[Events]\nDialogue: 0,0:00:0x.00,0:00:01.00,,,,,,,so", 3, "is no time"),
        (ass.read, "[Script Info]\n[Events]\nDialogue: 0,0:00:02.00,0:00:01.00,,,,,,,so", 3, "before it starts"),
        (microdvd.read, "{1}{2}so\nwhat", 2, "does not begin with two frames"),
        (microdvd.read, "{3}{2}so", 1, "before it starts"),
        (sami.read, "<SAMI>\n<SYNC Start=2><P>so\n<SYNC Start=1><P>no", 3, "begins before the one above"),
        (sami.read, "<SAMI>\n<SYNC><P>so", 2, "needs its start"),
        (sami.read, "<SAMI>\n<SYNC Start=2><P Class=EN>so\n<P Class=FR>si", 3, "two classes, en and fr"),
        (ttml.read, paragraph('begin="1s"'), 2, "needs begin"),
        (ttml.read, paragraph('end="1s"'), 2, "needs begin"),
        (ttml.read, paragraph('begin="1x" end="2s"'), 2, "is no time"),
        (ttml.read, paragraph('begin="3s" end="2s"'), 2, "before it starts"),
        (ttml.read, paragraph('begin="1s" end="2s"', '<span begin="1s">so</span>'), 2, "at paragraphs alone"),
        (ttml.read, paragraph('begin="1s" end="2s"', "<![CDATA[so]]>"), 2, "outside of CDATA"),
        (ttml.read, '<tt>\n<p begin="1s" end="2s">so', 2, "does not end"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(read, text: str, line: int, problem: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FormatError, match=problem) as caught:
        read(text)
    assert caught.value.line == line
