"""Times that a recogniser wrote are never changed; those that cannot be are refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal

from ..errors import FormatError, InputError
from ..transcript import Transcript

__all__ = ["Clock", "exact", "in_one_time", "plain"]

SLACK = 0.5  # seconds: recognisers let words overlap a little


@dataclass(slots=True)
class Clock:
    """Goes over words or segments in order and refuses times that run backwards. Each speaker has a clock."""

    latest: dict[str | None, float] = field(default_factory=dict)

    def check(self, start: float | None, end: float | None, where: str, speaker: str | None = None) -> None:
        """Look at the next start and end, in seconds.

        Raises:
            FormatError: the end is before the start, or the start half a second before an earlier one.
        """
        latest = self.latest.get(speaker, 0.0)
        if start is not None and end is not None and end < start:
            raise FormatError(f"{where}: ends at {end} before it starts at {start}")
        if start is not None and start < latest - SLACK:
            raise FormatError(f"{where}: starts at {start}, before the one above it, which starts at {latest}")
        if start is not None:
            self.latest[speaker] = max(latest, start)


def in_one_time(transcript: Transcript, name: str) -> Transcript:
    """The transcript, for a format that knows no speakers and so has one time for all.

    Raises:
        InputError: the times of words or segments run backwards, as those of several channels do.
    """
    words = [("word", word.start, word.end) for word in transcript.words]
    for items in (words, [("segment", segment.start, segment.end) for segment in transcript.segments]):
        clock = Clock()
        for k, (kind, start, end) in enumerate(items):
            try:
                clock.check(start, end, f"{kind} {k}")
            except FormatError as error:
                raise InputError(f"{name} cannot hold the times of several channels: {error.problem}") from None
    return transcript


def exact(time: float) -> Decimal:
    """A time, to the digit that its text has, so that sums and differences are exact too.

    Raises:
        InputError: it is not finite.
    """
    if not math.isfinite(time):
        raise InputError(f"{time} is no time: it is not finite")
    return Decimal(repr(float(time)))


def plain(number: float | Decimal) -> str:
    """A number in digits, without an exponent, which reads back as the same number."""
    return format(number if isinstance(number, Decimal) else exact(number), "f")
