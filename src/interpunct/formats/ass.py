"""Advanced SubStation Alpha captions: a ``Dialogue:`` line a cue, after styles and other sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import FormatError, InputError
from ..transcript import Transcript
from ._captions import Dialect, FoundCue, checked_cues, in_place, lines_of, transcript_of
from ._cues import Cue, build
from ._payload import Syntax
from ._slots import own_text, printed
from ._timing import in_order

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Advanced SubStation Alpha captions"
EXTENSIONS = (".ass", ".ssa")
HOLDS = frozenset({"segments"})
RESOLUTION = 0.01
"""Seconds: what a new file rounds its times to."""
EXAMPLE = (
    "[Script Info]\n\n[Events]\nFormat: Start, End, Style, Text\nDialogue: 0:00:01.00,0:00:03.50,Default,so what do you"
)

_HEADER = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, Alignment, MarginL, MarginR, MarginV
Style: Default,Arial,20,2,10,10,10

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""
_DEFAULT_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
_SECTION = re.compile(r"\s*\[([^\[\]]+)\]\s*")
_STAMP = re.compile(r"\s*([0-9]{1,6}):([0-9]{1,2}):([0-9]{1,2})(?:[.:]([0-9]{1,3}))?\s*")
_SYNTAX = Syntax(
    re.compile(r"(?P<space>\s+|\\[Nnh])|(?P<tag>\{[^{}]*\})|(?P<text>[^\s\\{]+|[\\{])"),
    encode=str,
    special=re.compile(r"[\\{]"),
)


def sniff(text: str) -> bool:
    """Whether it begins with the section ``[Script Info]``."""
    return re.match(r"(?:\s*;[^\r\n]*[\r\n])*\s*\[script info\]\s*[\r\n]", text, re.IGNORECASE) is not None


def read(text: str) -> Transcript:
    """A segment a ``Dialogue:`` line; what stands in braces, comments and other sections hold no words.

    Raises:
        FormatError: a line lacks fields or its times cannot be; it names the line.
    """
    return transcript_of(text, _DIALECT)


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues of at most two lines.

    Raises:
        InputError: there are no times, or a word would be read as a tag (``{i}``, ``a\\Nb``).
    """
    texts, own = printed(transcript), own_text(transcript, "ass")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    return checked_cues(_HEADER + "".join(_written(cue, texts) for cue in build(transcript, "ASS")), texts, _DIALECT)


def _written(cue: Cue, texts: list[str]) -> str:
    text = "\\N".join(" ".join(texts[k] for k in line) for line in cue.lines)
    return f"Dialogue: 0,{_stamp(cue.start)},{_stamp(cue.end)},Default,,0,0,0,,{text}\n"


def _stamp(time: float) -> str:
    if not 0 <= time < float("inf"):
        raise InputError(f"a caption cannot stand at {time} s")
    seconds, hundredths = divmod(round(time * 100), 100)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{hundredths:02}"


def _cues(text: str) -> Iterator[FoundCue]:
    fields: tuple[str, ...] = _DEFAULT_FIELDS
    events = False
    for line in lines_of(text):
        section = _SECTION.fullmatch(line.text)
        kind, colon, rest = line.text.partition(":")
        kind = kind.strip().lower()
        if section:
            events = section[1].strip().lower() == "events"
        elif events and colon and kind == "format":
            fields = _fields(rest, line.number)
        elif events and colon and kind == "dialogue":
            yield _cue(rest, fields, line.stop, line.number)


def _fields(text: str, number: int) -> tuple[str, ...]:
    fields = tuple(field.strip().lower() for field in text.split(","))
    if not {"start", "end"} <= set(fields) or fields[-1] != "text":
        raise FormatError("the format of events needs Start and End, and Text as its last field", line=number)
    return fields


def _cue(text: str, fields: tuple[str, ...], stop: int, number: int) -> FoundCue:
    values = text.split(",", len(fields) - 1)
    if len(values) < len(fields):
        raise FormatError(f"an event has {len(fields)} fields, this one {len(values)}", line=number)
    start, end = (_seconds(values[fields.index(name)], number) for name in ("start", "end"))
    return FoundCue(*in_order(start, end, number), stop - len(values[-1]), stop)


def _seconds(text: str, number: int) -> float:
    found = _STAMP.fullmatch(text)
    if found is None or int(found[2]) > 59 or int(found[3]) > 59:
        raise FormatError(f"{text.strip()[:40]!r} is no time: write 0:00:01.00", line=number)
    whole = int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])
    return (whole * 1000 + int((found[4] or "0").ljust(3, "0"))) / 1000


_DIALECT = Dialect("ASS", "ass", _SYNTAX, _cues)
