"""Letter case: four classes, observed in training text and applied to words.

Case is changed only where that keeps the number of characters and folds back to the same word:
never ``ß`` to ``SS``, never ``İ`` to ``i̇``.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CASES", "LOWER", "MIXED", "TITLE", "UPPER", "apply", "lower", "observe", "upper"]

LOWER, TITLE, UPPER, MIXED = "LOWER", "TITLE", "UPPER", "MIXED"
CASES: tuple[str, ...] = (LOWER, TITLE, UPPER, MIXED)


def upper(text: str) -> str:
    """Upper case, character by character, where the change can be undone."""
    if text.isascii():
        return text.upper()
    return "".join(_safe(c, c.upper()) for c in text)


def lower(text: str) -> str:
    """Lower case, character by character, where the change can be undone."""
    if text.isascii():
        return text.lower()
    return "".join(_safe(c, c.lower()) for c in text)


def _safe(old: str, new: str) -> str:
    if new == old or len(new) != 1:
        return old
    return new if new.casefold() == old.casefold() and old in (new.lower(), new.upper()) else old


def observe(word: str) -> str | None:
    """The case class of a word as written; ``None`` when it has no cased letter.

    >>> [observe(w) for w in ("don't", "Paris", "NASA", "iPhone", "I", "42")]
    ['LOWER', 'TITLE', 'UPPER', 'MIXED', 'TITLE', None]
    """
    letters = [c for c in word if c.isupper() or c.islower() or c.istitle()]
    if not letters:
        return None
    capitals = sum(not c.islower() for c in letters)
    if capitals == 0:
        return LOWER
    if capitals == 1 and not letters[0].islower():
        return TITLE
    return UPPER if capitals == len(letters) else MIXED


def apply(word: str, case: str, lexicon: Mapping[str, str] | None = None) -> str:
    """Write ``word`` in ``case``. The result folds back to the same word.

    ``lexicon`` maps lower-case words to their mixed-case form (``mcdonald`` → ``McDonald``); a MIXED
    word that it lacks is written in title case.
    """
    if case == LOWER:
        return lower(word)
    if case == UPPER:
        return upper(word)
    plain = lower(word)
    if case == MIXED and lexicon:
        form = lexicon.get(plain)
        if form is not None and len(form) == len(plain) and lower(form) == plain:
            return form
    for i, character in enumerate(plain):
        if character.isalpha():
            return plain[:i] + upper(character) + plain[i + 1 :]
        if character.isdigit():  # 21st, 4k: the letters after a digit never begin the word
            return plain
    return plain
