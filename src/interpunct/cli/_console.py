"""What all commands share: how errors end, where messages go, when a bar is drawn."""

from __future__ import annotations

import functools
import io
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
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the shell closed it: nothing comes from there, or goes nowhere
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the whole process
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # help and tables on terminals that lack a character
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
            _let_go_of_stdout()
        except KeyboardInterrupt:
            raise SystemExit(130) from None
        except InterpunctError as error:
            if DEBUG in sys.argv:
                raise
            complain(f"error: {error}")
            raise SystemExit(2) from None
        except OSError as error:  # a full disk behind stdout, a failing one: the system says it best
            if DEBUG in sys.argv:
                raise
            _let_go_of_stdout()
            complain(f"error: {error}")
            raise SystemExit(2) from None

    return run_guarded


def _let_go_of_stdout() -> None:
    """So that the end of the process does not try once more to write what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
        TextColumn("{task.fields[note]}", markup=False),  # [b] in a file name is no markup
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
