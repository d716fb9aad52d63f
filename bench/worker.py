"""One measurement in a process of its own: load, warm up, restore one text once, print what it took as JSON.

    python -m bench.worker ours en --threads 1 --text words.txt
    python -m bench.worker peer DIR/xlm-roberta-base --threads 1 --text words.txt
    python -m bench.worker size en

The last one prints only how many bytes the model takes on disk.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

PACKAGES = ("interpunct", "onnxruntime", "tokenizers", "numpy", "torch", "transformers")


def limit_processors(threads: int) -> None:
    """Let this process run on so many processors only: whatever threads a library starts, it has no more than these."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def load_ours(model: str, threads: int) -> Callable[[str], str]:
    """interpunct as a library."""
    import interpunct

    restorer: Any = interpunct.Restorer.from_pretrained(model, threads=threads)
    return lambda text: str(restorer.restore(text).text)


def load_peer(model: str, threads: int) -> Callable[[str], str]:
    """The transformers way."""
    import torch

    from bench import peers

    torch.set_num_threads(threads)
    classify = peers.load(Path(model))
    return lambda text: peers.restore(text, classify)


def model_bytes(model: str) -> int:
    """The size of one of our models: a folder, or one that is bundled."""
    place = Path(model)
    if not place.is_dir():
        place = Path(str(files("interpunct"))) / "assets" / model
    if not place.is_dir():
        raise SystemExit(f"{place} is not a folder: no such bundled model")
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def versions() -> dict[str, str]:
    """The versions of what is installed here."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def main() -> int:
    """Run the measurement that the command line asks for."""
    parser = argparse.ArgumentParser(description="One measurement.")
    parser.add_argument("kind", choices=["ours", "peer", "size"])
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--text", type=Path)
    arguments = parser.parse_args()
    if arguments.kind == "size":
        print(model_bytes(arguments.model))
        return 0
    if arguments.text is None:
        parser.error("--text is needed")

    limit_processors(arguments.threads)
    text = arguments.text.read_text(encoding="utf-8").strip()
    begin = time.perf_counter()
    restore = (load_ours if arguments.kind == "ours" else load_peer)(arguments.model, arguments.threads)
    loaded = time.perf_counter()
    # The first call pays for memory that later ones find allocated: it is not part of the speed of a long text.
    restore(" ".join(text.split(maxsplit=20)[:20]))
    start, start_cpu = time.perf_counter(), time.process_time()
    restored = restore(text)
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    print(
        json.dumps(
            {
                "words": len(text.split()),
                "words_out": sum(any(map(str.isalnum, word)) for word in restored.split()),
                "load_seconds": loaded - begin,
                "seconds": seconds,
                "cpu_seconds": cpu,
                "versions": versions(),
            }
        )
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
