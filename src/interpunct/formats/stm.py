"""NIST's STM: an utterance a line, ``file channel speaker start end [<label>] words``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Segment, Source, Transcript, Word
from ._captions import Line, lines_of
from ._segments import by_sentence
from ._slots import own_text, printed
from ._spliced import Slot, checked, is_noise, spliced, squeezed
from ._times import Clock, plain

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "STM of NIST: an utterance a line, with its speaker, start and end"
EXTENSIONS = (".stm",)
HOLDS = frozenset({"segments", "speakers"})
EXAMPLE = "talk 1 mara 0.32 1.80 <o,f0,female> so what do you think"

_FIELD = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,18})?|\.[0-9]{1,18}")
_LABEL = re.compile(r"<[^<>]*>")
_UNKNOWN = "unknown"
_IGNORED = "ignore_time_segment_in_scoring"
_TOP = 20


class _Utterance(NamedTuple):
    """A line of an STM."""

    speaker: str | None
    start: float
    end: float
    slots: list[Slot]


def sniff(text: str) -> bool:
    """Whether the first lines that are no comments are utterances of an STM."""
    lines = [line for line in text[: 1 << 12].splitlines()[:_TOP] if line.strip() and not line.startswith(";;")]
    whole = lines[:-1] or lines  # the last one may be cut
    return bool(whole) and all(map(_is_utterance, whole))


def _is_utterance(line: str) -> bool:
    fields = line.split(maxsplit=5)
    if len(fields) < 5 or not all(map(_NUMBER.fullmatch, fields[3:5])):
        return False
    return float(fields[3]) <= float(fields[4])


def read(text: str) -> Transcript:
    """A segment for each line, with its speaker. Words have no times; alternatives in braces hold no words.

    Raises:
        FormatError: a line that is none of an STM; it says which.
    """
    words: list[Word] = []
    segments = []
    for utterance in _utterances(text):
        first = len(words)
        words += (Word(text[a:b], speaker=utterance.speaker) for a, b in utterance.slots)
        segments.append(Segment(first, len(words), utterance.start, utterance.end, utterance.speaker))
    return Transcript(tuple(words), tuple(segments), None, Source("stm", text))


def write(transcript: Transcript) -> str:
    """The same file with the words replaced; from another format, a line for each segment or sentence.

    Raises:
        InputError: there are no times, or a word would be read as a noise (``<unk>``).
    """
    texts, own = squeezed(printed(transcript)), own_text(transcript, "stm")
    if own is not None:
        output = spliced(own, [slot for utterance in _utterances(own) for slot in utterance.slots], texts)
    else:
        output = "".join(_new_line(segment, texts) for segment in by_sentence(transcript))
    return checked(output, texts, read, "STM")


def _utterances(text: str) -> Iterator[_Utterance]:
    for line in lines_of(text):
        if line.text.strip() and not line.text.startswith(";;"):
            yield _utterance(line)


def _utterance(line: Line) -> _Utterance:
    fields = list(_FIELD.finditer(line.text))
    if len(fields) < 5:
        raise FormatError(
            f"{len(fields)} fields; a line of an STM has file, channel, speaker, start, end and words",
            line=line.number,
        )
    for field in fields[3:5]:
        if not _NUMBER.fullmatch(field[0]):
            raise FormatError(f"{field[0][:40]!r} cannot be a time in seconds", line=line.number)
    start, end = float(fields[3][0]), float(fields[4][0])
    try:
        Clock().check(start, end, "the utterance")
    except FormatError as error:
        raise FormatError(error.problem, line=line.number) from None
    said = fields[6:] if len(fields) > 5 and _LABEL.fullmatch(fields[5][0]) else fields[5:]
    speaker = fields[2][0]
    slots = [Slot(line.first + field.start(), line.first + field.end()) for field in _words(said)]
    return _Utterance(None if speaker == _UNKNOWN else speaker, start, end, slots)


def _words(fields: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The fields that are words: no noises, and nothing from a ``{`` to its ``}``, where alternatives stand."""
    closed = max((k for k, field in enumerate(fields) if field[0] == "}"), default=-1)
    inside = False
    for k, field in enumerate(fields):
        if inside:
            inside = field[0] != "}"
        elif field[0] == "{" and k < closed:
            inside = True
        elif not is_noise(field[0]) and field[0].lower() != _IGNORED:
            yield field


def _new_line(segment: Segment, texts: list[str]) -> str:
    said = " ".join(texts[segment.first : segment.stop])
    if segment.start is None or segment.end is None:
        raise InputError(f"the words {said[:40]!r} have no times, and STM needs those of each utterance")
    if not 0 <= segment.start <= segment.end:
        raise InputError(f"the words {said[:40]!r} have times that STM cannot hold: {segment.start} to {segment.end}")
    speaker = "_".join((segment.speaker or _UNKNOWN).split()) or _UNKNOWN
    return f"recording 1 {speaker} {plain(segment.start)} {plain(segment.end)} {said}\n"
