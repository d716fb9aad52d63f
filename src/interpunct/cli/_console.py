"""What all commands share: how errors end, where messages go, when a bar is drawn."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import InterpunctError
from ..hooks import on_message, on_warning

__all__ = ["bar", "complain", "run", "thresholds_option"]


def run(app: Callable[..., Any]) -> int:
    """Run the command line; returns its exit code. Errors of ours are one line, others a traceback."""
    on_warning(lambda message: complain(f"warning: {message}"))
    on_message(lambda message: complain(message))
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    try:
        app(standalone_mode=True)
    except SystemExit as end:
        return _flushed(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _silenced()
    except InterpunctError as error:
        if debug:
            raise
        complain(f"error: {error}")
        return 2
    return _flushed(0)


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _silenced()
    return code


def _silenced() -> int:
    """The reader of our output has gone (``| head``): that is its right, and no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def complain(message: str) -> None:
    """A line on stderr."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def bar(description: str, total: float | None, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on stderr, where stderr is a terminal. Gives ``advance(by, note)``."""
    if quiet or not sys.stderr.isatty():
        yield lambda by, note="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=total, note="")
        yield lambda by, note="": progress.update(task, advance=by, note=note)


def thresholds_option(values: list[str] | None) -> dict[str, float]:
    """``["COMMA=0.4"]`` → ``{"COMMA": 0.4}``.

    Raises:
        InputError: not NAME=NUMBER, no such mark, or not from 0 to 1.
    """
    from ..decoding import check_thresholds
    from ..errors import InputError

    thresholds: dict[str, float] = {}
    for value in values or ():
        mark, _, number = value.partition("=")
        try:
            thresholds[mark.strip().upper()] = float(number)
        except ValueError:
            raise InputError(f"--threshold {value}: write MARK=NUMBER, for instance --threshold COMMA=0.4") from None
    check_thresholds(thresholds)
    return thresholds
