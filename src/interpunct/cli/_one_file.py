"""Restore one file: open, recognise, read, restore, write."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

from ._console import complain
from ._pipe import restore_text
from ._plan import STDIN, Job

if TYPE_CHECKING:
    from ..restorer import Existing, Restorer
    from ..transcript import Restored, Transcript

__all__ = ["Options", "load", "naming", "opened", "restore_file"]


@dataclass(frozen=True)
class Options:
    """How files are restored: the options of the command that are the same for each of them."""

    model: str = "en"
    language: str | None = None
    audio: Path | None = None
    existing: Existing = "keep"
    thresholds: dict[str, float] = field(default_factory=dict)
    alpha: float | None = None
    style: str | None = None
    final_mark: bool = True
    from_format: str | None = None
    to_format: str | None = None
    json: bool = False
    doubtful: bool = False
    threads: int | None = None
    allow_download: bool = False
    recut: bool = False
    adapted: Path | None = None


def load(options: Options) -> Restorer:
    """The model, loaded once a process."""
    return _load(options.model, options.threads, options.allow_download, options.adapted)


@functools.lru_cache(maxsize=1)
def _load(model: str, threads: int | None, allow_download: bool, adapted: Path | None) -> Restorer:
    from ..restorer import Restorer

    return Restorer.from_pretrained(model, threads=threads, allow_download=allow_download).adapted(adapted)


def restore_file(job: Job, options: Options, advance: Callable[[int], None] = lambda _: None) -> None:
    """Restore one file. Plain text is streamed, so that it may be of any length.

    ``advance`` is told of bytes that were read.

    Raises:
        InterpunctError: with the file's name; what was at the output is then as it was.
    """
    from ..formats import FORMATS, HEAD, sniff
    from ..formats._decode import decode_stream
    from ..formats._files import writing

    with naming(job), opened(job) as file:
        chunks = _counted(decode_stream(file), advance)
        head = next(chunks, "")
        while head.lstrip()[:1] in ("{", "[") and len(head) < HEAD and (more := next(chunks, "")):
            head += more  # the keys of JSON may stand far down
        chunks = itertools.chain([head], chunks)
        source = FORMATS.get(options.from_format) if options.from_format else sniff(head)
        target = _target(job, options, source)
        if source is target is FORMATS.get("text") and not (options.doubtful or options.audio or options.recut):
            model = load(options)
            alpha = 0.0 if model.timing and options.alpha is None else options.alpha  # so no times are waited for
            with writing(job.output) as write:
                restore_text(
                    chunks,
                    lambda words: model.restore_stream(
                        words,
                        language=options.language,
                        existing=options.existing,
                        thresholds=options.thresholds,
                        alpha=alpha,
                        style=options.style,
                        final_mark=options.final_mark,
                    ),
                    write,
                )
            return
        transcript = source.read("".join(chunks))
        if options.recut:
            _refuse_without_times(transcript, job)
        result = load(options).restore(
            transcript,
            audio=options.audio,
            language=options.language,
            existing=options.existing,
            thresholds=options.thresholds,
            alpha=options.alpha,
            style=options.style,
            final_mark=options.final_mark,
        )
        if options.recut:
            result = _recut(result)
        printed = target.write(result)
        if options.doubtful:
            from ._doubtful import show

            show(result)
        with writing(job.output) as write:
            write(printed)


def _refuse_without_times(transcript: Transcript, job: Job) -> None:
    from ..errors import InputError

    if transcript.words and all(word.start is None for word in transcript.words):
        raise InputError(
            f"{'stdin' if job.input == STDIN else job.input}: --recut needs the times of words, and this file has none"
        )


def _recut(result: Restored) -> Restored:
    """The result with new cues for segments; what could not be met goes to stderr."""
    from ..captions import recut

    captions = recut(result)
    if not captions.report.met:
        for line in captions.report.lines:
            complain(line)
    return replace(result, segments=captions.segments, source=None)


def _counted(chunks: Iterator[str], advance: Callable[[int], None]) -> Iterator[str]:
    for chunk in chunks:
        yield chunk
        advance(len(chunk.encode("utf-8", "surrogatepass")))  # once the chunk is used


def _target(job: Job, options: Options, source: ModuleType) -> ModuleType:
    """The format of the output. Where it can be, it is that of the input."""
    from ..formats import FORMATS, format_of_extension

    if options.json:
        return FORMATS.get("interpunct")
    if options.to_format:
        return FORMATS.get(options.to_format)
    if job.output is None or job.output.suffix.lower() in source.EXTENSIONS:
        return source
    return format_of_extension(job.output)


@contextmanager
def opened(job: Job) -> Iterator[BinaryIO]:
    """The input of a job, as bytes.

    Raises:
        FormatError: it cannot be opened.
    """
    from ..errors import FormatError

    if job.input == STDIN:
        yield sys.stdin.buffer
        return
    try:
        file = job.input.open("rb")
    except FileNotFoundError:
        raise FormatError("no such file") from None
    except IsADirectoryError:
        raise FormatError("this is a folder, not a transcript") from None
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})") from None
    except ValueError as error:  # a path that no file can have
        raise FormatError(f"cannot be read ({error})") from None
    with file:
        yield file


@contextmanager
def naming(job: Job) -> Iterator[None]:
    """Name the input in a format error that does not name a file yet."""
    from ..errors import FormatError

    try:
        yield
    except FormatError as error:
        raise error if error.path else error.at("stdin" if job.input == STDIN else str(job.input)) from None
