"""MicroDVD captions: ``{first frame}{last frame}text|next line``, one cue a line."""

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

DESCRIPTION = "MicroDVD captions, times in frames"
EXTENSIONS = (".sub",)
HOLDS = frozenset({"segments"})
EXAMPLE = "{1}{1}25\n{25}{88}so what do you think"

_FILM = 23.976
"""Frames a second where a file does not say: what most players take."""
_MOST_FRAMES = 1000.0
_CUE = re.compile(r"\s*\{([0-9]{1,9})\}\{([0-9]{1,9})\}")
_RATE = re.compile(r"\s*([0-9]{1,4}(?:[.,][0-9]{1,6})?)\s*")
_SYNTAX = Syntax(
    re.compile(r"(?P<space>\s+|\|)|(?P<tag>\{[A-Za-z]:[^{}]*\})|(?P<text>[^\s|{]+|\{)"),
    encode=str,
    special=re.compile(r"[|{]"),
)


def sniff(text: str) -> bool:
    """Whether the first line of text begins with two numbers in braces."""
    return _CUE.match(text) is not None


def read(text: str) -> Transcript:
    """A segment a line; ``{1}{1}25`` at the top gives the frames a second, else they are 23.976.

    Raises:
        FormatError: a line does not begin with two frames, or they cannot be; it names the line.
    """
    return transcript_of(text, _DIALECT)


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues at 1000 frames a second: milliseconds.

    Raises:
        InputError: there are no times, or a word would be read as a tag or a line's end (``{y:i}``, ``|``).
    """
    texts, own = printed(transcript), own_text(transcript, "microdvd")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    cues = "".join(_written(cue, texts) for cue in build(transcript, "MicroDVD"))
    return checked_cues(f"{{1}}{{1}}{_MOST_FRAMES:g}\n{cues}", texts, _DIALECT)


def _written(cue: Cue, texts: list[str]) -> str:
    text = "|".join(" ".join(texts[k] for k in line) for line in cue.lines)
    return f"{{{_frame(cue.start)}}}{{{_frame(cue.end)}}}{text}\n"


def _frame(time: float) -> int:
    if not 0 <= time < float("inf"):
        raise InputError(f"a caption cannot stand at {time} s")
    return round(time * _MOST_FRAMES)


def _cues(text: str) -> Iterator[FoundCue]:
    rate, begun = _FILM, False
    for line in lines_of(text):
        if not line.text.strip():
            continue
        found = _CUE.match(line.text)
        if found is None:
            raise FormatError(
                f"{line.text.strip()[:40]!r} does not begin with two frames: {{25}}{{88}}", line=line.number
            )
        said = _rate(line.text[found.end() :]) if not begun and found[1] == found[2] and int(found[1]) < 2 else None
        begun = True
        if said is not None:
            rate = said
            continue
        start, end = (round(int(frame) / rate, 3) for frame in found.groups())
        yield FoundCue(*in_order(start, end, line.number), line.first + found.end(), line.stop)


def _rate(text: str) -> float | None:
    found = _RATE.fullmatch(text)
    rate = float(found[1].replace(",", ".")) if found else 0.0
    return rate if 1 <= rate <= _MOST_FRAMES else None


_DIALECT = Dialect("MicroDVD", "microdvd", _SYNTAX, _cues)
