"""A whole run: train, export, choose temperature and thresholds on dev."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..casing import CASES, observe
from ..evaluation.benchmarks import Document
from ..evaluation.benchmarks import load as load_benchmark
from ..evaluation.tuning import DevText, choose_temperature, tune
from ..hooks import say
from ..pretrained import ModelConfig
from ..restorer import Restorer
from .card import write_card
from .corpus import benchmark_of
from .export import export, write_config
from .init import initial_tokenizer
from .loop import Progress, train
from .recipe import CorpusSource, Recipe

__all__ = ["dev_stream", "train_and_export", "tune_model"]


def train_and_export(recipe: Recipe, data: Path, out: Path, *, watch: Callable[[Progress], None]) -> Path:
    """Train by a recipe; returns the folder of the finished model, ``out/model``, with its card."""
    trained = train(recipe, data, out, watch=watch)
    folder = out / "model"
    export(trained.model, initial_tokenizer(recipe.init), trained.lexicon, folder, recipe, name=out.name)
    config, dev_f1 = tune_model(folder, recipe.corpora, data, recipe.tune_words)
    write_card(folder, recipe, config, dev_f1)
    return folder


def tune_model(
    folder: Path, corpora: tuple[CorpusSource, ...], data: Path, words: int
) -> tuple[ModelConfig, Mapping[str, float]]:
    """Choose the temperatures and thresholds of a model on dev texts, and write them into its configuration.

    The model is run as it will be: quantised, in windows with margins. Each text counts as in
    training. Returns the configuration, and the micro F1 over three marks of each text.
    """
    restorer = Restorer.from_pretrained(str(folder))
    raw = replace(restorer, config=replace(restorer.config, temperature=1.0, case_temperature=1.0))
    marks: list[DevText] = []
    cases: list[DevText] = []
    for source in corpora:
        say(f"tuning on {source.dev}")
        stream = dev_stream(data / source.dev, source.dev_part, words)
        posteriors = raw.posteriors(stream.words)
        reference = np.array([raw.config.mark_set.id(mark) for mark in stream.marks])
        marks.append(DevText(source.name, np.log(posteriors.marks + 1e-9), reference, source.weight))
        observed = [observe(spelling) for spelling in stream.spellings or ()]
        cased = [i for i, case in enumerate(observed) if case is not None]
        if cased:
            truth = np.array([CASES.index(case) for case in observed if case is not None])
            cases.append(DevText(source.name, np.log(posteriors.cases[cased] + 1e-9), truth, source.weight))
    tuned = tune(marks, raw.config.mark_set)
    say(f"dev micro F1: {', '.join(f'{name} {score:.3f}' for name, score in tuned.f1.items())}")
    config = replace(
        restorer.config,
        temperature=tuned.temperature,
        case_temperature=choose_temperature(cases) if cases else 1.0,
        thresholds=dict(tuned.thresholds),
    )
    write_config(config, folder)
    return config, tuned.f1


def dev_stream(path: Path, part: tuple[float, float], most: int) -> Document:
    """A dev file as one stream, as the model will meet it."""
    documents = [document for split in load_benchmark(f"{benchmark_of(path)}:{path}") for document in split.documents]
    words = [word for document in documents for word in document.words]
    marks = [mark for document in documents for mark in document.word_marks]
    spellings = [spelling for document in documents for spelling in document.spellings or ()]
    start = round(part[0] * len(words))
    stop = min(round(part[1] * len(words)), start + most)
    return Document(
        tuple(words[start:stop]), tuple(marks[start:stop]), tuple(spellings[start:stop]) if spellings else None
    )
