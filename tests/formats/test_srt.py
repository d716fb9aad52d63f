from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import srt
from interpunct.transcript import Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
CUE = "1\n00:00:01,000 --> 00:00:02,000\n"


def marked(text: str, *printed: str) -> str:
    transcript = srt.read(text)
    return srt.write(replace(transcript, words=tuple(map(Word, printed))))


def test_a_cue_is_a_segment_and_its_words_have_no_times() -> None:
    transcript = srt.read("1\n00:00:01,000 --> 00:00:02,500\nso what\n\n2\n01:00:03,000 --> 01:00:04,000\nno\n")
    assert transcript.words == (Word("so"), Word("what"), Word("no"))
    assert transcript.segments == (Segment(0, 2, 1.0, 2.5), Segment(2, 3, 3603.0, 3604.0))


def test_irregular_files_are_read() -> None:
    transcript = srt.read((GOLDEN / "srt.irregular.srt").read_text(encoding="utf-8"))
    cues = [(s.start, s.end, " ".join(transcript.texts[s.first : s.stop])) for s in transcript.segments]
    assert cues == [
        (1.0, 3.5, "so what do you think now"),
        (4.0, 5.0, "no number above"),
        (5.0, 6.0, "no blank line above a blank line inside in 1984"),
        (7.5, 8.25, ""),
    ]


def test_line_breaks_tags_and_numbers_stay_where_they_were() -> None:
    text = CUE + "{\\an8}<i>so what</i>\n- do <b>yo</b>u\n\n"
    assert marked(text, "So", "what?", "-", "Do", "you?") == CUE + ("{\\an8}<i>So what?</i>\n- Do <b>yo</b>u?\n\n")


def test_no_space_is_needed_beside_a_tag() -> None:
    assert srt.read(CUE + "<i>he</i>llo,<br/>you").texts == ["hello,", "you"]


def test_what_only_looks_like_a_tag_is_a_word() -> None:
    assert srt.read(CUE + "<unk> a<b AT&amp;T {x} <3").texts == ["<unk>", "a<b", "AT&amp;T", "{x}", "<3"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("so what\n" + CUE + "no", 1, "before the first cue"),
        (CUE + "so\n\n2\nwhat\n\n3\n00:00:03,000 --> 00:00:04,000\nno", 5, "cue 2 has no times"),
        (CUE + "so\n\n37", 5, "cue 37 has no times"),
        (CUE + "so\n\nwhat\n00:00:03,000 --> 00:00:04,000\nno", 5, "number of a cue is expected"),
        ("1\n00:00:02,000 --> 00:00:01,000\nso", 2, "ends at 00:00:01,000, before it starts"),
        ("1\n00:00:0x,000 --> 00:00:01,000\nso", 2, "does not give the times"),
        (CUE + "so\n\n2\n00:00:03,000 -> 00:00:04,000\nno", 6, "does not give the times"),
        ("1\n00:00:01,000 --> 00:00:61,000\nso", 2, "above 59"),
        ("1\n00:00:01,000 --> 00:00:02,000 so\nwhat", 2, "does not give the times"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(FormatError, match=problem) as caught:
        srt.read(text)
    assert caught.value.line == line


@pytest.mark.parametrize("word", ["<i>", "{\\an8}", "-->", "a<br>b", "00:00:01,000-->00:00:02,000"])
def test_a_word_that_would_be_read_as_something_else_is_refused(word: str) -> None:
    with pytest.raises(InputError, match="cannot stand in SRT"):
        srt.write(Transcript((Word("so", 0.0, 1.0), Word(word, 1.0, 2.0), Word("what", 2.0, 3.0))))
    with pytest.raises(InputError, match="cannot stand in SRT"):
        marked(CUE + "so what", "so", word)


def test_two_words_that_make_a_tag_are_refused() -> None:
    with pytest.raises(InputError, match=r"'<font'.*cannot stand in SRT"):
        srt.write(Transcript((Word("<font", 0.0, 1.0), Word("size=9>", 1.0, 2.0))))


def test_new_cues() -> None:
    words = (Word("so", 0.0, 0.5), Word("what", 0.5, 3661.0004))
    assert srt.write(Transcript(words)) == "1\n00:00:00,000 --> 01:01:01,000\nso what\n"


def test_without_times_it_is_no_srt() -> None:
    with pytest.raises(InputError, match="the words have no times, so they cannot become SRT"):
        srt.write(Transcript((Word("so"),)))


def test_sniffing() -> None:
    assert srt.sniff("\r\n\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\nso")
    assert not srt.sniff("so what\n" * 30 + CUE)
    assert not srt.sniff("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nso")


def test_long_lines_of_spaces_or_digits_take_no_longer_than_their_length() -> None:
    for odd in (" " * 200_000 + "x", "1" * 200_000):
        assert len(srt.read(f"1\n00:00:00,000 --> 00:00:01,000\n{odd}\n").words) == 1
