"""Corpora as arrays: every text becomes one stream of word ids with marks and cases.

The stream has no sentence or paragraph breaks, like the output of a recogniser: documents are joined.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from ..casing import CASES
from ..errors import InputError, ModelError
from ..evaluation.benchmarks import load as load_benchmark
from ..hooks import say
from ..labelled import LabelledWord, label, read_documents
from ..marks import MARKS, NONE
from ..written import reading

__all__ = ["IGNORED", "ALL_MARKS", "Corpus", "Vocabulary", "benchmark_of", "load_corpus"]

IGNORED = -100
"""The case label of a word without cased letters: no loss."""
ALL_MARKS: tuple[str, ...] = (NONE, *MARKS)
"""Streams keep every mark; a recipe's mark set is applied when batches are made."""
_VERSION = b"3"


class Vocabulary:
    """Word forms ↔ ids, and the pieces of each form. Grows as corpora are read."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.ids: dict[str, int] = {}
        self.forms: list[str] = []
        self._pieces: list[list[int]] = []
        self.begin, self.end, self.unknown = (special_piece(tokenizer, t) for t in ("[CLS]", "[SEP]", "[UNK]"))

    def id(self, form: str) -> int:
        found = self.ids.get(form)
        if found is None:
            found = self.ids[form] = len(self.forms)
            self.forms.append(form)
        return found

    def pieces(self, word: int) -> list[int]:
        """The piece ids of a word; unknown characters become the unknown piece, never nothing."""
        if word >= len(self._pieces):
            new = [reading(form) for form in self.forms[len(self._pieces) :]]
            self._pieces += [
                encoding.ids or [self.unknown]
                for encoding in self.tokenizer.encode_batch(new, add_special_tokens=False)
            ]
        return self._pieces[word]


def special_piece(tokenizer: Tokenizer, token: str) -> int:
    """The id of a special piece.

    Raises:
        ModelError: the tokenizer has none of that name.
    """
    found = tokenizer.token_to_id(token)
    if found is None:
        raise ModelError(f"the tokenizer of the initial model has no piece {token}")
    return found


@dataclass(frozen=True)
class Corpus:
    """One stream: word ids, mark ids (in :data:`ALL_MARKS`) and case ids, one of each a word."""

    name: str
    words: npt.NDArray[np.int32]
    marks: npt.NDArray[np.int8]
    cases: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.words)

    def part(self, start: float, stop: float) -> Corpus:
        """The part between two shares of its length."""
        return self._slice(round(start * len(self)), round(stop * len(self)))

    def first(self, words: int) -> Corpus:
        """Its first words."""
        return self._slice(0, words)

    def _slice(self, start: int, stop: int) -> Corpus:
        return Corpus(self.name, self.words[start:stop], self.marks[start:stop], self.cases[start:stop])


def load_corpus(name: str, path: Path, vocabulary: Vocabulary, cache: Path | None = None) -> Corpus:
    """Read a file into a corpus. With ``cache``, the taken-apart text is kept there as ``.npz``.

    Raises:
        InputError: the file cannot be read, or holds no words.
    """
    file = cache / f"{name}-{_fingerprint(path)}.npz" if cache else None
    if file and file.exists():
        stored = np.load(file, allow_pickle=False)
        forms = bytes(stored["forms"]).decode().split("\n")
        to_id = np.array([vocabulary.id(form) for form in forms], dtype=np.int32)
        return Corpus(name, to_id[stored["words"]], stored["marks"], stored["cases"])
    say(f"reading {path}")
    corpus = _corpus(name, _labelled(path), vocabulary)
    if not len(corpus):
        raise InputError(f"{path}: holds no words")
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        used, local = np.unique(corpus.words, return_inverse=True)
        forms_bytes = "\n".join(vocabulary.forms[i] for i in used).encode()
        np.savez(
            file,
            words=local.astype(np.int32),
            marks=corpus.marks,
            cases=corpus.cases,
            forms=np.frombuffer(forms_bytes, dtype=np.uint8),
        )
    return corpus


def benchmark_of(path: Path) -> str:
    """The benchmark that reads a file of a recipe, by its name."""
    if path.suffixes[-2:] == [".tsv", ".xz"]:
        return "timed"
    return "iwslt2011" if path.suffix == ".tsv" else "text"


def _labelled(path: Path) -> Iterator[LabelledWord]:
    if (benchmark := benchmark_of(path)) != "text":
        return _benchmark(f"{benchmark}:{path}")
    return (word for document in read_documents(path) for line in document for word in label(line))


def _benchmark(spec: str) -> Iterator[LabelledWord]:
    """The words of a benchmark whose labels stand beside the words; it knows no case."""
    for split in load_benchmark(spec):
        for document in split.documents:
            yield from (LabelledWord(w, m, None) for w, m in zip(document.words, document.word_marks, strict=True))


def _corpus(name: str, labelled: Iterable[LabelledWord], vocabulary: Vocabulary) -> Corpus:
    words: list[int] = []
    marks = bytearray()
    cases = bytearray()
    mark_ids = {mark: i for i, mark in enumerate(ALL_MARKS)}
    case_ids: dict[str | None, int] = {case: i for i, case in enumerate(CASES)} | {None: 255}
    for word, mark, case in labelled:
        words.append(vocabulary.id(word))
        marks.append(mark_ids[mark])
        cases.append(case_ids[case])
    case_array = np.frombuffer(bytes(cases), dtype=np.uint8).astype(np.int16)
    case_array[case_array == 255] = IGNORED
    return Corpus(
        name,
        np.array(words, dtype=np.int32),
        np.frombuffer(bytes(marks), dtype=np.int8),
        case_array.astype(np.int8),
    )


def _fingerprint(path: Path) -> str:
    try:
        size = path.stat().st_size
    except OSError:
        raise InputError(f"{path}: no such file (is --data the folder that the recipe means?)") from None
    return hashlib.sha256(_VERSION + f"{path.resolve()}:{size}".encode()).hexdigest()[:12]
