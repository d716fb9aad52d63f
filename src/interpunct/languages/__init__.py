"""Languages, one file each: what is known of a language beyond its model.

A language is a module ``languages/XX.py`` (its ISO 639-1 code) with one ``LANGUAGE``. To add one, write
that file; a language without a model only formats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..registry import Registry

__all__ = ["LANGUAGES", "Language", "get"]

LANGUAGES = Registry("interpunct.languages", "language")


@dataclass(frozen=True)
class Language:
    """What is known of a language.

    ``always`` maps lower-case words to the one way they are written (``i`` → ``I``). ``phrase_starts`` are the
    words that begin a clause or a phrase (conjunctions, prepositions, articles), in lower case: a caption is
    cut before them, and not behind.
    """

    code: str
    name: str
    always: Mapping[str, str] = field(default_factory=dict)
    phrase_starts: frozenset[str] = frozenset()


def get(code: str) -> Language:
    """The language of a code; one that has no file is known by its code alone."""
    if len(code) == 2 and code in LANGUAGES.names:
        language: Language = LANGUAGES.get(code).LANGUAGE
        return language
    return Language(code, code)
