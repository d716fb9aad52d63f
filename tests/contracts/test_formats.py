"""What every transcript format keeps to. A new format is found by its file; its golden files are ``NAME.*``."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from interpunct import casing
from interpunct.errors import FormatError, InputError
from interpunct.formats import FORMATS, read, read_text, save, sniff
from interpunct.transcript import Transcript, Word

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
WRITTEN_ONLY = [name for name in FORMATS.names if getattr(FORMATS.get(name), "OUTPUT_ONLY", False)]
NAMES = [name for name in FORMATS.names if FORMATS.get(name).EXTENSIONS and name not in WRITTEN_ONLY]
HELD = {"starts", "ends", "segments", "speakers", "confidence", "language"}
FILES = sorted(path for name in NAMES for path in GOLDEN.glob(f"{name}.*"))


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


def format_of(path: Path) -> ModuleType:
    return FORMATS.get(path.name.split(".")[0])


def with_texts(transcript: Transcript, texts: list[str]) -> Transcript:
    words = tuple(replace(word, text=text) for word, text in zip(transcript.words, texts, strict=True))
    return replace(transcript, words=words)


@pytest.mark.parametrize("name", NAMES)
def test_has_a_golden_file_and_describes_itself(name: str) -> None:
    module = FORMATS.get(name)
    assert list(GOLDEN.glob(f"{name}.*"))
    assert module.DESCRIPTION
    assert "\n" not in module.DESCRIPTION
    assert all(extension.startswith(".") and extension.islower() for extension in module.EXTENSIONS)
    assert getattr(module, "HOLDS", HELD) <= HELD
    assert sniff(module.EXAMPLE) is module
    assert module.read(module.EXAMPLE).words


@pytest.mark.parametrize("name", WRITTEN_ONLY)
def test_what_is_only_written_refuses_to_read(name: str) -> None:
    module = FORMATS.get(name)
    assert module.DESCRIPTION
    assert module.EXAMPLE
    assert getattr(module, "HOLDS", HELD) <= HELD
    written = module.write(Transcript((Word("so", 0.0, 1.0), Word("what<br>", 1.0, 2.0))))
    assert not module.sniff(written)
    with pytest.raises(FormatError, match="written, not read"):
        module.read(written)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
class TestGoldenFile:
    def test_only_its_own_format_knows_it(self, path: Path) -> None:
        knowing = [name for name in FORMATS.names if name != "text" and FORMATS.get(name).sniff(text_of(path))]
        assert knowing == [name for name in [path.name.split(".")[0]] if name != "text"]
        assert sniff(text_of(path)) is format_of(path)

    def test_is_written_back_byte_for_byte(self, path: Path, tmp_path: Path) -> None:
        transcript = read(path)
        assert transcript.words
        save(transcript, tmp_path / f"again{path.suffix}")
        assert (tmp_path / f"again{path.suffix}").read_bytes() == path.read_bytes()

    def test_line_ends_are_kept(self, path: Path) -> None:
        text = text_of(path).replace("\n", "\r\n")
        assert format_of(path).write(read_text(text)) == text

    def test_new_words_change_words_alone(self, path: Path) -> None:
        module, transcript = format_of(path), read(path)
        capitals = [casing.upper(text) for text in transcript.texts]
        output = module.write(with_texts(transcript, capitals))
        again = module.read(output)
        assert again.texts == capitals
        assert again.segments == transcript.segments
        assert [(w.start, w.end, w.speaker, w.confidence) for w in again.words] == [
            (w.start, w.end, w.speaker, w.confidence) for w in transcript.words
        ]
        assert module.write(with_texts(again, transcript.texts)) == text_of(path)

    def test_marks_are_added_to_words(self, path: Path) -> None:
        module, transcript = format_of(path), read(path)
        marked = [f"{text}!" for text in transcript.texts]
        assert module.read(module.write(with_texts(transcript, marked))).texts == marked

    def test_other_numbers_of_words_are_refused(self, path: Path) -> None:
        module, transcript = format_of(path), read(path)
        for words in (transcript.words[1:], (*transcript.words, Word("more"))):
            with pytest.raises(InputError, match="source=None"):
                module.write(replace(transcript, words=words, segments=()))

    def test_survives_pickling(self, path: Path) -> None:
        transcript = read(path)
        again = pickle.loads(pickle.dumps(transcript))
        assert again == transcript
        assert format_of(path).write(again) == text_of(path)

    def test_cut_anywhere_it_is_read_or_refused(self, path: Path) -> None:
        module, text = format_of(path), text_of(path)
        for stop in range(0, len(text), 7):
            try:
                assert module.write(module.read(text[:stop])) == text[:stop]
            except FormatError as error:
                assert str(error)  # noqa: PT017

    def test_every_format_can_be_made_of_it_or_says_why_not(self, path: Path) -> None:
        transcript = replace(read(path), source=None)
        for name in NAMES:
            module = FORMATS.get(name)
            try:
                output = module.write(transcript)
            except InputError as error:
                assert "time" in str(error) or "tag" in str(error)  # noqa: PT017
            else:
                assert module.read(output).texts == transcript.texts


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_word_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="word 1 is empty"):
        FORMATS.get(name).write(Transcript((Word("so", 0.0, 1.0), Word("", 1.0, 2.0))))


@pytest.mark.parametrize("name", NAMES)
def test_no_words_are_a_file_too(name: str) -> None:
    module = FORMATS.get(name)
    assert module.read(module.write(Transcript())).words == ()


def test_an_empty_file_is_an_empty_text() -> None:
    assert sniff("") is FORMATS.get("text")
    assert read_text("").words == ()


@pytest.mark.parametrize("text", ['{"results": [{"a": 1}]}', '[{"a": 1}]', '{"text": "hello", "ids": []}', "{}"])
def test_other_json_is_no_plain_text(text: str) -> None:
    with pytest.raises(FormatError, match=r"this is JSON.*interpunct.*Whisper"):
        sniff(text)


@pytest.mark.parametrize("text", ["[Music] so what", "[1] a note", "{so} what", "[[Music]]"])
def test_brackets_alone_are_plain_text(text: str) -> None:
    assert sniff(text) is FORMATS.get("text")
