"""SAMI captions: ``<SYNC Start=1000>`` begins a cue, which lasts until the next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import FormatError, InputError
from ..transcript import Transcript
from ._captions import Dialect, FoundCue, checked_cues, in_place, transcript_of
from ._cues import Cue, build
from ._markup import MARKUP, escape, line_at
from ._payload import placed_words
from ._slots import own_text, printed

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "SAMI captions"
EXTENSIONS = (".smi", ".sami")
HOLDS = frozenset({"segments"})
EXAMPLE = "<SAMI>\n<BODY>\n<SYNC Start=1000><P Class=ENCC>so what do you think\n</BODY>\n</SAMI>"

_SYNC = re.compile(r"<SYNC\b([^<>]*)>", re.IGNORECASE)
_START = re.compile(r"""\bStart\s*=\s*["']?([0-9]{1,10})(?:ms)?["']?(?=[\s/]|\Z)""", re.IGNORECASE)
_CLASS = re.compile(r"""<P\b[^<>]*?\bClass\s*=\s*["']?([^\s"'<>]+)""", re.IGNORECASE)
_END = re.compile(r"</(?:BODY|SAMI)\s*>", re.IGNORECASE)


def sniff(text: str) -> bool:
    """Whether it begins with the tag ``<SAMI>``."""
    return re.match(r"\s*<SAMI[\s>]", text, re.IGNORECASE) is not None


def read(text: str) -> Transcript:
    """A segment a ``<SYNC>`` with words; one without only ends the cue before. The last may have no end.

    Raises:
        FormatError: a start that is none or lies before the one above, or two languages; it names the line.
    """
    return transcript_of(text, _DIALECT)


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues of at most two lines.

    Raises:
        InputError: there are no times, or cues are out of order.
    """
    texts, own = printed(transcript), own_text(transcript, "sami")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    body = "".join(_written(build(transcript, "SAMI"), texts))
    return checked_cues(f"<SAMI>\n<BODY>\n{body}</BODY>\n</SAMI>\n", texts, _DIALECT)


def _written(cues: list[Cue], texts: list[str]) -> Iterator[str]:
    for k, cue in enumerate(cues):
        text = "<br>".join(" ".join(escape(texts[j]) for j in line) for line in cue.lines)
        yield f"<SYNC Start={_milliseconds(cue.start)}><P Class=ENCC>{text}\n"
        following = cues[k + 1].start if k + 1 < len(cues) else float("inf")
        if following < cue.start:
            raise InputError(
                f"SAMI has its cues in order of time: one at {following} s cannot follow one at {cue.start} s"
            )
        if _milliseconds(cue.end) < following * 1000:  # nothing else would end it
            yield f"<SYNC Start={_milliseconds(cue.end)}><P Class=ENCC>&nbsp;\n"


def _milliseconds(time: float) -> int:
    if not 0 <= time < float("inf"):
        raise InputError(f"a caption cannot stand at {time} s")
    return round(time * 1000)


def _cues(text: str) -> Iterator[FoundCue]:
    _refuse_two_languages(text)
    syncs = list(_SYNC.finditer(text))
    starts = [_start(text, sync) for sync in syncs]
    for k, sync in enumerate(syncs):
        last = k + 1 == len(syncs)
        if not last and starts[k + 1] < starts[k]:
            raise FormatError("this cue begins before the one above", line=line_at(text, syncs[k + 1].start()))
        stop = len(text) if last else syncs[k + 1].start()
        end = _END.search(text, sync.end(), stop)
        if end is not None:
            stop = end.start()
        if next(placed_words(text, sync.end(), stop, MARKUP), None) is not None:
            yield FoundCue(starts[k], None if last else starts[k + 1], sync.end(), stop)


def _start(text: str, sync: re.Match[str]) -> float:
    start = _START.search(sync[1])
    if start is None:
        raise FormatError("a <SYNC> needs its start in milliseconds: Start=1000", line=line_at(text, sync.start()))
    return int(start[1]) / 1000


def _refuse_two_languages(text: str) -> None:
    first = None
    for found in _CLASS.finditer(text):
        name = found[1].lower()
        first = first or name
        if name != first:
            raise FormatError(
                f"captions of two classes, {first} and {name}: keep one language in a file",
                line=line_at(text, found.start()),
            )


_DIALECT = Dialect("SAMI", "sami", MARKUP, _cues)
