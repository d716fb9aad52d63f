from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from interpunct.errors import InputError
from interpunct.formats import text
from interpunct.transcript import Segment, Transcript, Word


def test_words_are_what_stands_between_whitespace() -> None:
    assert text.read(" so\twhat\n\n do  you ").texts == ["so", "what", "do", "you"]


def test_all_whitespace_is_kept() -> None:
    transcript = text.read(" so\twhat\r\n\r\n do  you \x0b")
    words = tuple(Word(w.text.upper()) for w in transcript.words)
    assert text.write(replace(transcript, words=words)) == " SO\tWHAT\r\n\r\n DO  YOU \x0b"


def test_a_mark_may_follow_a_space() -> None:
    transcript = text.read("no  wait\n")
    assert text.write(replace(transcript, words=(Word("No –"), Word("wait.")))) == "No –  wait.\n"


def test_reading_and_writing_agree_on_what_whitespace_is() -> None:
    every = "".join(f"a{chr(code)}" for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    assert text.write(text.read(every)) == every


def test_from_another_format_a_line_a_segment() -> None:
    words = tuple(map(Word, "so what do you think".split()))
    transcript = Transcript(words, (Segment(0, 2), Segment(2, 2), Segment(3, 5)))
    assert text.write(transcript) == "so what\ndo\nyou think\n"
    assert text.write(Transcript(words)) == "so what do you think\n"
    assert text.write(Transcript()) == ""


def test_segments_that_overlap_are_refused() -> None:
    with pytest.raises(InputError, match="segment 1 holds the words 1 to 3, the one before ends at 2"):
        text.write(Transcript(tuple(map(Word, "abc")), (Segment(0, 2), Segment(1, 3))))
