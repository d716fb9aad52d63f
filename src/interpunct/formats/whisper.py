"""The JSON of Whisper and its relatives: openai-whisper, faster-whisper, whisperX, whisper-timestamped, the API.

The words are those of the segments' texts. Times come from the word lists: the pieces of a word (`` don``,
``'t``) make one, which starts with the first, ends with the last, and is as sure as the least sure of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Segment, Source, Transcript, Word
from ._json import Path, known_keys, load, replaced, seconds, string
from ._segments import by_sentence
from ._slots import fill, other_number_of_words, own_text, printed, spread
from ._times import Clock

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "read", "sniff", "write"]

DESCRIPTION = "Whisper's JSON (openai-whisper, faster-whisper, whisperX), with or without word times"
EXTENSIONS = (".json",)
EXAMPLE = (
    '{"text": " so what", "segments": [{"id": 0, "start": 0.0, "end": 1.0, "text": " so what"}], "language": "en"}'
)

_TOP_LEVEL = {"text", "language", "words", "word_segments", "task", "duration", "usage", "logprobs"}
_SEGMENT = {"text", "start", "end"}


def sniff(text: str) -> bool:
    """Whether the JSON has segments, or is the text alone, or a list of segments."""
    opening = text.lstrip()[:1]
    if opening == "[":
        return known_keys(text, 2) >= _SEGMENT
    keys = known_keys(text, 1) if opening == "{" else set()
    return "schema" not in keys and ("segments" in keys or ("text" in keys and keys <= _TOP_LEVEL))


def read(text: str) -> Transcript:
    """A segment each, with its words; a word that no word list knows has no times.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which segment or word.
    """
    document = load(text)
    laid_out = _Layout.of(document)
    language = document.get("language") if isinstance(document, dict) else None
    return Transcript(
        tuple(laid_out.words),
        tuple(laid_out.segments),
        language if isinstance(language, str) else None,
        Source("whisper", text),
    )


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced in all its texts and lists; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "whisper")
    if own is None:
        return _new(transcript, texts)
    laid_out = _Layout.of(load(own))
    if len(laid_out.words) != len(texts):
        raise other_number_of_words(len(texts), len(laid_out.words))
    return replaced(own, dict(laid_out.changes(texts)))


# --- what a document holds ------------------------------------------------------------------------


class _Entry(NamedTuple):
    """One item of a word list: a word, or a piece of one."""

    path: Path
    text: str
    start: float | None
    end: float | None
    confidence: float | None
    speaker: str | None

    @property
    def core(self) -> str:
        return "".join(self.text.split())


class _Piece(NamedTuple):
    """Characters of an entry, without its spaces, that hold (a part of) a word."""

    entry: int
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class _Text:
    """A string of the document, and which word each of its tokens is."""

    path: Path
    text: str
    words: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class _List:
    """A word list of the document, and the pieces of it that hold each word from ``first`` on."""

    entries: list[_Entry]
    first: int
    pieces: list[list[_Piece]]


@dataclass(slots=True)
class _Layout:
    """The words of a document, and every place that prints them."""

    words: list[Word] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    texts: list[_Text] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)

    @classmethod
    def of(cls, document: Any) -> _Layout:
        layout = cls()
        top = document if isinstance(document, dict) else {"segments": document}
        segments = top.get("segments")
        if segments is None and not isinstance(top.get("text"), str):
            raise FormatError('no "segments" and no "text": this is not the JSON of Whisper')
        flat = _flat_list(top)
        if segments is None:
            layout.add(top["text"], ("text",), [], speaker=None)
        else:
            prefix: Path = ("segments",) if isinstance(document, dict) else ()
            layout._add_segments(_list_of_objects(segments, "segments"), prefix)
            layout._add_whole_text(string(top.get("text"), "text"))
        if flat:
            layout._add_list(flat, 0)
        return layout

    def add(self, text: str | None, path: Path, entries: list[_Entry], speaker: str | None) -> None:
        """Add the words of one text, with the times of its word list."""
        tokens = text.split() if text else _grouped_texts(entries)
        first = len(self.words)
        self.words += (Word(token, speaker=speaker) for token in tokens)
        if text:
            self.texts.append(_Text(path, text, range(first, len(self.words))))
        if entries:
            self._add_list(entries, first)

    def _add_segments(self, segments: list[dict[str, Any]], prefix: Path) -> None:
        clock, words_clock = Clock(), Clock()
        for k, segment in enumerate(segments):
            where = f"segment {k}"
            start = seconds(segment.get("start"), f"{where}, start")
            end = seconds(segment.get("end"), f"{where}, end")
            clock.check(start, end, where)
            speaker = string(segment.get("speaker"), f"{where}, speaker")
            entries = _entries(segment.get("words"), (*prefix, k, "words"), f"{where}, ", words_clock)
            first = len(self.words)
            self.add(string(segment.get("text"), f"{where}, text"), (*prefix, k, "text"), entries, speaker)
            self.segments.append(Segment(first, len(self.words), start, end, speaker))

    def _add_whole_text(self, text: str | None) -> None:
        if not text:
            return
        tokens, words = text.split(), [word.text for word in self.words]
        known = range(len(words)) if tokens == words else _matched(tokens, words)
        self.texts.append(_Text(("text",), text, known))

    def _add_list(self, entries: list[_Entry], first: int) -> None:
        pieces = _placed([word.text for word in self.words[first:]], entries)
        self.lists.append(_List(entries, first, pieces))
        for k, held in enumerate(pieces, start=first):
            if held and self.words[k].start is None and self.words[k].end is None:
                self.words[k] = _timed(self.words[k], held, entries)

    def changes(self, printed: Sequence[str]) -> Iterator[tuple[Path, str]]:
        """The strings that the printed words change, by their places."""
        changed = {k for k, word in enumerate(self.words) if word.text != printed[k]}
        for text in self.texts:
            tokens = text.text.split()
            for token, k in enumerate(text.words):
                if k is not None and k in changed:
                    tokens[token] = printed[k]
            filled = fill(text.text, tokens)
            if filled != text.text:
                yield text.path, filled
        for words in self.lists:
            yield from self._changed_entries(words, printed)

    def _changed_entries(self, words: _List, printed: Sequence[str]) -> Iterator[tuple[Path, str]]:
        contents: dict[int, list[str]] = {}
        changed = set()
        for k, held in enumerate(words.pieces, start=words.first):
            cores = [words.entries[piece.entry].core[piece.first : piece.stop] for piece in held]
            parts = (
                cores if printed[k] == self.words[k].text else spread(printed[k], "".join(cores), list(map(len, cores)))
            )
            for piece, core, part in zip(held, cores, parts, strict=bool(held)):
                contents.setdefault(piece.entry, []).append(part)
                if core != part:
                    changed.add(piece.entry)
        for k in sorted(changed):
            entry = words.entries[k]
            lead = entry.text[: len(entry.text) - len(entry.text.lstrip())]
            trail = entry.text[len(entry.text.rstrip()) :]
            yield entry.path, lead + " ".join(filter(None, contents[k])) + trail


def _flat_list(top: dict[str, Any]) -> list[_Entry]:
    """The word list of the whole document: whisperX's, or the API's."""
    name = "word_segments" if top.get("word_segments") else "words"
    return _entries(top.get(name), (name,), f"{name}, ", Clock())


def _entries(items: Any, path: Path, where: str, clock: Clock) -> list[_Entry]:
    entries = []
    for k, item in enumerate([] if items is None else _list_of_objects(items, f"{where}words")):
        key = "word" if "word" in item else "text"
        text = string(item.get(key), f"{where}word {k}")
        if text is None:
            raise FormatError(f'{where}word {k}: it has no "word"')
        place = f"{where}word {k} ({text.strip()!r})"
        start, end = seconds(item.get("start"), place), seconds(item.get("end"), place)
        clock.check(start, end, place)
        speaker = string(item.get("speaker"), place)
        entries.append(_Entry((*path, k, key), text, start, end, _confidence(item), speaker))
    return entries


def _confidence(item: dict[str, Any]) -> float | None:
    for key in ("probability", "score", "confidence"):
        value = item.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value) if 0 <= value <= 1 else None  # whisperX writes NaN where it does not know
    return None


def _list_of_objects(value: Any, where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise FormatError(f"{where}: expected a list, not {json.dumps(value)[:40]}")
    for k, item in enumerate(value):
        if not isinstance(item, dict):
            raise FormatError(f"{where}: item {k} is not an object but {json.dumps(item)[:40]}")
    return value


# --- words and the entries that hold them ----------------------------------------------------------


def _timed(word: Word, held: list[_Piece], entries: list[_Entry]) -> Word:
    first, last = entries[held[0].entry], entries[held[-1].entry]
    known = [c for c in (entries[piece.entry].confidence for piece in held) if c is not None]
    return Word(
        word.text,
        # An entry that holds two words ("New York") knows when the first starts and the second ends.
        start=first.start if held[0].first == 0 else None,
        end=last.end if held[-1].stop == len(last.core) else None,
        speaker=first.speaker or word.speaker,
        confidence=min(known) if known else None,
    )


def _placed(words: list[str], entries: list[_Entry]) -> list[list[_Piece]]:
    """The pieces that hold each word: exactly where text and list agree, else word by word where they match."""
    cores = [entry.core for entry in entries]
    if "".join(words) == "".join(cores):
        return _walked(words, cores)
    groups = _groups(entries)
    known = _matched(words, ["".join(cores[k] for k in group) for group in groups])
    return [[] if g is None else [_Piece(k, 0, len(cores[k])) for k in groups[g] if cores[k]] for g in known]


def _walked(words: list[str], cores: list[str]) -> list[list[_Piece]]:
    pieces: list[list[_Piece]] = []
    entry = used = 0
    for word in words:
        held, left = [], len(word)
        while left:
            if used == len(cores[entry]):
                entry, used = entry + 1, 0
                continue
            taken = min(left, len(cores[entry]) - used)
            held.append(_Piece(entry, used, used + taken))
            used, left = used + taken, left - taken
        pieces.append(held)
    return pieces


def _groups(entries: list[_Entry]) -> list[range]:
    """The entries of each word. Where some begin with a space, one that does not continues the word before."""
    spaced = any(entry.text[:1].isspace() for entry in entries)
    starts = [k for k, entry in enumerate(entries) if not spaced or not k or entry.text[:1].isspace()]
    return [range(a, b) for a, b in pairwise([*starts, len(entries)])]


def _grouped_texts(entries: list[_Entry]) -> list[str]:
    return " ".join("".join(entries[k].text for k in group) for group in _groups(entries)).split()


def _matched(words: list[str], others: list[str]) -> list[int | None]:
    """For each word, which of ``others`` it is, letters and digits compared."""
    found: list[int | None] = [None] * len(words)
    keys, other_keys = [_key(word) for word in words], [_key(word) for word in others]
    for a, b, size in SequenceMatcher(None, keys, other_keys).get_matching_blocks():
        found[a : a + size] = range(b, b + size)
    return found


def _key(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold())) or word


# --- a new document --------------------------------------------------------------------------------


def _new(transcript: Transcript, texts: list[str]) -> str:
    segments = []
    for k, segment in enumerate(by_sentence(transcript)):
        words = transcript.words[segment.first : segment.stop]
        own = texts[segment.first : segment.stop]
        entries = [_new_entry(word, text) for word, text in zip(words, own, strict=True)]
        record: dict[str, Any] = {"id": k, "start": segment.start, "end": segment.end, "text": _spaced(own)}
        if segment.speaker is not None:
            record["speaker"] = segment.speaker
        if any(len(entry) > 1 for entry in entries):
            record["words"] = entries
        segments.append(record)
    document = {"text": _spaced(texts), "segments": segments, "language": transcript.language}
    try:
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    except ValueError:
        raise InputError("a time or a confidence is not finite: JSON cannot hold it") from None


def _spaced(texts: Sequence[str]) -> str:
    return "".join(f" {text}" for text in texts)


def _new_entry(word: Word, text: str) -> dict[str, Any]:
    fields = {"start": word.start, "end": word.end, "probability": word.confidence, "speaker": word.speaker}
    return {"word": f" {text}", **{name: value for name, value in fields.items() if value is not None}}
