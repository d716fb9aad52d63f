"""Formats of lines and labels: printed words are put where the words of the file stood."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Transcript
from ._slots import other_number_of_words

__all__ = ["Slot", "checked", "is_noise", "spliced", "squeezed"]

# What recognisers and corpora write where nobody says a word: <unk>, [noise], {SMACK}, !SIL, <eps>.
_NOISE = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|!SIL", re.IGNORECASE)


class Slot(NamedTuple):
    """Where a word stands in a file."""

    first: int
    stop: int


def is_noise(token: str) -> bool:
    """Whether a token is no word; such tokens stay in their file, and never get a mark.

    >>> is_noise("<unk>"), is_noise("[noise]"), is_noise("<3")
    (True, True, False)
    """
    return _NOISE.fullmatch(token) is not None


def squeezed(texts: Sequence[str]) -> list[str]:
    """Words for a format in which a space ends a word: a dash after one stands right after it."""
    return ["".join(text.split()) for text in texts]


def spliced(text: str, slots: Sequence[Slot], printed: Sequence[str], encode: Callable[[str], str] = str) -> str:
    """The text with what stands in ``slots``, in order of the words, replaced by ``printed``.

    Raises:
        InputError: there are more or fewer words than slots.
    """
    if len(slots) != len(printed):
        raise other_number_of_words(len(printed), len(slots))
    parts: list[str] = []
    done = 0
    for slot, new in sorted(zip(slots, printed, strict=True)):
        parts += (text[done : slot.first], encode(new))
        done = slot.stop
    return "".join((*parts, text[done:]))


def checked(output: str, texts: Sequence[str], read: Callable[[str], Transcript], name: str) -> str:
    """``output``, once reading it has given the printed words again.

    Raises:
        InputError: a word cannot stand in such a file: it would be no word there.
    """
    try:
        found = read(output).texts
    except FormatError as error:
        raise InputError(f"these words cannot stand in {name}: {error.problem}") from None
    if found != list(texts):
        pairs = zip(texts, [*found, *([""] * len(texts))], strict=False)
        odd = next((old for old, new in pairs if old != new), found[-1] if found else "")
        raise InputError(f"the word {odd!r} cannot stand in {name}: it is read as a tag or a noise, or at another time")
    return output
