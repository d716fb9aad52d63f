"""Where a run starts: a BERT checkpoint in a folder, or a bundled model."""

from __future__ import annotations

import json
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer

from ..casing import CASES
from ..errors import ModelError
from ..marks import MarkSet
from .encoder import TextModel, from_bert

__all__ = ["load_initial"]


def load_initial(name: str, marks: MarkSet) -> tuple[TextModel, Tokenizer]:
    """The model to start from, with heads for ``marks``, and its tokenizer.

    Raises:
        ModelError: nothing of that name, or a file in it that cannot be used.
    """
    folder = Path(name)
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "model.safetensors")
    except (OSError, SafetensorError, ValueError, Exception) as error:  # tokenizers raises plain Exception
        raise ModelError(f"{folder}: not a BERT checkpoint ({error})") from error
    return from_bert(weights, heads=config["num_attention_heads"], marks=len(marks), cases=len(CASES)), tokenizer
