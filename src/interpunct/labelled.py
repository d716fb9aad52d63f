"""Punctuated text as words with the mark after each and its case: training examples and references alike."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .casing import observe
from .errors import InputError
from .marks import NONE
from .written import is_dash, parse

__all__ = ["LabelledWord", "label", "read_documents"]

_NOISE = re.compile(
    r"\[[^\]\n]{0,80}\]|<[^>\s]{1,20}>|\{[^}\s]{1,20}\}|\((?:laughter|laughs?|applause|inaudible|crosstalk)\)", re.I
)
_JOINED = re.compile(r"(?<=[^\W_])(—|--+|–(?=[^\W\d_])|…|\.\.\.)(?=[^\W_])")


class LabelledWord(NamedTuple):
    word: str
    mark: str
    """The mark after the word; ``NONE`` for none."""
    case: str | None
    """Its case class; ``None`` where it has no cased letter."""


def label(line: str) -> list[LabelledWord]:
    """Take a line of punctuated text apart.

    Noises in brackets are left out; two words joined by a long dash or an ellipsis are parted; a dash
    or an ellipsis that stands alone marks the word before it.

    >>> label("“Well,” she said—no. [laughs]")[:3]
    [LabelledWord(word='Well', mark='COMMA', case='TITLE'), LabelledWord(word='she', mark='NONE', case='LOWER'), \
LabelledWord(word='said', mark='DASH', case='LOWER')]
    """
    words: list[LabelledWord] = []
    doubtful = False  # the last word ended in a dot that may be its own
    for token in _JOINED.sub(r"\1 ", _NOISE.sub(" ", line)).split():
        before, word, _after, mark, abbreviated = parse(token)
        if not word:
            if words and ((mark != NONE and (words[-1].mark == NONE or doubtful)) or is_dash(token)):
                last = words[-1]
                if last.mark == NONE:
                    words[-1] = last._replace(mark=mark)
            continue
        case = observe(word)
        if doubtful and words and case == "LOWER":
            words[-1] = words[-1]._replace(mark=NONE)
        if words and words[-1].mark == NONE and ("…" in before or "..." in before):
            words[-1] = words[-1]._replace(mark="PERIOD")
        words.append(LabelledWord(word, mark, case))
        doubtful = abbreviated and mark == "PERIOD"
    return words


def read_documents(path: Path) -> Iterator[list[str]]:
    """The documents of a text file (plain or ``.xz``): lists of lines, parted by blank lines.

    Raises:
        InputError: the file is missing or not UTF-8.
    """
    try:
        with (
            lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8-sig") as file
        ):
            document: list[str] = []
            for line in file:
                if line.strip():
                    document.append(line.strip())
                elif document:
                    yield document
                    document = []
            if document:
                yield document
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None
