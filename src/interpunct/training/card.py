"""The card of a model: what it is, what it learnt from, how good it is on dev, the hashes of its files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..pretrained import ModelConfig
from .recipe import Recipe, TimingRecipe

__all__ = ["add_timing", "write_card"]

_TIMES = "## Times"


def write_card(folder: Path, recipe: Recipe, config: ModelConfig, dev_f1: Mapping[str, float]) -> None:
    """Write ``README.md`` into the folder of a model. ``dev_f1``: micro F1 over three marks, by corpus."""
    (folder / "README.md").write_text("\n".join([*_head(recipe, config), *_data(recipe, dev_f1), *_files(config), ""]))


def add_timing(folder: Path, recipe: TimingRecipe, config: ModelConfig, dev_f1: Mapping[str, float]) -> None:
    """Say in the card of a text model what now reads times beside it. ``dev_f1``: as for :func:`write_card`."""
    path = folder / "README.md"
    card = path.read_text(encoding="utf-8") if path.exists() else f"# {config.name}\n"
    thresholds = ", ".join(f"{mark} {value:g}" for mark, value in config.timing_thresholds.items())
    rows = [f"| {c.name} | {c.source} | {c.licence} | {dev_f1.get(c.name, float('nan')):.3f} |" for c in recipe.corpora]
    section = [
        _TIMES,
        "",
        f"`timing.onnx` (SHA-256 `{config.files['timing.onnx']}`) reads the times of words beside the text. "
        f"{recipe.epochs} epochs, learning rate {recipe.learning_rate:g}, seed {recipe.seed}; a share of "
        f"{recipe.gate_share:g} of the recordings for the gate. Thresholds of words with times: {thresholds}.",
        "",
        "| corpus | what | licence | dev: micro F1 over . , ?, words with times |",
        "|---|---|---|---|",
        *rows,
        "",
    ]
    path.write_text("\n".join([card.split(_TIMES)[0].rstrip(), "", *section]), encoding="utf-8")


def _head(recipe: Recipe, config: ModelConfig) -> list[str]:
    return [
        f"# {config.name}",
        "",
        f"A text model of interpunct. Languages: {', '.join(config.languages)}. Marks: {', '.join(config.marks[1:])}.",
        "Three outputs a word: mark logits, case logits, the last hidden state at the word's last piece.",
        "",
        f"Begun from `{recipe.init}`; {recipe.steps:,} steps of {recipe.batch_pieces:,} pieces in windows of "
        f"{recipe.window}, learning rate {recipe.learning_rate:g}, seed {recipe.seed}. "
        f"Temperature {config.temperature:g}; thresholds {_thresholds(config)}, chosen on the dev texts below.",
        "",
    ]


def _thresholds(config: ModelConfig) -> str:
    return ", ".join(f"{mark} {value:g}" for mark, value in config.thresholds.items())


def _data(recipe: Recipe, dev_f1: Mapping[str, float]) -> list[str]:
    total = sum(corpus.weight for corpus in recipe.corpora)
    rows = [
        f"| {c.name} | {c.weight / total:.0%} | {c.source} | {c.licence} | {dev_f1.get(c.name, float('nan')):.3f} |"
        for c in recipe.corpora
    ]
    return [
        "## Data",
        "",
        "| corpus | share of the windows | what | licence | dev: micro F1 over . , ? |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]


def _files(config: ModelConfig) -> list[str]:
    return ["## Files", "", "| file | SHA-256 |", "|---|---|", *(f"| {f} | `{h}` |" for f, h in config.files.items())]
