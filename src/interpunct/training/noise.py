"""What a recogniser does to words, done to training text: errors, fillers, spelled numbers, parted compounds.

Each function takes and returns a window of :class:`Sample` words. A mark never gets lost with a word
that is dropped: the sentence ends where it ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..languages._numbers import spell

__all__ = ["Noise", "Sample", "disturb"]

LOWER_ID, TITLE_ID = 0, 1
IGNORED = -100
FILLERS = frozenset("uh um er erm uhm hmm mm ah eh".split())
_FILLERS = ("uh", "um", "er", "erm", "uh", "um")
_COMPOUND = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)+")


class Sample(NamedTuple):
    """A word of a training window: its form, mark id (0 = none), case id, and whether the mark ends a sentence."""

    form: str
    mark: int
    case: int
    ends: bool


@dataclass(frozen=True)
class Noise:
    """How often a window is disturbed (shares of windows), and how much (shares of words)."""

    errors: float = 0.15
    """Windows with recogniser-like errors …"""
    error_rate: tuple[float, float] = (0.05, 0.20)
    """… at a word error rate drawn from this range."""
    spell_numbers: float = 0.5
    drop_fillers: float = 0.3
    part_compounds: float = 0.3
    hesitate: float = 0.0
    """Windows with fillers put in, and words said twice …"""
    hesitation_rate: tuple[float, float] = (0.01, 0.08)
    """… at so many of the words."""


def disturb(
    window: list[Sample], noise: Noise, random: np.random.Generator, other_word: Callable[[], str]
) -> list[Sample]:
    """Disturb one window. ``other_word`` draws a word of the corpus, by its frequency."""
    drops, spells, parts, errs, hesitates = random.random(5)
    if drops < noise.drop_fillers:
        window = _without(window, lambda sample: sample.form.lower() in FILLERS)
    if spells < noise.spell_numbers:
        window = [part for sample in window for part in _spelled(sample)]
    if parts < noise.part_compounds:
        window = [part for sample in window for part in _parted(sample)]
    if hesitates < noise.hesitate:
        window = _hesitant(window, random.uniform(*noise.hesitation_rate), random)
    if errs < noise.errors:
        window = _misheard(window, random.uniform(*noise.error_rate), random, other_word)
    return window


def _without(window: list[Sample], unwanted: Callable[[Sample], bool]) -> list[Sample]:
    kept: list[Sample] = []
    for sample in window:
        if unwanted(sample):
            _drop(kept, sample)
        else:
            kept.append(sample)
    return kept


def _drop(before: list[Sample], sample: Sample) -> None:
    """Leave a word out: if a sentence ends with it, it now ends with the word before."""
    if before and sample.ends and not before[-1].ends:
        before[-1] = before[-1]._replace(mark=sample.mark, ends=True)


def _spelled(sample: Sample) -> list[Sample]:
    if not any(c.isdigit() for c in sample.form):
        return [sample]
    words = spell(sample.form, "en")
    if words is None:
        return [sample]
    return [Sample(word, 0, LOWER_ID, False) for word in words[:-1]] + [sample._replace(form=words[-1], case=LOWER_ID)]


def _parted(sample: Sample) -> list[Sample]:
    if "-" not in sample.form or not _COMPOUND.fullmatch(sample.form):
        return [sample]
    parts = sample.form.split("-")
    first_case = TITLE_ID if parts[0][:1].isupper() else LOWER_ID
    rest = [Sample(part, 0, TITLE_ID if part[:1].isupper() else LOWER_ID, False) for part in parts[1:]]
    return [Sample(parts[0], 0, first_case, False), *rest[:-1], rest[-1]._replace(mark=sample.mark, ends=sample.ends)]


def _hesitant(window: list[Sample], rate: float, random: np.random.Generator) -> list[Sample]:
    """Put a filler before a word, or say the word twice; what is put in has no mark, and no case to learn."""
    out: list[Sample] = []
    fates = random.random(len(window)) / rate
    for sample, fate in zip(window, fates, strict=True):
        if fate >= 1.0:
            out.append(sample)
            continue
        form = _FILLERS[int(random.integers(len(_FILLERS)))] if fate < 0.6 else sample.form
        begins = not out or out[-1].ends  # the sentence now begins with what was put in
        out += [Sample(form, 0, IGNORED, False), sample._replace(case=IGNORED) if begins else sample]
    return out


def _misheard(
    window: list[Sample], rate: float, random: np.random.Generator, other_word: Callable[[], str]
) -> list[Sample]:
    """Substitute (half of the errors), drop (three tenths) and insert (two tenths)."""
    out: list[Sample] = []
    fates = random.random(len(window)) / rate
    for sample, fate in zip(window, fates, strict=True):
        if fate < 0.5:
            out.append(sample._replace(form=other_word(), case=IGNORED))
        elif fate < 0.8:
            _drop(out, sample)
        elif fate < 1.0:
            out += [Sample(other_word(), 0, IGNORED, False), sample]
        else:
            out.append(sample)
    return out
