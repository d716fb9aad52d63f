from __future__ import annotations

import pytest

from interpunct.captions import wrap
from interpunct.errors import InputError
from interpunct.formats._cues import build
from interpunct.transcript import Segment, Transcript, Word


def timed(text: str, seconds: float = 0.5) -> tuple[Word, ...]:
    return tuple(Word(word, k * seconds, (k + 1) * seconds) for k, word in enumerate(text.split()))


def captions(transcript: Transcript) -> list[list[str]]:
    texts = transcript.texts
    return [[" ".join(texts[k] for k in line) for line in cue.lines] for cue in build(transcript, "SRT")]


def test_a_segment_that_fits_is_a_cue_with_its_own_times() -> None:
    transcript = Transcript(timed("so what do you think"), (Segment(0, 5, 0.0, 9.0),))
    (cue,) = build(transcript, "SRT")
    assert (cue.start, cue.end) == (0.0, 9.0)
    assert captions(transcript) == [["so what do you think"]]


def test_two_lines_are_balanced() -> None:
    texts = "the keeper of the lighthouse waved at them twice a week".split()
    lines = [" ".join(texts[k] for k in line) for line in wrap(texts, 0, len(texts))]
    assert lines == ["the keeper of the lighthouse", "waved at them twice a week"]


def test_a_long_word_stays_whole() -> None:
    word = "x" * 60
    assert captions(Transcript(timed(f"so {word} what"))) == [["so"], [word, "what"]]


def test_cut_at_sentence_ends_first_then_marks_then_length() -> None:
    sentences = "We walked along the harbour wall. The keeper of the lighthouse waved at us. Nobody waved back at him."
    assert captions(Transcript(timed(sentences))) == [
        ["We walked along the harbour wall."],
        ["The keeper of the lighthouse waved at us."],
        ["Nobody waved back at him."],
    ]
    marks = "we walked along the harbour wall, the keeper of the lighthouse waved at us and nobody waved back at him"
    assert captions(Transcript(timed(marks)))[0] == ["we walked along the harbour wall,"]
    plain = "we walked along the harbour wall the keeper of the lighthouse waved at us and nobody waved back at him"
    first, second = captions(Transcript(timed(plain)))
    assert abs(len(" ".join(first)) - len(" ".join(second))) < 10


def test_a_cut_takes_the_times_of_words() -> None:
    words = timed("so what do you think of that " * 4)
    transcript = Transcript(words, (Segment(0, len(words), 0.0, 99.0),))
    cues = build(transcript, "SRT")
    assert len(cues) == 2
    assert (cues[0].start, cues[0].end) == (0.0, words[13].end)
    assert (cues[1].start, cues[1].end) == (words[14].start, words[-1].end)


def test_nothing_is_cut_where_words_have_no_times() -> None:
    words = tuple(map(Word, ("so what do you think of that. " * 8).split()))
    (cue,) = build(Transcript(words, (Segment(0, len(words), 0.0, 9.0),)), "SRT")
    assert sum(map(len, cue.lines)) == len(words)
    assert len(cue.lines) > 2


def test_a_pause_or_another_speaker_ends_a_cue_where_there_are_no_segments() -> None:
    words = (Word("so", 0.0, 1.0), Word("what", 9.0, 9.5), Word("no", 9.5, 9.9, "Eve"))
    assert captions(Transcript(words)) == [["so"], ["what"], ["no"]]


def test_words_without_times_stand_with_their_neighbours() -> None:
    words = (Word("so"), Word("what", 1.0, 2.0), Word("no"))
    (cue,) = build(Transcript(words), "SRT")
    assert (cue.start, cue.end, cue.lines) == (1.0, 2.0, (range(3),))


def test_a_segment_without_any_time_is_named() -> None:
    words = (Word("so", 0.0, 1.0), Word("what"), Word("no"))
    with pytest.raises(InputError, match="the words 'what no' have no times"):
        build(Transcript(words, (Segment(0, 1, 0.0, 1.0), Segment(1, 3))), "SRT")


def test_empty_segments_are_no_cues() -> None:
    assert build(Transcript((), (Segment(0, 0, 0.0, 1.0),)), "SRT") == []


def test_lines_are_never_too_long_when_words_are_short() -> None:
    for n in range(1, 200, 7):
        transcript = Transcript(timed("so what do you think of that then " * n))
        cues = captions(transcript)
        assert all(len(lines) <= 2 and max(map(len, lines)) <= 42 for lines in cues)
        assert " ".join(" ".join(lines) for lines in cues) == transcript.text
