"""A recogniser's words against a person's text (``recogniser:talk.whisper.json`` or ``recogniser:FOLDER``).

The reference of ``NAME.EXT`` is ``NAME.ref.txt`` beside it, punctuated text; a folder holds such pairs. The
words of the two differ, so they are aligned, and what finds no partner is an error: the mark on a word that
the recogniser lost is a deletion, a mark on a word that nobody said is an insertion.
"""

from __future__ import annotations

from pathlib import Path

from ...casing import lower
from ...errors import InputError
from ...formats import read
from ...labelled import label, read_documents
from ...written import parse
from ..alignment import align
from . import Document, Split

__all__ = ["load"]

_REFERENCE = ".ref.txt"


def load(path: Path) -> tuple[Split, ...]:
    """Read one pair, or the pairs of a folder; a split each.

    Raises:
        InputError: a transcript or its reference is missing or cannot be read.
        MissingExtraError: rapidfuzz, which aligns, is not installed.
    """
    if not path.is_dir():
        return (Split(path.stem, (_document(path),)),)
    references = sorted(path.glob(f"*{_REFERENCE}"))
    transcripts = [file for reference in references for file in _transcripts(reference)]
    if not transcripts:
        raise InputError(f"{path}: no NAME{_REFERENCE} with a transcript NAME.EXT beside it")
    return tuple(Split(file.name, (_document(file),)) for file in transcripts)


def _transcripts(reference: Path) -> list[Path]:
    name = reference.name.removesuffix(_REFERENCE)
    return sorted(p for p in reference.parent.glob(f"{name}.*") if p.is_file() and not p.name.endswith(_REFERENCE))


def _document(path: Path) -> Document:
    words = [lower(core) for word in read(path).words if (core := parse(word.text).word)]
    spoken = [word for lines in read_documents(_reference(path)) for line in lines for word in label(line)]
    alignment = align([word.word for word in spoken], words)
    marks, _ = alignment.pair([word.mark for word in spoken], ["NONE"] * len(words))
    places = [place for place, word in enumerate(alignment.hypothesis.tolist()) if word >= 0]
    return Document(tuple(words), tuple(marks), scored_at=tuple(places))


def _reference(path: Path) -> Path:
    name = path.name
    while "." in name:
        name = name.rpartition(".")[0]
        candidate = path.with_name(name + _REFERENCE)
        if candidate.exists():
            return candidate
    raise InputError(f"{path}: its reference, {path.stem}{_REFERENCE}, is not beside it")
