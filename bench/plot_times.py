"""Draw what times add from the output of ``scripts/times.py``: ``python -m bench.plot_times times.json times.png``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

NAMES = {"rival": "words alone, fine-tuned on the calls", "text": "words alone (alpha = 0)", "times": "words and times"}
COLOURS = {"rival": "#b8412f", "text": "#d99a2b", "times": "#1b6ca8"}
HATCHES = {"rival": "//", "text": "..", "times": ""}
MARKERS = ("o", "s", "^", "D")


def draw(results: dict[str, Any], target: Path) -> None:
    """Four panels: by recogniser, by pause, over alpha, and how honest the probabilities are."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, ((bars, pauses), (sweep, reliability)) = pyplot.subplots(2, 2, figsize=(11.5, 8.4), layout="constrained")
    sets = results["sets"]
    _bars(bars, sets)
    _pauses(pauses, sets)
    for marker, (name, found) in zip(MARKERS, sets.items(), strict=False):
        alphas = [float(a) for a in found["sweep"]]
        (line,) = sweep.plot(alphas, list(found["sweep"].values()), marker=marker, markersize=4, label=_short(name))
        sweep.axhline(found["times"], color=line.get_color(), linestyle=":", linewidth=1)
        bins = [b for b in found["calibration"]["bins"] if b["words"] >= 30]
        reliability.plot([b["confidence"] for b in bins], [b["accuracy"] for b in bins], marker=marker, markersize=4)
    sweep.set(xlabel="alpha, the weight of times", ylabel="micro F1", title="A fixed alpha; dotted: the gate")
    sweep.legend(fontsize=8, frameon=False)
    reliability.plot([0, 1], [0, 1], color="grey", linewidth=1)
    reliability.set(xlabel="probability given", ylabel="share that was right", title="Reliability of the marks given")
    for axes in (bars, pauses, sweep, reliability):
        axes.grid(True, axis="y", alpha=0.3)
    figure.savefig(target, dpi=110, metadata={"Software": None})


def _bars(axes: Any, sets: dict[str, Any]) -> None:
    kinds = [kind for kind in NAMES if all(kind in found for found in sets.values())]
    for k, kind in enumerate(kinds):
        places = [i + (k - (len(kinds) - 1) / 2) * 0.27 for i in range(len(sets))]
        values = [found[kind] for found in sets.values()]
        look = {"color": COLOURS[kind], "hatch": HATCHES[kind], "edgecolor": "white"}
        axes.bar(places, values, 0.25, label=NAMES[kind], **look)
        for x, value in zip(places, values, strict=True):
            axes.text(x, value + 0.6, f"{value:.1f}", ha="center", fontsize=7)
    axes.set_xticks(range(len(sets)), [_short(name) for name in sets], fontsize=9)
    axes.set(ylabel="micro F1", title="By recogniser")
    axes.legend(fontsize=8, frameon=False, loc="upper left")
    axes.set_ylim(0, 105)


def _pauses(axes: Any, sets: dict[str, Any]) -> None:
    """The mean over recognisers."""
    rows = [[row for row in found["by pause"] if row["pause"] != "no times"] for found in sets.values()]
    labels = [row["pause"].replace(" s", "").replace(">=", "≥") for row in rows[0]]
    for kind, name in NAMES.items():
        if all(kind in row for group in rows for row in group):
            means = [sum(group[i][kind] for group in rows) / len(rows) for i in range(len(labels))]
            axes.plot(labels, means, color=COLOURS[kind], marker=MARKERS[list(NAMES).index(kind)], label=name)
    axes.set(xlabel="gap to the next word, seconds", ylabel="micro F1", title="By pause, mean over the sets")
    axes.legend(fontsize=8, frameon=False)


def _short(name: str) -> str:
    return name.replace("earnings21_", "").replace("earnings22_forced", "forced alignment").replace("_", "\n")


def main() -> int:
    """Read the results, write the picture."""
    source, target = map(Path, sys.argv[1:3])
    draw(json.loads(source.read_text(encoding="utf-8")), target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
