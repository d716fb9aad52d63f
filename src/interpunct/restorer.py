"""The whole flow: words in, words with marks and case out."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from . import languages
from .casing import CASES
from .decoding import Posteriors, check_thresholds, decide, sentence_end_mass, softmax
from .engines.local import map_threads
from .errors import InputError
from .formats import read
from .marks import MARKS, NONE
from .pretrained import ModelConfig, check_files, find, load_config, load_lexicon
from .reader import items, may_be_recased, turns_of
from .text.onnx import OnnxTextModel
from .transcript import Restored, RestoredWord, Transcript, Word, as_words, each_word
from .windows import STITCHES, Stitch, Window, cut, stitch
from .writer import Speller, write_words

__all__ = ["EXISTING", "Existing", "Restorer"]

Existing = Literal["keep", "fill", "replace"]
EXISTING: tuple[Existing, ...] = ("keep", "fill", "replace")
Words = str | Sequence[str] | Sequence[Word] | Transcript | Path


@dataclass(frozen=True)
class Restorer:
    """A model, ready to restore. Make one with :meth:`from_pretrained`; threads may share it."""

    config: ModelConfig
    model: OnnxTextModel = field(repr=False)
    speller: Speller = field(repr=False)
    threads: int = 1
    stitching: Stitch = "centre"

    @classmethod
    def from_pretrained(cls, name: str = "en", *, threads: int | None = None, allow_download: bool = False) -> Restorer:
        """Load a model.

        Args:
            name: a bundled model, a language code (the bundled model that has it), a folder, or a hub id.
            threads: windows run side by side; default 1 a core, at most 4.
            allow_download: whether a hub id may be fetched.

        Raises:
            ModelError: there is no such model, or its files are missing, broken or altered.
            InputError: ``threads`` is not positive.
        """
        import os

        if threads is None:
            threads = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
        if threads < 1:
            raise InputError(f"threads={threads}: at least one is needed")
        folder = find(name, allow_download=allow_download)
        config = load_config(folder)
        check_files(folder, config)
        model = OnnxTextModel(folder / "model.onnx", folder / "tokenizer.json", positions=config.positions)
        model.check(len(config.mark_set), len(CASES))
        always = languages.get(name if name in config.languages else config.languages[0]).always
        return cls(config, model, Speller(load_lexicon(folder), always), threads)

    def restore(
        self,
        words: Words,
        *,
        audio: Any = None,
        language: str | None = None,
        existing: Existing = "keep",
        thresholds: Mapping[str, float] | None = None,
        alpha: float | None = None,
        style: str | None = None,
        final_mark: bool = True,
    ) -> Restored:
        """Give words their marks and case.

        Args:
            words: a text, words, a transcript, or the path of one (a ``str`` is a text, never a path).
            language: one of the model's; default its first.
            existing: what becomes of marks that are there: ``keep`` them and add those that are missing,
                ``fill`` only stretches without marks, ``replace`` them all.
            thresholds: overrides of the model's own, such as ``{"COMMA": 0.4}``.
            final_mark: whether the last word must end a sentence; ``False`` for fragments.

        Raises:
            InputError: an argument cannot be used, or the model has no part for it.
        """
        self._check(audio, language, existing, thresholds, alpha, style)
        transcript = read(words) if isinstance(words, Path) else as_words(words)
        turns = turns_of(transcript)
        flow = self._flow(transcript.words, existing, thresholds or {}, final_mark, self.threads, turns)
        return _collect(transcript, flow, language or transcript.language or self.config.languages[0])

    def restore_many(self, many: Iterable[Words], **options: Any) -> Iterator[Restored]:
        """Restore each of many, in order; takes what :meth:`restore` takes. Texts run side by side."""
        if isinstance(many, str | bytes | Transcript) or not isinstance(many, Iterable):
            raise InputError("restore_many takes several texts, such as a list of them; restore takes one")
        alone = replace(self, threads=1)
        return map_threads(lambda words: alone.restore(words, **options), many, self.threads)

    def restore_stream(
        self,
        words: Iterable[Word],
        *,
        language: str | None = None,
        existing: Existing = "keep",
        thresholds: Mapping[str, float] | None = None,
        final_mark: bool = True,
    ) -> Iterator[RestoredWord]:
        """Like :meth:`restore` for words that come one by one, of any number: holds a few windows at a time."""
        self._check(None, language, existing, thresholds, None, None)
        return self._flow(each_word(words), existing, thresholds or {}, final_mark, self.threads)

    def posteriors(self, words: Sequence[str]) -> Posteriors:
        """What the model thinks of a stream of words, before anything is decided."""
        blocks = list(self._posteriors(words, self.threads))
        if not blocks:
            empty = np.zeros((0, len(self.config.mark_set)), np.float32)
            return Posteriors(empty, np.zeros((0, len(CASES)), np.float32))
        return Posteriors(np.concatenate([b.marks for b in blocks]), np.concatenate([b.cases for b in blocks]))

    def spell(self, words: Sequence[str], posteriors: Posteriors, marks: Sequence[str]) -> list[str]:
        """Each word in its case, when ``marks`` (by name) stand after the words. The words come without marks."""
        ends = sentence_end_mass(posteriors.marks, self.config.mark_set).tolist()
        spelled, starts, end_before = [], True, 1.0
        for word, cases, mark, end in zip(words, posteriors.cases.tolist(), marks, ends, strict=True):
            if may_be_recased(word, self.config.scripts):
                spelled.append(self.speller.spell(word, cases, starts, end_before)[0])
            else:
                spelled.append(word)
            starts, end_before = mark != NONE and MARKS[mark].ends_sentence, end
        return spelled

    def _flow(
        self,
        words: Iterable[Word],
        existing: Existing,
        thresholds: Mapping[str, float],
        final_mark: bool,
        threads: int,
        turns: Collection[int] = frozenset(),
    ) -> Iterator[RestoredWord]:
        """Words → items → posteriors and marks → written words: every step takes and gives a stream."""
        for_model, for_writing = itertools.tee(items(words, self.config.scripts, existing, turns))
        blocks = self._posteriors((item.word for item in for_model if item.word), threads)
        decided = self._decided(blocks, {**self.config.thresholds, **thresholds})
        return write_words(for_writing, decided, self.config.mark_set, self.speller, existing, final_mark)

    def _posteriors(self, words: Iterable[str], threads: int) -> Iterator[Posteriors]:
        """Posteriors of a stream, block by block: cut, run, stitch."""
        windows = self._windows(words)
        marks = len(self.config.mark_set)

        def run(work: tuple[Window, list[tuple[int, ...]]]) -> tuple[Window, np.ndarray[Any, np.dtype[np.float32]]]:
            window, pieces = work
            answer = self.model.run(pieces)
            both = (
                softmax(answer.marks, self.config.temperature),
                softmax(answer.cases, self.config.case_temperature),
            )
            return window, np.concatenate(both, axis=1)

        for scores in stitch(map_threads(run, windows, threads), self.stitching):
            if len(scores):
                yield Posteriors(scores[:, :marks], scores[:, marks:])

    def _windows(self, words: Iterable[str]) -> Iterator[tuple[Window, list[tuple[int, ...]]]]:
        """Windows with the pieces of their words. Holds the pieces of one window and one block."""
        held: list[tuple[int, ...]] = []
        start = 0  # the word that held[0] belongs to

        def lengths() -> Iterator[int]:
            stream = iter(words)
            while block := list(itertools.islice(stream, 256)):
                for pieces in self.model.encode(block):
                    held.append(pieces)
                    yield len(pieces)

        for window in cut(lengths(), self.model.size, self.config.margin):
            del held[: window.first - start]
            start = window.first
            yield window, held[: window.stop - start]

    def _decided(
        self, blocks: Iterable[Posteriors], thresholds: Mapping[str, float]
    ) -> Iterator[tuple[str, list[float], list[float], float]]:
        """For each word: mark, mark probabilities, case probabilities, probability that a sentence ends."""
        marks = self.config.mark_set
        for block in blocks:
            chosen = [marks.names[i] for i in decide(block.marks, marks, thresholds)]
            ends = sentence_end_mass(block.marks, marks).tolist()
            yield from zip(chosen, block.marks.tolist(), block.cases.tolist(), ends, strict=True)

    def _check(
        self,
        audio: Any,
        language: str | None,
        existing: str,
        thresholds: Mapping[str, float] | None,
        alpha: float | None,
        style: str | None,
    ) -> None:
        name = self.config.name
        for argument, value in (("audio", audio), ("alpha", alpha), ("style", style)):
            if value is not None:
                raise InputError(f"{argument}= cannot be used: the model {name!r} restores from the words alone")
        if language is not None and language not in self.config.languages:
            raise InputError(
                f"the model {name!r} does not know {language!r}; it knows {', '.join(self.config.languages)}"
            )
        if existing not in EXISTING:
            raise InputError(f"existing={existing!r}: it is one of {', '.join(EXISTING)}")
        if self.stitching not in STITCHES:
            raise InputError(f"stitching={self.stitching!r}: it is one of {', '.join(STITCHES)}")
        check_thresholds(thresholds or {})


def _collect(transcript: Transcript, flow: Iterable[RestoredWord], language: str) -> Restored:
    words = tuple(flow)
    ends = [
        i
        for i, word in enumerate(words)
        if word.ends_sentence or (i + 1 < len(words) and word.speaker != words[i + 1].speaker)
    ]
    return Restored(words, transcript.segments, language, transcript.source, tuple(ends))
