"""Turn ``interpunct evaluate … --json`` into the rows of docs/results.md.

interpunct evaluate en text:$DATA/text/en/qmsum.test.txt.xz --json | python scripts/results_table.py
"""

from __future__ import annotations

import json
import sys
from typing import Any

HEAD = (
    "| text | words | `,` | `.` | `?` | micro F1 (95 %) | slot error | sentence ends | case | case, ends given "
    "| calibration, its marks | reference or guess (if exact) |"
)


def row(split: dict[str, Any]) -> str:
    """One row of the table."""
    folded = split["folded"]
    marks = " | ".join(f"{100 * folded['marks'][mark]['f1']:.1f}" for mark in ("COMMA", "PERIOD", "QUESTION"))
    low, high = folded["intervals"]["micro"]
    return (
        f"| {split['name']} | {split['tokens']:,} | {marks} | **{100 * folded['micro']['f1']:.1f}** "
        f"({100 * low:.1f}–{100 * high:.1f}) | {100 * folded['slot_error_rate']:.1f} "
        f"| {100 * split['boundaries']['f1']:.1f} | {percent(split['case'])} | {percent(split['case_given_ends'])} "
        f"| {split['calibration_of_guesses']['error']:.3f} | {split['calibration']['error']:.3f} "
        f"({split['calibration_if_exact']:.3f}) |"
    )


def percent(score: dict[str, Any] | None) -> str:
    """An F1 in per cent; a dash where it is not known."""
    return "–" if score is None else f"{100 * score['f1']:.1f}"


def main() -> None:
    print(HEAD)
    print("|---|" + "---|" * (HEAD.count("|") - 2))
    for report in json.load(sys.stdin):
        for split in report["splits"]:
            print(row(split))


if __name__ == "__main__":
    main()
