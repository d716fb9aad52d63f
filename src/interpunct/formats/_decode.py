"""Bytes to text: UTF-8 with or without BOM, UTF-16; anything else is refused with the place where it stops."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ..errors import FormatError

__all__ = ["decode", "decode_bytes", "decode_stream"]

_CHUNK = 1 << 16
_HEAD = 1 << 13
"""So many bytes are waited for: enough to tell by the content what a file is, however a pipe cuts it up."""
_SOUND = (b"RIFF", b"fLaC", b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"FORM", b"\x1aE\xdf\xa3", b"caff")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode(path: Path) -> str:
    """The text of a file.

    Raises:
        FormatError: missing, a folder, sound, binary, or not in a known encoding.
    """
    try:
        return decode_bytes(path.read_bytes())
    except FileNotFoundError:
        raise FormatError("no such file", path=str(path)) from None
    except IsADirectoryError:
        raise FormatError("this is a folder, not a transcript", path=str(path)) from None
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=str(path)) from None
    except FormatError as error:
        raise error.at(str(path)) from None
    except ValueError as error:  # a path that no file can have
        raise FormatError(f"cannot be read ({error})", path=repr(str(path))) from None


def decode_bytes(data: bytes) -> str:
    """The text of bytes; a byte order mark is dropped, line ends are kept."""
    return "".join(decode_stream(io.BytesIO(data)))


def decode_stream(file: BinaryIO) -> Iterator[str]:
    """The text of a file, chunk by chunk, as :func:`decode_bytes` gives it.

    Raises:
        FormatError: sound, binary, or not in a known encoding; says the byte.
    """
    chunk = _head(file)
    # A text may begin with FORMER or caffeine; the header of a sound file has a zero byte.
    if b"\0" in chunk[:64] and (chunk.startswith(_SOUND) or chunk[4:8] == b"ftyp"):
        raise FormatError("this is sound: give its transcript, and the sound with --audio")
    mark, encoding = next(((m, e) for m, e in _MARKS if chunk.startswith(m)), (b"", "utf-8"))
    if encoding == "utf-8" and b"\0" in chunk[:4096]:
        raise FormatError("this is a binary file, not a transcript")
    decoder = codecs.getincrementaldecoder(encoding)()
    given = len(mark)
    chunk = chunk[given:]
    while True:
        waiting = len(decoder.getstate()[0])  # bytes of a character that began in the chunk before
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            raise FormatError(
                f"not {encoding.upper()} at byte {given - waiting + error.start}: save it as UTF-8 "
                f"(for instance: iconv -f WINDOWS-1252 -t UTF-8 FILE)"
            ) from None
        if text:
            yield text
        if not chunk:
            return
        given += len(chunk)
        chunk = _read(file)


def _head(file: BinaryIO) -> bytes:
    """The first bytes of a file; all of them where there are few."""
    head = chunk = _read(file)
    while chunk and len(head) < _HEAD:
        chunk = _read(file)
        head += chunk
    return head


def _read(file: BinaryIO) -> bytes:
    """The next chunk: what a pipe has, without waiting for more than there is."""
    read1 = getattr(file, "read1", file.read)
    try:
        data: bytes = read1(_CHUNK)
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})") from None
    return data
