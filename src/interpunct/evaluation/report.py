"""What an evaluation found: a record, as a table for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .by_pause import PauseScore
from .calibration import Calibration
from .errors import Errors
from .intervals import Interval, Intervals
from .scores import MarkScores, Score, Scores

__all__ = ["Report", "SplitReport"]

_FEW = 1000
"""A mark with fewer examples has its interval shown."""


@dataclass(frozen=True)
class SplitReport:
    """The figures of one split. ``float(split)`` is micro F1 over the three folded marks."""

    name: str
    words: int
    """Words that the model was given."""
    tokens: int
    """Tokens that were scored."""
    documents: int
    scores: Scores
    intervals: Intervals
    """Of the folded marks."""
    full_intervals: Intervals | None
    """Of all marks; ``None`` where the reference knows only three."""
    case: Score | None
    """Letter case after the model's own marks; ``None`` where the reference has none."""
    case_given_ends: Score | None
    """Letter case when the model is told the reference's marks."""
    calibration: Calibration
    """Of the folded marks, over words whose reference or likeliest class is a mark."""
    calibration_if_exact: float
    """The same error, were the probabilities exact."""
    calibration_of_guesses: Calibration
    """Over words whose likeliest class is a mark; 0 for exact probabilities."""
    by_pause: tuple[PauseScore, ...] | None = None
    """Of the folded marks, by the pause after the word; ``None`` where nobody asked."""
    errors: Errors | None = None
    """The places to look at, for a page (:mod:`.errors_page`): no part of the table or the JSON."""

    def __float__(self) -> float:
        return float(self.scores)

    def to_dict(self) -> dict[str, Any]:
        scores = self.scores.to_dict()
        scores["folded"]["intervals"] = _intervals(self.intervals)
        if self.full_intervals is None:
            del scores["full"]
        else:
            scores["full"]["intervals"] = _intervals(self.full_intervals)
        return {
            "name": self.name,
            "words": self.words,
            "tokens": self.tokens,
            "documents": self.documents,
            **scores,
            "case": None if self.case is None else self.case.to_dict(),
            "case_given_ends": None if self.case_given_ends is None else self.case_given_ends.to_dict(),
            "calibration": self.calibration.to_dict(),
            "calibration_if_exact": self.calibration_if_exact,
            "calibration_of_guesses": self.calibration_of_guesses.to_dict(),
            **({} if self.by_pause is None else {"by_pause": [score.to_dict() for score in self.by_pause]}),
        }

    def lines(self) -> Iterator[str]:
        """The table, line by line."""
        parts = "" if self.documents == 1 else f", {self.documents} documents"
        yield f"{self.name}: {self.words:,} words{parts}"
        yield f"  {'':<22}{'P':>7}{'R':>7}{'F1':>7}  {'95 %':<14}{'found':>8}{'given':>8}{'right':>8}"
        title = "three marks (folded)" if self.full_intervals is not None else "three marks"
        yield from _block(title, self.scores.folded, self.intervals)
        if self.full_intervals is not None:
            yield from _block("all marks", self.scores.full, self.full_intervals)
        yield "  other"
        yield _row("sentence ends", self.scores.boundaries)
        if self.case is not None:
            yield _row("case", self.case)
        if self.case_given_ends is not None:
            yield _row("case, ends given", self.case_given_ends)
        exact = f"  ({self.calibration_if_exact:.3f} if exact)"
        yield f"    {'calibration error':<20}{'':<14}{self.calibration.error:>7.3f}{exact}"
        yield f"    {'  of its own marks':<20}{'':<14}{self.calibration_of_guesses.error:>7.3f}"
        if self.by_pause is not None:
            yield f"  {'by the pause after the word, three marks':<83}{'words':>10}"
            for score in self.by_pause:
                yield f"{_row(score.pause, score.marks)}{score.words:>10,}"


@dataclass(frozen=True)
class Report:
    """A model on a benchmark."""

    benchmark: str
    splits: tuple[SplitReport, ...]
    temperature: float
    thresholds: dict[str, float]

    def table(self) -> str:
        """A plain-text table for people. ``found`` counts marks of the reference, ``given`` those of the model."""
        lines = [line for split in self.splits for line in (*split.lines(), "")]
        return "\n".join([self.benchmark, "", *lines]).rstrip()

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON has it; what is not known is ``null``."""
        return {
            "schema": "interpunct/evaluation-1",
            "benchmark": self.benchmark,
            "temperature": self.temperature,
            "thresholds": dict(self.thresholds),
            "splits": [split.to_dict() for split in self.splits],
        }


def _block(title: str, scores: MarkScores, intervals: Intervals) -> Iterator[str]:
    yield f"  {title}"
    for mark, score in scores.marks.items():
        yield _row(mark, score, intervals.marks[mark] if score.reference < _FEW else None)
    yield _row("micro", scores.micro, intervals.micro)
    yield f"    {'macro':<20}{'':<14}{scores.macro_f1:>7.3f}"
    yield f"    {'slot error rate':<20}{'':<14}{scores.slot_error_rate:>7.3f}"


def _row(name: str, score: Score, interval: Interval | None = None) -> str:
    between = f"{interval.low:.3f}–{interval.high:.3f}" if interval else ""
    figures = f"{score.precision:>7.3f}{score.recall:>7.3f}{score.f1:>7.3f}"
    return f"    {name:<20}{figures}  {between:<14}{score.reference:>8,}{score.guessed:>8,}{score.hits:>8,}"


def _intervals(intervals: Intervals) -> dict[str, Any]:
    def pair(interval: Interval) -> list[float]:
        return [interval.low, interval.high]

    return {
        "blocks": intervals.blocks,
        "micro": pair(intervals.micro),
        "marks": {mark: pair(interval) for mark, interval in intervals.marks.items()},
    }
