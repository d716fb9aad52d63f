"""Times of captions: ``00:01:02,345 --> 00:01:04,000``."""

from __future__ import annotations

import itertools
import math
import re

from ..errors import FormatError, InputError

__all__ = ["cue_times", "in_order", "is_timing", "seconds", "stamp"]

_STAMP = r"(?:([0-9]{1,6}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,3}))?"
# After the times only settings may follow (X1:10 Y1:20, align:start): anything else would be words lost.
_TIMING = re.compile(rf"\s*{_STAMP}\s*-->\s*{_STAMP}(?:\s+[^\s:]+:\S+)*\s*")
_ONE = re.compile(_STAMP)
_ALMOST = re.compile(r"-->|(?<![0-9])[0-9]+:[0-9]+:[0-9]+[.,][0-9]+\s*[-–—=]+>")


def is_timing(line: str) -> bool:
    """Whether a line gives the times of a cue."""
    return _TIMING.fullmatch(line) is not None


def cue_times(line: str, number: int) -> tuple[float, float] | None:
    """The start and end of a cue, in seconds; ``None`` when the line is something else.

    Raises:
        FormatError: the line is meant to give times and does not, or the cue ends before it starts.
    """
    timing = _TIMING.fullmatch(line)
    if timing is None:
        if _ALMOST.search(line):
            raise FormatError(
                f"{line.strip()[:60]!r} does not give the times of a cue: write 00:00:01,000 --> 00:00:02,000",
                line=number,
            )
        return None
    groups = timing.groups()
    start, end = _seconds(*groups[:4]), _seconds(*groups[4:])
    if start is None or end is None:
        raise FormatError(f"{line.strip()[:60]!r} has a minute or a second above 59", line=number)
    if end < start:
        first, last = itertools.islice(_ONE.finditer(line), 2)
        raise FormatError(f"the cue ends at {last[0]}, before it starts at {first[0]}", line=number)
    return start, end


def in_order(start: float, end: float, number: int) -> tuple[float, float]:
    """The two times of a cue.

    Raises:
        FormatError: the cue ends before it starts.
    """
    if end < start:
        raise FormatError(f"the cue ends at {end} s, before it starts at {start} s", line=number)
    return start, end


def seconds(stamp: str) -> float | None:
    """The seconds of ``[HH:]MM:SS[.mmm]``; ``None`` when it is something else."""
    found = _ONE.fullmatch(stamp)
    return _seconds(*found.groups()) if found else None


def _seconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> float | None:
    minute, second = int(minutes), int(seconds)
    if minute > 59 or second > 59:
        return None
    whole = int(hours or 0) * 3600 + minute * 60 + second
    return (whole * 1000 + int((fraction or "").ljust(3, "0"))) / 1000


def stamp(time: float, point: str) -> str:
    """``HH:MM:SS`` and milliseconds after ``point``.

    Raises:
        InputError: the time is negative or not finite.
    """
    if not math.isfinite(time) or time < 0:
        raise InputError(f"a caption cannot stand at {time} s")
    rest, milliseconds = divmod(round(time * 1000), 1000)
    minutes, second = divmod(rest, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours:02}:{minute:02}:{second:02}{point}{milliseconds:03}"
