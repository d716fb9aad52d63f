"""What all commands share: how errors end, where messages go, when a bar is drawn."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import InterpunctError
from ..hooks import on_message, on_warning

__all__ = ["DEBUG", "bar", "complain", "guarded", "run", "thresholds_option"]

DEBUG = "--debug"


def run(app: Callable[[], Any]) -> None:
    """Run the command line; ends the process with its exit code. ``--debug`` may stand anywhere."""
    on_warning(lambda message: complain(f"warning: {message}"))
    on_message(complain)
    app()


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose errors of ours end as one line and exit code 2, others with a traceback.

    The guard stands around the command itself: the command-line library would end an interrupt or a
    broken pipe with words and codes of its own.
    """

    @functools.wraps(command)
    def run_guarded(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has gone (``| head``): that is its right, and no error
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt:
            raise SystemExit(130) from None
        except InterpunctError as error:
            if DEBUG in sys.argv:
                raise
            complain(f"error: {error}")
            raise SystemExit(2) from None

    return run_guarded


def complain(message: str) -> None:
    """A line on stderr."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def bar(description: str, total: float | None, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on stderr, where stderr is a terminal. Gives ``advance(by, note)``."""
    if quiet or not sys.stderr.isatty():
        yield _nothing
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

        def advance(by: float, note: str) -> None:
            progress.update(task, advance=by, note=note)

        yield advance


def _nothing(by: float, note: str) -> None:
    del by, note


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
