"""``interpunct train``: a recipe and a data folder in, a model out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ._console import bar, complain

if TYPE_CHECKING:
    from ..training.loop import Progress

__all__ = ["register", "train_model"]

HELP = """Train a model from a recipe: one that reads words, or what reads their times beside it.
Stopped runs go on where they were when started again.

Examples:

    interpunct train recipes/train/text_en.toml --data $DATA -o runs/en

    interpunct train recipes/train/fine_tune.toml --data my_texts/ --init en -o runs/mine

    interpunct train recipes/timing/en.toml --data $DATA -o runs/en-timing

The model is then the folder runs/mine/model: interpunct restore talk.txt --model runs/mine/model
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(help=HELP)
    def train(
        recipe: Annotated[Path, typer.Argument(help="A recipe (TOML).")],
        data: Annotated[Path, typer.Option("--data", help="The folder that the recipe's files lie in.")],
        output: Annotated[Path, typer.Option("--output", "-o", help="The folder of the run.")],
        init: Annotated[str | None, typer.Option(help="Where to start, instead of the recipe's init.")] = None,
        steps: Annotated[int | None, typer.Option(help="Number of steps, instead of the recipe's.")] = None,
        threads: Annotated[int | None, typer.Option(help="Threads (default: all cores).")] = None,
        quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    ) -> None:
        folder = train_model(recipe, data, output, init=init, steps=steps, threads=threads, quiet=quiet)
        complain(f"model: {folder}")


def train_model(
    recipe: Path,
    data: Path,
    output: Path,
    *,
    init: str | None = None,
    steps: int | None = None,
    threads: int | None = None,
    quiet: bool = False,
) -> Path:
    """Train, export, choose temperature and thresholds on dev; returns the folder of the model.

    Raises:
        MissingExtraError: torch is not installed.
        InterpunctError: recipe, data or initial weights cannot be used.
    """
    from dataclasses import replace

    from ..errors import InputError
    from ..extras import require
    from ..training.recipe import Recipe, read_recipe

    checked = read_recipe(recipe)
    if init is not None:
        checked = replace(checked, init=init)
    if steps is not None:
        if not isinstance(checked, Recipe):
            raise InputError("--steps is for text models: this recipe counts epochs")
        checked = replace(checked, steps=steps)
    torch = require("torch", "train")
    if threads is not None:
        torch.set_num_threads(threads)
    from ..training.run import train_and_export
    from ..training.timing.run import train_timing

    with bar("training", 1.0, quiet=quiet) as advance:
        done, shown = 0, ""

        def watch(progress: Progress) -> None:
            nonlocal done, shown
            if progress.dev_f1 is not None:
                shown = f"  dev F1 {progress.dev_f1:.3f}"
            advance((progress.step - done) / progress.steps, f"loss {progress.loss:.3f}{shown}")
            done = progress.step

        if isinstance(checked, Recipe):
            return train_and_export(checked, data, output, watch=watch)
        return train_timing(checked, data, output, watch=watch)
