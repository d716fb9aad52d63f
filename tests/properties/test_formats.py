"""Formats under attack: any words, any cut or altered file. Words and times are kept, or an error says why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpunct.errors import FormatError, InputError
from interpunct.formats import FORMATS, interpunct, read_text, srt, text, webvtt, whisper
from interpunct.transcript import Segment, Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
FILES = sorted(GOLDEN.iterdir())

awkward = st.sampled_from(
    r"<i> </v> <v A> --> &amp; &lt <00:00:01.000> {\an8} 1 00:00:01,000 NOTE WEBVTT R&D <unk> [1] a<br>b \u0041 \ "
    '" – 🙂 שלום İ \u200e \ufeff \0 \x7f'.split()
)
word_texts = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).map(lambda t: "".join(t.split()))
    | awkward
).filter(bool)
milliseconds = st.integers(0, 5000)


@st.composite
def transcripts(draw: Callable[..., Any]) -> Transcript:
    """Words with times to the millisecond, in segments that follow each other."""
    words, segments, now = [], [], 0
    for texts in draw(st.lists(st.lists(word_texts, min_size=1, max_size=6), max_size=4)):
        first, begin = len(words), now
        speaker = draw(st.none() | st.sampled_from(["Jon", "Mara & Eve", "a<b"]))
        for word in texts:
            start = now + draw(milliseconds)
            now = start + draw(milliseconds)
            words.append(Word(word, start / 1000, now / 1000, speaker, draw(st.none() | st.just(0.5))))
        segments.append(Segment(first, len(words), begin / 1000, now / 1000, speaker))
    return Transcript(tuple(words), tuple(segments), draw(st.sampled_from([None, "en"])))


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(transcripts())
def test_json_keeps_everything(transcript: Transcript) -> None:
    assert interpunct.read(interpunct.write(transcript)) == transcript
    again = whisper.read(whisper.write(transcript))
    assert again.words == transcript.words
    assert again.segments == transcript.segments


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(transcripts())
def test_webvtt_keeps_words_speakers_and_cues(transcript: Transcript) -> None:
    output = webvtt.write(transcript)
    again = webvtt.read(output)
    assert again.texts == transcript.texts
    assert [word.speaker for word in again.words] == [word.speaker for word in transcript.words]
    assert again.language == transcript.language
    _assert_times_are_those_of(transcript, again)
    assert webvtt.write(again) == output


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(transcripts())
def test_srt_keeps_words_and_cues_or_says_which_word_it_cannot(transcript: Transcript) -> None:
    try:
        output = srt.write(transcript)
    except InputError as error:
        assert "cannot stand in SRT" in str(error)  # noqa: PT017
        return
    again = srt.read(output)
    assert again.texts == transcript.texts
    _assert_times_are_those_of(transcript, again)
    assert srt.write(again) == output


def _assert_times_are_those_of(transcript: Transcript, captions: Transcript) -> None:
    starts = {s.start for s in transcript.segments} | {w.start for w in transcript.words}
    ends = {s.end for s in transcript.segments} | {w.end for w in transcript.words}
    assert {s.start for s in captions.segments} <= starts
    assert {s.end for s in captions.segments} <= ends


@pytest.mark.parametrize("name", [n for n in FORMATS.names if not getattr(FORMATS.get(n), "OUTPUT_ONLY", False)])
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(transcript=transcripts())
def test_a_new_file_keeps_what_its_format_says_it_holds(name: str, transcript: Transcript) -> None:
    module = FORMATS.get(name)
    try:
        output = module.write(transcript)
    except InputError as error:
        assert "cannot stand in" in str(error) or "time" in str(error)  # noqa: PT017
        return
    again = module.read(output)
    assert again.texts == transcript.texts
    for held, field in (("starts", "start"), ("ends", "end"), ("confidence", "confidence")):
        if held in module.HOLDS:
            assert [getattr(word, field) for word in again.words] == [getattr(w, field) for w in transcript.words]
    if "segments" in module.HOLDS:
        rounded = pytest.approx(_times(transcript), abs=getattr(module, "RESOLUTION", 0) / 1.9)
        assert _times(again) == rounded
    assert module.write(again) == output


def _times(transcript: Transcript) -> list[float | None]:
    return [time for segment in transcript.segments for time in (segment.start, segment.end)]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_string_is_a_text(string: str) -> None:
    assert text.write(text.read(string)) == string


@given(st.text(alphabet=st.sampled_from("ab \t\n\r\x0b\x1c\x85\u00a0\u2028")), st.data())
def test_text_keeps_its_whitespace(string: str, data: st.DataObject) -> None:
    transcript = text.read(string)
    texts = data.draw(st.lists(word_texts, min_size=len(transcript.words), max_size=len(transcript.words)))
    output = text.write(replace(transcript, words=tuple(map(Word, texts))))
    assert output.split() == texts
    assert [c for c in output if c.isspace()] == [c for c in string if c.isspace()]


# Their times stand beside spellings of their own, found again by the letters: other letters may lose them.
SPELLED_APART = {"azure.json", "azure.batch.json", "whispercpp.tokens.json"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_new_words_in_a_golden_file(path: Path, data: st.DataObject) -> None:
    module = FORMATS.get(path.name.split(".")[0])
    transcript = module.read(path.read_bytes().decode())
    texts = transcript.texts
    for k, word in data.draw(st.dictionaries(st.integers(0, len(texts) - 1), word_texts, max_size=4)).items():
        texts[k] = word
    changed = replace(transcript, words=tuple(replace(w, text=t) for w, t in zip(transcript.words, texts, strict=True)))
    try:
        again = module.read(module.write(changed))
    except InputError as error:
        assert "cannot stand in" in str(error)  # noqa: PT017
        return
    assert again.texts == texts
    # A word respelled shorter than the tokens that hold it leaves the last of them empty: its end is not looked at.
    if path.name not in SPELLED_APART:
        assert again.segments == transcript.segments
        assert [w.start for w in again.words] == [w.start for w in transcript.words]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_an_altered_file_is_read_or_refused(path: Path, data: st.DataObject) -> None:
    module, whole = FORMATS.get(path.name.split(".")[0]), path.read_bytes().decode()
    position = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 12))
    patch = data.draw(
        st.text(alphabet=st.sampled_from('<>&;:-.,{}[]"\\ \n\r0123456789aN'), max_size=6)
        | st.sampled_from(["null", "-1", "1e999", "NaN", "true", "[]", "{}", '"', "-->", "\n\n", "<v", "&nbsp;", "٣"])
    )
    altered = whole[:position] + patch + whole[position + length :]
    for read in (module.read, read_text):
        try:
            transcript = read(altered)
        except FormatError as error:
            assert str(error)  # noqa: PT017
        else:
            assert FORMATS.get(transcript.source.format).write(transcript) == altered
