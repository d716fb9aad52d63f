"""``interpunct``: one file a command, each a thin parser over a plain function."""

from __future__ import annotations

import sys

import typer

from . import adapt, captions, convert, evaluate, formats, models, restore, train
from ._console import DEBUG, guarded, run

__all__ = ["app", "main"]

app = typer.Typer(
    name="interpunct",
    help="Punctuation, casing, sentences and captions for the words of a speech recogniser.",
    epilog="Try: echo 'hello how are you' | interpunct restore -",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
)
for command in (restore, convert, captions, train, evaluate, adapt, models, formats):
    command.register(app)
for registered in app.registered_commands:
    if registered.callback is not None:
        registered.callback = guarded(registered.callback)


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"interpunct {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
    debug: bool = typer.Option(False, DEBUG, help="Show where an error comes from. May stand anywhere."),
) -> None:
    """Punctuation, casing, sentences and captions for the words of a speech recogniser."""
    del version, debug


def main() -> None:
    """The console entry point. Exit codes: 0 done, 2 an error that was explained, 130 interrupted."""
    if DEBUG in sys.argv[2:]:
        sys.argv.remove(DEBUG)
        sys.argv.insert(1, DEBUG)
    run(app)
