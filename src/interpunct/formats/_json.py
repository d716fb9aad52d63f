"""JSON that is read as it is and written back as it was, but for some strings."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import FormatError

__all__ = ["Path", "known_keys", "load", "looks_like_json", "replaced", "seconds", "string"]

Path = tuple[str | int, ...]
"""Where a value stands: ``("segments", 3, "text")``."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[{}\[\],]', re.DOTALL)
_COLON = re.compile(r"\s*:")
_OPENING = re.compile(r'\s*(?:\{\s*["}]|\[\s*["{])')
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
    except json.JSONDecodeError as error:
        whole = text.strip()
        cut = whole and (error.pos >= len(text.rstrip()) or whole[-1] != _CLOSING.get(whole[0], whole[-1]))
        problem = (
            "the JSON stops in the middle: the file was not written to its end" if cut else f"not JSON ({error.msg})"
        )
        raise FormatError(problem, line=error.lineno) from None
    except RecursionError:
        raise FormatError("JSON nested too deeply for a transcript") from None
    except ValueError as error:  # a number of thousands of digits
        raise FormatError(f"not JSON that can be read ({error})") from None


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


def replaced(text: str, strings: Mapping[Path, str]) -> str:
    """The same JSON, to the last space and digit, with the strings at these places replaced."""
    if not strings:
        return text
    names = {path[-1] for path in strings}
    # The last of two equal keys is the one that was read.
    spans = {path: span for path, span in _strings(text, names) if path in strings}
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


def _strings(text: str, names: set[str | int]) -> Iterator[tuple[Path, tuple[int, int]]]:
    """The strings that are values under one of ``names``, with where they stand. The text is valid JSON."""
    path: list[str | int] = []
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
        elif key_next:
            path[-1] = json.loads(piece)
            key_next = False
        elif path and path[-1] in names:
            yield tuple(path), token.span()
