"""From words as they came to what the model reads: one item a word, with what is known of it beforehand.

Works on a stream: it looks at most :data:`STRETCH` words ahead.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .hooks import warn
from .marks import NONE
from .transcript import Word
from .written import Written, parse

__all__ = ["STRETCH", "Item", "items", "may_be_recased"]

STRETCH = 25
"""So many words without a mark are a stretch that ``fill`` fills: punctuated speech hardly ever has one."""
BLOCK = 100
"""ALL CAPS and foreign scripts are told from blocks of so many words."""
_PROTECTED = re.compile(r"[@/\\#_]|\d[^\W\d_]|[^\W\d_]\d|^\w{2,}\.\w{2,}|\.\w+\.\w{2,}")


@dataclass(frozen=True, slots=True)
class Item:
    """One word on its way: the word as it came, its parts, and what may be done to it."""

    source: Word
    written: Written
    existing: str
    """The mark that is there already, ``NONE`` for none."""
    open: bool
    """Whether marks may be added after it."""
    recase: bool
    """Whether its case may be changed …"""
    all_caps: bool
    """… and capitals lowered, for the text around it is in capitals throughout."""

    @property
    def word(self) -> str:
        """What the model reads; empty for a token of punctuation alone."""
        return self.written.word


def items(words: Iterable[Word], scripts: Sequence[str], existing: str) -> Iterator[Item]:
    """Items of a stream of words."""
    stream = _with_existing(_blocks(words, scripts))
    return _fill_only(stream) if existing == "fill" else stream


def _blocks(words: Iterable[Word], scripts: Sequence[str]) -> Iterator[Item]:
    """Judge block by block: is it in capitals throughout, is it in a script that the model reads?"""
    stream = iter(words)
    warned = all_caps = False
    while block := list(itertools.islice(stream, BLOCK)):
        parts = [parse(word.text) for word in block]
        known = _known_script([part.word for part in parts], scripts)
        if not known and not warned:
            warn("most of this text is in a script that the model never learnt: it is left as it is")
            warned = True
        all_caps = _all_caps([part.word for part in parts], all_caps)
        for word, part in zip(block, parts, strict=True):
            recase = known and may_be_recased(part.word, scripts)
            yield Item(word, part, part.mark, known, recase, all_caps)


def may_be_recased(word: str, scripts: Sequence[str]) -> bool:
    """Whether the case of a word is for the model to say: not that of an address, a file name, a product
    code, or a word in a script that it never learnt."""
    return not _PROTECTED.search(word) and _script(word) in (*scripts, "")


def _all_caps(words: Sequence[str], before: bool) -> bool:
    """Whether nine in ten words of more than a letter are capitals: two at least, unless the block before was."""
    upper = [word.isupper() for word in words if len(word) > 1 and any(map(str.isalpha, word))]
    return bool(upper) and sum(upper) >= 0.9 * len(upper) and (sum(upper) >= 2 or before)


def _known_script(words: Sequence[str], scripts: Sequence[str]) -> bool:
    """Whether at most half of the words with letters are in other scripts."""
    known = [_script(word) in scripts for word in words if any(map(str.isalpha, word))]
    return not known or 2 * sum(known) >= len(known)


@lru_cache(maxsize=1 << 14)
def _script(word: str) -> str:
    """The script of a word's first letter; empty for a word without letters."""
    letter = next((c for c in word if c.isalpha()), "")
    if not letter:
        return ""
    if letter < "\u0250":
        return "LATIN"
    return unicodedata.name(letter, "").split(" ")[0]


def _with_existing(stream: Iterable[Item]) -> Iterator[Item]:
    """Settle what the next token decides: a lone mark belongs to the word before it; a dot that may be a
    word's own ends a sentence only before a capital."""
    held: list[Item] = []  # a word, and the lone marks after it
    for item in stream:
        if held and item.word:
            yield from _settled(held, item)
            held = []
        held.append(item)
    yield from _settled(held, None)


def _settled(held: list[Item], following: Item | None) -> list[Item]:
    if not held:
        return []
    first, *lone = held
    mark = first.existing
    if first.written.abbreviated and mark == "PERIOD" and len(first.written.after.rstrip("\"'”’)]")) == 1:
        capital = following is not None and following.word[:1].isupper() and not following.all_caps
        mark = "PERIOD" if capital and not first.all_caps else NONE
    if mark == NONE:
        mark = next((item.existing for item in lone if item.existing != NONE), NONE)
    return [_with_mark(first, mark), *lone]


def _with_mark(item: Item, mark: str) -> Item:
    if item.existing == mark:
        return item
    return Item(item.source, item.written, mark, item.open, item.recase, item.all_caps)


def _fill_only(stream: Iterable[Item]) -> Iterator[Item]:
    """Close all that is not in a stretch of at least :data:`STRETCH` words without a mark."""
    held: list[Item] = []
    inside = False
    for item in stream:
        held.append(item)
        inside = inside or len(held) >= STRETCH
        if item.existing != NONE:
            yield from (held if inside else map(_closed, held))
            held, inside = [], False
        elif inside:
            yield from held
            held = []
    yield from (held if inside else map(_closed, held))


def _closed(item: Item) -> Item:
    return Item(item.source, item.written, item.existing, False, False, False)
