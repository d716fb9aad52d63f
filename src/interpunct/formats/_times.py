"""Times that a recogniser wrote are never changed; those that cannot be are refused."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import FormatError

__all__ = ["Clock"]

SLACK = 0.5  # seconds: recognisers let words overlap a little


@dataclass(slots=True)
class Clock:
    """Goes over words or segments in order and refuses times that run backwards."""

    latest: float = 0.0

    def check(self, start: float | None, end: float | None, where: str) -> None:
        """Look at the next start and end, in seconds.

        Raises:
            FormatError: the end is before the start, or the start half a second before an earlier one.
        """
        if start is not None and end is not None and end < start:
            raise FormatError(f"{where}: ends at {end} before it starts at {start}")
        if start is not None and start < self.latest - SLACK:
            raise FormatError(f"{where}: starts at {start}, before the one above it, which starts at {self.latest}")
        if start is not None:
            self.latest = max(self.latest, start)
