"""A recogniser's words with their times, labelled (``timed:FILE.tsv.xz`` or ``timed:FOLDER``).

Lines are ``token TAB O|COMMA|PERIOD|QUESTION TAB start TAB end`` (seconds, empty where not known), then the
recogniser's own mark and a speaker, which may be missing; ``# doc NAME`` begins a recording. A file is a split,
a folder one for each file in it. Tokens are lower-cased, for some recognisers' capitals give sentences away.
"""

from __future__ import annotations

import lzma
import math
from collections.abc import Iterable
from pathlib import Path

from ...casing import lower
from ...errors import FormatError, InputError
from ...marks import NONE
from ...written import parse
from . import Document, Split

__all__ = ["load"]

_LABELS = {"O": NONE, "COMMA": "COMMA", "PERIOD": "PERIOD", "QUESTION": "QUESTION"}
_ENDINGS = (".tsv", ".tsv.xz")
_HEAD = "# doc "

Row = tuple[str, str, tuple[float, float] | None, str | None]


def load(path: Path) -> tuple[Split, ...]:
    """Read a file, or each ``.tsv`` and ``.tsv.xz`` of a folder.

    Raises:
        InputError: there is no such file, or it cannot be unpacked or decoded.
        FormatError: a line is something else.
    """
    files = sorted(p for p in path.iterdir() if p.name.endswith(_ENDINGS)) if path.is_dir() else [path]
    return tuple(Split(_name(file), tuple(_documents(file)), folded=True) for file in files)


def _name(path: Path) -> str:
    return path.name.removesuffix(".xz").removesuffix(".tsv")


def _documents(path: Path) -> Iterable[Document]:
    rows: list[Row] = []
    for number, line in enumerate(_text(path).split("\n"), 1):
        if line.startswith(_HEAD):
            if rows:
                yield _document(rows)
            rows = []
        elif line.strip():
            try:
                rows.append(_row(line.rstrip("\r").split("\t")))
            except (ValueError, KeyError):
                what = f"{line!r} is not a token, one of {', '.join(_LABELS)}, a start and an end, parted by tabs"
                raise FormatError(what, path=str(path), line=number) from None
    if rows:
        yield _document(rows)


def _text(path: Path) -> str:
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            return file.read().decode("utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None


def _row(fields: list[str]) -> Row:
    token, label, start, end = fields[:4]
    speaker = fields[5] if len(fields) > 5 and fields[5] else None
    times = (float(start), float(end)) if start and end else None
    if times and not all(map(math.isfinite, times)):
        raise ValueError
    return token, _LABELS[label], times, speaker


def _document(rows: list[Row]) -> Document:
    tokens, marks, times, speakers = zip(*rows, strict=True)
    return Document(
        tuple(lower(parse(token).word or token) for token in tokens),
        marks,
        times=times if any(times) else None,
        speakers=speakers if any(speakers) else None,
    )
