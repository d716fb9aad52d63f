"""``interpunct evaluate``: measure a model on benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ._console import thresholds_option

if TYPE_CHECKING:
    from ..evaluation.report import Report

__all__ = ["evaluate_model", "register"]

_HELP = """Measure a model: punctuation, letter case, sentence ends, calibration.

A benchmark is NAME:PATH. text:FILE is punctuated text of your own (plain or .xz; blank lines part
documents); iwslt2011:FOLDER holds test2011.tsv and test2011asr.tsv;
timed:FILE (or a folder) has a recogniser's token, a label, a start and an end a line;
recogniser:FILE is a transcript with what was really said beside it, in FILE's name + .ref.txt.

Examples:

  interpunct evaluate en text:minutes.txt

  interpunct evaluate ./my-model iwslt2011:data/iwslt2011 --json > scores.json

  interpunct evaluate en text:minutes.txt --limit 20000 --threshold COMMA=0.6

  interpunct evaluate en text:minutes.txt --errors errors.html

  interpunct evaluate en timed:talks.tsv --by pause
"""


def evaluate_model(
    model: str,
    benchmarks: Sequence[str],
    *,
    limit: int | None = None,
    thresholds: Mapping[str, float] | None = None,
    alpha: float | None = None,
    style: str | None = None,
    adapted: Path | None = None,
    by: str | None = None,
    errors: Path | None = None,
) -> list[Report]:
    """Load a model once and score it on each benchmark.

    Args:
        by: ``"pause"`` for figures by the pause after the word too.
        errors: where to write a page of the wrong and the doubtful places, if anywhere.

    Raises:
        ModelError: there is no such model, or ``adapted`` is not for it.
        InputError: there is no such benchmark, or it cannot be read or asked so; the page cannot be written.
    """
    from ..evaluation.errors_page import errors_page
    from ..evaluation.evaluate import evaluate
    from ..formats._files import refuse_overwriting, writing
    from ..restorer import Restorer

    def measured() -> list[Report]:
        restorer = Restorer.from_pretrained(model).adapted(adapted)
        return [
            evaluate(
                restorer,
                spec,
                limit=limit,
                thresholds=thresholds,
                alpha=alpha,
                style=style,
                by=by,
                errors=errors is not None,
            )
            for spec in benchmarks
        ]

    if errors is None:
        return measured()
    refuse_overwriting(errors, benchmarks)
    with writing(errors) as write:  # a place that cannot be written is found out before the work
        reports = measured()
        for piece in errors_page(model, reports):
            write(piece)
    return reports


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command("evaluate", help=_HELP)
    def command(
        model: Annotated[str, typer.Argument(metavar="MODEL", help="A bundled model, a language or a folder.")],
        benchmarks: Annotated[list[str], typer.Argument(metavar="NAME:PATH...", help="What to measure it on.")],
        as_json: Annotated[bool, typer.Option("--json", help="Write one JSON list of reports.")] = False,
        limit: Annotated[int | None, typer.Option(metavar="N", help="Only the first N words of each split.")] = None,
        threshold: Annotated[
            list[str] | None, typer.Option(metavar="MARK=VALUE", help="Instead of the model's own; may be repeated.")
        ] = None,
        alpha: Annotated[
            float | None, typer.Option(metavar="0..1", help="A fixed weight of the times; 0 is the text alone.")
        ] = None,
        style: Annotated[str | None, typer.Option(help="The style of marks asked for, e.g. verbatim.")] = None,
        adapted: Annotated[
            Path | None, typer.Option(metavar="FILE", help="Your style, as `interpunct adapt` wrote it.")
        ] = None,
        by: Annotated[
            str | None, typer.Option(metavar="pause", help="Figures by the pause after the word too (needs times).")
        ] = None,
        errors: Annotated[
            Path | None, typer.Option(metavar="PAGE.html", help="Write the wrong and the doubtful places to a page.")
        ] = None,
    ) -> None:
        given = thresholds_option(threshold)
        reports = evaluate_model(
            model,
            benchmarks,
            limit=limit,
            thresholds=given,
            alpha=alpha,
            style=style,
            adapted=adapted,
            by=by,
            errors=errors,
        )
        if as_json:
            typer.echo(json.dumps([report.to_dict() for report in reports], ensure_ascii=False, indent=2))
        else:
            typer.echo("\n\n".join(report.table() for report in reports))
