"""Outputs are written to a temporary file beside their place, then renamed: nothing is ever half-written."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError

__all__ = ["write_atomically", "writing"]


def write_atomically(path: Path, content: str) -> None:
    """Write a file whole or not at all; see :func:`writing`."""
    with writing(path) as write:
        write(content)


@contextmanager
def writing(path: Path | None) -> Iterator[Callable[[str], None]]:
    """Give a function that writes text, as UTF-8 with the line ends that it has, to ``path``; None is stdout.

    The file takes its place when the block ends; when it ends with an error, all is as it was.

    Raises:
        InputError: the place cannot be written.
    """
    if path is None:
        yield lambda text: _to_stdout(text)
        return
    temporary = None
    try:
        place = Path(os.path.realpath(path))  # a link stays one: what it points to is written
        place.parent.mkdir(parents=True, exist_ok=True)
        mode = place.stat().st_mode if place.exists() else None
        if mode is None or stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            # Of a long name only the beginning: with all of it, the temporary name would be too long.
            handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:32]}.", suffix=".partial")
            file: BinaryIO = os.fdopen(handle, "wb")
        else:
            file = place.open("wb")  # a pipe or a device is written to, never replaced by a file
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    try:
        with file:
            yield lambda text: _to_file(file, text, path)
        if temporary is not None:
            os.chmod(temporary, 0o666 & ~_umask() if mode is None else mode & 0o777)
            os.replace(temporary, place)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _to_stdout(text: str) -> None:
    data = _encoded(text, "stdout")
    try:
        sys.stdout.buffer.write(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable("stdout", error) from None


def _to_file(file: BinaryIO, text: str, path: Path) -> None:
    data = _encoded(text, path)
    try:
        file.write(data)
    except OSError as error:
        raise _unwritable(path, error) from None


def _encoded(text: str, place: Path | str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        around = text[: error.start].split()[-1:] + text[error.start :].split()[:1]
        raise InputError(
            f"{place}: cannot be written: {' '.join(around)!a} holds half a character, which only JSON can hold"
        ) from None


def _unwritable(place: Path | str, error: OSError | ValueError) -> InputError:
    return InputError(f"{place}: cannot be written ({getattr(error, 'strerror', None) or error})")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
