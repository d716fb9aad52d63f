"""``interpunct adapt``: your own punctuated text in, a small file with your style out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ._console import complain

if TYPE_CHECKING:
    from ..evaluation.adapting import Study

__all__ = ["adapt_model", "register"]

_HELP = """Adapt the marks to your own style, from a few hundred words that you punctuated. Takes seconds.

The file it writes is for `restore --adapted` and `evaluate --adapted`. Where your text shows no gain on words
held out, it says so and writes one that changes nothing. Best is a corrected transcript like those to come.

Examples:

  interpunct adapt my_text.txt -o my.json

  interpunct restore talk.txt --adapted my.json

  interpunct adapt recogniser:talk.json -o my.json   (what was really said is in talk.ref.txt)
"""


def adapt_model(model: str, texts: Sequence[str], output: Path | None = None) -> Study:
    """Adapt ``model`` to texts (see :func:`interpunct.evaluation.adapting.documents_of`); write it to ``output``.

    Raises:
        ModelError: there is no such model.
        InputError: a text cannot be used, or the output cannot be written.
    """
    from ..evaluation.adapting import documents_of, study
    from ..formats._files import refuse_overwriting
    from ..restorer import Restorer

    refuse_overwriting(output, texts)
    documents = [document for text in texts for document in documents_of(text)]
    found = study(Restorer.from_pretrained(model), documents)
    if output is not None:
        found.adaptation.save(output)
    return found


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("adapt", help=_HELP)
    def command(
        texts: Annotated[
            list[str], typer.Argument(metavar="TEXT...", help="Punctuated text, a .tsv with labels, or NAME:PATH.")
        ],
        output: Annotated[
            Path | None,
            typer.Option("--output", "-o", metavar="FILE", help="Where to write it; else it is only shown."),
        ] = None,
        model: Annotated[str, typer.Option("--model", "-m", help="Bundled model, language, or folder.")] = "en",
        as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
    ) -> None:
        found = adapt_model(model, texts, output)
        typer.echo(json.dumps(found.to_dict(), indent=2) if as_json else found.table())
        if output is not None:
            complain(f"written to {output}")
