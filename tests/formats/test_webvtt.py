from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import webvtt
from interpunct.transcript import Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
HEAD = "WEBVTT\n\n00:01.000 --> 00:02.000\n"


def marked(text: str, *printed: str) -> str:
    transcript = webvtt.read(text)
    return webvtt.write(replace(transcript, words=tuple(map(Word, printed))))


def test_golden_file() -> None:
    transcript = webvtt.read((GOLDEN / "webvtt.vtt").read_text(encoding="utf-8"))
    assert transcript.language == "en-GB"
    assert transcript.text == ("so what do you think salt & vinegar crisps <3 5 < 6 don’t you know au revoir AT&T")
    assert [(s.start, s.end, s.speaker) for s in transcript.segments] == [
        (1.0, 3.5, "Mara O'Hara"),
        (3.5, 5.0, None),
        (6.0, 7.0, None),
        (7.0, 9.0, None),
    ]
    assert {w.speaker for w in transcript.words[5:10]} == {"Jon"}


def test_word_times_inside_a_cue_are_starts() -> None:
    transcript = webvtt.read((GOLDEN / "webvtt.rolling.vtt").read_text(encoding="utf-8"))
    starts = [(word.text, word.start) for word in transcript.words if word.start is not None]
    assert starts == [
        ("keeper", 0.4),
        ("of", 0.719),
        ("the", 0.88),
        ("light", 1.0),
        ("twice", 2.399),
        ("aweek", 3.0),
    ]
    assert all(word.end is None for word in transcript.words)


def test_captions_that_roll_say_each_word_once_and_show_it_everywhere() -> None:
    text = (GOLDEN / "webvtt.rolling.vtt").read_text(encoding="utf-8")
    transcript = webvtt.read(text)
    assert transcript.text == "the keeper of the light waved twice aweek"
    assert transcript.segments == (Segment(0, 5, 0.16, 2.07), Segment(5, 5, 2.07, 2.08), Segment(5, 8, 2.08, 4.15))
    output = marked(text, "The", "keeper", "of", "the", "light", "waved", "twice", "aweek.")
    assert output == text.replace("\nthe<", "\nThe<").replace("\nthe k", "\nThe k").replace("</c>week", "</c>week.")


def test_what_people_say_twice_is_no_repeat() -> None:
    twice = "WEBVTT\n\n00:01.000 --> 00:02.000\nla la\n\n00:02.000 --> 00:03.000\nla la\nla la\n"
    assert len(webvtt.read(twice).words) == 6
    rolling = (GOLDEN / "webvtt.rolling.vtt").read_text(encoding="utf-8")
    again = rolling.replace("00:00:02.080 --> 00:00:04.150", "00:00:03.080 --> 00:00:04.150")
    assert webvtt.read(again).text == "the keeper of the light the keeper of the light waved twice aweek"


def test_turns_noises_and_notes() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n&gt;&gt; so <00:01.500><c>what</c>\n[door slams] ♪\n- yes\n- no\n"
    transcript = webvtt.read(text)
    assert transcript.texts == [">>", "so", "what", "[door", "slams]", "♪", "-", "yes", "-", "no"]
    assert webvtt.write(transcript) == text


def test_tags_entities_and_breaks_stay_where_they_were() -> None:
    text = HEAD + "<v Jon><i>so</i>  wh<b>at</b>\n&lt;do&gt; don&#39;t&nbsp;you</v>\n"
    assert marked(text, "So", "what,", "<Do>,", "Don't", "you & I?") == HEAD + (
        "<v Jon><i>So</i>  wh<b>at,</b>\n&lt;Do&gt;, Don&#39;t&nbsp;you &amp; I?</v>\n"
    )


def test_what_is_not_valid_is_still_a_word() -> None:
    assert webvtt.read(HEAD + "5 < 6 AT&T &unknown; a<").texts == ["5", "<", "6", "AT&T", "&unknown;", "a<"]


def test_an_entity_of_an_unknown_name_is_read_as_it_stands() -> None:
    assert webvtt.read(HEAD + "so&nbspp;what &ltt; &lt;").texts == ["so&nbspp;what", "&ltt;", "<"]


def test_a_mark_never_makes_an_entity() -> None:
    text = marked(HEAD + "R&lt", "R&lt;")
    assert text == HEAD + "R&amp;lt;"
    assert webvtt.read(text).texts == ["R&lt;"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("00:01.000 --> 00:02.000\nso", 1, "begins with the line WEBVTT"),
        (HEAD + "so\n\nwhat\n", 6, "'what' has no times"),
        ("WEBVTT\n\n00:02.000 --> 00:01.000\nso", 3, "before it starts"),
        ("WEBVTT\n\n00:0x.000 --> 00:01.000\nso", 3, "does not give the times"),
        (HEAD + "so\nwhat --> no\n", 5, "does not give the times"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(FormatError, match=problem) as caught:
        webvtt.read(text)
    assert caught.value.line == line


def test_a_cue_may_follow_without_a_blank_line() -> None:
    transcript = webvtt.read(HEAD + "so\n00:02.000 --> 00:03.000\nwhat\n")
    assert transcript.segments == (Segment(0, 1, 1.0, 2.0), Segment(1, 2, 2.0, 3.0))


@pytest.mark.parametrize("word", ["<i>", "-->", "&amp;", "<00:00:01.000>", "</v>", "🙂", "שלום", "&", "WEBVTT", "NOTE"])
def test_any_word_can_stand_in_a_cue(word: str) -> None:
    words = (Word(word, 0.0, 1.0), Word(word, 1.0, 2.0))
    assert webvtt.read(webvtt.write(Transcript(words))).texts == [word, word]


def test_new_cues_name_their_speakers() -> None:
    words = (
        Word("so", 0.0, 0.5, "Jon & Mara"),
        Word("what", 0.5, 1.0, "Jon & Mara"),
        Word("no", 1.0, 1.5, "Eve"),
        Word("way", 1.5, 2.0, "Eve"),
    )
    assert webvtt.write(Transcript(words, language="en")) == (
        "WEBVTT\nLanguage: en\n\n"
        "00:00:00.000 --> 00:00:00.920\n<v Jon &amp; Mara>so what\n\n"
        "00:00:01.000 --> 00:00:02.000\n<v Eve>no way\n"
    )
    one_cue = Transcript(words, (Segment(0, 4, 0.0, 2.0),))
    assert "<v Jon &amp; Mara>so what</v> <v Eve>no way</v>\n" in webvtt.write(one_cue)
    assert [w.speaker for w in webvtt.read(webvtt.write(one_cue)).words] == [w.speaker for w in words]


def test_without_times_it_is_no_webvtt() -> None:
    with pytest.raises(InputError, match="the words have no times, so they cannot become WebVTT"):
        webvtt.write(Transcript((Word("so"),)))
