"""Punctuated text of your own (``text:FILE``, plain or ``.xz``): a blank line parts documents.

The marks and the letter case of the text are the reference. The model is given its words in lower case,
without marks, a document as one stream: line ends tell it nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...casing import lower
from ...labelled import label, read_documents
from . import Document, Split

__all__ = ["load"]


def load(path: Path) -> tuple[Split, ...]:
    """Read one file, one split of its name; documents without words are left out.

    Raises:
        InputError: the file is missing or not UTF-8.
    """
    documents = (_document(lines) for lines in read_documents(path))
    name = path.name.removesuffix(".xz").removesuffix(".txt")
    return (Split(name, tuple(document for document in documents if document.words)),)


def _document(lines: Sequence[str]) -> Document:
    labelled = [word for line in lines for word in label(line)]
    return Document(
        tuple(lower(word.word) for word in labelled),
        tuple(word.mark for word in labelled),
        tuple(word.word for word in labelled),
    )
