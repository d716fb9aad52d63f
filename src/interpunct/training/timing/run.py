"""A whole run: stretches, network, gate, graph, thresholds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F

from ...decoding import decide
from ...errors import ModelError
from ...evaluation.scores import as_ids, fold_ids, score_ids
from ...evaluation.tuning import DevText, choose_thresholds
from ...fusion.gate import mix, unfold
from ...fusion.timing import TimingModel
from ...hooks import say
from ...marks import NONE, THREE
from ...pretrained import ModelConfig, find, sha256
from ...restorer import Restorer
from ..card import add_timing
from ..export import PARITY, write_config
from ..loop import Progress
from ..recipe import TimingRecipe
from .data import Recording, collate, recordings, stretches
from .fit import fit_gate, fit_net
from .net import Gate, TimingNet, build_graph

__all__ = ["train_timing"]

GRAPH = "timing.onnx"


def train_timing(
    recipe: TimingRecipe, data: Path, out: Path, *, watch: Callable[[Progress], None] = lambda _: None
) -> Path:
    """Train a timing model and add it to the text model that it reads; returns ``out/model``.

    Raises:
        InputError, ModelError: data or text model cannot be used.
    """
    restorer = Restorer.from_pretrained(recipe.init)
    for_net: list[Recording] = []
    for_gate: list[Recording] = []
    for corpus in recipe.corpora:
        found = recordings(restorer, data / corpus.train, corpus.train_part, out / "cache")
        kept = len(found) - max(1, round(recipe.gate_share * len(found)))
        for_net += [part for recording in found[:kept] for part, _ in stretches(recording)]
        for_gate += [part for recording in found[kept:] for part, _ in stretches(recording)]
    net = fit_net(recipe, for_net, watch)
    say("fitting the gate")
    gate = fit_gate(recipe, net, for_gate)
    folder = _copied(recipe, out)
    onnx.save(build_graph(net, gate), folder / GRAPH)
    _check(net, gate, folder / GRAPH, for_gate[0])
    texts = _dev_texts(recipe, restorer, TimingModel(folder / GRAPH), data, out / "cache")
    config = replace(
        restorer.config,
        timing_thresholds=_thresholds(restorer.config, texts),
        files={**restorer.config.files, GRAPH: sha256(folder / GRAPH)},
    )
    write_config(config, folder)
    add_timing(folder, recipe, config, {text.name: _f1(text, config) for text in texts})
    return folder


def _copied(recipe: TimingRecipe, out: Path) -> Path:
    """The text model's folder, anew."""
    folder = out / "model"
    source = find(recipe.init)
    if source.resolve() != folder.resolve():
        shutil.copytree(source, folder, dirs_exist_ok=True)
    return folder


def _check(net: TimingNet, gate: Gate, graph: Path, sample: Recording) -> None:
    """Refuse a graph that does not compute what torch computes."""
    arrays = collate([sample], [sample.timing])
    features, text = torch.from_numpy(arrays.features), torch.from_numpy(arrays.text)
    with torch.inference_mode():
        log = F.log_softmax(net(features, text), -1)
        wanted, alpha = log.exp()[0].numpy(), gate(features, text, log)[0].numpy()
    opinion = TimingModel(graph).opinion(sample.timing, sample.folded)
    if opinion is None:
        raise ModelError("the first recording for the gate has no times: nothing can be learnt from it")
    timed = opinion.alpha > 0
    difference = max(np.abs(opinion.folded - wanted).max(), np.abs(opinion.alpha - alpha)[timed].max())
    say(f"largest difference of a probability between torch and the graph: {difference:.1e}")
    if not difference < PARITY:
        raise ModelError(f"the exported graph differs from torch by {difference:.3g}: not exported")


def _dev_texts(recipe: TimingRecipe, restorer: Restorer, model: TimingModel, data: Path, cache: Path) -> list[DevText]:
    """The mixture on the words of each dev file that have times."""
    marks, texts = restorer.config.mark_set, []
    columns = np.array([marks.id(mark) for mark in (NONE, *THREE)])
    for corpus in recipe.corpora:
        rows, labels, words = [], [], 0
        for recording in recordings(restorer, data / corpus.dev, corpus.dev_part, cache):
            for part, own in stretches(recording):
                opinion = model.opinion(part.timing, part.folded)
                if opinion is None or words >= recipe.tune_words:
                    continue
                timed = opinion.alpha[own] > 0
                fused = mix(part.text, unfold(opinion.folded, part.text, marks), opinion.alpha)[own][timed]
                rows.append(fused)
                labels.append(columns[part.labels[own][timed]])
                words += len(fused)
        if rows:
            logits = np.log(np.concatenate(rows) + 1e-9)
            texts.append(DevText(corpus.name, logits, np.concatenate(labels), corpus.weight))
    return texts


def _thresholds(config: ModelConfig, texts: list[DevText]) -> dict[str, float]:
    """Chosen for the families; inside one, the text's shares stay, and so do its thresholds."""
    chosen = choose_thresholds(texts, config.mark_set, 1.0)
    return {mark: chosen[mark] if mark in THREE else before for mark, before in config.thresholds.items()}


def _f1(text: DevText, config: ModelConfig) -> float:
    marks = config.mark_set
    guess = decide(np.exp(text.logits), marks, config.timing_thresholds)
    by_id = fold_ids(as_ids(marks.names))
    return float(score_ids(by_id[text.reference], by_id[guess]))
