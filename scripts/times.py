"""What the times of words add: a timing model against a text model that learnt from the same calls.

    python scripts/times.py --data $DATA --model runs/en-timing/model --rival runs/text-timed/model \\
        --cache runs/times --split test [--sets earnings21_amazon] [--controls] -o times.json

Micro F1 over three marks, every word counted, those without times too. Differences are paired: the same blocks of
500 words, within calls, are drawn for both. Text posteriors are kept in --cache.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from wrong_times import controls

from interpunct import Restorer, Word
from interpunct.decoding import Posteriors, fold_posteriors, joined
from interpunct.evaluation.benchmarks import Document, load
from interpunct.evaluation.by_pause import pauses, score_by_pause
from interpunct.evaluation.calibration import calibrate
from interpunct.evaluation.evaluate import marks_as_restored
from interpunct.evaluation.intervals import compare
from interpunct.evaluation.scores import as_ids, fold_ids, score_ids
from interpunct.fusion.gate import fuse

SETS = ("earnings21_amazon", "earnings21_speechmatics", "earnings21_kaldi_librispeech", "earnings22_forced")
ALPHAS = tuple(round(0.1 * i, 1) for i in range(11))
BLOCK = 500
Marks = Sequence[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", required=True, help="a model with timing.onnx")
    parser.add_argument("--rival", help="a text model fine-tuned on the same calls")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--controls", action="store_true", help="wrong times, and times as others would have them")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    ours = Restorer.from_pretrained(options.model)
    rival = Restorer.from_pretrained(options.rival) if options.rival else None
    found = {}
    for name in options.sets:
        documents = load(f"timed:{options.data / 'timed' / f'{name}.{options.split}.tsv.xz'}")[0].documents
        text = list(text_posteriors(ours, documents, name, options))
        other = None
        if rival:
            theirs = text_posteriors(rival, documents, name, options)
            other = marks_of(rival, documents, list(theirs))
        found[name] = measure(ours, documents, text, other, options.controls)
        show(name, found[name])
    if options.output:
        options.output.write_text(json.dumps({"split": options.split, "sets": found}, indent=1) + "\n")


def text_posteriors(
    restorer: Restorer, documents: Sequence[Document], name: str, options: argparse.Namespace
) -> Iterator[Posteriors]:
    file = options.cache / f"{name}-{options.split}-{restorer.config.files['model.onnx'][:12]}.npz"
    if not file.exists():
        options.cache.mkdir(parents=True, exist_ok=True)
        found = [replace(restorer, timing=None).posteriors(document.words) for document in documents]
        np.savez(file, **{f"{k}{i}": getattr(p, k) for i, p in enumerate(found) for k in ("marks", "cases")})
    stored = np.load(file)
    return (Posteriors(stored[f"marks{i}"], stored[f"cases{i}"]) for i in range(len(documents)))


def measure(
    model: Restorer,
    documents: Sequence[Document],
    text: Sequence[Posteriors],
    rival: Sequence[Marks] | None,
    more: bool,
) -> dict[str, Any]:
    """Every figure of a set."""
    words = [document.timed_words for document in documents]
    fused = [fused_with(model, t, w) for t, w in zip(text, words, strict=True)]
    gate = marks_of(model, documents, fused)
    alone = marks_of(model, documents, text)
    truth = np.concatenate([fold_ids(as_ids(document.marks)) for document in documents])
    result: dict[str, Any] = {
        "words": len(truth),
        "timed": float(np.mean(np.concatenate([np.zeros(len(p)) if p.alpha is None else p.alpha for p in fused]) > 0)),
        "alpha": float(np.mean(np.concatenate([p.alpha[p.alpha > 0] for p in fused if p.alpha is not None]))),
        "text": f1(documents, alone),
        "times": f1(documents, gate),
        "marks": {m: s.f1 for m, s in score_ids(truth, ids(gate)).folded.marks.items()},
        "text marks": {m: s.f1 for m, s in score_ids(truth, ids(alone)).folded.marks.items()},
        "against text": difference(documents, gate, alone),
        "calibration": calibrate(
            np.concatenate([fold_posteriors(p.marks, model.config.mark_set) for p in fused]),
            columns(documents),
            of="guess",
        ).to_dict(),
        "sweep": {
            str(a): f1(
                documents,
                marks_of(model, documents, [fused_with(model, t, w, a) for t, w in zip(text, words, strict=True)]),
            )
            for a in ALPHAS
        },
    }
    if rival is not None:
        result["rival"] = f1(documents, rival)
        result["rival marks"] = {m: s.f1 for m, s in score_ids(truth, ids(rival)).folded.marks.items()}
        result["against rival"] = difference(documents, gate, rival)
        result["by call"] = [
            {"words": len(d.words), "rival": f1([d], [r]), "text": f1([d], [t]), "times": f1([d], [g])}
            for d, r, t, g in zip(documents, rival, alone, gate, strict=True)
        ]
    result["by pause"] = by_pause(documents, {"times": gate, "text": alone, **({"rival": rival} if rival else {})})
    if more:
        result["controls"] = {
            name: f1(
                documents,
                marks_of(model, documents, [fused_with(model, t, w) for t, w in zip(text, changed, strict=True)]),
            )
            for name, changed in controls(words)
        }
    return result


def marks_of(model: Restorer, documents: Sequence[Document], found: Sequence[Posteriors]) -> list[Marks]:
    return [marks_as_restored(model, d, p) for d, p in zip(documents, found, strict=True)]


def fused_with(model: Restorer, text: Posteriors, words: list[Word], alpha: float | None = None) -> Posteriors:
    """Text posteriors with the say of times: what ``Restorer.posteriors`` gives for these words."""
    assert model.timing is not None
    if alpha == 0:
        return text
    return joined(list(fuse([text], words, model.timing, model.config.mark_set, alpha)))


def ids(marks: Sequence[Marks]) -> Any:
    return np.concatenate([fold_ids(as_ids(m)) for m in marks])


def f1(documents: Sequence[Document], marks: Sequence[Marks]) -> float:
    truth = np.concatenate([fold_ids(as_ids(document.marks)) for document in documents])
    return 100 * float(score_ids(truth, ids(marks)))


def columns(documents: Sequence[Document]) -> Any:
    order = ("NONE", "PERIOD", "COMMA", "QUESTION")
    return np.array([order.index(mark) for document in documents for mark in document.marks])


def difference(documents: Sequence[Document], first: Sequence[Marks], second: Sequence[Marks]) -> dict[str, float]:
    truth = np.concatenate([fold_ids(as_ids(document.marks)) for document in documents])
    blocks, next_block = [], 0
    for document in documents:
        blocks.append(next_block + np.arange(len(document.marks)) // BLOCK)
        next_block = int(blocks[-1][-1]) + 1
    gap = compare(truth, ids(first), ids(second), np.concatenate(blocks))
    return {"gain": 100 * gap.value, "low": 100 * gap.low, "high": 100 * gap.high, "p": gap.p, "blocks": next_block}


def by_pause(documents: Sequence[Document], systems: dict[str, Sequence[Marks]]) -> list[dict[str, Any]]:
    """F1 of each system where the gap to the next word is so long."""
    gaps = np.concatenate([pauses(document.times, len(document.words)) for document in documents])
    truth = np.concatenate([as_ids(document.marks) for document in documents])
    scores = {name: score_by_pause(gaps, truth, ids(marks)) for name, marks in systems.items()}
    return [
        {"pause": rows[0].pause, "words": rows[0].words, "marks": rows[0].marks.reference}
        | {name: 100 * float(row) for name, row in zip(scores, rows, strict=True)}
        for rows in zip(*scores.values(), strict=True)
    ]


def show(name: str, found: dict[str, Any]) -> None:
    print(f"\n{name}: {found['words']:,} words, {found['timed']:.0%} with times, mean alpha {found['alpha']:.2f}")
    for kind in ("rival", "text", "times"):
        if kind in found:
            marks = found["marks" if kind == "times" else f"{kind} marks"]
            print(f"  {kind:<8}{found[kind]:6.2f}   {'  '.join(f'{m} {100 * v:.1f}' for m, v in marks.items())}")
    for kind in ("rival", "text"):
        if gap := found.get(f"against {kind}"):
            print(f"  against {kind}: {gap['gain']:+.2f} ({gap['low']:+.2f} to {gap['high']:+.2f}), p {gap['p']:.3f}")
    for i, call in enumerate(found.get("by call", ())):
        gain = call["times"] - call["rival"]
        scores = f"rival {call['rival']:.2f}  times {call['times']:.2f}  {gain:+.2f}"
        print(f"    call {i}: {call['words']:>6,} words  {scores}")
    print("  fixed alpha: " + "  ".join(f"{a} {v:.2f}" for a, v in found["sweep"].items()))
    print(f"  calibration error of its own marks {found['calibration']['error']:.3f}")
    for row in found["by pause"]:
        scores = "  ".join(f"{k} {row[k]:.1f}" for k in ("rival", "text", "times") if k in row)
        print(f"    pause {row['pause']}: {row['words']:,} words, {row['marks']:,} marks  {scores}")
    for control, score in found.get("controls", {}).items():
        against_text, against_times = score - found["text"], score - found["times"]
        print(f"  {control:<44}{score:6.2f}  against text {against_text:+.2f}, against times {against_times:+.2f}")


if __name__ == "__main__":
    main()
