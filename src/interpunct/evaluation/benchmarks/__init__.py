"""Benchmarks: one file each, named on the command line as ``NAME:PATH``.

To add one, write ``benchmarks/name.py`` with one function::

    def load(path: Path) -> tuple[Split, ...]

It gives the words as a recogniser would (lower case, no marks, nothing taken from the reference) and
what a person wrote. ``name:path`` then works everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from ...registry import Registry

__all__ = ["BENCHMARKS", "Document", "Split", "load"]

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
    scored_at: tuple[int, ...] | None = None
    """The token at which each word's mark is scored, rising; ``None`` where tokens and words are the same.
    The output has ``NONE`` at all other tokens."""

    def __post_init__(self) -> None:
        places = self.scored_at if self.scored_at is not None else self.marks
        if len(places) != len(self.words) or (self.spellings is not None and len(self.spellings) != len(self.words)):
            raise InputError(f"a document of {len(self.words)} words has a reference for {len(places)}")

    @property
    def word_marks(self) -> tuple[str, ...]:
        """The reference mark after each word."""
        return self.marks if self.scored_at is None else tuple(self.marks[at] for at in self.scored_at)

    def first(self, words: int) -> Document:
        """The first ``words`` words of it."""
        if words >= len(self.words):
            return self
        tokens = words if self.scored_at is None else self.scored_at[words - 1] + 1 if words else 0
        return Document(
            self.words[:words],
            self.marks[:tokens],
            None if self.spellings is None else self.spellings[:words],
            None if self.scored_at is None else self.scored_at[:words],
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
    if not any(document.words for split in splits for document in split.documents):
        raise InputError(f"{path}: holds no words")
    return splits
