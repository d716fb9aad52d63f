"""Make the example of ``examples/``: a small recording and what a real recogniser wrote for it.

    python scripts/make_example.py --model WHISPER_DIR --clip a.wav --clip b.wav --name NAME

The clips are joined with a short silence and written as ``NAME.opus`` (16 kHz, mono). Whisper then reads that very
file, so that the word times belong to the recording that is shipped. It is kept from writing punctuation and its words
are lower-cased: what is left is the stream of words that interpunct restores. Writes ``NAME.whisper.json`` (the shape
of openai-whisper's JSON, with word times) and ``words.txt``. Needs ``pip install faster-whisper soundfile``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from faster_whisper import WhisperModel

RATE = 16_000
# An apostrophe is part of a word ("don't"); every other character of these is a mark that interpunct is to find.
MARKS = re.compile(r"""[.,?!:;"“”()\[\]{}…–—-]""")


@dataclass(frozen=True)
class Piece:
    """One word of the recogniser, with its time in seconds."""

    text: str
    start: float
    end: float
    probability: float


def join_clips(clips: Sequence[Path], pause: float) -> np.ndarray[Any, Any]:
    """All clips in one, with ``pause`` seconds of silence between two of them.

    Raises:
        SystemExit: a clip has another rate than 16 kHz or more than one channel.
    """
    parts: list[np.ndarray[Any, Any]] = []
    for clip in clips:
        samples, rate = soundfile.read(clip, dtype="float32")
        if rate != RATE or samples.ndim != 1:
            raise SystemExit(f"{clip}: {rate} Hz, {samples.ndim} dimension(s): clips must be {RATE} Hz and mono")
        parts += [samples, np.zeros(round(pause * RATE), dtype=np.float32)]
    return np.concatenate(parts[:-1])


def mark_tokens(model: WhisperModel) -> list[int]:
    """The ids of the recogniser's tokens that hold a mark; special tokens (``<|...|>``) are left alone."""
    tokenizer = model.hf_tokenizer
    vocabulary: dict[str, int] = tokenizer.get_vocab(with_added_tokens=False)
    return sorted(i for i in vocabulary.values() if MARKS.search(tokenizer.decode([i], skip_special_tokens=False)))


def recognise(model: WhisperModel, samples: np.ndarray[Any, Any], *, suppress: bool) -> list[list[Piece]]:
    """The words of each segment, lower-cased and without marks; ``suppress`` keeps the recogniser from writing any."""
    # -1 stands for the tokens that Whisper suppresses by default (music notes, speaker tags).
    suppressed = [-1, *mark_tokens(model)] if suppress else [-1]
    segments, _ = model.transcribe(
        samples,
        language="en",
        beam_size=5,
        temperature=0.0,
        word_timestamps=True,
        suppress_tokens=suppressed,
        condition_on_previous_text=False,
    )
    return [words for segment in segments if (words := list(bare(segment.words or [])))]


def bare(words: Iterable[Any]) -> Iterable[Piece]:
    """The words without marks and in lower case, one ``Piece`` for each; what was nothing but a mark is left out."""
    for word in words:
        parts = MARKS.sub(" ", word.word).lower().split()
        # A hyphen that was cut leaves two words in one time span: each takes a share as long as its letters.
        length, start = sum(map(len, parts)), word.start
        for part in parts:
            end = start + (word.end - word.start) * len(part) / length
            yield Piece(part, round(float(start), 2), round(float(end), 2), round(float(word.probability), 3))
            start = end


def to_whisper(segments: Sequence[Sequence[Piece]]) -> dict[str, Any]:
    """The document that ``whisper --output_format json --word_timestamps True`` would have written."""

    def text(words: Iterable[Piece]) -> str:
        return "".join(f" {word.text}" for word in words)

    return {
        "text": "".join(map(text, segments)),
        "segments": [
            {
                "id": number,
                "start": words[0].start,
                "end": words[-1].end,
                "text": text(words),
                "words": [
                    {"word": f" {w.text}", "start": w.start, "end": w.end, "probability": w.probability} for w in words
                ],
            }
            for number, words in enumerate(segments)
        ],
        "language": "en",
    }


def main() -> None:
    """Parse the command line and write the three files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", required=True, help="folder of a Whisper model in CTranslate2's format")
    parser.add_argument("--clip", type=Path, action="append", required=True, help="16 kHz mono sound; repeat to join")
    parser.add_argument("--pause", type=float, default=0.4, help="seconds of silence between clips (default 0.4)")
    parser.add_argument("--name", required=True, help="name of the files without extension")
    parser.add_argument("--out", type=Path, default=Path("examples"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--strip", action="store_true", help="let the recogniser write marks and strip them afterwards")
    arguments = parser.parse_args()

    sound: Path = arguments.out / f"{arguments.name}.opus"
    soundfile.write(sound, join_clips(arguments.clip, arguments.pause), RATE, format="OGG", subtype="OPUS")
    samples, _ = soundfile.read(sound, dtype="float32")

    model = WhisperModel(arguments.model, device="cpu", compute_type="int8", cpu_threads=arguments.threads)
    document = to_whisper(recognise(model, samples, suppress=not arguments.strip))
    transcript: Path = arguments.out / f"{arguments.name}.whisper.json"
    transcript.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (arguments.out / "words.txt").write_text(document["text"].strip() + "\n", encoding="utf-8")
    print(f"{sound}: {sound.stat().st_size} bytes, {len(samples) / RATE:.1f} s")
    print(document["text"].strip())


if __name__ == "__main__":
    main()
