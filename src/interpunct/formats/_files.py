"""Outputs are written to a temporary file beside their place, then renamed: nothing is ever half-written."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError

__all__ = ["refuse_overwriting", "write_atomically", "writing"]


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
        mode = place.stat().st_mode if place.exists() else None
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "this is a folder, but a file is to be written")
        made = _make_folder(place.parent)
        if mode is None or stat.S_ISREG(mode):
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
        for folder in made:  # those that stay empty
            with suppress(OSError):
                folder.rmdir()


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder and those above it; gives the ones that were not there, the innermost first."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return made


def refuse_overwriting(output: Path | None, inputs: Iterable[str | Path]) -> None:
    """Refuse to write where something is read.

    Raises:
        InputError: ``output`` is one of ``inputs``, which are paths or ``NAME:PATH``.
    """
    if output is None or not os.path.exists(output):
        return
    for given in inputs:
        for path in (str(given), str(given).partition(":")[2]):
            if path and os.path.exists(path) and os.path.samefile(path, output):
                raise InputError(f"{output}: would be overwritten by its own result: write to another file")


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
