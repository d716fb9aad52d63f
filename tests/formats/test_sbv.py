from __future__ import annotations

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import sbv, srt
from interpunct.transcript import Segment, Transcript, Word

CUE = "0:00:01.000,0:00:02.000\n"


def test_a_cue_is_a_segment() -> None:
    transcript = sbv.read(CUE + "so[br]what\nno\n\n0:01:00.500,0:01:01.000\n\n" + CUE.replace("\n", "\r\n") + "yes")
    assert transcript.texts == ["so", "what", "no", "yes"]
    assert transcript.segments == (Segment(0, 3, 1.0, 2.0), Segment(3, 3, 60.5, 61.0), Segment(3, 4, 1.0, 2.0))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("so\n" + CUE + "no", 1, "'so' has no times"),
        (CUE + "so\n\nwhat\n", 4, "'what' has no times"),
        ("0:00:0x.000,0:00:02.000\nso", 1, "does not give the times"),
        ("0:00:03.000,0:00:02.000\nso", 1, "before it starts"),
        ("0:00:03.000,0:00:61.000\nso", 1, "above 59"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(FormatError, match=problem) as caught:
        sbv.read(text)
    assert caught.value.line == line


def test_new_cues() -> None:
    words = (Word("so", 0.0, 0.5), Word("what", 0.5, 3661.0004))
    assert sbv.write(Transcript(words)) == "0:00:00.000,1:01:01.000\nso what\n"
    with pytest.raises(InputError, match="cannot stand in SBV"):
        sbv.write(Transcript((Word("a[br]b", 0.0, 1.0),)))


def test_captions_that_roll_without_word_times() -> None:
    """What converters make of automatic captions: cues of 10 ms are all that is left to tell them by."""
    cues = [
        (0, 2000, "so what"),
        (2000, 2010, "so what"),
        (2010, 4000, "so what\ndo you think"),
        (4000, 4010, "do you think"),
        (4010, 6000, "do you think\nso what"),
    ]
    text = "\n".join(f"{n}\n{_stamp(a)} --> {_stamp(b)}\n{shown}\n" for n, (a, b, shown) in enumerate(cues, 1))
    transcript = srt.read(text)
    assert transcript.text == "so what do you think so what"
    assert [(s.first, s.stop) for s in transcript.segments] == [(0, 2), (2, 2), (2, 5), (5, 5), (5, 7)]
    assert srt.write(transcript) == text


def _stamp(milliseconds: int) -> str:
    return f"00:00:0{milliseconds // 1000},{milliseconds % 1000:03}"
