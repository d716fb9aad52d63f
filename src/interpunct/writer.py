"""From decided marks and cases to words as printed. Nothing but letter case and marks is ever changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from . import casing
from .casing import CASES, LOWER, MIXED, TITLE
from .decoding import choose_case, given_an_end
from .marks import MARKS, NONE, MarkSet, mark_of_symbols
from .reader import Item
from .transcript import RestoredWord

__all__ = ["Decided", "Speller", "write_words"]


class Decided(NamedTuple):
    """What was decided of one word, and from what; probabilities in the order of the mark set."""

    mark: str
    marks: list[float]
    cases: list[float]
    end: float
    """The text's probability that a sentence ends after it: the one that its case probabilities reckon with."""
    text: list[float] | None = None
    timing: list[float] | None = None
    """What text and times thought; ``None`` where there are no times."""
    alpha: float | None = None


@dataclass(frozen=True)
class Speller:
    """Spells words in a case. ``lexicon``: words with capitals inside, by their lower-case form;
    ``always``: a language's words that are written in one way only (``i`` → ``I``)."""

    lexicon: Mapping[str, str]
    always: Mapping[str, str]

    def spell(self, word: str, cases: list[float], starts: bool, end_before: float) -> tuple[str, str]:
        """The word as spelled, and its case class; see :func:`~interpunct.decoding.choose_case`."""
        plain = casing.lower(word)
        fixed = self.always.get(plain.replace("’", "'"))
        if fixed is not None:
            return casing.apply(word, TITLE), TITLE
        case = choose_case(cases, starts, end_before)
        if case != LOWER and plain in self.lexicon:
            case = MIXED
        return casing.apply(word, case, self.lexicon), case


def write_words(
    items: Iterable[Item],
    decided: Iterable[Decided],
    marks: MarkSet,
    speller: Speller,
    existing: str,
    final_mark: bool,
) -> Iterator[RestoredWord]:
    """Write a stream of words: one ahead is read, to see whether a speaker or the text ends."""
    answers = iter(decided)
    starts, end_before = True, 1.0
    for item, following in _pairs(items):
        if not item.word:  # a token of punctuation: it passes
            yield RestoredWord(*_fields(item), mark=item.existing, written=item.source.text)
            continue
        decision = next(answers)
        mark = decision.mark
        probabilities = mixture = dict(zip(marks.names, decision.marks, strict=True))
        turn_ends = following is None or following.turn or following.source.speaker != item.source.speaker
        if turn_ends and final_mark and item.open:
            probabilities = given_an_end(mixture)
            if mark == NONE or not MARKS[mark].ends_sentence:
                mark = max(probabilities, key=probabilities.__getitem__)
        mark = _settle(item, mark)
        spelled, case = _case(item, decision.cases, speller, existing, starts, end_before)
        yield RestoredWord(
            *_fields(item),
            mark=mark,
            case=case,
            written=item.written.before + spelled + _after(item, mark, existing),
            probabilities=probabilities,
            case_probabilities=dict(zip(CASES, decision.cases, strict=True)),
            evidence=_evidence(decision, marks, mixture),
            alpha=decision.alpha,
        )
        starts = turn_ends or (mark != NONE and MARKS[mark].ends_sentence)
        end_before = decision.end


def _evidence(decision: Decided, marks: MarkSet, mixture: Mapping[str, float]) -> dict[str, Mapping[str, float]]:
    """What each source thought: the text alone where it alone was asked."""
    if decision.text is None or decision.timing is None:
        return {"text": mixture}
    return {
        "text": dict(zip(marks.names, decision.text, strict=True)),
        "timing": dict(zip(marks.names, decision.timing, strict=True)),
    }


def _pairs(items: Iterable[Item]) -> Iterator[tuple[Item, Item | None]]:
    """Each item with the next one that holds a word."""
    held: list[Item] = []
    for item in items:
        if item.word:
            yield from ((old, item) for old in held)
            held = []
        held.append(item)
    yield from ((old, None) for old in held)


def _fields(item: Item) -> tuple[str, float | None, float | None, str | None, float | None]:
    word = item.source
    return word.text, word.start, word.end, word.speaker, word.confidence


def _settle(item: Item, mark: str) -> str:
    """The mark after a word: the one that is there, the one that was decided, or none where none may be added."""
    if item.existing != NONE:
        return item.existing
    return mark if item.open else NONE


def _case(
    item: Item, cases: list[float], speller: Speller, existing: str, starts: bool, end_before: float
) -> tuple[str, str]:
    word = item.word
    given = casing.observe(word) or LOWER
    if not item.recase or (item.written.abbreviated and len(word) == 1):
        return word, given  # the dot of an initial would end a sentence if its letter were a small one
    spelled, case = speller.spell(word, cases, starts, end_before)
    if given != LOWER and not item.all_caps and existing != "replace":
        return word, given  # a capital that is there is kept
    return spelled, case


def _after(item: Item, mark: str, existing: str) -> str:
    """What stands behind the word: what stood there, and the new mark."""
    after = item.written.after
    if existing == "replace":
        own_dot = "." if item.written.abbreviated else ""
        after = own_dot + "".join(c for c in after if mark_of_symbols(c) == NONE and c not in "-")
    if mark in (NONE, item.existing):
        return after
    symbol = MARKS[mark].symbol
    if symbol == "." and after[:1] == ".":
        return after  # u.s.a. at the end of a sentence has one dot
    return after + symbol
