"""SubViewer captions as YouTube gives them: a line of two times, lines of text, a blank line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import FormatError
from ..transcript import Transcript
from ._captions import Dialect, FoundCue, checked_cues, in_place, lines_of, transcript_of
from ._cues import Cue, build
from ._payload import Syntax
from ._slots import own_text, printed
from ._timing import cue_times, stamp

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "SubViewer captions, as YouTube gives them"
EXTENSIONS = (".sbv",)
HOLDS = frozenset({"segments"})
EXAMPLE = "0:00:01.000,0:00:03.500\nso what do you think"

_TOP = 20
_TIMES = re.compile(
    r"\s*([0-9]{1,6}:[0-9]{1,2}:[0-9]{1,2}\.[0-9]{1,3}),([0-9]{1,6}:[0-9]{1,2}:[0-9]{1,2}\.[0-9]{1,3})\s*"
)
_ALMOST = re.compile(r"\s*[0-9]+:[0-9]+:\S+,[0-9]+:[0-9]+:\S+\s*")
_SYNTAX = Syntax(
    re.compile(r"(?P<space>\s+|(?i:\[br\]))|(?P<text>[^\s\[]+|\[)"),
    encode=str,
    special=re.compile(r"\["),
)


def sniff(text: str) -> bool:
    """Whether a line of two times, with a comma between, stands near the top."""
    return any(_TIMES.fullmatch(line.text) for line in lines_of(text[: 1 << 12])[:_TOP])


def read(text: str) -> Transcript:
    """A segment a cue.

    Raises:
        FormatError: text without times, or times that cannot be; it names the line.
    """
    return transcript_of(text, _DIALECT)


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues of at most two lines.

    Raises:
        InputError: there are no times, or a word would be read as times.
    """
    texts, own = printed(transcript), own_text(transcript, "sbv")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    return checked_cues("\n".join(_written(cue, texts) for cue in build(transcript, "SBV")), texts, _DIALECT)


def _written(cue: Cue, texts: list[str]) -> str:
    lines = (" ".join(texts[k] for k in line) for line in cue.lines)
    return "\n".join((f"{_stamp(cue.start)},{_stamp(cue.end)}", *lines, ""))


def _stamp(time: float) -> str:
    written = stamp(time, ".")
    return written[1:] if written[0] == "0" else written


def _cues(text: str) -> Iterator[FoundCue]:
    """A cue's text ends at a blank line, or where the next times stand."""
    cue: tuple[float, float] | None = None
    first = stop = 0
    for line in lines_of(text):
        times = _times(line.text, line.number)
        if times is not None or not line.text.strip():
            if cue is not None:
                yield FoundCue(*cue, first, stop)
            cue, first, stop = times, line.stop, line.stop
        elif cue is None:
            raise FormatError(f"{line.text.strip()[:40]!r} has no times", line=line.number)
        else:
            stop = line.stop
    if cue is not None:
        yield FoundCue(*cue, first, stop)


def _times(line: str, number: int) -> tuple[float, float] | None:
    found = _TIMES.fullmatch(line)
    if found is not None:
        return cue_times(f"{found[1]} --> {found[2]}", number)
    if _ALMOST.fullmatch(line):
        raise FormatError(
            f"{line.strip()[:60]!r} does not give the times of a cue: write 0:00:01.000,0:00:02.000", line=number
        )
    return None


_DIALECT = Dialect("SBV", "sbv", _SYNTAX, _cues)
