"""Training: one loop that a reader holds in the head."""

from __future__ import annotations

import json
import math
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from ..errors import ModelError
from ..hooks import say
from ..marks import MarkSet
from .batches import Batch, Batches, forward
from .corpus import IGNORED, Vocabulary, load_corpus
from .dev import Dev
from .encoder import TextModel
from .init import load_initial
from .lexicon import mixed_case_words
from .recipe import Recipe

__all__ = ["Progress", "Trained", "schedule", "train"]


@dataclass(frozen=True)
class Progress:
    """What the loop tells its watcher after a step."""

    step: int
    steps: int
    loss: float
    dev_f1: float | None
    """The mean over the dev texts, after a step that evaluated them."""


@dataclass(frozen=True)
class Trained:
    """A finished run: the model, and the mixed-case words of its training texts."""

    model: TextModel
    lexicon: list[str]


def train(recipe: Recipe, data: Path, out: Path, *, watch: Callable[[Progress], None] = lambda _: None) -> Trained:
    """Train the text model of a recipe, with texts below ``data``.

    ``out`` then holds ``checkpoint.pt``, ``log.jsonl`` and ``cache/``. A run that was stopped goes on from
    its last checkpoint when started again with the same ``out``, and ends as if it never had been.

    Raises:
        InputError, ModelError: data, initial weights or an earlier checkpoint cannot be used.
    """
    torch.manual_seed(recipe.seed)
    marks = MarkSet.of(recipe.marks)
    model, tokenizer = load_initial(recipe.init, marks)
    vocabulary = Vocabulary(tokenizer)
    out.mkdir(parents=True, exist_ok=True)
    corpora = [
        load_corpus(c.name, data / c.train, vocabulary, out / "cache").part(*c.train_part) for c in recipe.corpora
    ]
    texts = {
        c.name: load_corpus(f"{c.name}-dev", data / c.dev, vocabulary, out / "cache")
        .part(*c.dev_part)
        .first(recipe.evaluate_words)
        for c in recipe.corpora
    }
    dev = Dev.of(texts, vocabulary, marks, recipe.window)
    batches = Batches.of(recipe, corpora, vocabulary, marks)
    optimizer = _optimizer(model, recipe)
    first = _resume(out / "checkpoint.pt", model, optimizer)
    running = math.nan
    model.train()
    for step in range(first, recipe.steps):
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * schedule(step, recipe)
        with torch.autocast("cpu", torch.bfloat16, enabled=recipe.precision == "bfloat16"):
            loss = _loss(model, batches.batch(step), recipe.case_weight)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running = loss.item() if math.isnan(running) else 0.98 * running + 0.02 * loss.item()
        dev_f1 = None
        if (step + 1) % recipe.evaluate_every == 0 or step + 1 == recipe.steps:
            dev_f1 = _log(out / "log.jsonl", step + 1, running, dev.f1(model))
            _save(out / "checkpoint.pt", model, optimizer, step + 1)
        watch(Progress(step + 1, recipe.steps, running, dev_f1))
    return Trained(model, mixed_case_words(corpora, vocabulary))


def schedule(step: int, recipe: Recipe) -> float:
    """The learning rate's factor: linear warm-up, a plateau, then a linear fall to nothing.

    With a plateau, a run can be given more steps while it lasts, and ends as if it had always had them.
    """
    falling = max(1.0, recipe.decay * recipe.steps)
    return min((step + 1) / max(1, recipe.warmup), 1.0, (recipe.steps - step) / falling)


def _loss(model: TextModel, batch: Batch, case_weight: float) -> Tensor:
    marks, cases, _ = forward(model, batch)
    mark_loss = F.cross_entropy(
        marks.float().flatten(0, 1), torch.from_numpy(batch.marks).flatten(), ignore_index=IGNORED
    )
    truth = torch.from_numpy(batch.cases).flatten()
    if bool((truth == IGNORED).all()):  # texts without case teach none
        return mark_loss
    return mark_loss + case_weight * F.cross_entropy(cases.float().flatten(0, 1), truth, ignore_index=IGNORED)


def _optimizer(model: TextModel, recipe: Recipe) -> torch.optim.Optimizer:
    groups = [
        {"params": [p for p in model.parameters() if p.ndim >= 2], "weight_decay": recipe.weight_decay},
        {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98), fused=True)


def _log(path: Path, step: int, loss: float, scores: dict[str, float]) -> float:
    mean = sum(scores.values()) / len(scores)
    rounded = {name: round(score, 4) for name, score in scores.items()}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"step": step, "time": time.time(), "loss": loss, "dev_f1": mean, **rounded}) + "\n")
    say(f"step {step}: loss {loss:.3f}, dev F1 {mean:.3f} ({', '.join(f'{n} {s:.3f}' for n, s in scores.items())})")
    return mean


def _save(path: Path, model: TextModel, optimizer: torch.optim.Optimizer, step: int) -> None:
    partial = path.with_suffix(".partial")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, partial)
    partial.replace(path)


def _resume(path: Path, model: TextModel, optimizer: torch.optim.Optimizer) -> int:
    if not path.exists():
        return 0
    try:
        stored = torch.load(path, weights_only=True)
        model.load_state_dict(stored["model"])
        optimizer.load_state_dict(stored["optimizer"])
        step = int(stored["step"])
    except (OSError, RuntimeError, KeyError, ValueError, pickle.UnpicklingError) as error:
        raise ModelError(
            f"{path}: not a checkpoint of this recipe ({str(error).splitlines()[0]}); "
            "delete it to begin anew, or choose another -o"
        ) from None
    say(f"resuming {path.parent} at step {step}")
    return step
