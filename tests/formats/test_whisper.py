from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import whisper
from interpunct.transcript import Restored, RestoredWord, Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8")


def segment(text: str | None, words: Any = None, **fields: Any) -> str:
    record = {"start": 0.0, "end": 9.0, "text": text, "words": words, **fields}
    return json.dumps({"segments": [{key: value for key, value in record.items() if value is not None}]})


def entries(*words: str, key: str = "word") -> list[dict[str, Any]]:
    return [{key: word, "start": k * 1.0, "end": k + 0.5, "probability": 0.9 - k / 10} for k, word in enumerate(words)]


def printed(text: str, *words: str) -> Any:
    transcript = whisper.read(text)
    return json.loads(whisper.write(replace(transcript, words=tuple(map(Word, words)))))


def test_tokens_make_words() -> None:
    words = whisper.read(golden("whisper.json")).words
    assert words[:3] == (
        Word("I", 0.0, 0.18, confidence=0.98),
        Word("don't", 0.18, 0.5, confidence=0.91),
        Word("know,", 0.5, 0.9, confidence=0.9),
    )
    assert len(words) == 9


def test_segments_may_be_empty() -> None:
    assert whisper.read(golden("whisper.json")).segments == (
        Segment(0, 7, 0.0, 3.2),
        Segment(7, 7, 3.2, 3.2),
        Segment(7, 9, 3.9, 4.6),
    )


def test_printed_words_go_into_every_text_and_list() -> None:
    text = golden("whisper.json")
    transcript = whisper.read(text)
    texts = ["I", "Don't", "know!", "said", "the", "café", "owner –", "he", "left?"]
    output = whisper.write(replace(transcript, words=tuple(map(Word, texts))))
    document = json.loads(output)
    assert document["text"] == " I Don't know! said the café owner – he left?"
    assert document["segments"][2]["text"] == " he left?"
    pieces = [entry["word"] for entry in document["segments"][0]["words"]]
    assert pieces == [" I", " Don", "'t", " know", "!", " said", " the", " café", " owner –"]
    assert output.isascii()
    assert "-0.21345678901234566" in output
    assert "1.5e-05" in output


def test_a_segment_without_words_has_its_text_alone() -> None:
    transcript = whisper.read(golden("whisper.segments.json"))
    assert transcript.words == tuple(map(Word, "dus wat denk je vroeg ik haar".split()))
    texts = [word.upper() for word in transcript.texts]
    output = whisper.write(replace(transcript, words=tuple(map(Word, texts))))
    assert '"text": "  VROEG  IK HAAR ", "words": null, "note": "two  spaces \\/ kept"' in output
    assert '"end": 2.0e0' in output


def test_whisperx_entries_are_words() -> None:
    transcript = whisper.read(golden("whisper.whisperx.json"))
    assert transcript.words[3] == Word("1998", speaker="SPEAKER_00")
    assert transcript.words[4] == Word("don't", 1.004, 1.345, "SPEAKER_01", 0.812)
    document = printed(golden("whisper.whisperx.json"), "We", "met", "in", "1998.", "Don't", "ask!")
    assert [entry["word"] for entry in document["word_segments"]] == ["We", "met", "in", "1998.", "Don't", "ask!"]
    assert [entry["word"] for entry in document["segments"][1]["words"]] == ["Don't", "ask!"]


def test_a_list_of_segments() -> None:
    transcript = whisper.read(golden("whisper.list.json"))
    assert [word.start for word in transcript.words] == [0.0, 0.2, 0.5, None, None]
    assert transcript.language is None


def test_words_of_the_api_lack_the_marks_of_its_text() -> None:
    text = json.dumps({"text": "We met, in Cork.", "words": entries("We", "met", "in", "Cork"), "language": "english"})
    transcript = whisper.read(text)
    assert transcript.texts == ["We", "met,", "in", "Cork."]
    assert [word.start for word in transcript.words] == [0.0, 1.0, 2.0, 3.0]
    assert whisper.write(transcript) == text
    document = printed(text, "we", "Met", "in", "Cork!")
    assert document["text"] == "we Met in Cork!"
    assert [entry["word"] for entry in document["words"]] == ["we", "Met", "in", "Cork!"]


def test_where_text_and_words_disagree_the_text_is_kept() -> None:
    transcript = whisper.read(segment(" So, what do you think?", entries(" so", " what", " you", " thought")))
    assert transcript.texts == ["So,", "what", "do", "you", "think?"]
    assert [word.start for word in transcript.words] == [0.0, 1.0, None, 2.0, None]
    document = printed(segment(" So, what then", entries(" so", " that", " then")), "so", "What –", "Then?")
    assert [entry["word"] for entry in document["segments"][0]["words"]] == [" so", " that", " Then?"]


def test_an_entry_may_hold_two_words() -> None:
    text = segment(" in New York", entries(" in", " New York"))
    transcript = whisper.read(text)
    assert [(word.start, word.end) for word in transcript.words] == [(0.0, 0.5), (1.0, None), (None, 1.5)]
    assert printed(text, "In", "New", "York.")["segments"][0]["words"][1]["word"] == " New York."


def test_without_a_text_the_entries_make_the_words() -> None:
    assert whisper.read(segment(None, entries(" don", "'t", " ask"))).texts == ["don't", "ask"]
    assert whisper.read(segment(None, entries("don't", "ask"))).texts == ["don't", "ask"]
    assert printed(segment(None, entries(" don", "'t")), "Don't.")["segments"][0]["words"][1]["word"] == "'t."


def test_scripts_without_spaces() -> None:
    text = segment("こんにちは", entries("こん", "にちは"))
    assert whisper.read(text).words == (Word("こんにちは", 0.0, 1.5, confidence=0.8),)
    assert [e["word"] for e in printed(text, "こんにちは。")["segments"][0]["words"]] == ["こん", "にちは。"]


def test_words_may_be_named_text() -> None:
    assert whisper.read(segment("so what", entries("so", "what", key="text"))).words[1].start == 1.0


def test_a_text_of_the_whole_that_differs_keeps_its_own_words() -> None:
    text = json.dumps({"text": "ehm so what", "segments": [{"start": 0, "end": 1, "text": "so what"}]})
    assert printed(text, "So", "what?")["text"] == "ehm So what?"
    marked = text.replace("ehm so", "ehm, So...")
    assert whisper.write(whisper.read(marked)) == marked


@pytest.mark.parametrize("value", [None, [], "missing"])
def test_missing_words_and_times(value: Any) -> None:
    record = {"text": " so"} if value == "missing" else {"text": " so", "words": value, "start": None, "end": None}
    assert whisper.read(json.dumps({"segments": [record]})).words == (Word("so"),)
    assert whisper.read(json.dumps({"segments": [record]})).segments == (Segment(0, 1),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"text": "so", "segments": [{"text": "so"', "line 1: the JSON stops in the middle"),
        ('{\n"text": "so wh', "line 2: the JSON stops in the middle"),
        ('{"text": }', "line 1: not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"segments": 1}', "segments: expected a list"),
        ('{"segments": [1]}', "segments: item 0 is not an object"),
        ("3", "segments: expected a list"),
        ("{}", 'no "segments" and no "text"'),
        (segment(" so", start=2.0, end=1.0), "segment 0: ends at 1.0 before it starts at 2.0"),
        (segment(" so", start=-1.0), "segment 0, start: -1.0 cannot be a time"),
        (segment(" so", end=float("inf")), "segment 0, end: inf cannot be a time"),
        (segment(" so", end=10**400), "segment 0, end: a number cannot be a time"),
        (segment(" so", end="1"), "segment 0, end: a time is a number of seconds"),
        (segment(" so", end=True), "segment 0, end: a time is a number of seconds"),
        (segment(None, [{"start": 1.0}]), 'segment 0, word 0: it has no "word"'),
        (segment(None, [{"word": " so", "start": float("nan")}]), "segment 0, word 0 .'so'.: nan cannot be a time"),
        (segment(None, [{"word": " so", "start": 2.0, "end": 1.0}]), "segment 0, word 0 .'so'.: ends at 1.0 before"),
        (segment(None, entries(" so", " what")[::-1]), "segment 0, word 1 .'so'.: starts at 0.0, before the one above"),
        (segment(None, 3), "segment 0, words: expected a list"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        whisper.read(text)


def test_words_may_overlap_a_little() -> None:
    items = [{"word": " so", "start": 1.0, "end": 2.0}, {"word": " what", "start": 0.9, "end": 2.5}]
    assert [word.start for word in whisper.read(segment(None, items)).words] == [1.0, 0.9]


def test_unknown_numbers_stay_as_they_are() -> None:
    text = '{"segments": [{"start": 0.10, "end": 1E0, "text": " so", "avg_logprob": NaN}]}'
    assert whisper.write(whisper.read(text)) == text
    output = whisper.write(replace(whisper.read(text), words=(Word("So"),)))
    assert output == text.replace(" so", " So")


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (golden("whisper.json")[:200], True),
        ('{"text": "' + "so what " * 9000, True),
        ('{"text": "so"}', True),
        ('[{"start": 0, "end": 1, "text": "so"}]', True),
        ('{"text": "so", "result": []}', False),
        ('{"schema": "interpunct/1", "segments": []}', False),
        ("so what", False),
    ],
)
def test_sniffing(head: str, known: bool) -> None:
    assert whisper.sniff(head) is known


def test_a_new_document() -> None:
    words = (Word("so", 0.0, 0.5, confidence=0.9), Word("what", 0.5, 1.0, speaker="Jon"), Word("no"))
    transcript = Transcript(words, (Segment(0, 2, 0.0, 1.0),), "en")
    document = json.loads(whisper.write(transcript))
    assert document["text"] == " so what no"
    assert document["segments"][0]["words"][0] == {"word": " so", "start": 0.0, "end": 0.5, "probability": 0.9}
    assert document["segments"][1] == {"id": 1, "start": None, "end": None, "text": " no"}
    assert whisper.read(whisper.write(transcript)).words == words


def test_a_new_document_has_a_segment_a_sentence() -> None:
    words = tuple(RestoredWord(text, k, k + 0.5, written=text) for k, text in enumerate(["No.", "So", "what?", "I"]))
    segments = json.loads(whisper.write(Restored(words=words, sentence_ends=(0, 2))))["segments"]
    assert [(s["text"], s["start"], s["end"]) for s in segments] == [
        (" No.", 0, 0.5),
        (" So what?", 1, 2.5),
        (" I", 3, 3.5),
    ]


def test_a_number_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="not finite"):
        whisper.write(Transcript((Word("so", 0.0, float("nan")),)))


def test_frequent_words_keep_their_times_where_text_and_list_disagree() -> None:
    said = ["no", "yes", "and", "we", "go"] * 60
    heard = ["hm" if k % 50 == 0 else word for k, word in enumerate(said)]
    words = [{"word": word, "start": k / 2, "end": k / 2 + 0.4} for k, word in enumerate(heard)]
    read = whisper.read(json.dumps({"text": " ".join(said), "words": words}))
    assert [k for k, word in enumerate(read.words) if word.start is None] == list(range(0, 300, 50))
    assert all(word.start in (None, k / 2) for k, word in enumerate(read.words))


def test_times_that_json_cannot_hold_are_refused() -> None:
    for time in (float("nan"), object()):
        with pytest.raises(InputError, match="JSON cannot hold"):
            whisper.write(Transcript((Word("so", time),)))  # type: ignore[arg-type]


def test_half_a_character_is_escaped_in_a_new_document() -> None:
    written = whisper.write(Transcript((Word("a\ud800", 0.0, 1.0),)))
    assert "\\ud800" in written
    assert whisper.read(written.encode().decode()).texts == ["a\ud800"]
