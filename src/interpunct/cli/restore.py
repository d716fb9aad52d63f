"""``interpunct restore``: transcripts in, transcripts with marks and case out."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..hooks import on_warning
from ._console import bar, complain, thresholds_option
from ._one_file import Options, load, restore_file
from ._plan import Job, plan

if TYPE_CHECKING:
    from ..restorer import Existing

__all__ = ["register", "restore_files"]

HELP = """Give the words of a recogniser punctuation and case.

Reads plain text, Whisper JSON, SRT, WebVTT (see `interpunct formats`); words and times are never changed.

Examples:

    echo "hello how are you" | interpunct restore -

    interpunct restore talk.json -o talk.srt

    interpunct restore talk.json -o talk.vtt --recut

    interpunct restore recordings/ -o restored/ --jobs 2

    interpunct restore talk.txt --json | jq '.words[3].probabilities'
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(help=HELP)
    def restore(
        inputs: Annotated[list[Path] | None, typer.Argument(help="Files or folders; - is stdin.")] = None,
        output: Annotated[
            str | None, typer.Option("--output", "-o", metavar="PATH", help="A file, or a folder for many.")
        ] = None,
        model: Annotated[str, typer.Option("--model", "-m", help="Bundled model, language, or folder.")] = "en",
        language: Annotated[str | None, typer.Option(help="Language of the words.")] = None,
        audio: Annotated[Path | None, typer.Option(help="The recording, for a model that listens.")] = None,
        existing: Annotated[str, typer.Option(help="Marks that are there: keep, fill or replace.")] = "keep",
        threshold: Annotated[
            list[str] | None, typer.Option(metavar="MARK=NUMBER", help="Strictness, e.g. COMMA=0.4.")
        ] = None,
        alpha: Annotated[
            float | None, typer.Option(metavar="0..1", help="Weight of word times; 0: the words alone.")
        ] = None,
        style: Annotated[str | None, typer.Option(help="Style of marks, e.g. edited, verbatim.")] = None,
        adapted: Annotated[
            Path | None, typer.Option(metavar="FILE", help="Your style, as `interpunct adapt` wrote it.")
        ] = None,
        final_mark: Annotated[bool, typer.Option(help="Whether the end of the text must end a sentence.")] = True,
        from_format: Annotated[str | None, typer.Option("--from", help="Format of the input.")] = None,
        to_format: Annotated[str | None, typer.Option("--to", help="Format of the output.")] = None,
        json: Annotated[bool, typer.Option("--json", help="Write everything known, as JSON.")] = False,
        doubtful: Annotated[bool, typer.Option(help="List doubtful places on stderr.")] = False,
        recut: Annotated[bool, typer.Option("--recut", help="Cut the words into new cues.")] = False,
        threads: Annotated[int | None, typer.Option(help="Threads a process.")] = None,
        jobs: Annotated[int, typer.Option("--jobs", "-j", help="Files restored side by side.")] = 1,
        allow_download: Annotated[bool, typer.Option(help="Fetch a model from the hub.")] = False,
        quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    ) -> None:
        options = Options(
            model,
            language,
            audio,
            cast("Existing", existing),  # the restorer refuses others
            thresholds_option(threshold),
            alpha,
            style,
            final_mark,
            from_format,
            to_format,
            json,
            doubtful,
            threads,
            allow_download,
            recut,
            adapted,
        )
        failed = restore_files(inputs or [], output, options, jobs=jobs, quiet=quiet)
        raise typer.Exit(2 if failed else 0)


def restore_files(
    inputs: Sequence[Path], output: Path | str | None, options: Options, *, jobs: int = 1, quiet: bool = False
) -> list[str]:
    """Restore files; returns one line for each that failed. The others are restored all the same.

    Raises:
        InterpunctError: the inputs and outputs do not fit each other, or the model cannot be loaded, so that
            nothing was done; or the only input cannot be restored.
    """
    from ..engines.local import map_processes
    from ..errors import InputError
    from ..formats import FORMATS

    if jobs < 1:
        raise InputError(f"--jobs {jobs}: at least one is needed")
    if options.json and options.to_format not in (None, "interpunct"):
        raise InputError(f"--json and --to {options.to_format} ask for two formats: leave one out")
    extension = ".json" if options.json else FORMATS.get(options.to_format).EXTENSIONS[0] if options.to_format else None
    work = plan(inputs, output, extension)
    if len(work) == 1:
        only = work[0]
        size = only.input.stat().st_size if only.input.is_file() else None
        with bar("restoring", size, quiet=quiet or size is None) as advance:
            restore_file(only, options, lambda read: advance(read, only.input.name))
        return []
    failed: list[str] = []
    if jobs > 1 and options.threads is None:  # one core a process, not all of them for each
        options = replace(options, threads=1)
    load(options)  # a model that cannot be loaded is one error, not one a file
    with bar("restoring", len(work), quiet=quiet) as advance:
        tried = map_processes(functools.partial(_try, options=options), work, min(jobs, len(work)))
        for job, error in zip(work, tried, strict=True):
            advance(1, job.input.name)
            if error:
                failed.append(error)
    if failed:
        complain(f"{len(failed)} of {len(work)} files could not be restored:")
        for line in failed:
            complain(f"  {line}")
    return failed


def _try(job: Job, options: Options) -> str | None:
    from ..errors import InterpunctError

    # Set here, for a fresh process knows nothing of the hooks of the one that started it.
    on_warning(lambda message: complain(f"warning: {job.input}: {message}"))
    try:
        restore_file(job, options)
    except InterpunctError as error:
        return str(error) if str(job.input) in str(error) else f"{job.input}: {error}"
    return None
