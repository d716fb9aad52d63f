"""Printed words put where the words of a file stood, so that everything else comes out as it went in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..casing import lower
from ..errors import InputError
from ..transcript import Transcript

__all__ = ["fill", "milliseconds", "other_number_of_words", "own_text", "printed", "spread"]

# The same notion of whitespace as str.split(), down to U+001C and U+2028: a test goes through all of Unicode.
_WORD = re.compile(r"\S+")


def printed(transcript: Transcript) -> list[str]:
    """The text of each word as it is to be printed.

    Raises:
        InputError: a word has no text: no file could hold it.
    """
    texts = transcript.texts
    if not all(texts):
        raise InputError(f"word {texts.index('')} is empty: a file cannot hold it")
    return texts


def own_text(transcript: Transcript, format: str) -> str | None:
    """The text of the file that a transcript was read from, if that file was in ``format``."""
    source = transcript.source
    if source is None or source.format != format:
        return None
    document: str = source.document
    return document


def fill(text: str, words: Sequence[str]) -> str:
    """The text with its words, in order, replaced by ``words``; all whitespace stays.

    Raises:
        InputError: there are more or fewer words than in the text.
    """
    left = iter(words)
    try:
        filled = _WORD.sub(lambda _: next(left), text)
    except StopIteration:
        raise other_number_of_words(len(words), len(text.split())) from None
    if next(left, None) is not None:
        raise other_number_of_words(len(words), len(text.split()))
    return filled


def milliseconds(time: float | None) -> int | None:
    """A time for a format that counts in milliseconds.

    Raises:
        InputError: it is not finite.
    """
    try:
        return None if time is None else round(time * 1000)
    except (ValueError, OverflowError):
        raise InputError(f"{time} is no time: it is not finite") from None


def other_number_of_words(given: int, found: int) -> InputError:
    """The error for a transcript that no longer fits the file that it was read from."""
    return InputError(
        f"the transcript has {given} words and the file it was read from {found}: "
        "to write it anew, drop the file's shape with dataclasses.replace(transcript, source=None)"
    )


def spread(text: str, word: str, lengths: Sequence[int]) -> list[str]:
    """Cut the printed text of ``word`` over the pieces of a file that hold the word; they join to the text again.

    Each piece keeps its number of characters; what is printed before the word goes to the first piece,
    what is printed after it to the last.

    >>> spread("¿Don't?", "don't", [3, 2])
    ['¿Don', "'t?"]
    """
    end = max(lower(text).find(lower(word)), 0)
    start, parts = 0, []
    for length in lengths[:-1]:
        end += length
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]]
