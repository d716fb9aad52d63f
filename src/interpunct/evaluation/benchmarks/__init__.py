"""Benchmarks: one file each, named on the command line as ``NAME:PATH``.

To add one, write ``benchmarks/name.py`` with one function::

    def load(path: Path) -> tuple[Split, ...]

It gives the words as a recogniser would (lower case, no marks, nothing taken from the reference) and
what a person wrote. ``name:path`` then works everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from ...errors import InputError
from ...registry import Registry
from ...transcript import Word

__all__ = ["BENCHMARKS", "Document", "Split", "load"]

T = TypeVar("T")
BENCHMARKS = Registry("interpunct.evaluation.benchmarks", "benchmark")


@dataclass(frozen=True)
class Document:
    """One stream of words without breaks, and its reference."""

    words: tuple[str, ...]
    """What the model is given."""
    marks: tuple[str, ...]
    """The reference mark after each *scored token*, by name, ``NONE`` for none."""
    spellings: tuple[str, ...] | None = None
    """How each word is spelled in the reference, without marks; ``None`` where case is not known."""
    times: tuple[tuple[float, float] | None, ...] | None = None
    """The start and end of each word in seconds; ``None`` where they are not known."""
    speakers: tuple[str | None, ...] | None = None
    scored_at: tuple[int, ...] | None = None
    """The token at which each word's mark is scored, rising; ``None`` where tokens and words are the same.
    The output has ``NONE`` at all other tokens."""

    def __post_init__(self) -> None:
        places = self.scored_at if self.scored_at is not None else self.marks
        columns = (places, self.spellings, self.times, self.speakers)
        if any(column is not None and len(column) != len(self.words) for column in columns):
            raise InputError(f"a document of {len(self.words)} words has a reference for {len(places)}")

    @property
    def timed_words(self) -> list[Word]:
        """The words with their times and speakers, where these are known."""
        times = [pair or (None, None) for pair in self.times or [None] * len(self.words)]
        speakers = self.speakers or [None] * len(self.words)
        columns = zip(self.words, times, speakers, strict=True)
        return [Word(word, start, end, speaker) for word, (start, end), speaker in columns]

    @property
    def word_marks(self) -> tuple[str, ...]:
        """The reference mark after each word."""
        return self.marks if self.scored_at is None else tuple(self.marks[at] for at in self.scored_at)

    def first(self, words: int) -> Document:
        """The first ``words`` words of it."""
        if words >= len(self.words):
            return self
        tokens = words if self.scored_at is None else self.scored_at[words - 1] + 1 if words else 0

        def cut(column: tuple[T, ...] | None) -> tuple[T, ...] | None:
            return None if column is None else column[:words]

        return replace(
            self,
            words=self.words[:words],
            marks=self.marks[:tokens],
            spellings=cut(self.spellings),
            times=cut(self.times),
            speakers=cut(self.speakers),
            scored_at=cut(self.scored_at),
        )


@dataclass(frozen=True)
class Split:
    """The part of a benchmark that has its own figures."""

    name: str
    documents: tuple[Document, ...]
    folded: bool = False
    """The reference knows only PERIOD, COMMA and QUESTION: figures of more marks would mean nothing."""

    def first(self, words: int) -> Split:
        """The documents that hold the first ``words`` words, the last of them cut."""
        kept: list[Document] = []
        for document in self.documents:
            if words <= 0:
                break
            kept.append(document.first(words))
            words -= len(document.words)
        return Split(self.name, tuple(kept), self.folded)


def load(spec: str) -> tuple[Split, ...]:
    """The splits of the benchmark that ``spec``, ``NAME:PATH``, names.

    Raises:
        InputError: ``spec`` is something else, there is no such benchmark, or its files cannot be read.
    """
    name, colon, path = spec.partition(":")
    if not colon or not path:
        raise InputError(
            f"{spec!r} is not NAME:PATH; the benchmarks are {', '.join(BENCHMARKS.names)}: try text:my-punctuated.txt"
        )
    splits: tuple[Split, ...] = BENCHMARKS.get(name).load(Path(path))
    splits = tuple(split for split in splits if any(document.words for document in split.documents))
    if not splits:
        raise InputError(f"{path}: holds no words")
    return splits
