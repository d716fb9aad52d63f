"""Which input goes to which output: settled, and refused if need be, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from ..formats import FORMATS

__all__ = ["STDIN", "Job", "plan"]

STDIN = Path("-")


@dataclass(frozen=True)
class Job:
    """One input and its output; ``output`` None is stdout."""

    input: Path
    output: Path | None


def plan(inputs: Sequence[Path], output: Path | None, extension: str | None = None) -> list[Job]:
    """Jobs for files and folders.

    ``output`` is a file for one input file, else a folder; below it, the tree of an input folder is kept.
    ``extension`` replaces that of each input.

    Raises:
        InputError: nothing to do, several inputs without an output folder, two inputs for one output, or an
            output that is an input.
    """
    if not inputs:
        inputs = [STDIN]
    found = [pair for path in inputs for pair in _expand(path)]
    if not found:
        raise InputError(f"{inputs[0]}: no transcripts in this folder; {_known()}")
    many = len(found) > 1 or any(path != STDIN and path.is_dir() for path in inputs)
    if output is None:
        if many:
            raise InputError(f"{len(found)} inputs need a folder to be written to: add -o FOLDER")
        return [Job(found[0][0], None)]
    if not many and not output.is_dir() and not str(output).endswith(("/", "\\")):
        jobs = [Job(found[0][0], output)]
    else:
        if output.exists() and not output.is_dir():
            raise InputError(f"{output}: this is a file, but {len(found)} inputs need a folder")
        jobs = [Job(path, output / _renamed(inside, extension)) for path, inside in found]
    _refuse_clashes(jobs)
    return jobs


def _expand(path: Path) -> list[tuple[Path, Path]]:
    """The files of an input, each with its place below the output folder."""
    if path == STDIN or not path.is_dir():
        return [(path, Path("stdin.txt") if path == STDIN else Path(path.name))]
    known = {extension for module in FORMATS for extension in module.EXTENSIONS}
    files = sorted(
        f for f in path.rglob("*") if f.is_file() and f.suffix.lower() in known and not f.name.startswith(".")
    )
    return [(file, file.relative_to(path)) for file in files]


def _renamed(inside: Path, extension: str | None) -> Path:
    return inside.with_suffix(extension) if extension else inside


def _known() -> str:
    extensions = sorted({extension for module in FORMATS for extension in module.EXTENSIONS})
    return f"files that end in {', '.join(extensions)} would be read"


def _refuse_clashes(jobs: Sequence[Job]) -> None:
    taken: dict[Path, Path] = {}
    for job in jobs:
        assert job.output is not None
        place = job.output.resolve()
        if place in taken:
            raise InputError(
                f"{taken[place]} and {job.input} would both be written to {job.output}: nothing was written"
            )
        taken[place] = job.input
    for job in jobs:
        if job.input != STDIN and job.input.resolve() in taken:
            raise InputError(f"{job.input}: would be overwritten by its own result: choose another -o")
