"""A three-hour caption file: reading beside webvtt-py, and read + restore + write beside plain text.

    python -m bench.captions_speed [--hours 3] [--rounds 5] [--no-restore]

Both sides take turns in one process; the best round of each counts. Needs ``pip install 'interpunct[bench]'``.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from interpunct import Restorer
from interpunct.formats import FORMATS, read, save

WORDS = (
    "the a of and to in that it is was for on with he she they we you i not but at by this have from or had an what so"
    " people time water light harbour keeper morning never always because before after think know say went came looked"
    " boat window letter house again every little under over some more than when where who how well there here now then"
).split()


def captions(hours: float, seed: int = 7) -> str:
    """A WebVTT file: a cue each three seconds with two lines of four or five words."""
    choose = random.Random(seed)
    parts = ["WEBVTT\n"]
    for k in range(int(hours * 1200)):
        lines = "\n".join(" ".join(choose.choices(WORDS, k=choose.randint(3, 5))) for _ in range(2))
        parts.append(f"{_stamp(3 * k)}.000 --> {_stamp(3 * k + 2)}.900\n{lines}\n")
    return "\n".join(parts)


def _stamp(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def best(rounds: int, *jobs: Callable[[], object]) -> list[float]:
    """The shortest time of each job, in seconds; they take turns."""
    times = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for k, job in enumerate(jobs):
            started = time.process_time()
            job()
            times[k] = min(times[k], time.process_time() - started)
    return times


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-restore", action="store_true", help="reading alone")
    arguments = parser.parse_args()
    import webvtt

    with tempfile.TemporaryDirectory() as folder:
        vtt, txt = Path(folder, "talk.vtt"), Path(folder, "talk.txt")
        vtt.write_text(captions(arguments.hours), encoding="utf-8")
        words = len(read(vtt).words)
        ours, theirs = best(arguments.rounds, lambda: read(vtt), lambda: webvtt.read(str(vtt)))
        figures = {"words": words, "bytes": vtt.stat().st_size, "read": ours, "webvtt-py": theirs}
        figures["read, speed against webvtt-py"] = theirs / ours
        for name in ("srt", "sbv", "ass", "ttml", "sami", "microdvd"):
            other = Path(folder, f"talk{FORMATS.get(name).EXTENSIONS[0]}")
            save(read(vtt), other, name)
            figures[f"read {name}"] = best(arguments.rounds, lambda other=other: read(other))[0]
        if not arguments.no_restore:
            txt.write_text(read(vtt).text, encoding="utf-8")
            restorer = Restorer.from_pretrained("en", threads=1)

            def whole(path: Path) -> None:
                restorer.restore(read(path)).save(path.with_stem("out"))

            captioned, plain = best(arguments.rounds, lambda: whole(vtt), lambda: whole(txt))
            figures |= {"captions": captioned, "plain text": plain, "captions, share of the speed": plain / captioned}
    print(json.dumps({name: round(figure, 4) for name, figure in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
