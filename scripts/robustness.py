"""What hurts: the same texts, disturbed in one way each.

    python scripts/robustness.py --data $DATA [--model en] [--words 10000] [-o robustness.json]

Micro F1 over three marks on the first words of dev texts, and the difference to the text as it is. Marks stay where
they were: with a word that is left out, a sentence ends with the word before. Short pieces are restored one by one, so
that nothing is known of what stands around them; the end of a piece is not counted as the end of a sentence.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from interpunct import Restorer
from interpunct.evaluation.scores import as_ids, fold_ids, score_ids
from interpunct.training.noise import FILLERS, Noise, Sample, disturb
from interpunct.training.run import dev_stream

TEXTS = ("changelog", "qmsum", "earnings22", "europarl", "eltec", "commonvoice")
NONE_OF_ALL = Noise(errors=0, spell_numbers=0, drop_fillers=0, part_compounds=0)
MARKS = ("NONE", "PERIOD", "COMMA", "QUESTION", "EXCLAMATION", "COLON", "SEMICOLON", "DASH")
Text = list[Sample]
Change = Callable[[Text, np.random.Generator], list[Text]]


def noise(**shares: float | tuple[float, float]) -> Change:
    """A change that training makes too, here everywhere."""

    def change(text: Text, random: np.random.Generator) -> list[Text]:
        forms = [sample.form for sample in text]
        everywhere = Noise(**{**vars(NONE_OF_ALL), **shares})
        return [disturb(text, everywhere, random, lambda: forms[int(random.integers(len(forms)))])]

    return change


def fillers(text: Text, random: np.random.Generator) -> list[Text]:
    """One in twenty words has a filler before it."""
    known = sorted(FILLERS)
    fresh = [(random.random() < 0.05, known[int(random.integers(len(known)))], s) for s in text]
    return [[s for wanted, form, old in fresh for s in ([Sample(form, 0, 0, False)] if wanted else []) + [old]]]


def repetitions(text: Text, random: np.random.Generator) -> list[Text]:
    """One in twenty words is said twice."""
    return [[s for old in text for s in ([old._replace(mark=0)] if random.random() < 0.05 else []) + [old]]]


def capitals(text: Text, random: np.random.Generator) -> list[Text]:
    """All of it in capitals."""
    return [[sample._replace(form=sample.form.upper()) for sample in text]]


def pieces(words: int) -> Change:
    """Pieces of so many words, without what stands around them."""
    return lambda text, _: [text[i : i + words] for i in range(0, len(text), words)]


CHANGES: dict[str, Change] = {
    "as it is": lambda text, _: [text],
    "5 % of the words wrong": noise(errors=1, error_rate=(0.05, 0.05)),
    "10 % of the words wrong": noise(errors=1, error_rate=(0.10, 0.10)),
    "20 % of the words wrong": noise(errors=1, error_rate=(0.20, 0.20)),
    "numbers as words": noise(spell_numbers=1),
    "compounds as words": noise(part_compounds=1),
    "no fillers": noise(drop_fillers=1),
    "a filler before 5 % of the words": fillers,
    "5 % of the words twice": repetitions,
    "ALL CAPS": capitals,
    "pieces of 100 words": pieces(100),
    "pieces of 30 words": pieces(30),
    "pieces of 10 words": pieces(10),
    "pieces of 3 words": pieces(3),
}


def f1(restorer: Restorer, texts: Sequence[Text]) -> float:
    """Micro F1 of pieces restored one by one."""
    given, wanted = list(restored(restorer, texts)), [MARKS[sample.mark] for text in texts for sample in text]
    return 100 * float(score_ids(fold_ids(as_ids(wanted)), fold_ids(as_ids(given))))


def restored(restorer: Restorer, texts: Sequence[Text]) -> Iterator[str]:
    for result in restorer.restore_many([[s.form for s in text] for text in texts], final_mark=False):
        yield from (word.mark for word in result.words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="en")
    parser.add_argument("--words", type=int, default=10_000, help="of each text")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    restorer = Restorer.from_pretrained(options.model)
    table: dict[str, dict[str, float]] = {}
    for name in TEXTS:
        stream = dev_stream(options.data / "text" / "en" / f"{name}.dev.txt.xz", (0.0, 1.0), options.words)
        ends = {"PERIOD", "QUESTION", "EXCLAMATION"}
        text = [Sample(w, MARKS.index(m), 0, m in ends) for w, m in zip(stream.words, stream.marks, strict=True)]
        table[name] = {}
        for change, of in CHANGES.items():
            table[name][change] = f1(restorer, of(text, np.random.default_rng(0)))
            print(f"{name:<12}{change:<36}{table[name][change]:6.2f}", flush=True)
    print(f"\n{'':<36}" + "".join(f"{name:>12}" for name in TEXTS) + f"{'mean':>12}")
    for change in CHANGES:
        row = [table[name][change] - (0 if change == "as it is" else table[name]["as it is"]) for name in TEXTS]
        sign = "" if change == "as it is" else "+"
        print(f"{change:<36}" + "".join(f"{value:>{sign}12.1f}" for value in (*row, sum(row) / len(row))))
    if options.output:
        options.output.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
