"""The default text model: an ONNX graph, run by ONNX Runtime on the CPU.

One window a run. The int8 graph scales its activations by the largest of a whole batch, so a window's
answer would depend on its neighbours; alone, it is the same wherever it stands. It also needs half the
memory and is no slower (``docs/decisions/0003-one-window-a-run.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import ModelError
from ..written import reading

__all__ = ["Answer", "OnnxTextModel"]

_REMEMBERED = 1 << 16
_LONGEST = 48
"""A word of more pieces is read by its first and last ones."""


class Answer(NamedTuple):
    """Of one window: mark logits (words, marks), case logits (words, 4), states (words, hidden)."""

    marks: npt.NDArray[np.float32]
    cases: npt.NDArray[np.float32]
    states: npt.NDArray[np.float32] | None


class OnnxTextModel:
    """Words to pieces, pieces to logits. Safe to share between threads.

    ``size`` is the number of word pieces that fit into one window.
    """

    def __init__(self, graph: Path, tokenizer: Path, *, positions: int) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # windows run side by side instead
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # both libraries raise bare exceptions of their own
            raise ModelError(f"{graph.parent}: this model cannot be loaded ({str(error).splitlines()[0]})") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._folder = graph.parent
        self._begin, self._end, self._unknown = map(self.special, ("[CLS]", "[SEP]", "[UNK]"))
        self._pieces: dict[str, tuple[int, ...]] = {}
        self.size = positions - 2

    def special(self, token: str) -> int:
        """The id of a special piece.

        Raises:
            ModelError: the tokenizer has none of that name.
        """
        found: int | None = self._tokenizer.token_to_id(token)
        if found is None:
            raise ModelError(f"{self._folder / 'tokenizer.json'}: this tokenizer has no piece {token}")
        return found

    def check(self, marks: int, cases: int) -> None:
        """Try the model on one word.

        Raises:
            ModelError: it does not run, or answers with other numbers of marks and cases.
        """
        answer = self.run([(self._unknown,)])
        found = (answer.marks.shape, answer.cases.shape)
        if found != ((1, marks), (1, cases)):
            raise ModelError(
                f"{self._folder}: the graph answers with {found[0][-1]} marks and {found[1][-1]} cases, "
                f"the configuration has {marks} and {cases}"
            )

    def encode(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The pieces of each word: at least one, at most 48."""
        remembered = self._pieces
        new = [word for word in dict.fromkeys(words) if word not in remembered]
        if new:
            if len(remembered) > _REMEMBERED:
                remembered = self._pieces = {}  # another thread may still read the old one
                new = list(dict.fromkeys(words))
            found = self._tokenizer.encode_batch([reading(word) for word in new], add_special_tokens=False)
            for word, encoding in zip(new, found, strict=True):
                remembered[word] = _clip(encoding.ids) or (self._unknown,)
        return [remembered[word] for word in words]

    def run(self, window: Sequence[tuple[int, ...]], *, begin: int | None = None, states: bool = False) -> Answer:
        """The answer for the words of one window. ``begin``: the piece before them, which may name a style.

        Raises:
            ModelError: the graph is another than the configuration says.
        """
        pieces = [self._begin if begin is None else begin]
        ends = []
        for word in window:
            pieces += word
            ends.append(len(pieces) - 1)
        pieces.append(self._end)
        inputs = {
            "pieces": np.array([pieces], dtype=np.int64),
            "ends": np.array([ends], dtype=np.int64),
        }
        try:
            outputs = self._session.run(["marks", "cases", "states"] if states else ["marks", "cases"], inputs)
        except Exception as error:  # ONNX Runtime raises bare exceptions of its own
            raise ModelError(f"{self._folder}: this model cannot be run ({str(error).splitlines()[0]})") from None
        return Answer(outputs[0][0], outputs[1][0], outputs[2][0] if states else None)


def _clip(pieces: Sequence[int]) -> tuple[int, ...]:
    if len(pieces) <= _LONGEST:
        return tuple(pieces)
    return (*pieces[: _LONGEST // 2], *pieces[-_LONGEST // 2 :])
