"""Measure the captions of real calls: ``python -m bench.recut --data DATA`` (see ``bench/README.md``).

The words of a recogniser, with their times, are restored and cut into cues; a greedy cutter, which fills each
cue with as much as fits, stands beside. The tables are printed, and written to ``results/recut.json``.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from interpunct import Restorer
from interpunct.captions import CLAUSE, Captions, Cue, Limits, break_costs, recut, report, wrap
from interpunct.transcript import Restored, Transcript, Word

RECOGNISERS = ("speechmatics", "amazon", "kaldi_librispeech")
FLOORS = {"within_lines": 1.0, "within_duration": 0.98, "at_clause_end": 0.78}
RESULTS = Path(__file__).resolve().parent / "results"


def calls(path: Path) -> Iterator[tuple[str, list[Word]]]:
    """The calls of a file, as lower-case words with times and without marks."""
    name, words = "", []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# doc "):
                if words:
                    yield name, words
                name, words = line.split()[-1], []
            elif line.strip():
                token, _, start, end, *_ = line.rstrip("\n").split("\t")
                words.append(Word(token.lower(), float(start), float(end)))
    if words:
        yield name, words


def greedy(transcript: Transcript, limits: Limits) -> list[Cue]:
    """Cues filled with as many words as fit and as the longest duration allows, speakers and pauses apart.

    They stay on the screen as long as those of the library do.
    """
    texts, words, bounds, first = transcript.texts, transcript.words, [0], 0
    for k in range(1, len(words)):
        before, word = words[k - 1], words[k]
        lines = wrap(texts, first, k + 1, limits)
        if (
            len(lines) > limits.max_lines
            or _end(word) - _start(words[first]) > limits.max_duration
            or before.speaker != word.speaker
            or _start(word) - _end(before) >= limits.pause
        ):
            bounds.append(k)
            first = k
    return [_cue(transcript, a, b, limits) for a, b in zip(bounds, [*bounds[1:], len(words)], strict=True)]


def _cue(transcript: Transcript, first: int, stop: int, limits: Limits) -> Cue:
    words, texts = transcript.words, transcript.texts
    start, characters = _start(words[first]), sum(map(len, texts[first:stop])) + stop - first - 1
    wanted = min(max(limits.min_duration, characters / limits.max_cps), limits.max_duration)
    end = max(_end(words[stop - 1]), start + wanted)
    if stop < len(words):
        end = max(start, min(end, _start(words[stop]) - limits.gap))
    return Cue(start, end, wrap(texts, first, stop, limits))


def _start(word: Word) -> float:
    assert word.start is not None
    return word.start


def _end(word: Word) -> float:
    assert word.end is not None
    return word.end


def counts(cues: Sequence[Cue], restored: Restored, limits: Limits) -> dict[str, int]:
    """How many cues there are, and how many keep to each limit."""
    costs, found = break_costs(restored), report(cues, restored, limits)
    ends = [cue.stop == len(costs) or costs[cue.stop] <= CLAUSE for cue in cues]
    return {
        "cues": len(cues),
        "within_lines": len(cues) - len({*found.wide, *found.tall}),
        "within_duration": len(cues) - len({*found.short, *found.long}),
        "too_fast": len(found.fast),
        "at_clause_end": sum(ends),
    }


def shares(found: dict[str, int]) -> dict[str, float]:
    return {name: round(n / found["cues"], 4) for name, n in found.items() if name != "cues"}


def measure(path: Path, restorer: Restorer, limits: Limits, only: int | None) -> dict[str, dict[str, dict[str, int]]]:
    """The counts of each call: of the library's cues, and of the greedy ones."""
    found = {}
    for name, words in list(calls(path))[:only]:
        restored = restorer.restore(words)
        cut: Captions = recut(restored, limits)
        found[name] = {
            "interpunct": counts(cut.cues, restored, limits),
            "greedy": counts(greedy(restored, limits), restored, limits),
        }
        print(f"{name}: {len(words)} words, {len(cut.cues)} cues", file=sys.stderr, flush=True)
    return found


def summed(found: dict[str, dict[str, dict[str, int]]], who: str) -> dict[str, int]:
    each = [call[who] for call in found.values()]
    return {name: sum(call[name] for call in each) for name in each[0]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 1 when a floor is not reached."""
    parser = argparse.ArgumentParser(prog="python -m bench.recut", description="Measure the captions of real calls.")
    parser.add_argument("--data", type=Path, required=True, help="a folder with timed/earnings21_*.test.tsv.xz")
    parser.add_argument("--recogniser", choices=RECOGNISERS, default=RECOGNISERS[0])
    parser.add_argument("--model", default="en")
    parser.add_argument("--calls", type=int, help="only the first so many")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "recut.json")
    options = parser.parse_args(arguments)
    limits = Limits()
    restorer = Restorer.from_pretrained(options.model, threads=options.threads)
    path = options.data / "timed" / f"earnings21_{options.recogniser}.test.tsv.xz"
    found = measure(path, restorer, limits, options.calls)
    totals = {who: summed(found, who) for who in ("interpunct", "greedy")}
    ours, theirs = shares(totals["interpunct"]), shares(totals["greedy"])
    missed = [name for name, floor in FLOORS.items() if ours[name] < floor]
    if ours["too_fast"] > theirs["too_fast"]:
        missed.append("too_fast")
    print(f"{'share of cues':<18}{'interpunct':>12}{'greedy':>12}{'floor':>12}")
    for name in ours:
        floor = f"≥ {FLOORS[name]:.0%}" if name in FLOORS else "≤ greedy"
        print(f"{name.replace('_', ' '):<18}{ours[name]:>12.1%}{theirs[name]:>12.1%}{floor:>12}")
    print(f"{'cues':<18}{totals['interpunct']['cues']:>12}{totals['greedy']['cues']:>12}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "recogniser": options.recogniser,
        "model": options.model,
        "limits": asdict(limits),
        "calls": found,
        "shares": {"interpunct": ours, "greedy": theirs},
        "missed": missed,
    }
    options.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    for name in missed:
        print(f"missed: {name.replace('_', ' ')}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
