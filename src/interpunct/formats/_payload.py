"""The words of a cue's text, between tags, and printed words put in their place."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.entities import html5
from typing import NamedTuple

from ._slots import spread
from ._timing import seconds

__all__ = ["PlacedWord", "Syntax", "placed_words", "rewritten"]


@dataclass(frozen=True, slots=True)
class Syntax:
    """What the text of a cue is made of.

    ``tokens`` matches one piece of it and names its kind: ``space`` parts two words, ``text`` is
    read, ``entity`` stands for a character, and a ``tag`` is not read, whether it is a ``voice``
    (with the ``name`` of a speaker), its end ``voice_end``, or the ``time`` of the next word.
    ``encode`` writes text so that it is read again as the same text. Where ``special`` is nowhere found,
    there are but words and spaces, so that ``str.split`` will do.
    """

    tokens: re.Pattern[str]
    encode: Callable[[str], str]
    special: re.Pattern[str]


class PlacedWord(NamedTuple):
    """A word and where it stands: from its first character read to its last, tags between them included."""

    first: int
    stop: int
    text: str
    speaker: str | None
    start: float | None


def placed_words(text: str, first: int, stop: int, syntax: Syntax) -> Iterator[PlacedWord]:
    """The words of ``text[first:stop]``, the text of one cue."""
    speaker: str | None = None
    time: float | None = None
    word: list[str] = []
    begin = end = first
    speaker_of_word, start_of_word = speaker, time

    for token in syntax.tokens.finditer(text, first, stop):
        kind, piece = token.lastgroup, token[0]
        if kind == "entity":
            piece = _character(piece)
            kind = "text" if piece and not piece.isspace() else "space" if piece else "tag"
        if kind == "text":
            if not word:
                begin, speaker_of_word, start_of_word, time = token.start(), speaker, time, None
            word.append(piece)
            end = token.end()
        elif kind == "space":
            if word:
                yield PlacedWord(begin, end, "".join(word), speaker_of_word, start_of_word)
                word = []
        elif kind == "time":
            time = seconds(piece[1:-1])
        elif kind == "voice":
            speaker = " ".join(html.unescape(token["name"]).split()) or None
        elif kind == "voice_end":
            speaker = None
    if word:
        yield PlacedWord(begin, end, "".join(word), speaker_of_word, start_of_word)


def rewritten(raw: str, word: str, printed: str, syntax: Syntax) -> str:
    """``raw``, which holds ``word``, made to hold ``printed``: tags stay, and so do characters as they were written."""
    if printed == word:
        return raw
    if raw == word and syntax.encode(printed) == printed:
        return printed
    pieces = list(_pieces(raw, syntax))
    texts = spread(printed, word, [len(text) for _, text in pieces if text is not None])
    kept = "".join(_written(pieces, texts, syntax, keep=True))
    if "".join(text or "" for _, text in _pieces(kept, syntax)) == printed:
        return kept
    return "".join(_written(pieces, texts, syntax, keep=False))  # a mark after R&LT would make it R&LT; that is R<


def _written(pieces: list[tuple[str, str | None]], texts: list[str], syntax: Syntax, *, keep: bool) -> Iterator[str]:
    new = iter(texts)
    for as_it_was, text in pieces:
        if text is None:
            yield as_it_was
            continue
        printed = next(new)
        if keep and text and printed.startswith(text):
            yield as_it_was + syntax.encode(printed[len(text) :])
        else:
            yield syntax.encode(printed)


def _pieces(raw: str, syntax: Syntax) -> Iterator[tuple[str, str | None]]:
    """Each tag, entity and character as written, with what is read of it (``None`` for a tag)."""
    for token in syntax.tokens.finditer(raw):
        read = _character(token[0]) if token.lastgroup == "entity" else ""
        if token.lastgroup == "text" or read == token[0]:
            yield from ((character, character) for character in token[0])
        elif token.lastgroup == "space":
            yield token[0], token[0]
        else:
            yield token[0], read or None


def _character(entity: str) -> str:
    """What an entity stands for; itself, when there is none of that name.

    ``html.unescape`` would read ``&nbspx;`` as a space and ``x;``: a word with a space in it.
    """
    return html.unescape(entity) if entity[1] == "#" or entity[1:] in html5 else entity
