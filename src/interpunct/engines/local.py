"""Map over things on this machine, in order, with a bounded number of them under way."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TypeVar

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
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from _in_order(pool, function, items, 2 * jobs)


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
