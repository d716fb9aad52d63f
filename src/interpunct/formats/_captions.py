"""What SRT and WebVTT share: cues found in a text become a transcript, and printed words go back into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Segment, Source, Transcript, Word
from ._payload import PlacedWord, Syntax, placed_words, rewritten
from ._slots import other_number_of_words

__all__ = ["FoundCue", "Line", "checked", "in_place", "lines_of", "transcript_of"]

_LINE_END = re.compile(r"\r\n|\r|\n")


class Line(NamedTuple):
    """A line without its end; ``number`` counts from 1."""

    text: str
    first: int
    stop: int
    number: int


class FoundCue(NamedTuple):
    """A cue of a file: its times in seconds, and where its text stands."""

    start: float
    end: float
    first: int
    stop: int


def lines_of(text: str) -> list[Line]:
    """The lines of a caption file. Only CR and LF end a line: U+2028 and the like may stand in a cue."""
    ends = [(end.start(), end.end()) for end in _LINE_END.finditer(text)]
    firsts = [0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(text)]
    return [Line(text[a:b], a, b, n) for n, (a, b) in enumerate(zip(firsts, stops, strict=True), start=1)]


def transcript_of(
    text: str, cues: Iterable[FoundCue], syntax: Syntax, format: str, language: str | None = None
) -> Transcript:
    """The transcript of a caption file: a segment a cue; words have times only where the cue's text gives them."""
    words: list[Word] = []
    segments = []
    for cue in cues:
        placed = list(placed_words(text, cue.first, cue.stop, syntax))
        speakers = {word.speaker for word in placed}
        speaker = speakers.pop() if len(speakers) == 1 else None
        segments.append(Segment(len(words), len(words) + len(placed), cue.start, cue.end, speaker))
        words += (Word(word.text, start=word.start, speaker=word.speaker) for word in placed)
    return Transcript(tuple(words), tuple(segments), language, Source(format, text))


def in_place(text: str, cues: Iterable[FoundCue], syntax: Syntax, printed: Sequence[str]) -> str:
    """The caption file with its words, in order, replaced by ``printed``.

    Raises:
        InputError: there are more or fewer words than in the file.
    """
    placed: list[PlacedWord] = list(
        chain.from_iterable(placed_words(text, cue.first, cue.stop, syntax) for cue in cues)
    )
    if len(placed) != len(printed):
        raise other_number_of_words(len(printed), len(placed))
    parts: list[str] = []
    done = 0
    for word, new in zip(placed, printed, strict=True):
        parts += (text[done : word.first], rewritten(text[word.first : word.stop], word.text, new, syntax))
        done = word.stop
    return "".join((*parts, text[done:]))


def checked(output: str, printed: Sequence[str], read: Callable[[str], Transcript], name: str) -> str:
    """``output``, once reading it has given the printed words again.

    Raises:
        InputError: a word cannot stand in such a file: it would be read as a tag or as times.
    """
    expected = " ".join(printed).split()
    try:
        found = read(output).texts
    except FormatError as error:
        raise InputError(f"these words cannot stand in {name}: {error.problem}") from None
    if found != expected:
        pairs = zip(expected, [*found, *([""] * len(expected))], strict=False)
        odd = next((old for old, new in pairs if old != new), found[-1] if found else "")
        raise InputError(f"the word {odd!r} cannot stand in {name}: it is read as a tag or as times there")
    return output
