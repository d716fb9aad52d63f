"""Measure a model on a benchmark: one pass of the model, every figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..decoding import DEFAULT_THRESHOLDS, Floats, Posteriors, check_thresholds, fold_posteriors, given_an_end
from ..errors import InputError
from ..hooks import say
from ..marks import MARKS, NONE, THREE, MarkSet, fold
from .benchmarks import Document, Split, load
from .by_pause import PauseScore, pauses, score_by_pause
from .calibration import calibrate, exact_error
from .errors import Answered, Errors, find_errors
from .intervals import blocks_of, bootstrap
from .report import Report, SplitReport
from .scores import Ids, Score, as_ids, fold_ids, score_case, score_ids

if TYPE_CHECKING:
    from ..restorer import Restorer

__all__ = ["evaluate", "marks_as_restored"]


def evaluate(
    restorer: Restorer,
    spec: str,
    *,
    blocks: int = 1000,
    seed: int = 0,
    resamples: int = 1000,
    limit: int | None = None,
    thresholds: Mapping[str, float] | None = None,
    alpha: float | None = None,
    style: str | None = None,
    by: str | None = None,
    errors: bool = False,
) -> Report:
    """Score a model on the benchmark ``spec``, ``NAME:PATH``.

    Args:
        blocks: words a block of the bootstrap.
        limit: at most so many words of each split.
        thresholds: instead of the model's own, by mark; the others stay.
        alpha: the weight of the times of words, where the benchmark has them; 0 is the text alone.
        style: the style of marks that is asked for.
        by: ``"pause"`` for figures by the pause after the word too.
        errors: keep the wrong and the doubtful places of each split, as many as a page shows.

    Raises:
        InputError: there is no such benchmark, its files cannot be read, ``limit`` is not positive, a
            threshold is no probability or for no mark, or ``by`` is something else or asks for times
            that the benchmark lacks.
    """
    if by not in (None, "pause"):
        raise InputError(f"no figures by {by!r}: there are those by 'pause'")
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} words leaves nothing to score: give at least 1")
    check_thresholds(thresholds or {})
    splits = load(spec)
    if limit is not None:
        splits = tuple(split.first(limit) for split in splits)
    if by and not any(any(document.times or ()) for split in splits for document in split.documents):
        raise InputError(f"{spec}: no word has a time, so there are no pauses to part the figures by: try timed:FILE")
    how = _How(thresholds or {}, alpha, style)
    reports = []
    for split in splits:
        say(f"{spec}: {split.name}")
        answers = [_answer(restorer, document, how) for document in split.documents]
        report = _report(restorer, split, answers, blocks, seed, resamples)
        if by:
            report = replace(report, by_pause=_by_pause(split, answers))
        if errors:
            report = replace(report, errors=_errors(restorer, split, answers, how))
        reports.append(report)
    return Report(spec, tuple(reports), restorer.config.temperature, {**restorer.config.thresholds, **how.thresholds})


@dataclass(frozen=True)
class _How:
    """How the model is asked."""

    thresholds: Mapping[str, float]
    alpha: float | None
    style: str | None


@dataclass(frozen=True)
class _Answer:
    """What the model made of a document: one entry a word."""

    probabilities: Floats
    timed: npt.NDArray[np.bool_] | None
    """Where the times of the words had their say, by thresholds of their own."""
    marks: tuple[str, ...]
    spellings: Sequence[str] | None
    spellings_given_ends: Sequence[str] | None


def _answer(restorer: Restorer, document: Document, how: _How) -> _Answer:
    posteriors = restorer.posteriors(document.timed_words, alpha=how.alpha, style=how.style)
    marks = marks_as_restored(restorer, document, posteriors, how.thresholds)
    timed = None if posteriors.alpha is None else posteriors.alpha > 0
    if document.spellings is None:
        return _Answer(posteriors.marks, timed, marks, None, None)
    return _Answer(
        posteriors.marks,
        timed,
        marks,
        restorer.spell(document.words, posteriors, marks),
        restorer.spell(document.words, posteriors, document.word_marks),
    )


def marks_as_restored(
    restorer: Restorer, document: Document, posteriors: Posteriors, thresholds: Mapping[str, float] | None = None
) -> tuple[str, ...]:
    """The marks that ``restore`` would give a document, by name: a sentence ends with a turn and with the text,
    whatever the thresholds."""
    known = restorer.config.mark_set
    marks = restorer.decide(posteriors, thresholds)
    speakers = document.speakers or (None,) * len(marks)
    last = len(marks) - 1
    for i, mark in enumerate(marks):
        turn_ends = i == last or speakers[i] != speakers[i + 1]
        if turn_ends and (mark == NONE or not MARKS[mark].ends_sentence):
            likely = given_an_end(dict(zip(known.names, posteriors.marks[i].tolist(), strict=True)))
            marks[i] = max(likely, key=likely.__getitem__)
    return tuple(marks)


def _report(
    restorer: Restorer, split: Split, answers: Sequence[_Answer], blocks: int, seed: int, resamples: int
) -> SplitReport:
    documents = split.documents
    reference = np.concatenate([as_ids(document.marks) for document in documents])
    hypothesis = np.concatenate([_on_tokens(d, as_ids(a.marks)) for d, a in zip(documents, answers, strict=True)])
    if split.folded:  # else an output of "!" would count as no sentence end that the reference knows
        hypothesis = fold_ids(hypothesis)
    probabilities = fold_posteriors(np.concatenate([a.probabilities for a in answers]), restorer.config.mark_set)
    truth = np.concatenate([fold_ids(as_ids(document.word_marks)) for document in documents])
    cut = blocks_of(len(reference), blocks)
    return SplitReport(
        name=split.name,
        words=sum(len(document.words) for document in documents),
        tokens=len(reference),
        documents=len(documents),
        scores=score_ids(reference, hypothesis),
        intervals=bootstrap(fold_ids(reference), fold_ids(hypothesis), cut, resamples=resamples, seed=seed),
        full_intervals=None if split.folded else bootstrap(reference, hypothesis, cut, resamples=resamples, seed=seed),
        case=_case(documents, [answer.spellings for answer in answers]),
        case_given_ends=_case(documents, [answer.spellings_given_ends for answer in answers]),
        calibration=calibrate(probabilities, truth),
        calibration_if_exact=exact_error(probabilities, seed=seed),
        calibration_of_guesses=calibrate(probabilities, truth, of="guess"),
    )


def _on_tokens(document: Document, word_marks: Ids) -> Ids:
    """The output's marks at the scored tokens; ``NONE`` (0) at those that bear no word's mark."""
    if document.scored_at is None:
        return word_marks
    marks = np.zeros(len(document.marks), dtype=np.int64)
    marks[list(document.scored_at)] = word_marks
    return marks


def _by_pause(split: Split, answers: Sequence[_Answer]) -> tuple[PauseScore, ...]:
    return score_by_pause(
        np.concatenate([pauses(document.times, len(document.words)) for document in split.documents]),
        np.concatenate([as_ids(document.word_marks) for document in split.documents]),
        np.concatenate([as_ids(answer.marks) for answer in answers]),
    )


def _errors(restorer: Restorer, split: Split, answers: Sequence[_Answer], how: _How) -> Errors:
    config = restorer.config
    plain = _limits({**config.thresholds, **how.thresholds})

    def answered(document: Document, answer: _Answer) -> Answered:
        known, marks = config.mark_set, answer.marks
        probabilities: npt.NDArray[np.floating[Any]] = answer.probabilities
        if split.folded:  # as the figures have it
            known, marks = MarkSet.of(THREE), tuple(map(fold, marks))
            probabilities = fold_posteriors(probabilities, config.mark_set)
        limits = plain
        if answer.timed is not None:
            timed = _limits({**config.timing_thresholds, **how.thresholds})
            limits = np.where(answer.timed[:, None], timed, plain)
        spellings = None
        if document.spellings is not None and answer.spellings is not None:
            spellings = document.spellings, answer.spellings
        reference = document.word_marks
        return Answered(document.words, reference, marks, probabilities, known, limits, spellings, document.times)

    return find_errors(map(answered, split.documents, answers))


def _limits(thresholds: Mapping[str, float]) -> npt.NDArray[np.float64]:
    return np.array([thresholds.get(head, DEFAULT_THRESHOLDS[head]) for head in THREE])


def _case(documents: Sequence[Document], spellings: Sequence[Sequence[str] | None]) -> Score | None:
    """The case score over the documents whose reference has case; ``None`` where none has."""
    scores = [
        score_case(document.spellings, spelled)
        for document, spelled in zip(documents, spellings, strict=True)
        if document.spellings is not None and spelled is not None
    ]
    return reduce(Score.__add__, scores) if scores else None
