"""SubRip captions: a number, a line of times, lines of text, a blank line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import FormatError
from ..transcript import Transcript
from ._captions import Dialect, FoundCue, Line, checked_cues, in_place, lines_of, transcript_of
from ._cues import Cue, build
from ._payload import Syntax
from ._slots import own_text, printed
from ._timing import cue_times, is_timing, stamp

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "SubRip captions"
EXTENSIONS = (".srt",)
HOLDS = frozenset({"segments"})
EXAMPLE = "1\n00:00:01,000 --> 00:00:03,500\nso what do you think"

_TOP = 20
_NUMBER = re.compile(r"\s*[0-9]{1,9}\s*")
# SubRip has no way to escape: only the tags that players know are tags, so that <unk> and AT&T stay words.
_SYNTAX = Syntax(
    re.compile(
        r"(?P<space>\s+|(?i:<br\s*/?>))"
        r"|(?P<tag>\{\\[^{}]*\}|\{/?[biuBIU]\}|(?i:</?(?:i|b|u|s|c|v|em|strong|font|span)(?:[\s.][^<>]*)?>))"
        r"|(?P<text>[^\s<{]+|[<{])"
    ),
    encode=str,
    special=re.compile("[<{]"),
)


def sniff(text: str) -> bool:
    """Whether a line of times stands near the top."""
    if text.startswith("WEBVTT"):
        return False
    return any(is_timing(line.text) for line in lines_of(text[: 1 << 12])[:_TOP])


def read(text: str) -> Transcript:
    """A segment a cue. Blank lines inside a cue, missing blank lines and missing numbers are read.

    Raises:
        FormatError: text or a number without times, or times that cannot be; it names the line.
    """
    return transcript_of(text, _DIALECT)


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues of at most two lines.

    Raises:
        InputError: there are no times, or a word would be read as a tag or as times (``<i>``, ``-->``).
    """
    texts, own = printed(transcript), own_text(transcript, "srt")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    output = "\n".join(_written(n, cue, texts) for n, cue in enumerate(build(transcript, "SRT"), start=1))
    return checked_cues(output, texts, _DIALECT)


def _written(number: int, cue: Cue, texts: list[str]) -> str:
    lines = (" ".join(texts[k] for k in line) for line in cue.lines)
    return "\n".join((str(number), f"{stamp(cue.start, ',')} --> {stamp(cue.end, ',')}", *lines, ""))


def _cues(text: str) -> Iterator[FoundCue]:
    lines = lines_of(text)
    times = [cue_times(line.text, line.number) for line in lines]
    timed = [k for k, found in enumerate(times) if found is not None]
    heads = list(_heads(lines, timed))
    _refuse_text_without_times(lines, heads, timed)
    for k, stop in _bodies(lines, heads, timed):
        found = times[k]
        assert found is not None
        first = lines[k].stop if k + 1 == stop else lines[k + 1].first
        yield FoundCue(*found, first, lines[stop - 1].stop)


def _heads(lines: list[Line], timed: list[int]) -> Iterator[int]:
    """Where each cue begins: at its number, or at its times when it has none."""
    previous = 0
    for order, k in enumerate(timed):
        above = timed[order - 1] + 1 if order else 0
        line = lines[k - 1].text if k > above else ""
        number = int(line) if _NUMBER.fullmatch(line) else None
        # Right under a line of text, without a blank line, only the number that is due is a number.
        if number is not None and k - 1 > above and lines[k - 2].text.strip() and number != previous + 1:
            number = None
        previous = previous + 1 if number is None else number
        yield k if number is None else k - 1


def _bodies(lines: list[Line], heads: list[int], timed: list[int]) -> Iterator[tuple[int, int]]:
    """The lines of each cue, from its times to the head of the next."""
    yield from zip(timed, [*heads[1:], len(lines)][: len(timed)], strict=True)


def _refuse_text_without_times(lines: list[Line], heads: list[int], timed: list[int]) -> None:
    for line in lines[: heads[0] if heads else len(lines)]:
        if line.text.strip():
            raise FormatError("text before the first cue's times", line=line.number)
    bare = set(timed)
    for k, stop in _bodies(lines, heads, timed):
        for j in range(k + 2, stop):
            if lines[j - 1].text.strip():
                continue
            if _NUMBER.fullmatch(lines[j].text):
                raise FormatError(f"cue {lines[j].text.strip()} has no times", line=lines[j].number)
            if j + 1 == stop < len(lines) and stop in bare and lines[j].text.strip():
                raise FormatError(
                    f"{lines[j].text.strip()[:40]!r} stands where the number of a cue is expected",
                    line=lines[j].number,
                )


_DIALECT = Dialect("SRT", "srt", _SYNTAX, _cues)
