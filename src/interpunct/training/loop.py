"""Training: one loop that a reader holds in the head."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from ..casing import CASES
from ..hooks import say
from ..marks import NONE, MarkSet, fold
from .batches import Batch, Batches, collate
from .corpus import ALL_MARKS, IGNORED, Corpus, Vocabulary, load_corpus
from .encoder import TextModel
from .init import load_initial
from .noise import Sample
from .recipe import Recipe

__all__ = ["Progress", "train"]


@dataclass(frozen=True)
class Progress:
    """What the loop tells its watcher after a step."""

    step: int
    steps: int
    loss: float
    dev_f1: float | None
    seconds_left: float


def train(
    recipe: Recipe,
    data: Path,
    out: Path,
    *,
    init: Path | None = None,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Path:
    """Train the text model of a recipe; returns the folder of the run.

    ``out`` then holds ``checkpoint.pt`` (to resume), ``model.pt`` (the weights) and ``log.jsonl``. A run
    that was stopped goes on from its last checkpoint when started again with the same ``out``.
    ``init`` overrides the recipe's ``init``.

    Raises:
        InputError, RecipeError, ModelError: data, recipe or initial weights cannot be used.
    """
    torch.manual_seed(recipe.seed)
    out.mkdir(parents=True, exist_ok=True)
    marks = MarkSet.of(recipe.marks)
    model, tokenizer = load_initial(str(init or recipe.init), marks)
    batches, dev = _data(recipe, marks, data, out / "cache", tokenizer)
    optimizer = _optimizer(model, recipe)
    first = _resume(out / "checkpoint.pt", model, optimizer)
    best_started = time.monotonic()
    running = math.nan
    model.train()
    for step in range(first, recipe.steps):
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * schedule(step, recipe)
        loss = _loss(model, batches.batch(step), recipe.case_weight)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running = loss.item() if math.isnan(running) else 0.98 * running + 0.02 * loss.item()
        dev_f1 = None
        last = step + 1 == recipe.steps
        if (step + 1) % recipe.evaluate_every == 0 or last:
            dev_f1 = _log(out / "log.jsonl", step + 1, running, evaluate(model, dev))
            _save(out / "checkpoint.pt", model, optimizer, step + 1)
        left = (time.monotonic() - best_started) / (step + 1 - first) * (recipe.steps - step - 1)
        watch(Progress(step + 1, recipe.steps, running, dev_f1, left))
    torch.save(model.state_dict(), out / "model.pt")
    return out


def schedule(step: int, recipe: Recipe) -> float:
    """The learning rate's factor: linear warm-up, a plateau, then a linear fall to nothing.

    With a plateau, a stopped run can be given more steps and go on as if it had always had them.
    """
    falling = max(1.0, recipe.decay * recipe.steps)
    return min((step + 1) / max(1, recipe.warmup), 1.0, (recipe.steps - step) / falling)


def evaluate(model: TextModel, dev: dict[str, list[Batch]]) -> dict[str, float]:
    """Micro F1 over the three folded marks, for each dev text (windows side by side, no overlap)."""
    model.eval()
    scores = {}
    for name, batches in dev.items():
        hits = guesses = truths = 0
        for batch in batches:
            with torch.inference_mode():
                logits, _, _ = _run(model, batch)
            best = logits.argmax(-1).numpy()
            known = batch.marks != IGNORED
            folded = _folded(model.shape.marks)
            guess, truth = folded[best[known]], folded[batch.marks[known]]
            hits += int(((guess == truth) & (truth > 0)).sum())
            guesses += int((guess > 0).sum())
            truths += int((truth > 0).sum())
        scores[name] = 2 * hits / max(1, guesses + truths)
    model.train()
    return scores


_FOLDED: dict[int, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}


def _folded(size: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return _FOLDED[size]


def _run(model: TextModel, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    mask = None if batch.mask is None else torch.from_numpy(batch.mask)
    return model(torch.from_numpy(batch.pieces), mask, torch.from_numpy(batch.ends))  # type: ignore[no-any-return]


def _loss(model: TextModel, batch: Batch, case_weight: float) -> Tensor:
    marks, cases, _ = _run(model, batch)
    mark_loss = F.cross_entropy(marks.flatten(0, 1), torch.from_numpy(batch.marks).flatten(), ignore_index=IGNORED)
    case_loss = F.cross_entropy(cases.flatten(0, 1), torch.from_numpy(batch.cases).flatten(), ignore_index=IGNORED)
    return mark_loss + case_weight * case_loss


def _data(
    recipe: Recipe, marks: MarkSet, data: Path, cache: Path, tokenizer: Tokenizer
) -> tuple[Batches, dict[str, list[Batch]]]:
    vocabulary = Vocabulary(tokenizer)
    corpora = []
    dev: dict[str, list[Batch]] = {}
    to_id = [marks.id(mark) for mark in ALL_MARKS]
    order = (NONE, "PERIOD", "COMMA", "QUESTION")
    _FOLDED[len(marks)] = np.array([order.index(fold(mark)) for mark in marks])
    for source in recipe.corpora:
        corpora.append(_part(load_corpus(source.name, [data / source.train], vocabulary, cache), source.range))
        stream = _part(load_corpus(f"{source.name}-dev", [data / source.dev], vocabulary, cache), source.dev_range)
        stream = _part(stream, (0.0, min(1.0, recipe.evaluate_words / max(1, len(stream)))))
        dev[source.name] = _windows(stream, vocabulary, recipe.window, to_id)
    batches = Batches(
        corpora,
        [source.weight for source in recipe.corpora],
        vocabulary,
        marks,
        recipe.window,
        recipe.batch_pieces,
        recipe.noise,
        recipe.short,
        recipe.seed,
    )
    return batches, dev


def _part(corpus: Corpus, part: tuple[float, float]) -> Corpus:
    start, stop = (round(share * len(corpus)) for share in part)
    return replace(
        corpus, words=corpus.words[start:stop], marks=corpus.marks[start:stop], cases=corpus.cases[start:stop]
    )


def _windows(stream: Corpus, vocabulary: Vocabulary, window: int, to_id: list[int]) -> list[Batch]:
    words = window * 3 // 4
    rows = [
        [
            Sample(vocabulary.forms[word], mark, case, False)
            for word, mark, case in zip(
                stream.words[i : i + words].tolist(),
                stream.marks[i : i + words].tolist(),
                stream.cases[i : i + words].tolist(),
                strict=True,
            )
        ]
        for i in range(0, len(stream), words)
    ]
    return [collate(rows[i : i + 8], vocabulary, 512, to_id) for i in range(0, len(rows), 8)]


def _optimizer(model: TextModel, recipe: Recipe) -> torch.optim.Optimizer:
    matrices = [p for p in model.parameters() if p.ndim >= 2]
    vectors = [p for p in model.parameters() if p.ndim < 2]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98), fused=True)


def _log(path: Path, step: int, loss: float, scores: dict[str, float]) -> float:
    mean = sum(scores.values()) / len(scores)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"step": step, "loss": round(loss, 4), "dev_f1": round(mean, 4), **scores}) + "\n")
    say(f"step {step}: loss {loss:.3f}, dev F1 {mean:.3f} ({', '.join(f'{n} {s:.3f}' for n, s in scores.items())})")
    return mean


def _save(path: Path, model: TextModel, optimizer: torch.optim.Optimizer, step: int) -> None:
    partial = path.with_suffix(".partial")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, partial)
    partial.replace(path)


def _resume(path: Path, model: TextModel, optimizer: torch.optim.Optimizer) -> int:
    if not path.exists():
        return 0
    stored = torch.load(path, weights_only=True)
    model.load_state_dict(stored["model"])
    optimizer.load_state_dict(stored["optimizer"])
    step = int(stored["step"])
    say(f"resuming {path.parent} at step {step}")
    return step


assert len(CASES) == 4
