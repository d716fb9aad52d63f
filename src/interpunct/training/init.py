"""Where a run starts: a BERT checkpoint in a folder, or a model of ours, bundled or in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from ..casing import CASES
from ..errors import ModelError
from ..marks import MarkSet
from ..pretrained import check_files, find, load_config
from .encoder import TextModel, from_bert
from .graph import read_graph

__all__ = ["initial_tokenizer", "load_initial"]


def initial_tokenizer(name: str) -> Path:
    """The ``tokenizer.json`` of an initial model.

    Raises:
        ModelError: nothing of that name.
    """
    bert = Path(name) / "tokenizer.json"
    return bert if bert.is_file() else find(name) / "tokenizer.json"


def load_initial(name: str, marks: MarkSet) -> tuple[TextModel, Tokenizer]:
    """The model to start from, with heads for ``marks``, and its tokenizer.

    ``name`` is a folder with ``model.safetensors``, ``config.json`` and ``tokenizer.json`` of a BERT, or a
    model of ours, whose int8 weights are dequantised; of its head for marks, the rows of marks in
    ``marks`` are kept.

    Raises:
        ModelError: nothing of that name, or a file in it that cannot be used.
    """
    folder = Path(name)
    if (folder / "model.safetensors").is_file():
        model = _from_bert(folder, marks)
    else:
        folder = find(name)
        model = _from_ours(folder, marks)
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # tokenizers raises bare exceptions
        raise ModelError(f"{folder / 'tokenizer.json'}: not a tokenizer ({error})") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return model, tokenizer


def _from_bert(folder: Path, marks: MarkSet) -> TextModel:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "model.safetensors")
        return from_bert(weights, heads=config["num_attention_heads"], marks=len(marks), cases=len(CASES))
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise ModelError(f"{folder}: not a BERT checkpoint ({type(error).__name__}: {error})") from None


def _from_ours(folder: Path, marks: MarkSet) -> TextModel:
    config = load_config(folder)
    check_files(folder, config)
    shape, arrays = read_graph(onnx.load(str(folder / "model.onnx")))
    state: dict[str, Tensor] = {key: torch.from_numpy(np.array(value)) for key, value in arrays.items()}
    known = config.mark_set.names
    if known != marks.names:
        rows = torch.tensor([known.index(mark) if mark in known else 0 for mark in marks.names])
        state |= {key: state[key][rows] for key in ("mark.weight", "mark.bias")}
    model = TextModel(type(shape)(**{**shape.to_dict(), "marks": len(marks)}))
    model.load_state_dict(state)
    return model
