"""Kaldi's and NIST's CTM: a word a line, ``file channel start duration word [confidence]``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Segment, Source, Transcript, Word
from ._captions import Line, lines_of
from ._slots import own_text, printed
from ._spliced import Slot, checked, is_noise, spliced, squeezed
from ._times import Clock, exact, in_one_time, plain

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "CTM of Kaldi and NIST: a word a line, with its start and duration"
EXTENSIONS = (".ctm",)
HOLDS = frozenset({"starts", "ends", "confidence"})
EXAMPLE = "talk 1 0.32 0.26 so 0.98\ntalk 1 0.58 0.20 what 0.91"

_FIELD = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,18})?|\.[0-9]{1,18}")
_UNKNOWN = {"NA", "N/A", "-", "unknown"}
_TOP = 20


class _Row(NamedTuple):
    """A line that holds a word, or a noise."""

    recording: str
    channel: str
    word: Word
    slot: Slot


def sniff(text: str) -> bool:
    """Whether the first lines that are no comments are rows of a CTM."""
    lines = [line for line in text[: 1 << 12].splitlines()[:_TOP] if line.strip() and not line.startswith(";;")]
    whole = lines[:-1] or lines  # the last one may be cut
    return bool(whole) and all(map(_is_row, whole))


def _is_row(line: str) -> bool:
    fields = line.split()
    if not 5 <= len(fields) <= 8 or not all(map(_NUMBER.fullmatch, fields[2:4])):
        return False
    return len(fields) == 5 or fields[5] in _UNKNOWN or bool(_NUMBER.fullmatch(fields[5]))


def read(text: str) -> Transcript:
    """A segment for each recording and channel, which name the speaker where there are several.

    Raises:
        FormatError: a line that is none of a CTM, or times that run backwards; it says which line.
    """
    groups = [(key, list(rows)) for key, rows in groupby(_rows(text), key=lambda row: row[:2])]
    several = len({key for key, _ in groups}) > 1
    words: list[Word] = []
    segments = []
    for key, rows in groups:
        speaker = " ".join(key) if several else None
        first = len(words)
        words += (Word(w.text, w.start, w.end, speaker, w.confidence) for w in (row.word for row in rows))
        segments.append(Segment(first, len(words), rows[0].word.start, max(_end(row) for row in rows), speaker))
    return Transcript(tuple(words), tuple(segments) if several else (), None, Source("ctm", text))


def write(transcript: Transcript) -> str:
    """The same file with the words replaced; from another format, a recording called ``recording``.

    Raises:
        InputError: a word has no times, or would be read as a noise (``<unk>``).
    """
    texts, own = squeezed(printed(transcript)), own_text(transcript, "ctm")
    if own is not None:
        output = spliced(own, [row.slot for row in _rows(own)], texts)
    else:
        output = "".join(map(_new_row, in_one_time(transcript, "CTM").words, texts))
    return checked(output, texts, read, "CTM")


def _end(row: _Row) -> float:
    return row.word.end or 0.0


def _rows(text: str) -> Iterator[_Row]:
    """The lines that hold words; comments, empty lines and noises are left out."""
    clocks: dict[tuple[str, str], Clock] = {}
    for line in lines_of(text):
        if not line.text.strip() or line.text.startswith(";;"):
            continue
        row = _row(line)
        clock = clocks.setdefault(row[:2], Clock())
        try:
            clock.check(row.word.start, row.word.end, repr(row.word.text))
        except FormatError as error:
            raise FormatError(error.problem, line=line.number) from None
        if not is_noise(row.word.text):
            yield row


def _row(line: Line) -> _Row:
    fields = list(_FIELD.finditer(line.text))
    if not 5 <= len(fields) <= 8:
        raise FormatError(
            f"{len(fields)} fields; a line of a CTM has 5 to 8: file, channel, start, duration, word, confidence …",
            line=line.number,
        )
    recording, channel, start, duration, word, *more = (field[0] for field in fields)
    if start == "*" or duration == "*":
        raise FormatError(f"{word}: alternatives have no times of their own; leave one of them", line=line.number)
    begin, length = _number(start, "start", line.number), _number(duration, "duration", line.number)
    confidence = None
    if more and more[0] not in _UNKNOWN:
        confidence = float(_number(more[0], "confidence", line.number))
    first, stop = line.first + fields[4].start(), line.first + fields[4].end()
    timed = Word(word, float(begin), float(begin + length), confidence=confidence)
    return _Row(recording, channel, timed, Slot(first, stop))


def _number(field: str, name: str, line: int) -> Decimal:
    if not _NUMBER.fullmatch(field):
        raise FormatError(f"{field[:40]!r} cannot be a {name}", line=line)
    return Decimal(field)


def _new_row(word: Word, text: str) -> str:
    if word.start is None or word.end is None:
        raise InputError(f"the word {text!r} has no times, and CTM needs the start and the end of each word")
    start, end = exact(word.start), exact(word.end)
    if not 0 <= start <= end:
        raise InputError(f"the word {text!r} has the times {word.start} to {word.end}: CTM cannot hold them")
    confidence = "" if word.confidence is None else f" {plain(word.confidence)}"
    return f"recording 1 {plain(start)} {plain(end - start)} {text}{confidence}\n"
