"""Numbers as they are spoken: ``42`` → ``forty two``."""

from __future__ import annotations

import re
from functools import lru_cache

from ..extras import require

__all__ = ["spell"]

_NUMBER = re.compile(r"([$£€]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(st|nd|rd|th|s|%|k|K|M|B|bn|m)?")
_UNITS = {"$": "dollars", "£": "pounds", "€": "euros"}
_SUFFIXES = {
    "%": "percent",
    "k": "thousand",
    "K": "thousand",
    "M": "million",
    "m": "million",
    "B": "billion",
    "bn": "billion",
}


@lru_cache(maxsize=1 << 14)
def spell(token: str, language: str) -> tuple[str, ...] | None:
    """The spoken words of a number, or None where the token is not one that is plainly read aloud.

    >>> spell("$3.5", "en"), spell("1995", "en"), spell("20th", "en")
    (('three', 'point', 'five', 'dollars'), ('nineteen', 'ninety', 'five'), ('twentieth',))
    """
    found = _NUMBER.fullmatch(token)
    if not found:
        return None
    unit, whole, fraction, suffix = found.groups()
    if len(whole.replace(",", "")) > 12:
        return None
    num2words = require("num2words", "train").num2words
    number = int(whole.replace(",", ""))
    if suffix in ("st", "nd", "rd", "th"):
        if fraction or unit:
            return None
        words = num2words(number, to="ordinal", lang=language)
    elif len(whole) == 4 and not fraction and not unit and suffix is None and 1100 <= number <= 2099:
        words = num2words(number, to="year", lang=language)
    else:
        if suffix == "s":
            return None
        words = num2words(number, lang=language)
    spoken = words.replace("-", " ").replace(",", "").split()
    if fraction:
        spoken += ["point", *(num2words(int(digit), lang=language) for digit in fraction)]
    if suffix in _SUFFIXES:
        spoken.append(_SUFFIXES[suffix])
    if unit:
        spoken.append(_UNITS[unit])
    return tuple(spoken)
