"""Outputs are written to a temporary file beside their place, then renamed: nothing is ever half-written."""

from __future__ import annotations

import os
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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield lambda text: _to_file(file, text, path)
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _to_stdout(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))


def _to_file(file: BinaryIO, text: str, path: Path) -> None:
    try:
        file.write(text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
