"""``--doubtful``: one line on stderr for each place where the two best marks are close."""

from __future__ import annotations

from ..marks import MARKS, NONE
from ..transcript import Restored, RestoredWord

__all__ = ["MARGIN", "show"]

MARGIN = 0.25
"""A place is doubtful when its second best mark is at most this much less likely than its best."""
_BEFORE, _AFTER = 4, 3


def show(result: Restored) -> None:
    """Print the doubtful places of a result."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    places = [i for i, word in enumerate(result.words) if _is_doubtful(word)]
    for i in places:
        word = result.words[i]
        (first, p), (second, q) = _best_two(word)
        line = Text(f"{_place(i, word):>9}  ")
        line.append(" ".join(result.texts[max(0, i - _BEFORE) : i]) + " ", style="dim")
        line.append(word.written, style="bold reverse")
        line.append(" " + " ".join(result.texts[i + 1 : i + 1 + _AFTER]), style="dim")
        line.append(f"   {_name(first)} {p:.0%}", style="green")
        line.append(f"  {_name(second)} {q:.0%}", style="yellow")
        console.print(line)
    console.print(f"{len(places)} of {len(result.words)} places are doubtful")


def _is_doubtful(word: RestoredWord) -> bool:
    if len(word.probabilities) < 2:
        return False
    (_, p), (_, q) = _best_two(word)
    return p - q <= MARGIN


def _best_two(word: RestoredWord) -> tuple[tuple[str, float], tuple[str, float]]:
    best, second, *_ = sorted(word.probabilities.items(), key=lambda pair: -pair[1])
    return best, second


def _name(mark: str) -> str:
    return "no mark" if mark == NONE else f"{mark.lower()} {MARKS[mark].symbol.strip()}"


def _place(i: int, word: RestoredWord) -> str:
    if word.start is None:
        return f"word {i}"
    return f"{int(word.start // 60)}:{word.start % 60:05.2f}"
