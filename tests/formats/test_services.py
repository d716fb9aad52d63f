"""What is particular to the JSON of each service and recogniser."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import FORMATS, jsonl, sniff
from interpunct.transcript import Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"


def read(name: str) -> Transcript:
    module = FORMATS.get(name.split(".")[0])
    transcript: Transcript = module.read((GOLDEN / name).read_text(encoding="utf-8"))
    return transcript


def printed(name: str, *texts: str) -> Any:
    transcript = read(name)
    output = FORMATS.get(name.split(".")[0]).write(replace(transcript, words=tuple(map(Word, texts))))
    return json.loads(output)


def test_vosk_streams_have_partial_results_and_alternatives() -> None:
    transcript = read("vosk.stream.json")
    assert transcript.words[0] == Word("so", 0.12, 0.33, confidence=0.9)
    assert transcript.texts == ["so", "what", "do", "cafés"]
    assert transcript.segments == (Segment(0, 2, 0.12, 0.6), Segment(2, 4, 1.0, 1.5))


def test_vosk_results_may_follow_each_other_without_line_ends() -> None:
    vosk = FORMATS.get("vosk")
    text = '{"text": "so"}{"text": "what"}'
    assert sniff(text) is vosk
    transcript = vosk.read(text)
    assert vosk.write(replace(transcript, words=(Word("So"), Word("what?")))) == '{"text": "So"}{"text": "what?"}'


def test_json3_words_have_starts_where_the_event_gives_offsets() -> None:
    words = read("json3.json").words
    assert words[:3] == (Word("the", 0.16), Word("keeper", 0.48), Word("don't", 0.879))
    assert all(word.start is None for word in words[3:])
    document = printed("json3.json", "The", "keeper", "don't,", "wave", "at", "us", "twice.")
    assert document["events"][1]["segs"][3]["utf8"] == "'t,"
    assert document["events"][3]["segs"][0]["utf8"] == "wave at\nus twice."


def test_aws_punctuation_belongs_to_the_word_before() -> None:
    transcript = read("aws.json")
    assert transcript.words[0] == Word("So,", 0.04, 0.3, "spk_0", 0.998)
    results = printed("aws.json", "So", "what,", "do", "you", "think!", "Yes.")["results"]
    contents = [item["alternatives"][0]["content"] for item in results["items"]]
    assert contents == ["So", "", "what,", "do", "you", "think", "!", "Yes", "."]
    assert results["transcripts"][0]["transcript"] == "So what, do you think! Yes."
    assert results["audio_segments"][0]["transcript"] == "So what, do you think!"


def test_google_tells_speakers_in_a_last_result() -> None:
    transcript = read("google.json")
    assert [word.speaker for word in transcript.words] == ["1"] * 5 + ["2"]
    results = printed("google.json", "So", "what", "do", "you", "think?", "Cafés.")["results"]
    assert results[0]["alternatives"][0]["transcript"] == "So what do you think?"
    assert [word["word"] for word in results[2]["alternatives"][0]["words"]][-2:] == ["think?", "Cafés."]


def test_deepgram_prints_everywhere_but_in_the_bare_word() -> None:
    results = printed("deepgram.json", "So,", "what", "do", "you", "think?", "Yes!")["results"]
    best = results["channels"][0]["alternatives"][0]
    assert (best["words"][0]["word"], best["words"][0]["punctuated_word"]) == ("so", "So,")
    assert best["paragraphs"]["transcript"].endswith("Speaker 1: Yes!")
    assert best["paragraphs"]["paragraphs"][1]["sentences"][0]["text"] == "Yes!"
    assert results["utterances"][0]["transcript"] == "So, what do you think?"
    assert results["utterances"][1]["words"][0]["punctuated_word"] == "Yes!"


def test_channels_of_deepgram_follow_each_other() -> None:
    assert [(w.text, w.speaker) for w in read("deepgram.channels.json").words] == [
        ("so", "channel 0"),
        ("what", "channel 0"),
        ("yes", "channel 1"),
    ]


def test_azure_words_of_the_display_have_the_times_of_lexical_words() -> None:
    transcript = read("azure.batch.json")
    assert transcript.words == (
        Word("It", 0.18, 0.38, "1", 0.9),
        Word("cost", 0.38, 0.58, "1", 0.8),
        Word("$5.", speaker="1"),
        Word("Yes.", speaker="2"),
    )
    document = printed("azure.batch.json", "It", "cost,", "$5!", "Yes!")
    assert document["combinedRecognizedPhrases"][0]["display"] == "It cost, $5! Yes!"
    assert document["recognizedPhrases"][0]["nBest"][0]["words"][1]["word"] == "cost"


def test_assemblyai_counts_milliseconds() -> None:
    assert read("assemblyai.json").words[1] == Word("what", 0.73, 1.022, "A", 0.99999)
    document = printed("assemblyai.json", "So", "what?", "Yes.")
    assert [utterance["text"] for utterance in document["utterances"]] == ["So what?", "Yes."]
    assert document["utterances"][1]["words"][0]["text"] == "Yes."


def test_whispercpp_tokens_make_words() -> None:
    assert read("whispercpp.json").words[1:3] == (
        Word("keeper", 0.3, 0.81, confidence=0.8),
        Word("don't", 0.81, 1.1, confidence=0.7),
    )
    assert read("whispercpp.tokens.json").words == (Word("don't", 0.1, 0.4), Word("ask,", 0.4, 0.91))


def test_one_line_is_json_lines_and_several_are_refused() -> None:
    text = (GOLDEN / "jsonl.jsonl").read_text(encoding="utf-8")
    assert jsonl.read(text).words[0] == Word("so", 0.0, 0.2, "A")
    assert sniff(text + text) is jsonl
    with pytest.raises(FormatError, match="2 transcripts, one a line"):
        jsonl.read(text + text)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("vosk", '{"result": [{"word": "so", "start": "0"}]}', "result 0, word 0 .'so'.: a time is a number"),
        ("vosk", '{"partial": ""}\n{"text": ', "line 2: the JSON stops in the middle"),
        ("json3", '{"events": 3}', "events: expected a list"),
        ("aws", '{"results": {"items": [{"alternatives": []}]}}', 'item 0: it has no "content"'),
        ("google", '{"results": [{"alternatives": [{"words": [{"word": "a", "startTime": "1"}]}]}]}', "is written"),
        ("deepgram", '{"results": {}}', "channels: expected a list"),
        ("azure", '{"Offset": 1}', 'no "NBest"'),
        ("assemblyai", "[]", 'no "text"'),
        ("whispercpp", '{"transcription": [{"offsets": {"from": 2, "to": 1}, "text": "a"}]}', "before it starts"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(name: str, text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        FORMATS.get(name).read(text)


@pytest.mark.parametrize("name", ["vosk", "azure", "json3", "whispercpp", "ctm"])
def test_times_of_several_channels_need_speakers(name: str) -> None:
    words = (Word("so", 5.0, 6.0, "A"), Word("yes", 1.0, 2.0, "B"))
    with pytest.raises(InputError, match="times of several channels"):
        FORMATS.get(name).write(Transcript(words))
