"""The table of punctuation marks. To add a mark, add one row, then name it in a recipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .errors import InputError

__all__ = ["MARKS", "NONE", "THREE", "Mark", "MarkSet", "fold", "mark_of_symbols"]

NONE = "NONE"


@dataclass(frozen=True, slots=True)
class Mark:
    """One punctuation mark.

    ``symbol`` is what is written after the word, ``also`` are other ways to write it that are read
    as the same mark, ``folds_to`` is the mark it counts as where only three are scored, and
    ``rank`` settles which mark a run such as ``?!`` or ``...,`` stands for: the highest wins.
    """

    name: str
    symbol: str
    also: tuple[str, ...]
    ends_sentence: bool
    folds_to: str
    rank: int


MARKS: dict[str, Mark] = {
    mark.name: mark
    for mark in (
        Mark("PERIOD", ".", ("…", "。", "．", "।", "۔"), True, "PERIOD", 1),
        Mark("COMMA", ",", ("，", "、", "،"), False, "COMMA", 3),
        Mark("QUESTION", "?", ("？", "؟", "⁇", "⁈"), True, "QUESTION", 7),
        Mark("EXCLAMATION", "!", ("！", "‼", "⁉"), True, "PERIOD", 6),
        Mark("COLON", ":", ("：",), False, "COMMA", 4),
        Mark("SEMICOLON", ";", ("；", "؛"), False, "PERIOD", 5),
        Mark("DASH", " –", ("–", "—", "--", "―", "⸺"), False, "COMMA", 2),
    )
}

_BY_CHARACTER = {
    symbol: mark for mark in MARKS.values() for symbol in (mark.symbol.strip(), *mark.also) if len(symbol) == 1
}


def mark_of_symbols(symbols: str) -> str:
    """The mark that a run of punctuation stands for; ``NONE`` when it holds none.

    >>> mark_of_symbols("...?"), mark_of_symbols(".,"), mark_of_symbols("--"), mark_of_symbols("”")
    ('QUESTION', 'COMMA', 'DASH', 'NONE')
    """
    best: Mark | None = None
    for character in symbols:
        mark = _BY_CHARACTER.get(character)
        if mark and (best is None or mark.rank > best.rank):
            best = mark
    if best is None:
        return "DASH" if "--" in symbols else NONE
    return best.name


def fold(mark: str) -> str:
    """The mark of the three-mark figures: ``!`` ``;`` count as PERIOD, ``:`` and dashes as COMMA."""
    return NONE if mark == NONE else MARKS[mark].folds_to


THREE: tuple[str, ...] = tuple(dict.fromkeys(fold(mark) for mark in MARKS))
"""The marks that all fold to."""


@dataclass(frozen=True, slots=True)
class MarkSet:
    """The marks that a model knows, in the order of its outputs; ``NONE`` is always output 0."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, marks: Sequence[str]) -> MarkSet:
        """Build the set from mark names as a recipe or a model's config gives them.

        Raises:
            InputError: a name is unknown or given twice.
        """
        names = tuple(name for name in marks if name != NONE)
        for name in names:
            if name not in MARKS:
                raise InputError(f"unknown mark {name!r}; the marks are {', '.join(MARKS)}")
        if len(set(names)) != len(names):
            raise InputError(f"a mark is named twice in {list(marks)}")
        return cls((NONE, *names))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def id(self, mark: str) -> int:
        """The output of ``mark``; a mark outside the set is read as the one it folds to, else NONE."""
        if mark in self.names:
            return self.names.index(mark)
        folded = fold(mark)
        return self.names.index(folded) if folded in self.names else 0
