"""What int8 costs: a model against the same weights unquantised, on dev texts.

    python scripts/int8_against_fp32.py recipes/train/text_en.toml --data $DATA --run runs/en --words 60000

Reads the run's last checkpoint, exports it unquantised with the temperatures and thresholds of ``runs/en/model``, and
prints micro F1 over three marks of both, for each dev text of the recipe and for all words together.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from interpunct import Restorer
from interpunct.decoding import decide
from interpunct.evaluation.intervals import blocks_of, compare
from interpunct.evaluation.scores import as_ids, fold_ids
from interpunct.marks import MarkSet
from interpunct.pretrained import load_config
from interpunct.training.export import export, write_config
from interpunct.training.init import initial_tokenizer, load_initial
from interpunct.training.recipe import read_recipe
from interpunct.training.run import dev_stream


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--init", default=None)
    parser.add_argument("--words", type=int, default=60_000, help="of each dev text")
    options = parser.parse_args()
    recipe = read_recipe(options.recipe)
    recipe = replace(recipe, init=options.init or recipe.init)
    small = Restorer.from_pretrained(str(options.run / "model"))
    model, _ = load_initial(recipe.init, MarkSet.of(recipe.marks))
    model.load_state_dict(torch.load(options.run / "checkpoint.pt", weights_only=True)["model"])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        made = export(model, initial_tokenizer(recipe.init), [], folder, recipe, name="fp32", quantised=False)
        tuned = load_config(options.run / "model")
        write_config(
            replace(made, temperature=tuned.temperature, thresholds=tuned.thresholds),
            folder,
        )
        exact = Restorer.from_pretrained(place)
        sides: dict[str, list[np.ndarray]] = {"reference": [], "fp32": [], "int8": []}
        for source in recipe.corpora:
            stream = dev_stream(options.data / source.dev, source.dev_part, options.words)
            truth = fold_ids(as_ids(stream.marks))
            found = {}
            for name, restorer in (("fp32", exact), ("int8", small)):
                known = restorer.config.mark_set
                ids = decide(restorer.posteriors(stream.words).marks, known, restorer.config.thresholds)
                found[name] = fold_ids(as_ids([known.names[i] for i in ids]))
            print_row(source.name, truth, found["fp32"], found["int8"])
            for name, ids in {"reference": truth, **found}.items():
                sides[name].append(ids)
    whole = {name: np.concatenate(parts) for name, parts in sides.items()}
    print_row("all", whole["reference"], whole["fp32"], whole["int8"])
    difference = compare(whole["reference"], whole["int8"], whole["fp32"], blocks_of(len(whole["reference"]), 1000))
    print(f"int8 - fp32, paired bootstrap over blocks of 1,000 words: {difference}")


def print_row(name: str, truth: np.ndarray, exact: np.ndarray, small: np.ndarray) -> None:
    scores = [micro_f1(truth, ids) for ids in (exact, small)]
    lost = scores[0] - scores[1]
    print(f"{name:12} {len(truth):8,} words  fp32 {scores[0]:.4f}  int8 {scores[1]:.4f}  lost {lost:+.4f}")


def micro_f1(truth: np.ndarray, found: np.ndarray) -> float:
    hits = int(((truth == found) & (truth > 0)).sum())
    return 2 * hits / (int((truth > 0).sum()) + int((found > 0).sum()))


if __name__ == "__main__":
    main()
