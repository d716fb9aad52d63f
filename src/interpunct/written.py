"""Take a written token apart: what a model reads, and the punctuation around it.

A token is what stands between two spaces. ``“Hello,”`` holds the word ``Hello``, the mark COMMA and
two quotes; ``u.s.a.``, ``3.5``, ``example.org``, ``10:30`` and ``#tag`` are words whose inner marks
are their own. Nothing here changes a token: its three parts always join to it again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .marks import NONE, mark_of_symbols

__all__ = ["Written", "is_dash", "parse", "reading"]

OPENING = frozenset("\"'“”„‟‘‚‛«»‹›([{<>¿¡*_`「『（【♩♪♫♬")
CLOSING = frozenset("\"'“”‟‘’‛«»‹›)]}>*_`」』）】♩♪♫♬")
STOPS = frozenset(".,?!:;…。．।۔，、،？؟⁇⁈！‼⁉：；؛–—―⸺")
_PUNCTUATION = OPENING | CLOSING | STOPS | {"-"}

# A dot after these belongs to the word: another word of the same sentence almost always follows.
TITLES = frozenset(
    "mr mrs ms mx dr prof st sr jr rev hon gen col lt capt sgt gov sen rep fr mme mlle hr dhr mevr drs ir mr. nr no vs"
    " fig eq vol pp cf al approx dept est inc ltd corp co bros etc e.g i.e".split()
)
_ALWAYS_INSIDE = frozenset("mr mrs ms mx dr prof st rev hon gen col lt capt sgt gov sen rep vs e.g i.e cf".split())
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]", re.UNICODE)
_CLIPPED = frozenset("'s 't 'm 're 've 'll 'd 'em 'cause 'til 'n 'bout 'twas 'tis 'round 'cuz 'kay 'em".split())


class Written(NamedTuple):
    """``before + word + after`` is the token; ``mark`` is what ``after`` stands for."""

    before: str
    word: str
    after: str
    mark: str
    abbreviated: bool
    """``after`` begins with a dot that may belong to the word (``dr.``, ``u.s.``)."""


@lru_cache(maxsize=1 << 16)
def parse(token: str) -> Written:
    """Take one token apart; a token without letters or digits has an empty word.

    >>> parse("“Hello,”")
    Written(before='“', word='Hello', after=',”', mark='COMMA', abbreviated=False)
    >>> parse("u.s.a.").word, parse("42.").word, parse("'em,").word, parse("...").word
    ('u.s.a', '42', "'em", '')
    """
    start, end = 0, len(token)
    while end > start and (token[end - 1] in CLOSING or token[end - 1] in STOPS):
        end -= 1
    if end - start >= 2 and token[end - 2 : end] == "--":
        while end > start and token[end - 1] in "-.,":
            end -= 1
    while start < end and (token[start] in OPENING or token[start] in STOPS):
        start += 1
    if start < end and start and token[start - 1] in "'’‘" and _keeps_apostrophe(token, start, end):
        start -= 1
    end = start + len(token[start:end].rstrip())  # ``word –``, as a dash is printed
    word, after = token[start:end], token[end:]
    if all(c in _PUNCTUATION for c in word):  # emoji and other symbols are words, punctuation alone is none
        return Written(token, "", "", mark_of_symbols(token) if word != "-" else "DASH", False)
    if after[:1] == "'" and word[-1:] in "sS" and "'" not in token[:start]:
        word, after = word + "'", after[1:]  # the dogs' dinner
    abbreviated = after.startswith(".") and not after.startswith("..") and _abbreviation(word)
    rest = after[1:] if abbreviated else after
    mark = mark_of_symbols(rest)
    if abbreviated and mark == NONE and word.lower() not in _ALWAYS_INSIDE:
        mark = "PERIOD"  # etc. may end the sentence; who knows the next word decides
    return Written(token[:start], word, after, mark, abbreviated)


def _keeps_apostrophe(token: str, start: int, end: int) -> bool:
    word = token[start:end]
    return (
        "'" + word.lower() in _CLIPPED
        or word[:1].isdigit()
        or (start == 1 and len(token) == end and word in ("s", "t"))
    )


def _abbreviation(word: str) -> bool:
    return (
        word.lower() in TITLES or bool(_INITIALS.fullmatch(word)) or (len(word) == 1 and word.isupper() and word != "I")
    )


def is_dash(token: str) -> bool:
    """Whether the token is a dash that stands alone between two words."""
    return token in ("-", "--", "---", "–", "—", "―")


def reading(word: str) -> str:
    """What a model reads of a word: typographic apostrophes and hyphens made plain.

    Only ever used as a model's input: the word itself is never respelled.
    """
    return word.translate(_READING)


_HALVES = map(chr, range(0xD800, 0xE000))  # of characters, from JSON: no tokenizer takes them
_READING = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "‐": "-", "‑": "-", **dict.fromkeys(_HALVES, "\ufffd")}
)
