"""From words as they came to what the model reads: one item a word, with what is known of it beforehand.

Works on a stream: it looks at most :data:`STRETCH` words ahead.

What was heard but not said is no word: ``[Music]``, ``(door slams)``, ``♪``. Such tokens pass as they are, like
punctuation that stands alone, and the model never sees them.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .hooks import warn
from .marks import NONE, mark_of_symbols
from .transcript import Transcript, Word
from .written import STOPS, Written, parse

__all__ = ["STRETCH", "Item", "items", "known_script", "may_be_recased", "turns_of"]

STRETCH = 25
"""So many words without a mark are a stretch that ``fill`` fills: punctuated speech hardly ever has one."""
BLOCK = 100
"""ALL CAPS and foreign scripts are told from blocks of so many words."""
NOISE = 8
"""The most words between two brackets that can be a noise; a bracket that does not close in time is none."""
_BRACKETS = {"[": "]", "(": ")", "【": "】", "（": "）"}
_ROUND = ("(", "（")
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
    turn: bool = False
    """Whether another person begins to speak here, as ``>>`` says, whoever that is."""

    @property
    def word(self) -> str:
        """What the model reads; empty for a token of punctuation alone."""
        return self.written.word


def items(
    words: Iterable[Word], scripts: Sequence[str], existing: str, turns: Collection[int] = frozenset()
) -> Iterator[Item]:
    """Items of a stream of words; at the positions ``turns`` another person begins to speak."""
    stream = _with_turns(_blocks(words, scripts), turns)
    if existing == "replace":  # a mark that is a token of its own passes like any token: it cannot be replaced
        stream = (_with_mark(item, NONE) if item.word else item for item in stream)
    stream = _with_existing(stream)
    return _fill_only(stream) if existing == "fill" else stream


def turns_of(transcript: Transcript) -> frozenset[int]:
    """The words at which a dash says that another person speaks: ``- Yes. - No.`` in a cue that begins with one.

    Anywhere else a dash that stands alone is a dash.
    """
    words = transcript.words
    found: set[int] = set()
    for segment in transcript.segments:
        if segment.first < segment.stop and _opens_a_turn(words[segment.first].text):
            found.update(k for k in range(segment.first, segment.stop) if _opens_a_turn(words[k].text))
    return frozenset(found)


def _opens_a_turn(token: str) -> bool:
    return token in ("-", "–") or (token[:1] in ("-", "–") and token[1:2].isalpha())


def _blocks(words: Iterable[Word], scripts: Sequence[str]) -> Iterator[Item]:
    """Judge block by block: is it in capitals throughout, is it in a script that the model reads?"""
    stream = _parts(words)
    warned = all_caps = False
    while block := list(itertools.islice(stream, BLOCK)):
        parts = [part for _, part in block]
        known = known_script([part.word for part in parts], scripts)
        if not known and not warned:
            warn("most of this text is in a script that the model never learnt: it is left as it is")
            warned = True
        all_caps = _all_caps([part.word for part in parts], all_caps)
        for word, part in block:
            recase = known and may_be_recased(part.word, scripts)
            yield Item(word, part, part.mark, known, recase, all_caps)


def _parts(words: Iterable[Word]) -> Iterator[tuple[Word, Written]]:
    """Each word taken apart; the tokens of a noise in brackets hold no word."""
    stream = iter(words)
    held: deque[Word] = deque()
    while True:
        word = held.popleft() if held else next(stream, None)
        if word is None:
            return
        closing = _BRACKETS.get(word.text[:1])
        if closing is None:
            yield word, parse(word.text)
            continue
        held.appendleft(word)
        while not _closes(held[-1].text, closing) and len(held) < NOISE + 2 and (more := next(stream, None)):
            held.append(more)
        length = next((n for n, held_word in enumerate(held, start=1) if _closes(held_word.text, closing)), 0)
        noise = _is_noise([held[k].text for k in range(length)])
        for _ in range(length if noise else 1):
            word = held.popleft()
            yield word, (_wordless(word.text) if noise else parse(word.text))


def _closes(token: str, closing: str) -> bool:
    return closing in token and token.rstrip(_STOPS).endswith(closing)


_STOPS = "".join(STOPS)


def _is_noise(tokens: Sequence[str]) -> bool:
    """Whether a span in brackets is a noise. One in round brackets may be a person's aside: that has marks in
    it, or stands in a text with marks, where it is short; so a noise has no mark inside."""
    if not tokens:
        return False
    inside = " ".join(tokens).rstrip(_STOPS)[1:-1]
    if any(bracket in inside for bracket in "[]()【】（）") or not any(map(str.isalpha, inside)):
        return False
    return tokens[0][0] not in _ROUND or all(mark_of_symbols(c) == NONE for c in inside)


def _wordless(token: str) -> Written:
    """A token of a noise: a mark behind its bracket is a mark, what stands inside is none."""
    return Written(token, "", "", mark_of_symbols(token[len(token.rstrip(_STOPS)) :]), False)


def _with_turns(stream: Iterable[Item], turns: Collection[int]) -> Iterator[Item]:
    """Say of the first word of a turn that it is: it follows ``>>``, or a dash at one of ``turns``."""
    turn = False
    for position, item in enumerate(stream):
        dash = position in turns
        turn = turn or dash or item.written.before[:2] == ">>"
        if dash and not item.word:
            item = replace(item, existing=NONE)
        elif dash:
            item = replace(item, written=_without_dash(item.written))
        if item.word and turn:
            item, turn = replace(item, turn=True), False
        yield item


def _without_dash(written: Written) -> Written:
    """``-Yes`` at the start of a turn: the dash is no part of the word."""
    word = written.word
    if word[:1] in ("-", "–"):
        return written._replace(before=written.before + word[0], word=word[1:])
    return written


def may_be_recased(word: str, scripts: Sequence[str]) -> bool:
    """Whether the case of a word is for the model to say: not that of an address, a file name, a product
    code, or a word in a script that it never learnt."""
    return not _PROTECTED.search(word) and _script(word) in (*scripts, "")


def _all_caps(words: Sequence[str], before: bool) -> bool:
    """Whether nine in ten words of two letters or more are capitals: three at least, unless the block before was.

    Fewer could be two acronyms; and a word with one letter that has case is not "in capitals" but capitalised.
    """
    upper = [word.isupper() for word in words if sum(c.lower() != c.upper() for c in word) > 1]
    return bool(upper) and sum(upper) >= 0.9 * len(upper) and (sum(upper) >= 3 or before)


def known_script(words: Sequence[str], scripts: Sequence[str]) -> bool:
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
    return replace(item, existing=mark)


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
    return replace(item, open=False, recase=False, all_caps=False)
