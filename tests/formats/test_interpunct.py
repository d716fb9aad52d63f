from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpunct.errors import FormatError, InputError
from interpunct.formats import format_of_extension, interpunct
from interpunct.transcript import Restored, RestoredWord, Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats" / "interpunct.json"
RESTORED = Restored(
    words=(
        RestoredWord("so", 0.0, 0.2, mark="COMMA", case="TITLE", written="So,", probabilities={"COMMA": 0.9}),
        RestoredWord("what", 0.2, 0.5, mark="DASH", written="what –"),
    ),
    segments=(Segment(0, 2, 0.0, 0.5),),
    language="en",
    sentence_ends=(1,),
)


def document(**fields: object) -> str:
    return json.dumps({"schema": "interpunct/1", "words": [{"text": "so"}], **fields})


def test_written_is_read_where_words_carry_it() -> None:
    transcript = interpunct.read(GOLDEN.read_text(encoding="utf-8"))
    assert transcript.texts == ["So,", "what", "do", "you", "think?", "No."]
    assert transcript.words[0] == Word("So,", 0.1, 0.2, confidence=0.9)
    assert transcript.segments[1] == Segment(5, 6, 1.9, 2.0, "Jon")


def test_a_restored_transcript_is_written_whole() -> None:
    output = interpunct.write(RESTORED)
    assert json.loads(output) == RESTORED.to_dict()
    assert output.count("\n") == len("{ schema language text ends words[ so what ] segments[ one ] }".split())
    again = interpunct.read(output)
    assert again.texts == RESTORED.texts
    assert again.segments == RESTORED.segments
    assert interpunct.write(again) == output


def test_a_plain_transcript_has_the_same_schema() -> None:
    transcript = Transcript((Word("so", 0.0, 0.25, "Jon", 0.5), Word("what")), (Segment(0, 2),), "en")
    assert json.loads(interpunct.write(transcript)) == {
        "schema": "interpunct/1",
        "language": "en",
        "text": "so what",
        "words": [
            {"text": "so", "start": 0.0, "end": 0.25, "speaker": "Jon", "confidence": 0.5},
            {"text": "what"},
        ],
        "segments": [{"first": 0, "stop": 2}],
    }
    assert interpunct.read(interpunct.write(transcript)) == transcript


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "expected an object"),
        (document(schema="interpunct/2"), "this version reads interpunct/1"),
        (document(words={}), '"words" is not a list'),
        (document(words=[{"start": 1.0}]), 'word 0: "text" is not a word but null'),
        (document(words=[{"text": " "}]), 'word 0: "text" is not a word'),
        (document(words=[{"text": "so", "start": 2.0, "end": 1.0}]), "ends at 1.0 before it starts at 2.0"),
        (document(words=[{"text": "so", "start": "1"}]), "a time is a number of seconds"),
        (document(segments=[{"first": 0, "stop": 2}]), "segment 0: first 0 and stop 2"),
        (document(language=1), "language: expected a string"),
    ],
)
def test_what_is_not_as_described_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem.replace("(", r"\(")):
        interpunct.read(text)


def test_a_number_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="not finite"):
        interpunct.write(Transcript((Word("so", 0.0, float("inf")),)))


def test_json_is_written_in_this_format_unless_it_came_from_another() -> None:
    assert format_of_extension(Path("talk.json"), RESTORED) is interpunct
