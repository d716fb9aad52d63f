"""Mutated caption files: each is read faithfully or refused with an error of ours, soon and in little memory.

    python -m bench.fuzz_captions --files 5000                      # the golden files of tests/data
    python -m bench.fuzz_captions --files 100000 --corpus DIR       # and caption files of your own

A file is mutated at one to eight places, read as what it seems to be, and written back: it must come out the same.
The time of reading is held against 20 × what webvtt-py takes for the unmutated file (as WebVTT; at least 5 ms, below
which a clock says nothing), the memory against 50 MB + 10 × the file, measured on each 50th file.
``--seed`` makes a run again; a finding is saved under ``--save``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from interpunct import InterpunctError
from interpunct.formats import FORMATS, read_text
from interpunct.formats._decode import decode_bytes

NAMES = ("srt", "webvtt", "sbv", "ass", "ttml", "sami", "microdvd")
GOLDEN = Path(__file__).parents[1] / "tests" / "data" / "formats"
PATCHES = (
    "\n\n|\r\n|\r| |\t|-->|->|<|>|&|;|{|}|<v|</v>|<c>|&amp;|&#0;|&nbsp;|<00:00:01.000>|00:00:01.000 --> 00:00:00.000|1"
    "|٣|99:99:99,999|WEBVTT|NOTE|STYLE|\0|\ufeff|\u2028|>>|[|]|♪|-|<!--|-->|<![CDATA[|Dialogue:|{1}{1}|<SYNC Start="
    "|<i>|<p begin=|é|🙂"
).split("|")
LEAST = 0.005


def mutated(text: str, choose: random.Random) -> str:
    """The text with one to eight places patched, cut out, doubled or swapped."""
    for _ in range(choose.randint(1, 8)):
        start = choose.randint(0, len(text))
        stop = min(len(text), start + choose.choice((0, 1, 3, 12, 80)))
        piece = text[start:stop]
        kind = choose.randrange(5)
        if kind == 0:
            piece = choose.choice(PATCHES)
        elif kind == 1:
            piece = choose.choice(PATCHES) * choose.choice((1, 2, 50))
        elif kind == 2:
            piece = piece * choose.choice((0, 2, 20))
        elif kind == 3:
            piece = piece[::-1]
        else:
            piece = "".join(chr(max(1, ord(c) ^ (1 << choose.randrange(7)))) for c in piece)
        text = text[:start] + piece + text[stop:]
    return "".join(c for c in text if not "\ud800" <= c <= "\udfff")


def tried(text: str) -> str:
    """What becomes of a text: ``read``, or the kind of our error. Any other error passes through."""
    try:
        read_text(text)
    except InterpunctError as error:
        return type(error).__name__
    return "read"


def check_written_back(text: str) -> None:
    """Nothing, where the text is refused or comes out as it went in.

    Raises:
        AssertionError: it was read, and is not the same when written back.
    """
    try:
        transcript = read_text(text)
    except InterpunctError:
        return
    if transcript.source is not None:
        assert FORMATS.get(transcript.source.format).write(transcript) == text, "not the same when written back"


def timed(text: str) -> tuple[str, float]:
    """What becomes of a text, and the seconds of processor time it took."""
    started = time.process_time()
    outcome = tried(text)
    return outcome, time.process_time() - started


def corpus(folder: Path | None) -> Iterator[tuple[str, str]]:
    """Name and text of each caption file."""
    extensions = {extension for name in NAMES for extension in FORMATS.get(name).EXTENSIONS}
    for path in sorted([*GOLDEN.iterdir(), *(folder.rglob("*") if folder else ())]):
        if path.suffix in extensions:
            try:
                yield path.name, decode_bytes(path.read_bytes())
            except InterpunctError:
                continue


def bar(text: str) -> float:
    """Twenty times what webvtt-py takes for the words and cues of a file; for one that it cannot read, for a
    WebVTT file of the same size."""
    import webvtt

    try:
        written = FORMATS.get("webvtt").write(read_text(text))
    except InterpunctError:
        written = "WEBVTT\n\n" + "00:00:01.000 --> 00:00:02.000\nso what do you think\n\n" * (len(text) // 52 + 1)
    with tempfile.NamedTemporaryFile("w", suffix=".vtt", encoding="utf-8") as file:
        file.write(written)
        file.flush()
        times = []
        for _ in range(3):
            started = time.process_time()
            try:
                webvtt.read(file.name)
            except Exception as error:  # whatever it thinks of the file, it took its time
                print(f"webvtt-py: {type(error).__name__}", file=sys.stderr)
            times.append(time.process_time() - started)
    return max(LEAST, 20 * min(times))


def main() -> None:
    """Run, print one JSON object, and fail if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, default=Path("out/fuzz"))
    arguments = parser.parse_args()
    files = [(name, text, bar(text)) for name, text in corpus(arguments.corpus)]
    outcomes: Counter[str] = Counter()
    found: list[str] = []
    slowest, most = 0.0, 0.0
    for number in range(arguments.files):
        choose = random.Random(f"{arguments.seed}/{number}")
        name, whole, limit = files[number % len(files)]
        text = mutated(whole, choose)
        measured = number % 50 == 0
        if measured:
            tracemalloc.start()
        took = 0.0
        try:
            outcome, took = timed(text)
            if took > limit:  # once more: the machine may have been busy with something else
                took = min(took, timed(text)[1])
            check_written_back(text)
        except Exception as error:  # the finding
            outcome = f"{type(error).__name__}: {str(error)[:80]}"
            found.append(f"{number} {name}: {outcome}")
        if measured:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            most = max(most, peak / 1e6)
            if peak > 50e6 + 10 * len(text.encode()):
                found.append(f"{number} {name}: {peak / 1e6:.0f} MB")
        else:
            slowest = max(slowest, took / limit)
            if took > limit:
                found.append(f"{number} {name}: {took:.3f} s, bar {limit:.3f} s")
        outcomes[outcome] += 1
        if found and found[-1].startswith(f"{number} "):
            arguments.save.mkdir(parents=True, exist_ok=True)
            (arguments.save / f"{number}-{name}").write_text(text, encoding="utf-8", newline="")
    figures = {"files": arguments.files, "originals": len(files), "outcomes": outcomes}
    print(json.dumps({**figures, "slowest, share of the bar": slowest, "most memory, MB": most}, indent=1))
    print("\n".join(found[:40]), file=sys.stderr)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
