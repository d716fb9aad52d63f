"""``interpunct convert``: from one transcript format to another, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ._plan import Job

__all__ = ["convert_file", "register"]

HELP = """Write a transcript in another format; the words stay as they are.

What the other format cannot hold (speakers, confidences, times of words) is named.

Examples:

    interpunct convert talk.whisper.json talk.srt

    interpunct convert talk.vtt - --to text
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(help=HELP)
    def convert(
        input: Annotated[Path, typer.Argument(help="A file; - is stdin.")],
        output: Annotated[Path, typer.Argument(help="A file; - is stdout (with --to).")],
        from_format: Annotated[str | None, typer.Option("--from", help="Format of the input.")] = None,
        to_format: Annotated[str | None, typer.Option("--to", help="Format of the output.")] = None,
    ) -> None:
        convert_file(input, output, from_format, to_format)


def convert_file(input: Path, output: Path, from_format: str | None = None, to_format: str | None = None) -> None:
    """Read ``input``, write ``output``; ``-`` stands for stdin and stdout.

    Raises:
        InputError: a format is unknown, cannot be read, or cannot hold this transcript.
    """
    from ..errors import InputError
    from ..formats import FORMATS, format_of_extension, left_out, read_text
    from ..formats._decode import decode_bytes
    from ..formats._files import writing
    from ..hooks import warn
    from ._one_file import naming, opened

    job = Job(input, None if output == Path("-") else output)
    if job.output is None and to_format is None:
        raise InputError("which format? say --to FORMAT (see: interpunct formats)")
    if job.output is not None and input.exists() and job.output.exists() and input.samefile(job.output):
        raise InputError(f"{input}: would be overwritten by its own result: choose another output")
    with naming(job), opened(job) as file:
        transcript = read_text(decode_bytes(file.read()), from_format)
        if to_format:
            module = FORMATS.get(to_format)
        else:
            assert job.output is not None
            module = format_of_extension(job.output, transcript)
        printed = module.write(transcript)
        lost = left_out(transcript, module)
    with writing(job.output) as write:
        write(printed)
    if lost:
        warn(f"{module.__name__.rpartition('.')[2]} cannot hold {', '.join(lost)}: left out")
