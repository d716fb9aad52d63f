"""Transcripts as frozen records: what is read, what is restored, what is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import Any

from .errors import InputError
from .marks import MARKS, NONE

__all__ = ["Restored", "RestoredWord", "Segment", "Source", "Transcript", "Word"]

SCHEMA = "interpunct/1"


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it came in: what stands between two spaces, marks and all. Times are in seconds."""

    text: str
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A cue of a caption file or a segment of a recogniser: the words ``[first, stop)`` and its times."""

    first: int
    stop: int
    start: float | None = None
    end: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a transcript was read from, in that format's own shape.

    Only the format called ``format`` looks into ``document``; it writes new words into it, so that cues,
    times and unknown fields come out as they went in.
    """

    format: str
    document: Any


@dataclass(frozen=True)
class Transcript:
    """Words in order, with the cues or segments that held them, if any."""

    words: tuple[Word, ...] = ()
    segments: tuple[Segment, ...] = ()
    language: str | None = None
    source: Source | None = field(default=None, compare=False, repr=False)

    @property
    def texts(self) -> list[str]:
        """Each word as it is to be printed."""
        return [word.text for word in self.words]

    @property
    def text(self) -> str:
        """The words as they are to be printed, between single spaces."""
        return " ".join(self.texts)

    def save(self, path: str | Path) -> None:
        """Write to ``path``, in the format of its extension; the file is replaced whole or not at all.

        Raises:
            InputError: no format has that extension, or the place cannot be written.
        """
        from .formats import save

        save(self, Path(path))


@dataclass(frozen=True, slots=True)
class RestoredWord(Word):
    """A word with what was found out about it. ``text`` is the word as it came in."""

    mark: str = NONE
    """The mark after it, by name; ``NONE`` for none."""
    case: str = "LOWER"
    written: str = ""
    """The word as printed: case and mark."""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    case_probabilities: Mapping[str, float] = field(default_factory=dict)
    evidence: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """What each source thought, only those used: ``{"text": {"PERIOD": 0.8, …}, "timing": {…}}``."""
    alpha: float | None = None
    """The weight of what was not text in ``probabilities``; ``None`` where the text alone was asked."""
    fallback: str | None = None
    votes: Mapping[str, float] | None = None

    @property
    def ends_sentence(self) -> bool:
        return self.mark != NONE and MARKS[self.mark].ends_sentence

    def to_dict(self) -> dict[str, Any]:
        """The word in the one JSON (``docs/format.md``); absent times and speakers are left out."""
        optional = {
            "start": self.start,
            "end": self.end,
            "speaker": self.speaker,
            "confidence": self.confidence,
            "alpha": None if self.alpha is None else round(self.alpha, 4),
            "fallback": self.fallback,
            "votes": None if self.votes is None else dict(self.votes),
        }
        return {
            "text": self.text,
            **{key: value for key, value in optional.items() if value is not None},
            "mark": self.mark,
            "case": self.case,
            "written": self.written,
            "probabilities": _rounded(self.probabilities),
            "case_probabilities": _rounded(self.case_probabilities),
            "evidence": {name: _rounded(marks) for name, marks in self.evidence.items()},
        }


@dataclass(frozen=True)
class Restored(Transcript):
    """A transcript whose words carry marks and case."""

    words: tuple[RestoredWord, ...] = ()
    sentence_ends: tuple[int, ...] = ()
    """The words (by position) that end a sentence, in order; a change of speaker ends one without a mark."""

    @property
    def texts(self) -> list[str]:
        return [word.written for word in self.words]

    @property
    def sentences(self) -> list[str]:
        """The sentences, in order; what follows the last sentence end is one more."""
        texts, start, sentences = self.texts, 0, []
        for end in self.sentence_ends:
            sentences.append(" ".join(texts[start : end + 1]))
            start = end + 1
        if start < len(texts):
            sentences.append(" ".join(texts[start:]))
        return sentences

    def _repr_html_(self) -> str:
        """How a notebook shows it: marks by how sure they are."""
        from .formats import FORMATS

        shown: str = FORMATS.get("html").fragment(self)
        return shown

    def to_dict(self) -> dict[str, Any]:
        """The one JSON that the command line, the service and corrections speak (``docs/format.md``)."""
        return {
            "schema": SCHEMA,
            "language": self.language,
            "text": self.text,
            "sentence_ends": list(self.sentence_ends),
            "words": [word.to_dict() for word in self.words],
            "segments": [
                {"first": s.first, "stop": s.stop, "start": s.start, "end": s.end, "speaker": s.speaker}
                for s in self.segments
            ],
        }


def _rounded(probabilities: Mapping[str, float]) -> dict[str, float]:
    return {name: round(p, 4) for name, p in probabilities.items()}


def as_words(words: str | Iterable[str] | Iterable[Word] | Transcript) -> Transcript:
    """A transcript of whatever ``restore`` accepts.

    Raises:
        InputError: something else than text, words or a transcript, or a word that holds a space.
    """
    if isinstance(words, str):
        return Transcript(tuple(map(Word, words.split())))
    if isinstance(words, Transcript):
        return replace(words, words=tuple(each_word(words.words)))
    return Transcript(tuple(each_word(words)))


def each_word(words: Iterable[str] | Iterable[Word]) -> Iterator[Word]:
    """The words one by one, once each has been seen to be one.

    Raises:
        InputError: at once, these are no words; on the way, one of them is none.
    """
    if isinstance(words, str | bytes) or not isinstance(words, Iterable):
        raise InputError(
            f"{type(words).__name__} is not what can be restored: give a text as str, words, or a Transcript"
        )
    return _each_word(words)


def _is_one(text: str) -> bool:
    """Whether it is one word; a dash stands a space behind it, as it is printed."""
    word, *more = text.split() or [""]
    return bool(word) and text == text.strip() and (not more or (len(more) == 1 and more[0][:1] in "-–—―⸺"))


def _each_word(words: Iterable[str] | Iterable[Word]) -> Iterator[Word]:
    for position, word in enumerate(words):
        found = Word(word) if isinstance(word, str) else word
        if not isinstance(found, Word) or not isinstance(found.text, str):
            raise InputError(f"word {position} is {type(word).__name__}: words are str or interpunct.Word")
        if not _is_one(found.text):
            raise InputError(
                f"word {position}, {found.text!r}, is not one word: give a text as one str, or split it first"
            )
        for time in (found.start, found.end):
            if type(time) is not float and not (time is None or isinstance(time, Real)):
                raise InputError(f"word {position}, {found.text!r}: the time {time!r} is not a number of seconds")
        yield found
