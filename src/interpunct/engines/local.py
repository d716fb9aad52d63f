"""Map over things on this machine, in order, with a bounded number of them under way."""

from __future__ import annotations

import functools
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, TypeVar

from ..errors import InterpunctError

__all__ = ["map_processes", "map_threads"]

T = TypeVar("T")
R = TypeVar("R")


def map_threads(function: Callable[[T], R], items: Iterable[T], threads: int) -> Iterator[R]:
    """``map`` on ``threads`` threads: results in order, at most a few items taken ahead of the one given.

    For functions that release the interpreter lock. With one thread, plain ``map``.
    """
    if threads <= 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="interpunct") as pool:
        yield from _in_order(pool, function, items, 2 * threads)


def map_processes(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """``map`` on ``jobs`` fresh processes: results in order. With one job, plain ``map``.

    ``function``, items and results must pickle. What the function raises is raised here.

    Raises:
        InterpunctError: a process died, for instance for want of memory.
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_await_interrupts) as pool:
        try:
            yield from _in_order(pool, functools.partial(_interruptible, function), items, 2 * jobs)
        except BrokenExecutor:
            raise InterpunctError("a process was ended from outside, perhaps for want of memory: try fewer") from None


_busy = _interrupted = False
"""Of a worker process. Ctrl-C goes to all processes at once. One that works must stop and clean up, one that waits
must go on waiting for the end: if it died, the others would be killed before they have cleaned up."""


def _await_interrupts() -> None:
    signal.signal(signal.SIGINT, _on_interrupt)


def _on_interrupt(number: int, frame: Any) -> None:
    del number, frame
    global _interrupted
    _interrupted = True
    if _busy:
        raise KeyboardInterrupt


def _interruptible(function: Callable[[T], R], item: T) -> R:
    global _busy
    if _interrupted:
        raise KeyboardInterrupt
    _busy = True
    try:
        return function(item)
    finally:
        _busy = False


def _in_order(pool: Executor, function: Callable[[T], R], items: Iterable[T], ahead: int) -> Iterator[R]:
    under_way: deque[Future[R]] = deque()
    try:
        for item in items:
            under_way.append(pool.submit(function, item))
            if len(under_way) > ahead:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        for future in under_way:
            future.cancel()
