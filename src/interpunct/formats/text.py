"""Plain text: words are what stands between whitespace."""

from __future__ import annotations

from itertools import pairwise

from ..transcript import Source, Transcript, Word
from ._segments import covering
from ._slots import fill, own_text, printed

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "plain text; all spaces and line breaks are kept"
EXTENSIONS = (".txt",)
HOLDS: frozenset[str] = frozenset()
EXAMPLE = "so what do you think i asked her"


def sniff(text: str) -> bool:
    """Always true: what no other format claims is plain text."""
    return True


def read(text: str) -> Transcript:
    """Every string is a plain text: nothing is refused. Words have no times."""
    return Transcript(tuple(map(Word, text.split())), source=Source("text", text))


def write(transcript: Transcript) -> str:
    """The text with its words replaced, or, from another format, a line a segment (one line if there are none).

    Raises:
        InputError: the number of words is not that of the text that was read.
    """
    texts, own = printed(transcript), own_text(transcript, "text")
    if own is not None:
        return fill(own, texts)
    bounds = [0, *(segment.stop for segment in covering(transcript)), len(texts)]
    return "".join(" ".join(texts[first:stop]) + "\n" for first, stop in pairwise(bounds) if first < stop)
