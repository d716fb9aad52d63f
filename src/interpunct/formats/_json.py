"""JSON that is read as it is and written back as it was, but for some strings."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import FormatError, InputError

__all__ = [
    "Path",
    "documents_in",
    "dumped",
    "given",
    "known_keys",
    "load",
    "load_stream",
    "looks_like_json",
    "objects",
    "one_line",
    "probability",
    "replaced",
    "scaled",
    "seconds",
    "string",
    "whole",
]

Path = tuple[str | int, ...]
"""Where a value stands: ``("segments", 3, "text")``."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[{}\[\],]', re.DOTALL)
_COLON = re.compile(r"\s*:")
_SPACE = re.compile(r"[ \t\r\n]*")
_OPENING = re.compile(r'\s*(?:\{\s*["}]|\[\s*["{])')
_LONG = 1 << 16
_HALF = re.compile("[\ud800-\udfff]")
_CLOSING = {"{": "}", "[": "]"}


def looks_like_json(text: str) -> bool:
    """Whether a text begins as a JSON object or list does; ``[Music]`` and ``[1]`` do not."""
    return _OPENING.match(text) is not None


def load(text: str) -> Any:
    """The document.

    Raises:
        FormatError: not JSON, or JSON that stops in the middle; it names the line.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(text, error) from None


def load_stream(text: str) -> list[Any]:
    """The documents of a text that holds one after the other, with or without line ends between them.

    Raises:
        FormatError: as for :func:`load`.
    """
    documents, decoder, position, end = [], json.JSONDecoder(), 0, len(text.rstrip(" \t\r\n"))
    while position < end:
        space = _SPACE.match(text, position)
        try:
            document, position = decoder.raw_decode(text, space.end() if space else position)
        except (ValueError, RecursionError) as error:
            raise _refused(text, error) from None
        documents.append(document)
    return documents


def _refused(text: str, error: Exception) -> FormatError:
    if isinstance(error, json.JSONDecodeError):
        whole = text.strip()
        cut = whole and (error.pos >= len(text.rstrip()) or whole[-1] != _CLOSING.get(whole[0], whole[-1]))
        problem = (
            "the JSON stops in the middle: the file was not written to its end" if cut else f"not JSON ({error.msg})"
        )
        return FormatError(problem, line=error.lineno)
    if isinstance(error, RecursionError):
        return FormatError("JSON nested too deeply for a transcript")
    return FormatError(f"not JSON that can be read ({error})")  # a number of thousands of digits


def dumped(document: Any) -> str:
    """A new document, as text.

    Raises:
        InputError: a number is not finite.
    """
    try:
        return whole(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)) + "\n"
    except (ValueError, TypeError):
        raise InputError("a time or a confidence is not finite: JSON cannot hold it") from None


def whole(text: str) -> str:
    """JSON in which halves of characters are escaped: UTF-8 cannot hold them."""
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def given(**fields: Any) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def objects(value: Any, where: str) -> list[dict[str, Any]]:
    """A list of objects.

    Raises:
        FormatError: something else; it begins with ``where``.
    """
    if not isinstance(value, list):
        raise FormatError(f"{where}: expected a list, not {json.dumps(value)[:40]}")
    for k, item in enumerate(value):
        if not isinstance(item, dict):
            raise FormatError(f"{where}: item {k} is not an object but {json.dumps(item)[:40]}")
    return value


def seconds(value: Any, where: str) -> float | None:
    """A time, as it is; ``None`` where it is null.

    Raises:
        FormatError: not a number, not finite, or negative; it begins with ``where``.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{where}: a time is a number of seconds, not {json.dumps(value)[:40]}")
    if not 0 <= value < 1e9 or not math.isfinite(value):
        raise FormatError(f"{where}: {value if isinstance(value, float) else 'a number'} cannot be a time in seconds")
    return value


def scaled(value: Any, unit: int, where: str) -> float | None:
    """A time that is counted in units of which ``unit`` make a second, in seconds.

    Raises:
        FormatError: as for :func:`seconds`.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18:
        value = value / unit
    return seconds(value, where)


def probability(value: Any) -> float | None:
    """A number from 0 to 1; ``None`` for anything else: not all recognisers say how sure they are in this way."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    return None


def string(value: Any, where: str) -> str | None:
    """A string; ``None`` where it is null.

    Raises:
        FormatError: something else; it begins with ``where``.
    """
    if value is not None and not isinstance(value, str):
        raise FormatError(f"{where}: expected a string, not {json.dumps(value)[:40]}")
    return value


def known_keys(head: str, depth: int) -> set[str]:
    """The keys of the objects at ``depth`` (1: the document itself), as far as the head of a file shows them."""
    keys, level = set(), 0
    for token in _TOKEN.finditer(head):
        if token[0] in "{[":
            level += 1
        elif token[0] in "}]":
            level -= 1
        elif level == depth and token[0] != "," and _COLON.match(head, token.end()):
            keys.add(token[0].strip('"'))
    return keys


def documents_in(head: str) -> int:
    """How many documents begin in the head of a file; two are enough to know that it is a stream."""
    level = found = 0
    for token in _TOKEN.finditer(head):
        if token[0] in "{[":
            found += not level
            level += 1
        elif token[0] in "}]":
            level -= 1
        if found > 1:
            break
    return found


def one_line(head: str) -> bool:
    """Whether the first document stands in one line of its own, as in JSON Lines; a head may be cut anywhere."""
    level = 0
    for token in _TOKEN.finditer(head):
        level += (token[0] in "{[") - (token[0] in "}]")
        if level == 0:
            return "\n" not in head[: token.end()].lstrip() and "\n" in head[token.end() :]
    return "\n" not in head.lstrip() and len(head) >= _LONG


def replaced(text: str, strings: Mapping[Path, str], *, stream: bool = False) -> str:
    """The same JSON, to the last space and digit, with the strings at these places replaced.

    In a stream of documents, a place begins with the number of its document.
    """
    if not strings:
        return text
    names = {path[-1] for path in strings}
    # The last of two equal keys is the one that was read.
    spans = {path: span for path, span in _strings(text, names, stream) if path in strings}
    ascii_only = text.isascii()
    parts: list[str] = []
    done = 0
    for path, (first, stop) in sorted(spans.items(), key=lambda place: place[1]):
        parts += (text[done:first], _dumped(strings[path], ascii_only))
        done = stop
    return "".join((*parts, text[done:]))


def _dumped(string: str, ascii_only: bool) -> str:
    unpaired = any("\ud800" <= character <= "\udfff" for character in string)  # UTF-8 cannot hold it, \u can
    return json.dumps(string, ensure_ascii=ascii_only or unpaired)


def _strings(text: str, names: set[str | int], stream: bool) -> Iterator[tuple[Path, tuple[int, int]]]:
    """The strings that are values under one of ``names``, with where they stand. The text is valid JSON."""
    path: list[str | int] = [0] if stream else []
    key_next = False
    for token in _TOKEN.finditer(text):
        piece = token[0]
        if piece == "{":
            path.append("")
            key_next = True
        elif piece == "[":
            path.append(0)
            key_next = False
        elif piece == ",":
            last = path[-1]
            if isinstance(last, int):
                path[-1] = last + 1
            else:
                key_next = True
        elif piece in "}]":
            path.pop()
            key_next = False
            if stream and len(path) == 1 and isinstance(path[0], int):
                path[0] += 1
        elif key_next:
            path[-1] = json.loads(piece)
            key_next = False
        elif path and path[-1] in names:
            yield tuple(path), token.span()
