"""The whole flow: words in, words with marks and case out."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import Any, Literal

import numpy as np

from . import languages
from .adaptation import Adaptation, load_adaptation
from .casing import CASES
from .decoding import Posteriors, check_thresholds, decide, joined, sentence_end_mass, softmax
from .engines.local import map_threads
from .errors import InputError, ModelError
from .formats import read
from .fusion.gate import fuse
from .fusion.timing import TimingModel
from .marks import MARKS, NONE
from .pretrained import ModelConfig, check_files, find, load_config, load_lexicon
from .reader import Item, items, may_be_recased, turns_of
from .text.onnx import OnnxTextModel
from .transcript import Restored, RestoredWord, Transcript, Word, as_words, each_word
from .windows import STITCHES, Stitch, Window, cut_items, stitch
from .writer import Decided, Speller, write_words

__all__ = ["EXISTING", "Existing", "Restorer"]

Existing = Literal["keep", "fill", "replace"]
EXISTING: tuple[Existing, ...] = ("keep", "fill", "replace")
Words = str | Sequence[str] | Sequence[Word] | Transcript | Path


@dataclass(frozen=True)
class _How:
    """What a caller asks for, once it is checked."""

    existing: Existing
    thresholds: Mapping[str, float]
    alpha: float | None
    style: str | None
    final_mark: bool


@dataclass(frozen=True)
class Restorer:
    """A model, ready to restore. Make one with :meth:`from_pretrained`; threads may share it."""

    config: ModelConfig
    model: OnnxTextModel = field(repr=False)
    speller: Speller = field(repr=False)
    timing: TimingModel | None = field(default=None, repr=False)
    """What reads the times of words, for a model that does."""
    threads: int = 1
    stitching: Stitch = "centre"
    adaptation: Adaptation | None = None
    """The style of one writer; see :meth:`adapted`."""

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
        for piece in config.styles.values():
            model.special(piece)
        timing = TimingModel(folder / "timing.onnx") if "timing.onnx" in config.files else None
        return cls(config, model, Speller(load_lexicon(folder), always), timing, threads)

    def adapted(self, adaptation: Adaptation | Path | str | None) -> Restorer:
        """The same model in the style of one writer, as ``interpunct adapt`` found it; ``None`` changes nothing.

        Biases move what the words say, before any times have their say; the thresholds for timed words stay
        the model's own, for they are of the mixture.

        Raises:
            ModelError: it is for another model, or the file holds no adaptation.
            InputError: the file cannot be read, or the model is adapted already.
        """
        if adaptation is None:
            return self
        known = adaptation if isinstance(adaptation, Adaptation) else load_adaptation(adaptation)
        name, place = self.config.name, "" if isinstance(adaptation, Adaptation) else f"{adaptation}: "
        if self.adaptation is not None:
            raise InputError("this model is adapted already: adapt one fresh from from_pretrained()")
        if known.model != name:
            raise ModelError(
                f"{place}adapts the model {known.model!r}, and this is {name!r}: "
                f"load {known.model!r}, or adapt this one to the same text"
            )
        thresholds = {**self.config.thresholds, **known.thresholds}
        return replace(self, config=replace(self.config, thresholds=thresholds), adaptation=known)

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
            alpha: the weight of the times of words, 0 to 1, where they have some: 0 is the text alone. Without
                it, the model says for each word how far to trust them.
            style: one of the model's styles of marks, such as ``verbatim``; default none in particular.
            final_mark: whether the last word must end a sentence; ``False`` for fragments.

        Raises:
            InputError: an argument cannot be used, or the model has no part for it.
        """
        self._check(audio, language, existing, thresholds, alpha, style)
        transcript = read(words) if isinstance(words, Path) else as_words(words)
        turns = turns_of(transcript)
        timed = any(word.start is not None for word in transcript.words)
        how = _How(existing, thresholds or {}, alpha if timed else 0, style, final_mark)
        flow = self._flow(transcript.words, how, self.threads, turns)
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
        alpha: float | None = None,
        style: str | None = None,
        final_mark: bool = True,
    ) -> Iterator[RestoredWord]:
        """Like :meth:`restore` for words that come one by one, of any number: holds a few windows at a time."""
        self._check(None, language, existing, thresholds, alpha, style)
        how = _How(existing, thresholds or {}, alpha, style, final_mark)
        return self._flow(each_word(words), how, self.threads)

    def posteriors(
        self, words: Sequence[str] | Sequence[Word], *, alpha: float | None = None, style: str | None = None
    ) -> Posteriors:
        """What the model thinks of a stream of words, before anything is decided.

        The words come without marks, as the model reads them. The times of a :class:`Word` have their say.
        """
        self._check(None, None, "keep", None, alpha, style)
        blocks = list(self._posteriors([Word(w) if isinstance(w, str) else w for w in words], alpha, style))
        if not blocks:
            empty = np.zeros((0, len(self.config.mark_set)), np.float32)
            return Posteriors(empty, np.zeros((0, len(CASES)), np.float32))
        return joined(blocks)

    def decide(self, posteriors: Posteriors, thresholds: Mapping[str, float] | None = None) -> list[str]:
        """The mark of each word, by name. ``thresholds``: overrides of the model's own."""
        marks, given = self.config.mark_set, thresholds or {}
        chosen = decide(posteriors.marks, marks, {**self.config.thresholds, **given})
        if posteriors.alpha is not None:
            timed = decide(
                posteriors.marks, marks, {**self.config.thresholds, **self.config.timing_thresholds, **given}
            )
            chosen = np.where(posteriors.alpha > 0, timed, chosen)
        return [marks.names[i] for i in chosen.tolist()]

    def spell(self, words: Sequence[str], posteriors: Posteriors, marks: Sequence[str]) -> list[str]:
        """Each word in its case, when ``marks`` (by name) stand after the words. The words come without marks."""
        ends = self._sentence_ends(posteriors)
        spelled, starts, end_before = [], True, 1.0
        for word, cases, mark, end in zip(words, posteriors.cases.tolist(), marks, ends, strict=True):
            if may_be_recased(word, self.config.scripts):
                spelled.append(self.speller.spell(word, cases, starts, end_before)[0])
            else:
                spelled.append(word)
            starts, end_before = mark != NONE and MARKS[mark].ends_sentence, end
        return spelled

    def _flow(
        self, words: Iterable[Word], how: _How, threads: int, turns: Collection[int] = frozenset()
    ) -> Iterator[RestoredWord]:
        """Words → items → posteriors and marks → written words: every step takes and gives a stream."""
        for_model, for_writing = itertools.tee(items(words, self.config.scripts, how.existing, turns))
        read = (_as_read(item) for item in for_model if item.word)
        decided = self._decided(self._posteriors(read, how.alpha, how.style, threads), how.thresholds)
        return write_words(for_writing, decided, self.config.mark_set, self.speller, how.existing, how.final_mark)

    def _posteriors(
        self, words: Iterable[Word], alpha: float | None, style: str | None, threads: int | None = None
    ) -> Iterator[Posteriors]:
        """Posteriors of a stream, block by block: those of the text, then, where there are times, of both."""
        begin = self.model.special(self.config.styles[style]) if style is not None else None
        threads = threads or self.threads
        if self.timing is None or alpha == 0:
            return self._text_posteriors((word.text for word in words), begin, threads)
        for_text, for_timing = itertools.tee(words)
        text = self._text_posteriors((word.text for word in for_text), begin, threads)
        return fuse(text, for_timing, self.timing, self.config.mark_set, alpha)

    def _text_posteriors(self, words: Iterable[str], begin: int | None, threads: int) -> Iterator[Posteriors]:
        """Cut, run, stitch."""
        windows = cut_items(self._pieces(words), len, self.model.size, self.config.margin)
        marks = len(self.config.mark_set)
        # The softmax divides by the temperature, and a bias is in nats after that.
        nats = self.adaptation.biases if self.adaptation else {}
        biases = np.array([nats.get(mark, 0.0) * self.config.temperature for mark in self.config.mark_set], np.float32)

        def run(work: tuple[Window, list[tuple[int, ...]]]) -> tuple[Window, np.ndarray[Any, np.dtype[np.float32]]]:
            window, pieces = work
            answer = self.model.run(pieces, begin=begin)
            both = (
                softmax(answer.marks + biases, self.config.temperature),
                softmax(answer.cases, self.config.case_temperature),
            )
            return window, np.concatenate(both, axis=1)

        for scores in stitch(map_threads(run, windows, threads), self.stitching):
            if len(scores):
                yield Posteriors(scores[:, :marks], scores[:, marks:])

    def _pieces(self, words: Iterable[str]) -> Iterator[tuple[int, ...]]:
        stream = iter(words)
        while block := list(itertools.islice(stream, 256)):
            yield from self.model.encode(block)

    def _decided(self, blocks: Iterable[Posteriors], thresholds: Mapping[str, float]) -> Iterator[Decided]:
        for block in blocks:
            chosen, ends = self.decide(block, thresholds), self._sentence_ends(block)
            columns = (chosen, block.marks.tolist(), block.cases.tolist(), ends)
            if block.text is None or block.timing is None or block.alpha is None:
                yield from map(Decided, *columns)
                continue
            sources = zip(block.text.tolist(), block.timing.tolist(), block.alpha.tolist(), strict=True)
            for decided, (text, timing, alpha) in zip(zip(*columns, strict=True), sources, strict=True):
                yield Decided(*decided, text, timing, alpha) if alpha > 0 else Decided(*decided)

    def _sentence_ends(self, posteriors: Posteriors) -> list[float]:
        """The text's probability that a sentence ends after each word: its case probabilities reckon with no other."""
        text = posteriors.marks if posteriors.text is None else posteriors.text
        return sentence_end_mass(text, self.config.mark_set).tolist()  # type: ignore[no-any-return]

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
        if audio is not None:
            raise InputError(f"audio= cannot be used: the model {name!r} does not listen")
        if alpha is not None and self.timing is None:
            raise InputError(f"alpha= cannot be used: the model {name!r} restores from the words alone")
        weight: Any = alpha
        if alpha is not None and (not isinstance(weight, Real) or not 0 <= float(weight) <= 1):
            raise InputError(f"alpha={alpha!r}: it is a weight, from 0 (the text alone) to 1")
        asked: Any = style
        if style is not None and not (isinstance(asked, str) and asked in self.config.styles):
            known = ", ".join(self.config.styles) or "none"
            raise InputError(f"style={style!r}: the styles of the model {name!r} are {known}")
        if language is not None and language not in self.config.languages:
            raise InputError(
                f"the model {name!r} does not know {language!r}; it knows {', '.join(self.config.languages)}"
            )
        if existing not in EXISTING:
            raise InputError(f"existing={existing!r}: it is one of {', '.join(EXISTING)}")
        if self.stitching not in STITCHES:
            raise InputError(f"stitching={self.stitching!r}: it is one of {', '.join(STITCHES)}")
        check_thresholds(thresholds or {})


def _as_read(item: Item) -> Word:
    word = item.source
    return Word(item.word, word.start, word.end, word.speaker)


def _collect(transcript: Transcript, flow: Iterable[RestoredWord], language: str) -> Restored:
    words = tuple(flow)
    ends = [
        i
        for i, word in enumerate(words)
        if word.ends_sentence or (i + 1 < len(words) and word.speaker != words[i + 1].speaker)
    ]
    return Restored(words, transcript.segments, language, transcript.source, tuple(ends))
