"""Praat's TextGrid, in its long and its short text form: tiers of intervals with labels.

Which tiers hold the words: those with ``word`` in their name; else those called after utterances
(``phrase``, ``sentence``, ``text``, …); else the only tier of intervals that has labels. Several such tiers are
several speakers, named by what else the tier's name says; their intervals are taken in order of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..errors import FormatError, InputError
from ..transcript import Segment, Source, Transcript, Word
from ._slots import own_text, printed
from ._spliced import Slot, checked, is_noise, spliced, squeezed
from ._times import plain

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Praat's TextGrid, long or short"
EXTENSIONS = (".textgrid",)
HOLDS = frozenset({"starts", "ends", "speakers"})
EXAMPLE = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
    '0\n0.5\n<exists>\n1\n"IntervalTier"\n"words"\n0\n0.5\n2\n0\n0.3\n"so"\n0.3\n0.5\n""'
)

_TOKEN = re.compile(r'"(?:[^"]|"")*"|"|![^\r\n]*|[^\s"]+')
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]*)?(?:[eE]-?[0-9]{1,3})?")
_HEAD = re.compile(r'\s*(?:File type = )?"ooTextFile(?: short)?"\s+(?:Object class = )?"TextGrid"')
_OF_WORDS = re.compile(r"words?", re.IGNORECASE)
_OF_UTTERANCES = re.compile(
    r"phrases?|utterances?|sentences?|segments?|transcript(?:ion)?s?|text|ortho\w*|ort|speech|turns?", re.IGNORECASE
)
_AROUND = " \t-–_:/.()[]"
_SILENCE = {"sil", "sp", "spn", "silence", "<p:>", "xxx"}


class _Token(NamedTuple):
    text: str
    first: int
    stop: int


class _Interval(NamedTuple):
    start: float
    end: float
    words: list[Slot]


@dataclass
class _Tier:
    """A tier of intervals."""

    name: str
    intervals: list[_Interval] = field(default_factory=list)


class _Label(NamedTuple):
    """An interval that holds words, and who says them."""

    interval: _Interval
    speaker: str | None


def sniff(text: str) -> bool:
    """Whether the head is that of a TextGrid in a text file."""
    return _HEAD.match(text) is not None


def read(text: str) -> Transcript:
    """The words of the tiers of words: an interval's label, with its times. Empty intervals are silence.

    In a tier of utterances, each interval is a segment, whose words have no times.

    Raises:
        FormatError: not such a file, or no tier, or several, that could hold the words; it names them.
    """
    labels, timed = _labels(text)
    words: list[Word] = []
    segments = []
    for (start, end, slots), speaker in labels:
        first, last = len(words), len(slots) - 1
        for k, slot in enumerate(slots):
            begin, stop = start if timed and k == 0 else None, end if timed and k == last else None
            words.append(Word(_label(text[slot.first : slot.stop]), begin, stop, speaker))
        if not timed:
            segments.append(Segment(first, len(words), start, end, speaker))
    return Transcript(tuple(words), tuple(segments), None, Source("textgrid", text))


def write(transcript: Transcript) -> str:
    """The same file with the words replaced; from another format, a tier of words for each speaker.

    Raises:
        InputError: words have no times or overlap, or one would be read as silence or a noise.
    """
    texts, own = squeezed(printed(transcript)), own_text(transcript, "textgrid")
    if own is None:
        return checked(_new(transcript, texts), texts, read, "a TextGrid")
    slots = [slot for label in _labels(own)[0] for slot in label.interval.words]
    return checked(spliced(own, slots, texts, _quoted), texts, read, "a TextGrid")


# --- reading ---------------------------------------------------------------------------------------


def _label(text: str) -> str:
    return text.replace('""', '"')


def _quoted(text: str) -> str:
    return text.replace('"', '""')


class _Reader:
    """The strings, numbers and flags of a file, one after the other: all that Praat looks at."""

    def __init__(self, text: str) -> None:
        self.text, self._tokens, self._at = text, _telling(text), 0

    def number(self, what: str) -> float:
        token = self._next(what)
        if not _NUMBER.fullmatch(token.text):
            raise self._error(f"{token.text[:40]} stands where {what} is expected", token.first)
        return float(token.text)

    def count(self, what: str) -> int:
        number = self.number(what)
        if not 0 <= number < 1e9 or not number.is_integer():
            raise self._error(f"{number} cannot be {what}", self._at)
        return int(number)

    def string(self, what: str) -> _Token:
        token = self._next(what)
        if len(token.text) < 2 or token.text[0] != '"':
            raise self._error(f"{token.text[:40]} stands where {what} is expected", token.first)
        return token

    def interval(self) -> _Interval:
        start, end = self.number("the start of an interval"), self.number("the end of an interval")
        label = self.string("the label of an interval")
        if end < start or abs(start) >= 1e9 or abs(end) >= 1e9:
            raise self._error(f"an interval cannot last from {start} to {end}", label.first)
        found = re.finditer(r"\S+", self.text[label.first + 1 : label.stop - 1])
        at = label.first + 1
        return _Interval(start, end, [Slot(at + m.start(), at + m.end()) for m in found if not _is_no_word(m[0])])

    def rest(self) -> bool:
        return next(self._tokens, None) is not None

    def _next(self, what: str) -> _Token:
        token = next(self._tokens, None)
        if token is None:
            raise self._error(f"the file ends where {what} is expected", len(self.text))
        self._at = token.first
        return token

    def _error(self, problem: str, at: int) -> FormatError:
        return FormatError(problem, line=self.text.count("\n", 0, at) + 1)


def _is_no_word(token: str) -> bool:
    return token.lower() in _SILENCE or is_noise(token)


def _telling(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token[0] == '"' or token == "<exists>" or token == "<absent>" or _NUMBER.fullmatch(token):
            yield _Token(token, *found.span())


def _tiers(text: str) -> list[_Tier]:
    """The tiers of intervals; tiers of points hold no words."""
    if not sniff(text):
        raise FormatError('this is no TextGrid: it does not begin with "ooTextFile" and "TextGrid"', line=1)
    reader, tiers = _Reader(text), []
    reader.string("the file type"), reader.string("the class")
    reader.number("the start of the file"), reader.number("its end")
    if reader._next("<exists>").text != "<exists>":
        raise FormatError("this TextGrid has no tiers")
    for _ in range(reader.count("the number of tiers")):
        kind, name = reader.string("the kind of a tier"), reader.string("the name of a tier")
        reader.number("the start of a tier"), reader.number("its end")
        size = reader.count("the number of intervals")
        if kind.text == '"IntervalTier"':
            tiers.append(_Tier(_label(name.text[1:-1]), [reader.interval() for _ in range(size)]))
        elif kind.text == '"TextTier"':
            for _ in range(size):
                reader.number("the time of a point"), reader.string("the label of a point")
        else:
            raise reader._error(f"{kind.text[:40]} is no kind of tier", kind.first)
    if reader.rest():
        raise FormatError("more stands in the file than its tiers have intervals")
    return tiers


def _labels(text: str) -> tuple[list[_Label], bool]:
    """The intervals that hold words, in order, and whether their times are those of words."""
    tiers = _tiers(text)
    chosen, pattern = _chosen(tiers)
    labels = [
        _Label(interval, _speaker(tier.name, pattern))
        for tier in chosen
        for interval in tier.intervals
        if interval.words
    ]
    of_words = pattern is _OF_WORDS or (pattern is None and all(len(label.interval.words) == 1 for label in labels))
    if len(chosen) > 1:
        labels.sort(key=lambda label: label.interval.start)
    return labels, of_words


def _chosen(tiers: list[_Tier]) -> tuple[list[_Tier], re.Pattern[str] | None]:
    for pattern in (_OF_WORDS, _OF_UTTERANCES):
        named = [tier for tier in tiers if _named(tier.name, pattern)]
        if named:
            return named, pattern
    full = [tier for tier in tiers if any(interval.words for interval in tier.intervals)]
    if len(full) > 1:
        names = ", ".join(repr(tier.name) for tier in full)
        raise FormatError(f"which tier holds the words? There are {names}: call the right one 'words'")
    return full, None


def _named(name: str, pattern: re.Pattern[str]) -> bool:
    return re.search(rf"(?<![^\W_])(?:{pattern.pattern})(?![^\W_])", name, re.IGNORECASE) is not None


def _speaker(name: str, pattern: re.Pattern[str] | None) -> str | None:
    """What the name of a tier says besides: ``Anna - words`` is Anna."""
    if pattern is None:
        return None
    rest = re.sub(rf"(?<![^\W_])(?:{pattern.pattern})(?![^\W_])", "", name, flags=re.IGNORECASE)
    return rest.strip(_AROUND) or None


# --- a new file ------------------------------------------------------------------------------------


def _new(transcript: Transcript, texts: list[str]) -> str:
    tiers: dict[str, list[tuple[float, float, str]]] = {}
    for word, text in zip(transcript.words, texts, strict=True):
        if word.start is None or word.end is None:
            raise InputError(f"the word {text!r} has no times, and a TextGrid needs those of each word")
        tiers.setdefault(f"{word.speaker} - words" if word.speaker else "words", []).append(
            (word.start, word.end, text)
        )
    end = max((end for tier in tiers.values() for _, end, _ in tier), default=0.0)
    head = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", plain(end), "<exists>", str(len(tiers))]
    body = [line for name, words in tiers.items() for line in _new_tier(name, words, end)]
    return "\n".join((*head, *body, ""))


def _new_tier(name: str, words: list[tuple[float, float, str]], end: float) -> list[str]:
    rows: list[tuple[float, float, str]] = []
    now = 0.0
    for start, stop, text in words:
        if not now <= start < stop:
            raise InputError(
                f"the word {text!r} has the times {start} to {stop}, after {now}: intervals follow each other"
            )
        rows += [(now, start, "")] * (now < start) + [(start, stop, text)]
        now = stop
    rows += [(now, end, "")] * (now < end)
    lines = ['"IntervalTier"', f'"{_quoted(name)}"', "0", plain(end), str(len(rows))]
    return lines + [x for start, stop, text in rows for x in (plain(start), plain(stop), f'"{_quoted(text)}"')]
