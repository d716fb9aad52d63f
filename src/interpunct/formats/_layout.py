"""The words of a recogniser's JSON, and every place that prints them.

A document says its words up to three times: in a text, in lists of words with times, in copies of both. The
words are those of the text. Times come from the lists: the pieces of a word (`` don``, ``'t``) make one, which
starts with the first, ends with the last, and is as sure as the least sure of them. Where a list differs from
the text, the words that both have, letters and digits compared, have its times, the others none.

A format builds a :class:`Layout` of its document; :func:`transcript_of` and :func:`rewritten` do the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, NamedTuple

from ..errors import FormatError
from ..transcript import Segment, Source, Transcript, Word
from ._json import Path, objects, probability, replaced, scaled, string
from ._slots import fill, other_number_of_words, spread
from ._times import Clock

__all__ = ["Entry", "Keys", "Layout", "name_of", "rewritten", "transcript_of"]


class Entry(NamedTuple):
    """One item of a word list: a word, or a piece of one."""

    path: Path
    text: str
    start: float | None = None
    end: float | None = None
    confidence: float | None = None
    speaker: str | None = None
    joined: bool | None = None
    """Whether it continues the word before; ``None`` where only spaces tell."""

    @property
    def core(self) -> str:
        return "".join(self.text.split())


@dataclass(frozen=True)
class Keys:
    """How a service calls what it says of a word; the first key of several that is there counts."""

    text: Sequence[str] = ("word",)
    start: Sequence[str] = ("start",)
    end: Sequence[str] = ("end",)
    duration: Sequence[str] = ()
    """Instead of an end."""
    confidence: Sequence[str] = ("confidence",)
    speaker: Sequence[str] = ("speaker",)
    time: Callable[[Any, str], float | None] = lambda value, where: scaled(value, 1, where)
    """A time as it is written, in seconds."""

    def entries(self, items: Any, path: Path, where: str = "", clock: Clock | None = None) -> list[Entry]:
        """The items of a word list.

        Raises:
            FormatError: not a list of words, or times that cannot be; it says which word.
        """
        clock = Clock() if clock is None else clock
        found = [] if items is None else objects(items, f"{where}words")
        return [self._entry(item, (*path, k), f"{where}word {k}", clock) for k, item in enumerate(found)]

    def times(self, item: dict[str, Any], where: str) -> tuple[float | None, float | None]:
        """The start and the end of a word or a segment, in seconds."""
        start, end, duration = (_first(item, keys)[1] for keys in (self.start, self.end, self.duration))
        if duration is not None and start is not None:
            self.time(start, where), self.time(duration, where)  # refuses what cannot be added
            end = start + duration
        return self.time(start, where), self.time(end, where)

    def _entry(self, item: dict[str, Any], path: Path, where: str, clock: Clock) -> Entry:
        key, value = _first(item, self.text)
        text = string(value, where)
        if text is None:
            raise FormatError(f'{where}: it has no "{self.text[0]}"')
        where = f"{where} ({text.strip()!r})"
        start, end = self.times(item, where)
        speaker = name_of(_first(item, self.speaker)[1], where)
        clock.check(start, end, where, speaker)
        return Entry((*path, key), text, start, end, probability(_first(item, self.confidence)[1]), speaker)


def _first(item: dict[str, Any], keys: Sequence[str]) -> tuple[str, Any]:
    return next(((key, item[key]) for key in keys if item.get(key) is not None), ("", None))


def name_of(speaker: Any, where: str) -> str | None:
    """The name of a speaker, who may be a number."""
    return str(speaker) if type(speaker) is int and abs(speaker) < 1e9 else string(speaker, f"{where}, speaker")


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

    entries: list[Entry]
    first: int
    pieces: list[list[_Piece]]


@dataclass(slots=True)
class Layout:
    """The words of a document, and every place that prints them."""

    words: list[Word] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    texts: list[_Text] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)

    def add(self, text: str | None, path: Path, entries: Sequence[Entry] = (), speaker: str | None = None) -> int:
        """Add the words of one text, or else of one list, with the times of the list. Returns the first of them."""
        entries = list(entries)
        tokens = text.split() if text else _grouped_texts(entries)
        first = len(self.words)
        self.words += (Word(token, speaker=speaker) for token in tokens)
        if text:
            self.texts.append(_Text(path, text, range(first, len(self.words))))
        self.add_list(entries, first)
        return first

    def add_segment(
        self,
        first: int,
        start: float | None,
        end: float | None,
        speaker: str | None = None,
        stop: int | None = None,
    ) -> None:
        """The words from ``first`` on, perhaps only to before ``stop``, are a segment."""
        self.segments.append(Segment(first, len(self.words) if stop is None else stop, start, end, speaker))

    def add_copy(self, text: str | None, path: Path, first: int = 0, stop: int | None = None) -> None:
        """A text that says the words again, from ``first`` to before ``stop``."""
        if not text:
            return
        tokens, words = text.split(), [word.text for word in self.words[first:stop]]
        known = _matched(tokens, words) if tokens != words else range(len(words))
        self.texts.append(_Text(path, text, [None if k is None else first + k for k in known]))

    def add_list(self, entries: list[Entry], first: int = 0, stop: int | None = None, *, prints: bool = True) -> None:
        """A word list that says the words again; those that have no times yet get its times.

        One that says them in another way (``five dollars`` for ``$5``) does not print them.
        """
        if not entries:
            return
        pieces = _placed([word.text for word in self.words[first:stop]], entries)
        if prints:
            self.lists.append(_List(entries, first, pieces))
        for k, held in enumerate(pieces, start=first):
            if held:
                self.words[k] = _completed(self.words[k], held, entries)

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
            yield words.entries[k].path, _refilled(words.entries[k].text, contents[k])


def transcript_of(layout: Layout, format: str, text: str, language: Any = None) -> Transcript:
    """The transcript of a file of ``format`` whose text is ``text``."""
    language = language if isinstance(language, str) and language else None
    return Transcript(tuple(layout.words), tuple(layout.segments), language, Source(format, text))


def rewritten(own: str, layout: Layout, texts: Sequence[str], *, stream: bool = False) -> str:
    """The file ``own`` with its words replaced wherever it prints them.

    Raises:
        InputError: there are more or fewer words than in the file.
    """
    if len(layout.words) != len(texts):
        raise other_number_of_words(len(texts), len(layout.words))
    return replaced(own, dict(layout.changes(texts)), stream=stream)


def _refilled(text: str, parts: list[str]) -> str:
    if all(parts) and len(parts) == len(text.split()):
        return fill(text, parts)
    lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return lead + " ".join(filter(None, parts)) + trail


def _completed(word: Word, held: list[_Piece], entries: list[Entry]) -> Word:
    """The word with what its entries tell that was not known yet."""
    first, last = entries[held[0].entry], entries[held[-1].entry]
    if word.start is not None or word.end is not None:
        return replace(word, speaker=word.speaker or first.speaker)
    known = [c for c in (entries[piece.entry].confidence for piece in held) if c is not None]
    return Word(
        word.text,
        # An entry that holds two words ("New York") knows when the first starts and the second ends.
        start=first.start if held[0].first == 0 else None,
        end=last.end if held[-1].stop == len(last.core) else None,
        speaker=first.speaker or word.speaker,
        confidence=min(known) if known else None,
    )


def _placed(words: list[str], entries: list[Entry]) -> list[list[_Piece]]:
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


def _groups(entries: list[Entry]) -> list[range]:
    """The entries of each word. Where some begin with a space, one that does not continues the word before."""
    spaced = any(entry.text[:1].isspace() for entry in entries)
    starts = [k for k, entry in enumerate(entries) if not k or not _continues(entry, spaced)]
    return [range(a, b) for a, b in pairwise([*starts, len(entries)])]


def _continues(entry: Entry, spaced: bool) -> bool:
    return spaced and not entry.text[:1].isspace() if entry.joined is None else entry.joined


def _grouped_texts(entries: list[Entry]) -> list[str]:
    return " ".join("".join(entries[k].text for k in group) for group in _groups(entries)).split()


_GAP = 1_000_000
"""The most pairs of words that are compared between two words that are known to be the same."""


def _matched(words: list[str], others: list[str]) -> list[int | None]:
    """For each word, which of ``others`` it is, letters and digits compared."""
    found: list[int | None] = [None] * len(words)
    keys, other_keys = [_key(word) for word in words], [_key(word) for word in others]
    above, other_above = 0, 0
    # Of a long list SequenceMatcher overlooks frequent words, lest it take for ever: what is left between the words
    # that it found is looked at anew, with all of them.
    for a, b, size in SequenceMatcher(None, keys, other_keys).get_matching_blocks():
        gap, other_gap = keys[above:a], other_keys[other_above:b]
        if len(gap) * len(other_gap) <= _GAP:
            for c, d, length in SequenceMatcher(None, gap, other_gap, autojunk=False).get_matching_blocks():
                found[above + c : above + c + length] = range(other_above + d, other_above + d + length)
        found[a : a + size] = range(b, b + size)
        above, other_above = a + size, b + size
    return found


def _key(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold())) or word
