"""A trained run becomes a model: ONNX graph, tokenizer, lexicon, configuration; checked against torch."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch

from ..errors import ModelError
from ..hooks import say
from ..marks import MarkSet
from ..pretrained import ModelConfig, sha256
from .encoder import TextModel
from .graph import build_graph
from .recipe import Recipe

__all__ = ["PARITY", "export", "write_config"]

PARITY = 1e-3
"""The largest difference of a logit that rounding explains."""


def export(
    model: TextModel,
    tokenizer: Path,
    lexicon: list[str],
    folder: Path,
    recipe: Recipe,
    *,
    name: str,
    quantised: bool = True,
) -> ModelConfig:
    """Write a model folder that :meth:`~interpunct.Restorer.from_pretrained` loads. Thresholds are 0.5 until tuned.

    Raises:
        ModelError: the unquantised graph does not compute what torch computes.
    """
    model.eval()
    state = {key: value.detach().numpy() for key, value in model.state_dict().items()}
    exact = build_graph(model.shape, state, quantised=False)
    difference = _difference(model, exact, recipe.window)
    say(f"largest logit difference between torch and the graph: {difference:.1e}")
    if not difference < PARITY:
        raise ModelError(f"the exported graph differs from torch by {difference:.3g} in a logit: not exported")
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(build_graph(model.shape, state, quantised=True) if quantised else exact, folder / "model.onnx")
    if tokenizer.resolve() != (folder / "tokenizer.json").resolve():
        shutil.copyfile(tokenizer, folder / "tokenizer.json")
    (folder / "lexicon.txt").write_text("".join(f"{word}\n" for word in lexicon), encoding="utf-8")
    config = ModelConfig(
        name=name,
        languages=(recipe.language,),
        scripts=("LATIN",),
        marks=MarkSet.of(recipe.marks).names,
        positions=recipe.window,
        margin=recipe.margin,
        temperature=1.0,
        case_temperature=1.0,
        thresholds={},
        files={file: sha256(folder / file) for file in ("model.onnx", "tokenizer.json", "lexicon.txt")},
        styles=recipe.styles,
    )
    write_config(config, folder)
    return config


def write_config(config: ModelConfig, folder: Path) -> None:
    """Write ``config.json``."""
    keys: dict[str, Any] = asdict(config)
    (folder / "config.json").write_text(json.dumps(keys, indent=2) + "\n", encoding="utf-8")


def _difference(model: TextModel, graph: onnx.ModelProto, window: int) -> float:
    """The largest absolute difference of a logit on windows of random pieces of several lengths."""
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    random = np.random.default_rng(0)
    worst = 0.0
    for length in (3, window // 2, window):
        pieces = random.integers(1, model.shape.vocabulary, (1, length))
        ends = np.arange(1, length - 1)[None]
        got = session.run(None, {"pieces": pieces, "ends": ends})
        with torch.inference_mode():
            wanted = model(torch.from_numpy(pieces), None, torch.from_numpy(ends))
        worst = max(worst, *(float(np.abs(a - b.numpy()).max()) for a, b in zip(got, wanted, strict=True)))
    return worst
