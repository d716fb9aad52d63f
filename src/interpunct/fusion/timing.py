"""The model that reads the times of words beside what a text model thinks of them: an ONNX graph of a few kB.

A small convolutional network over the boundaries of a stretch. It sees the features of
:mod:`interpunct.audio.encoders.timing` and the text model's posteriors, folded to three marks, so it needs no
word and knows no language. It gives posteriors of its own, and the weight that they deserve (its gate).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..audio.encoders.timing import FEATURES, Timing, encode
from ..decoding import Floats
from ..errors import ModelError
from ..marks import THREE

__all__ = ["MARGIN", "SIZE", "Opinion", "TimingModel", "log_posteriors"]

SIZE, MARGIN = 1024, 128
"""Words of a stretch, and of its context on both sides: enough to know a speaker's pace."""
_LEAST = np.float32(1e-6)


class Opinion(NamedTuple):
    """Of a stretch: posteriors (words, 4) of NONE and ``marks.THREE``, and their weight (words,), 0 to 1."""

    folded: Floats
    alpha: Floats


def log_posteriors(folded: Floats) -> Floats:
    """What the network reads of a text model's folded posteriors."""
    result: Floats = np.log(np.maximum(folded, _LEAST), dtype=np.float32)
    return result


class TimingModel:
    """Times and text posteriors to posteriors. Safe to share between threads."""

    def __init__(self, graph: Path) -> None:
        """Load a graph.

        Raises:
            ModelError: it cannot be loaded, or is not of this kind.
        """
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime raises bare exceptions of its own
            raise ModelError(f"{graph}: this model cannot be loaded ({str(error).splitlines()[0]})") from None
        inputs = {given.name: given.shape[-1] for given in self._session.get_inputs()}
        if inputs != {"features": len(FEATURES), "text": 1 + len(THREE)}:
            raise ModelError(f"{graph}: reads {inputs}, not the {len(FEATURES)} features of this version")

    def opinion(self, timing: Timing, text: Floats) -> Opinion | None:
        """What the times of a stretch say; ``None`` where there are none.

        Args:
            text: posteriors (words, 4) of NONE and ``marks.THREE``.
        """
        features = encode(timing)
        timed = features[:, FEATURES.index("timed")] > 0
        if not timed.any():
            return None
        folded, alpha = self._session.run(
            ["folded", "alpha"], {"features": features[None], "text": log_posteriors(text)[None]}
        )
        return Opinion(folded[0], np.where(timed, alpha[0], np.float32(0)))
