"""Recipes: TOML in, checked before a run starts."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from ..errors import RecipeError
from ..marks import MarkSet
from .noise import Noise

__all__ = ["CorpusSource", "Recipe", "TimingRecipe", "read_recipe"]

T = TypeVar("T")
PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class CorpusSource:
    """A corpus: files below the data folder, and its share of the windows."""

    name: str
    train: str
    """Punctuated text (plain or ``.xz``), a ``.tsv`` of a benchmark (``token TAB label`` lines), or a ``.tsv.xz``
    of a recogniser's words with times and labels."""
    dev: str
    weight: float = 1.0
    train_part: tuple[float, float] = (0.0, 1.0)
    """The part of the stream that is used, so that one file can serve as both."""
    dev_part: tuple[float, float] = (0.0, 1.0)
    style: str = ""
    """The style of marks that it shows (``edited``, ``verbatim``): half of its windows are tagged with it."""
    source: str = ""
    """What it is and where it comes from, for the model's card."""
    licence: str = ""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a run. The keys of the TOML file are these fields; see ``recipes/train``."""

    init: str
    """A folder with ``model.safetensors``, ``config.json`` and ``tokenizer.json`` of a BERT, or a bundled model."""
    marks: tuple[str, ...]
    corpora: tuple[CorpusSource, ...]
    language: str = "en"
    window: int = 256
    """Pieces, in training and inference."""
    margin: int = 32
    """Pieces of context on both sides of a word, at inference."""
    batch_pieces: int = 2048
    steps: int = 4000
    learning_rate: float = 4e-4
    warmup: int = 100
    decay: float = 0.3
    """The share of the steps over which the learning rate falls to nothing, at the end."""
    weight_decay: float = 0.01
    case_weight: float = 0.5
    short: float = 0.12
    precision: str = "float32"
    """``bfloat16`` trains faster on a processor that has it (docs/results.md), and many times slower on another."""
    seed: int = 16
    evaluate_every: int = 250
    evaluate_words: int = 8000
    """Words of each dev text that the running dev figure reads."""
    tune_words: int = 50_000
    """Words of each dev text on which temperature and thresholds are chosen."""
    noise: Noise = field(default_factory=Noise)

    @property
    def styles(self) -> dict[str, str]:
        """The styles of its corpora, each with the piece that stands for it at the start of a window."""
        names = dict.fromkeys(corpus.style for corpus in self.corpora if corpus.style)
        return {name: f"[unused{i}]" for i, name in enumerate(names)}


@dataclass(frozen=True)
class TimingRecipe:
    """Everything that decides a run. The keys of the TOML file are these fields; see ``recipes/timing``."""

    init: str
    """The model whose posteriors are read, and which the timing model is added to."""
    corpora: tuple[CorpusSource, ...]
    """Recognisers' words with times and labels (``.tsv.xz``), which the text model should not have learnt from."""
    hidden: int = 64
    epochs: int = 12
    batch: int = 8
    """Stretches."""
    learning_rate: float = 4e-3
    weight_decay: float = 0.01
    gate_share: float = 0.25
    """The share of each corpus's recordings from which the gate learns, and the network does not."""
    disturb: float = 1.0
    """How often times are changed into those of other recognisers, as a factor."""
    seed: int = 16
    tune_words: int = 60_000
    """Words of each dev file on which thresholds are chosen."""


def read_recipe(path: Path) -> Recipe | TimingRecipe:
    """Read and check a recipe: that of a text model, or with ``kind = "timing"`` that of a timing model.

    Raises:
        RecipeError: it is not TOML, a key is unknown or missing, or a value cannot be.
    """
    try:
        keys = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecipeError(f"{path}: no such recipe") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: not TOML: {error}") from None
    kind = keys.pop("kind", "text")
    if kind not in ("text", "timing"):
        raise RecipeError(f'{path}: kind = "{kind}": it is "text" or "timing"')
    recipe: Recipe | TimingRecipe
    try:
        if kind == "text":
            keys["noise"] = _build(Noise, keys.get("noise", {}), "[noise]")
        keys["corpora"] = tuple(_build(CorpusSource, corpus, "[[corpora]]") for corpus in keys.get("corpora", ()))
        recipe = _timing(keys) if kind == "timing" else _text(keys)
    except (RecipeError, ValueError, TypeError) as error:
        raise RecipeError(f"{path}: {error}") from None
    if not recipe.corpora:
        raise RecipeError(f"{path}: no [[corpora]]: nothing to learn from")
    return recipe


def _text(keys: dict[str, Any]) -> Recipe:
    recipe = _build(Recipe, keys, "the recipe")
    MarkSet.of(recipe.marks)
    if recipe.precision not in PRECISIONS:
        raise RecipeError(f"precision must be one of {', '.join(PRECISIONS)}")
    if not 16 <= recipe.window <= 512 or recipe.batch_pieces < recipe.window:
        raise RecipeError("window must be 16 to 512 pieces and fit into batch_pieces")
    return recipe


def _timing(keys: dict[str, Any]) -> TimingRecipe:
    recipe = _build(TimingRecipe, keys, "the recipe")
    if not 0 < recipe.gate_share < 1:
        raise RecipeError("gate_share must lie between 0 and 1")
    if min(recipe.hidden, recipe.epochs, recipe.batch) < 1:
        raise RecipeError("hidden, epochs and batch must be at least 1")
    return recipe


def _build(kind: type[T], keys: dict[str, Any], where: str) -> T:
    known = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    unknown = sorted(set(keys) - set(known))
    if unknown:
        raise RecipeError(f"{where} has no key {unknown[0]!r}; its keys are {', '.join(known)}")
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in keys.items()})
