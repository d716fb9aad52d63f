"""What is particular to CTM, STM and TextGrid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import FORMATS, ctm, left_out, stm, textgrid
from interpunct.transcript import Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
TIERS = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n'


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8")


def tier(name: str, label: str) -> str:
    return f'"IntervalTier"\n"{name}"\n0\n1\n1\n0\n1\n"{label}"\n'


def test_ctm_noises_are_no_words_and_stay() -> None:
    text = golden("ctm.ctm")
    transcript = ctm.read(text)
    assert transcript.texts == ["so", "what", "don't", "yes", "café"]
    assert transcript.words[0] == Word("so", 0.32, 0.58, "harbour A", 0.98)
    words = tuple(map(Word, ["So", "what –", "don't.", "Yes,", "café."]))
    output = ctm.write(replace(transcript, words=words))
    assert "0.58 0.20 what–  0.910\n" in output
    assert "harbour A 1.00 .5 <unk> 0.31\n" in output


def test_ctm_durations_are_exact() -> None:
    words = (Word("so", 0.1, 0.3, confidence=0.5), Word("what", 0.3, 0.30000000000000004))
    output = ctm.write(Transcript(words))
    assert output.startswith("recording 1 0.1 0.2 so 0.5\n")
    assert ctm.read(output).words == words


@pytest.mark.parametrize(
    ("module", "text", "line", "problem"),
    [
        (ctm, "a 1 0.1 0.2 so\na 1 0.1", 2, "3 fields"),
        (ctm, "a 1 x 0.2 so", 1, "'x' cannot be a start"),
        (ctm, "a 1 * * <ALT>", 1, "alternatives"),
        (ctm, "a 1 5 1 so\n;; b\na 1 1 1 what", 3, "before the one above"),
        (stm, ";;\na 1 b 0.1", 2, "4 fields"),
        (stm, "a 1 b 2 1 so", 1, "before it starts"),
        (textgrid, "so", 1, "no TextGrid"),
        (textgrid, TIERS + '1\n"IntervalTier"\n"words"\n0\n1\n1\n0\n"so"', 14, "end of an interval"),
        (textgrid, TIERS + "1\n" + tier("words", "so")[:-5], 15, "the file ends"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(module: object, text: str, line: int, problem: str) -> None:
    with pytest.raises(FormatError, match=problem) as caught:
        module.read(text)  # type: ignore[attr-defined]
    assert caught.value.line == line


def test_stm_alternatives_and_noises_are_no_words() -> None:
    transcript = stm.read(golden("stm.stm"))
    assert transcript.text == "so what do you think i don't know the waved twice"
    assert transcript.segments[0] == Segment(0, 5, 0.32, 1.8, "mara")


def test_textgrid_tiers_of_words_and_of_utterances() -> None:
    words = textgrid.read(golden("textgrid.long.TextGrid")).words
    assert words[2:] == (Word('"keeper"', 1.2, 1.8), Word("New", 1.8), Word("York", end=2.5))
    transcript = textgrid.read(golden("textgrid.short.TextGrid"))
    assert [segment.speaker for segment in transcript.segments] == ["Mara", "Jon", "Mara"]
    assert all(word.start is None for word in transcript.words)


def test_which_tier_holds_the_words() -> None:
    assert textgrid.read(TIERS + "2\n" + tier("phones", "s") + tier("Words", "so")).texts == ["so"]
    assert textgrid.read(TIERS + "1\n" + tier("x", "so")).words == (Word("so", 0.0, 1.0),)
    with pytest.raises(FormatError, match="There are 'a', 'b': call the right one 'words'"):
        textgrid.read(TIERS + "2\n" + tier("a", "so") + tier("b", "what"))


@pytest.mark.parametrize("name", ["ctm", "stm", "textgrid"])
def test_words_without_times_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"ha(?:ve|s) no times"):
        FORMATS.get(name).write(Transcript((Word("so"),)))


@pytest.mark.parametrize("name", ["ctm", "stm", "textgrid"])
def test_a_word_that_would_be_a_noise_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="the word '<unk>' cannot stand in"):
        FORMATS.get(name).write(Transcript((Word("<unk>", 0.0, 1.0),)))


def test_what_a_format_leaves_out() -> None:
    transcript = Transcript((Word("so", 0.0, 1.0, "A", 0.5),), (), "en")
    assert left_out(transcript, ctm) == ["speakers", "the language"]
    assert left_out(transcript, FORMATS.get("json3")) == [
        "the ends of words",
        "speakers",
        "confidences",
        "the language",
    ]
    assert left_out(ctm.read(golden("ctm.ctm")), ctm) == []
