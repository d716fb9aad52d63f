"""Which input goes to which output: settled, and refused if need be, before anything is written."""

from __future__ import annotations

import os
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


def plan(inputs: Sequence[Path], output: Path | str | None, extension: str | None = None) -> list[Job]:
    """Jobs for files and folders.

    ``output`` is a file for one input file, else a folder; below it, the tree of an input folder is kept. A text
    that ends in ``/`` is a folder, and ``-`` is stdout.
    ``extension`` replaces that of each input.

    Raises:
        InputError: nothing to do, several inputs without an output folder, two inputs for one output, or an
            output that is an input.
    """
    if not inputs:
        inputs = [STDIN]
    into = str(output).endswith(("/", os.sep))
    output = None if output is None or str(output) == "-" else Path(output)
    found = [pair for path in inputs for pair in _expand(path, output)]
    if not found:
        raise InputError(f"{inputs[0]}: no transcripts in this folder; {_known()}")
    many = len(found) > 1 or any(path != STDIN and os.path.isdir(path) for path in inputs)
    if output is None:
        if many:
            raise InputError(f"{len(found)} inputs need a folder to be written to: add -o FOLDER")
        return [Job(found[0][0], None)]
    if not many and not into and not os.path.isdir(output):
        jobs = [Job(found[0][0], output)]
    else:
        if os.path.exists(output) and not os.path.isdir(output):
            raise InputError(f"{output}: this is a file, but a folder is needed")
        jobs = [Job(path, output / _renamed(inside, extension)) for path, inside in found]
    _refuse_clashes(jobs)
    return jobs


def _expand(path: Path, output: Path | None) -> list[tuple[Path, Path]]:
    """The files of an input, each with its place below the output folder.

    Hidden files and folders are left out, and so are the results of an earlier run, in an output folder inside.
    """
    if path == STDIN or not os.path.isdir(path):
        return [(path, Path("stdin.txt") if path == STDIN else Path(path.name))]
    known = _read_extensions()
    inside = [(file, file.relative_to(path)) for file in sorted(path.rglob("*")) if file.suffix.lower() in known]
    results = Path(os.path.realpath(output)) if output else None
    if results == Path(os.path.realpath(path)):
        results = None
    return [
        (file, place)
        for file, place in inside
        if not any(part.startswith(".") for part in place.parts)
        and os.path.isfile(file)
        and (results is None or results not in Path(os.path.realpath(file)).parents)
    ]


def _renamed(inside: Path, extension: str | None) -> Path:
    return inside.with_suffix(extension) if extension else inside


def _known() -> str:
    return f"files that end in {', '.join(sorted(_read_extensions()))} would be read"


def _read_extensions() -> set[str]:
    read = (module for module in FORMATS if not getattr(module, "OUTPUT_ONLY", False))
    return {extension for module in read for extension in module.EXTENSIONS}


def _refuse_clashes(jobs: Sequence[Job]) -> None:
    taken: dict[Path, Path] = {}
    for job in jobs:
        assert job.output is not None
        place = Path(os.path.realpath(job.output))
        if place in taken:
            raise InputError(
                f"{taken[place]} and {job.input} would both be written to {job.output}: nothing was written"
            )
        taken[place] = job.input
    for job in jobs:
        if job.input != STDIN and Path(os.path.realpath(job.input)) in taken:
            raise InputError(f"{job.input}: would be overwritten by its own result: choose another -o")
