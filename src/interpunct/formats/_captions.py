"""What the caption formats share: cues found in a text become a transcript, and printed words go back into them.

**Captions that roll.** Automatic captions show each line twice and more: a cue begins with the last lines of the
cue before, and cues of 10 ms stand between. Such a file says each word once and shows it in several places: the
transcript has it once, and what is printed for it goes to every place. See :func:`_repeats`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Segment, Source, Transcript, Word
from ._payload import PlacedWord, Syntax, placed_words, rewritten
from ._slots import other_number_of_words

__all__ = ["Dialect", "FoundCue", "Line", "checked", "checked_cues", "in_place", "lines_of", "transcript_of"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_TOUCHING = 0.1
"""Seconds between two cues of captions that roll: they follow each other at once."""
_BRIDGE = 0.0205
"""The longest that a cue which only bridges two others lasts: it has 10 ms."""
_MOST_REPEATED = 200
"""No more words than a screen holds are looked at as a repeat."""


class Line(NamedTuple):
    """A line without its end; ``number`` counts from 1."""

    text: str
    first: int
    stop: int
    number: int


class FoundCue(NamedTuple):
    """A cue of a file: its times in seconds (no ``end`` where the file gives none), and where its text stands."""

    start: float
    end: float | None
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class Dialect:
    """A caption format: its ``name`` for people and as a plug-in, what its text is made of, and where its cues are."""

    name: str
    format: str
    syntax: Syntax
    cues: Callable[[str], Iterable[FoundCue]]


class _Shown(NamedTuple):
    """A cue and the words that it shows; ``placed`` is ``None`` where nothing but words and spaces stands."""

    cue: FoundCue
    texts: list[str]
    placed: list[PlacedWord] | None


def lines_of(text: str) -> list[Line]:
    """The lines of a caption file. Only CR and LF end a line: U+2028 and the like may stand in a cue."""
    lines, first, number = [], 0, 1
    for end in _LINE_END.finditer(text):
        stop, after = end.span()
        lines.append(Line(text[first:stop], first, stop, number))
        first, number = after, number + 1
    return [*lines, Line(text[first:], first, len(text), number)]


def transcript_of(text: str, dialect: Dialect, language: str | None = None) -> Transcript:
    """The transcript of a caption file: a segment a cue; words have times only where the cue's text gives them."""
    shown = list(_shown(text, dialect))
    words: list[Word] = []
    segments = []
    for (cue, texts, placed), again in zip(shown, _repeats(text, shown, dialect.syntax), strict=True):
        first, speaker = len(words), None
        if placed is None:
            words += map(_untimed, texts[again:] if again else texts)
        else:
            new = placed[again:]
            speakers = {word.speaker for word in new}
            speaker = speakers.pop() if len(speakers) == 1 else None
            words += (Word(word.text, start=word.start, speaker=word.speaker) for word in new)
        segments.append(Segment(first, len(words), cue.start, cue.end, speaker))
    return Transcript(tuple(words), tuple(segments), language, Source(dialect.format, text))


def in_place(text: str, printed: Sequence[str], dialect: Dialect) -> str:
    """The caption file with its words, in order, replaced by ``printed`` wherever it shows them.

    Raises:
        InputError: there are more or fewer words than in the file, or a word cannot stand in such a file.
    """
    shown = list(_shown(text, dialect))
    repeats = _repeats(text, shown, dialect.syntax)
    words = sum(len(body.texts) for body in shown) - sum(repeats)
    if words != len(printed):
        raise other_number_of_words(len(printed), words)
    parts: list[str] = []
    expected: list[str] = []
    before: list[str] = []
    done = at = 0
    for body, again in zip(shown, repeats, strict=True):
        new = len(body.texts) - again
        before = [*before[len(before) - again :], *printed[at : at + new]]
        at += new
        expected += before
        if before != body.texts:
            parts.append(text[done : body.cue.first])
            done = body.cue.stop
            parts += _filled(text, body, before, dialect.syntax)
    return checked_cues("".join((*parts, text[done:])), expected, dialect)


def checked_cues(output: str, printed: Sequence[str], dialect: Dialect) -> str:
    """``output``, once its cues have shown the printed words again, as often as they stand there.

    Raises:
        InputError: a word cannot stand in such a file: it would be read as a tag or as times.
    """

    def shown(text: str) -> list[str]:
        return [word for body in _shown(text, dialect) for word in body.texts]

    return _checked(output, printed, shown, dialect.name)


def checked(output: str, printed: Sequence[str], read: Callable[[str], Transcript], name: str) -> str:
    """``output``, once reading it has given the printed words again.

    Raises:
        InputError: a word cannot stand in such a file: it would be read as a tag or as times.
    """
    return _checked(output, printed, lambda text: read(text).texts, name)


def _checked(output: str, printed: Sequence[str], words: Callable[[str], list[str]], name: str) -> str:
    expected = " ".join(printed).split()
    try:
        found = words(output)
    except FormatError as error:
        raise InputError(f"these words cannot stand in {name}: {error.problem}") from None
    if found != expected:
        pairs = zip(expected, [*found, *([""] * len(expected))], strict=False)
        odd = next((old for old, new in pairs if old != new), found[-1] if found else "")
        raise InputError(f"the word {odd!r} cannot stand in {name}: it is read as a tag or as times there")
    return output


@lru_cache(maxsize=1 << 14)
def _untimed(text: str) -> Word:
    return Word(text)  # frozen, so that one record may stand for all of its kind


def _shown(text: str, dialect: Dialect) -> Iterator[_Shown]:
    syntax = dialect.syntax
    special = syntax.special.search
    for cue in dialect.cues(text):
        if special(text, cue.first, cue.stop) is None:
            yield _Shown(cue, text[cue.first : cue.stop].split(), None)
        else:
            placed = list(placed_words(text, cue.first, cue.stop, syntax))
            yield _Shown(cue, [word.text for word in placed], placed)


def _filled(text: str, body: _Shown, printed: Sequence[str], syntax: Syntax) -> Iterator[str]:
    done = body.cue.first
    for word, new in zip(_placed(text, body, syntax), printed, strict=True):
        yield text[done : word.first]
        yield rewritten(text[word.first : word.stop], word.text, new, syntax)
        done = word.stop
    yield text[done : body.cue.stop]


def _placed(text: str, body: _Shown, syntax: Syntax) -> list[PlacedWord]:
    if body.placed is not None:
        return body.placed
    return list(placed_words(text, body.cue.first, body.cue.stop, syntax))


def _repeats(text: str, shown: list[_Shown], syntax: Syntax) -> list[int]:
    """How many words at the top of each cue were said in the cue before: none, unless the file rolls.

    People do say a line twice. So at least half of the cues that follow another at once must repeat it,
    and something must show that the file rolls: word times that the repeated words have in the first cue
    alone, cues that only bridge, or three lines that move up.
    """
    pairs = list(pairwise(shown))
    counts = [_overlap(text, before, after, syntax) for before, after in pairs]
    repeating = [(before, after, n) for (before, after), n in zip(pairs, counts, strict=True) if n]
    touching = sum(bool(a.texts and b.texts) and _touch(a.cue, b.cue) for a, b in pairs) if repeating else 0
    if not repeating or 2 * len(repeating) < touching or not _rolls(repeating):
        return [0] * len(shown)
    return [0, *counts]


def _rolls(repeating: list[tuple[_Shown, _Shown, int]]) -> bool:
    bridged, moved = set(), set()
    for before, after, n in repeating:
        if any(word.start is not None for word in (*(before.placed or ())[-n:], *(after.placed or ())[n:])):
            return True
        line = tuple(after.texts[:n])
        if n < len(after.texts):
            moved.add(line)
        elif after.cue.end is not None and after.cue.end - after.cue.start <= _BRIDGE:
            bridged.add(line)
    return len(bridged) >= 2 or len(moved) >= 3


def _touch(before: FoundCue, after: FoundCue) -> bool:
    return before.end is not None and before.start <= after.start <= before.end + _TOUCHING


def _overlap(text: str, before: _Shown, after: _Shown, syntax: Syntax) -> int:
    """How many words the whole lines have that end ``before`` and begin ``after``."""
    old, new = before.texts, after.texts
    if not new or new[0] not in old or not _touch(before.cue, after.cue):
        return 0
    if len(old) > _MOST_REPEATED:
        return 0
    for k, word in enumerate(old):
        n = len(old) - k
        if word == new[0] and old[k:] == new[:n] and _are_lines(text, before, after, k, n, syntax):
            return n
    return 0


def _are_lines(text: str, before: _Shown, after: _Shown, k: int, n: int, syntax: Syntax) -> bool:
    """Whether word ``k`` begins a line of ``before``, and the first ``n`` words of ``after``, which have no times
    of their own, are its first lines."""
    old, new = _placed(text, before, syntax), _placed(text, after, syntax)
    return (
        (k == 0 or _parted(text, old[k - 1].stop, old[k].first))
        and (n == len(new) or _parted(text, new[n - 1].stop, new[n].first))
        and not _parted(text, after.cue.first, new[0].first)
        and all(word.start is None for word in new[:n])
    )


def _parted(text: str, stop: int, first: int) -> bool:
    return _LINE_END.search(text, stop, first) is not None
