"""``interpunct captions``: timed words to captions, without a model."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ._console import complain
from ._plan import STDIN, Job

if TYPE_CHECKING:
    from ..captions import Limits, Report

__all__ = ["caption_file", "register"]

HELP = """Cut the words of a transcript into captions that people can read.

The transcript has marks already (see `interpunct restore --recut` for one that has none), and each word its
times. What could not be met is reported on stderr.

Examples:

    interpunct captions talk.json -o talk.vtt

    interpunct captions talk.json -o talk.srt --max-chars 37 --max-cps 15
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(help=HELP)
    def captions(
        input: Annotated[Path, typer.Argument(help="A file; - is stdin.")] = STDIN,
        output: Annotated[Path, typer.Option("--output", "-o", help="A file; - is stdout.")] = STDIN,
        from_format: Annotated[str | None, typer.Option("--from", help="Format of the input.")] = None,
        to_format: Annotated[str | None, typer.Option("--to", help="Format of the output; webvtt on stdout.")] = None,
        max_chars: Annotated[int, typer.Option(help="Characters on a line.")] = 42,
        max_lines: Annotated[int, typer.Option(help="Lines in a cue.")] = 2,
        max_cps: Annotated[float, typer.Option(help="Characters a second.")] = 17.0,
        min_duration: Annotated[float, typer.Option(help="Seconds that a cue lasts at least.")] = 1.0,
        max_duration: Annotated[float, typer.Option(help="Seconds that a cue lasts at most.")] = 7.0,
        gap: Annotated[float, typer.Option(help="Seconds between two cues.")] = 0.08,
        json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
    ) -> None:
        from ..captions import Limits

        limits = Limits(max_chars, max_lines, max_cps, min_duration, max_duration, gap)
        found = caption_file(input, output, limits, from_format, to_format)
        if json:
            complain(json_module.dumps(found.to_dict(), indent=2))
        else:
            for line in found.lines:
                complain(line)


def caption_file(
    input: Path, output: Path, limits: Limits, from_format: str | None = None, to_format: str | None = None
) -> Report:
    """Read ``input``, write its words to ``output`` in new cues; ``-`` stands for stdin and stdout.

    Raises:
        InputError: a format is unknown, cannot be read, or cannot hold the captions; or words have no times.
    """
    from ..captions import recut
    from ..errors import InputError
    from ..formats import FORMATS, format_of_extension, read_text
    from ..formats._decode import decode_bytes
    from ..formats._files import writing
    from ._one_file import naming, opened

    job = Job(input, None if output == STDIN else output)
    if job.output is not None and input.exists() and job.output.exists() and input.samefile(job.output):
        raise InputError(f"{input}: would be overwritten by its own result: choose another output")
    with naming(job), opened(job) as file:
        transcript = read_text(decode_bytes(file.read()), from_format)
        try:
            cut = recut(transcript, limits)
        except InputError as error:
            raise InputError(f"{'stdin' if input == STDIN else input}: {error}") from None
        if to_format or job.output is None:
            module = FORMATS.get(to_format or "webvtt")
        else:
            module = format_of_extension(job.output)
        printed = module.write(cut)
    with writing(job.output) as write:
        write(printed)
    return cut.report
