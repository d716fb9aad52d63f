"""Millions of words through ``interpunct restore -``: peak memory, words out against words in, cost along the way.

    python -m bench.pipe --words 10000000 --data DATA

The words go in on one line without an end, unless ``--line-words`` breaks them: a program that waits for the end of a
line would hold them all. Fails where memory passes ``--limit-mb``, a word is lost, doubled or respelled, or a word at
the end costs more than ``--slope`` times a word at the beginning.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from bench import process, texts
from bench.run import RESULTS, our_program, program

BLOCK = 1 << 16
# Marks and case are what restoring changes: words are compared by their letters and digits, lower-cased.
NOT_A_LETTER = re.compile(r"[^\w\s]|_")


@dataclass
class Tally:
    """How many words have passed, and a hash of them."""

    words: int = 0
    hash: Any = field(default_factory=hashlib.sha256)

    def add(self, text: str) -> None:
        """Count whole words; what is nothing but a mark (a dash that was put in) is none."""
        found = NOT_A_LETTER.sub("", text.lower()).split()
        self.words += len(found)
        self.hash.update("".join(f"{word} " for word in found).encode())


@dataclass(frozen=True)
class Moment:
    """How far the output had come, and when; ``resident`` is the memory the program held then."""

    words: int
    seconds: float
    resident: int | None


def feed(stdin: IO[bytes], words: int, line_words: int, data: Path | None, tally: Tally) -> None:
    """Write the words into the program, a block at a time."""
    on_line, separator = 0, ""
    try:
        for sentence in texts.stream(words, data):
            text = separator + " ".join(sentence)
            on_line += len(sentence)
            separator = " "
            if line_words and on_line >= line_words:
                on_line, separator = 0, "\n"
            tally.add(text)
            stdin.write(text.encode())
        stdin.write(b"\n")
        stdin.close()
    except BrokenPipeError:
        # The program has gone: its exit code says so, and says it better.
        return


def drain(stdout: IO[bytes], pid: int, words: int, tally: Tally) -> list[Moment]:
    """Read the output to its end; a moment is taken at the first block and then at each twentieth of the words."""
    start, rest, moments, due = time.perf_counter(), b"", list[Moment](), 1
    while block := os.read(stdout.fileno(), BLOCK):
        block = rest + block
        # A word, or a letter of several bytes, may be cut by the end of a block: it waits for the next one.
        cut = max(block.rfind(b" "), block.rfind(b"\n"))
        rest = block[cut + 1 :]
        tally.add(block[: cut + 1].decode())
        if tally.words >= due:
            moments.append(Moment(tally.words, time.perf_counter() - start, resident_bytes(pid)))
            due = tally.words + words // 20
    tally.add(rest.decode())
    moments.append(Moment(tally.words, time.perf_counter() - start, None))
    return moments


def resident_bytes(pid: int) -> int | None:
    """What that process holds in memory now (Linux only)."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def slope(moments: list[Moment]) -> float | None:
    """What a word of the last third costs against a word of the first third, start-up left out."""
    if len(moments) < 7:
        return None
    third = len(moments) // 3

    def cost(part: list[Moment]) -> float:
        return (part[-1].seconds - part[0].seconds) / (part[-1].words - part[0].words)

    return cost(moments[-third - 1 :]) / cost(moments[: third + 1])


def wrongs(given: Tally, got: Tally, peak: int, rise: float | None, asked: argparse.Namespace) -> list[str]:
    """What was not as it has to be, a sentence each."""
    found = []
    if given.words != asked.words:
        found.append(f"only {given.words:,} of {asked.words:,} words could be written")
    if got.words != given.words:
        found.append(f"{given.words:,} words went in and {got.words:,} came out")
    elif got.hash.digest() != given.hash.digest():
        found.append("the words that came out are not the words that went in")
    if peak > asked.limit_mb * 1e6:
        found.append(f"the program took {peak / 1e6:.0f} MB, more than {asked.limit_mb:.0f}")
    if rise is not None and rise > asked.slope:
        found.append(f"a word at the end cost {rise:.2f} times a word at the beginning")
    return found


def main() -> int:
    """Run the pipe, write ``pipe.json``, print what was found; exit code 1 where something failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.pipe", description="Millions of words through a pipe.")
    parser.add_argument("--words", type=int, default=10_000_000)
    parser.add_argument("--data", type=Path, help="folder with text/en/*.test.txt.xz (default: the bundled example)")
    parser.add_argument("--line-words", type=int, default=0, help="break lines after so many words (default: never)")
    parser.add_argument("--limit-mb", type=float, default=600, help="peak memory allowed, in 10^6 bytes (default 600)")
    parser.add_argument("--slope", type=float, default=1.1, help="cost of the last words to the first (default 1.1)")
    parser.add_argument("--model", help="our model (default: the bundled 'en')")
    parser.add_argument("--python", default=sys.executable, help="the Python that has interpunct")
    parser.add_argument("--command", nargs=argparse.REMAINDER, help="another program, to its last argument")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()

    load = process.warn_if_busy()
    command = arguments.command or [*our_program(program(arguments.python)), "restore", "-"]
    if arguments.model and not arguments.command:
        command += ["--model", arguments.model]
    given, got = Tally(), Tally()
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as errors:
        # Started before any text is loaded here: the peak of a child begins at what its parent held when it forked.
        # Its stderr goes to a file, not to a terminal: no progress bar is drawn and no pipe fills up.
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=process.environment()
        )
        assert child.stdin is not None
        assert child.stdout is not None
        feeder = threading.Thread(
            target=feed, args=(child.stdin, arguments.words, arguments.line_words, arguments.data, given), daemon=True
        )
        feeder.start()
        moments = drain(child.stdout, child.pid, arguments.words, got)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        feeder.join()
        errors.seek(0)
        complaint = errors.read().strip()
    seconds, peak, rise = time.perf_counter() - start, process.peak_bytes(usage), slope(moments)

    failures = wrongs(given, got, peak, rise, arguments)
    if child.returncode:
        failures.insert(0, f"the program ended with {child.returncode}: {complaint[-2000:]}")
    results = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": process.machine(),
        "load_average_before": load,
        "words": arguments.words,
        "line_words": arguments.line_words,
        "words_out": got.words,
        "same_words": got.hash.digest() == given.hash.digest(),
        "peak_bytes": peak,
        "seconds": seconds,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "words_per_second": got.words / seconds,
        "last_third_to_first": rise,
        "moments": [vars(moment) for moment in moments],
        "failures": failures,
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    target = arguments.out / "pipe.json"
    target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(f"{got.words:,} words out of {given.words:,}, the same ones: {'yes' if results['same_words'] else 'NO'}")
    print(f"peak memory: {peak / 1e6:.0f} MB (limit {arguments.limit_mb:.0f})")
    print(f"a word at the end against one at the beginning: {'too short to say' if rise is None else f'{rise:.2f} ×'}")
    print(f"words per second: {results['words_per_second']:.0f} (everything included) · {target}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
