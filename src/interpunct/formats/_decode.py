"""Bytes to text: UTF-8 with or without BOM, UTF-16; anything else is refused with the place where it stops."""

from __future__ import annotations

import codecs
from pathlib import Path

from ..errors import FormatError

__all__ = ["decode", "decode_bytes"]

_SOUND = (b"RIFF", b"fLaC", b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3", b"FORM", b"\x1aE\xdf\xa3")


def decode(path: Path) -> str:
    """The text of a file.

    Raises:
        FormatError: missing, a folder, sound, binary, or not in a known encoding.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FormatError("no such file", path=str(path)) from None
    except IsADirectoryError:
        raise FormatError("this is a folder, not a transcript", path=str(path)) from None
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=str(path)) from None
    try:
        return decode_bytes(data)
    except FormatError as error:
        raise error.at(str(path)) from None


def decode_bytes(data: bytes) -> str:
    """The text of bytes; a byte order mark is dropped, line ends are kept."""
    if data.startswith(_SOUND) or data[4:8] == b"ftyp":
        raise FormatError("this is sound: give its transcript, and the sound with --audio")
    for mark, encoding in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            data = data[len(mark) :]
            break
    else:
        encoding = "utf-8"
    if encoding == "utf-8" and b"\0" in data[:4096]:
        raise FormatError("this is a binary file, not a transcript")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FormatError(
            f"not {encoding.upper()} at byte {error.start}: save it as UTF-8 "
            f"(for instance: iconv -f WINDOWS-1252 -t UTF-8 FILE)"
        ) from None
