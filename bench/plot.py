"""Draw cost against length from ``bench.json``: ``python -m bench.plot bench/results/bench.json cost.png``."""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

STYLES = {1: "-", 2: "--"}
COLOURS = {"interpunct": "#1b6ca8", "xlm-roberta-large": "#b8412f", "xlm-roberta-base": "#d99a2b"}


def draw(results: dict[str, Any], target: Path) -> None:
    """Two panels: time in multiples of what our shortest text takes with one thread, and peak memory."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (time_axes, memory_axes) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    ours = [row for row in results["hot"] if row["who"] == "interpunct"]
    unit_row = min(ours, key=lambda row: (row["threads"], row["words"]))
    unit = statistics.median(run["seconds"] for run in unit_row["runs"])
    for who in dict.fromkeys(row["who"] for row in results["hot"]):
        for threads in sorted({row["threads"] for row in results["hot"]}):
            rows = sorted(
                (row for row in results["hot"] if (row["who"], row["threads"]) == (who, threads)),
                key=lambda row: int(row["words"]),
            )
            words = [row["words"] for row in rows]
            look = {
                "color": COLOURS.get(who),
                "linestyle": STYLES.get(threads, ":"),
                "marker": "o",
                "markersize": 4,
                "label": f"{who}, {threads} thread{'s' if threads > 1 else ''}",
            }
            seconds = [statistics.median(run["seconds"] for run in row["runs"]) / unit for row in rows]
            memory = [statistics.median(run["process"]["peak_bytes"] for run in row["runs"]) / 2**20 for row in rows]
            time_axes.plot(words, seconds, **look)
            memory_axes.plot(words, memory, **look)
    time_axes.set(xscale="log", yscale="log", xlabel="words", title="Time to restore a text, model loaded")
    time_axes.set_ylabel(f"time (1 = interpunct on {unit_row['words']:,} words)")
    memory_axes.set(xscale="log", yscale="log", xlabel="words", ylabel="MiB", title="Peak memory of the process")
    for axes in (time_axes, memory_axes):
        axes.grid(True, which="major", alpha=0.3)
    time_axes.legend(fontsize=8, frameon=False)
    figure.savefig(target, dpi=130, metadata={"Software": None})


def main() -> int:
    """Read the results, write the picture."""
    source, target = map(Path, sys.argv[1:3])
    draw(json.loads(source.read_text(encoding="utf-8")), target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
