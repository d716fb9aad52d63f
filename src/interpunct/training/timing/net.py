"""The network, in torch and as an ONNX graph.

Three convolutions over the boundaries of a stretch, each wider than the one before, correct the log posteriors of
the text; the inputs also go straight to the output, where a pause alone says much. The gate is a layer over what
both say.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from ...audio.encoders.timing import FEATURES
from ...marks import THREE

__all__ = ["Gate", "TimingNet", "build_graph"]

CLASSES = 1 + len(THREE)
INPUTS = len(FEATURES) + CLASSES
_KERNEL = 5
_DILATIONS = (1, 2, 4)
_TEXT_SCALE = 0.25
"""Log posteriors reach from 0 to -14; the features are about 1."""


class TimingNet(nn.Module):
    """Logits (batch, words, 4) from features (batch, words, 15) and log posteriors of the text (batch, words, 4)."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        widths = (INPUTS, *[hidden] * (len(_DILATIONS) - 1))
        self.layers = nn.ModuleList(
            nn.Conv1d(width, hidden, _KERNEL, padding=(_KERNEL - 1) // 2 * d, dilation=d)
            for width, d in zip(widths, _DILATIONS, strict=True)
        )
        self.out = nn.Conv1d(hidden + INPUTS, CLASSES, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.constant_(self.out.bias, 0.0)  # type: ignore[arg-type]

    def forward(self, features: Tensor, text: Tensor) -> Tensor:
        x = torch.cat([features, text * _TEXT_SCALE], -1).transpose(1, 2)
        first, *rest = self.layers
        h = F.relu(first(x))
        for layer in rest:
            h = h + F.relu(layer(h))
        correction: Tensor = self.out(torch.cat([h, x], 1))
        return text + correction.transpose(1, 2)


class Gate(nn.Module):
    """The weight (batch, words) of the times, from what they and the text say and the features."""

    def __init__(self, hidden: int = 16) -> None:
        super().__init__()
        self.up = nn.Linear(INPUTS + CLASSES, hidden)
        self.out = nn.Linear(hidden, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.constant_(self.out.bias, 2.0)

    def forward(self, features: Tensor, text: Tensor, timing: Tensor) -> Tensor:
        x = torch.cat([features, text * _TEXT_SCALE, timing * _TEXT_SCALE], -1)
        return torch.sigmoid(self.out(F.relu(self.up(x)))).squeeze(-1)


def build_graph(net: TimingNet, gate: Gate) -> onnx.ModelProto:
    """Inputs ``features`` and ``text``, outputs ``folded`` (posteriors) and ``alpha``; all (batch, words, …)."""
    arrays = {f"net.{name}": value.numpy() for name, value in net.state_dict().items()}
    for name, value in gate.state_dict().items():  # torch keeps (out, in), MatMul wants (in, out)
        arrays[f"gate.{name}"] = np.ascontiguousarray(value.numpy().T)
    arrays["scale"] = np.array(_TEXT_SCALE, np.float32)
    arrays["last"] = np.array([2], np.int64)
    nodes: list[onnx.NodeProto] = []

    def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    scaled = node("Mul", ["text", "scale"], "text.scaled")
    joined = node("Concat", ["features", scaled], "joined", axis=2)
    x = h = node("Transpose", [joined], "x", perm=[0, 2, 1])
    for i, dilation in enumerate(_DILATIONS):
        pad = (_KERNEL - 1) // 2 * dilation
        weights = [f"net.layers.{i}.weight", f"net.layers.{i}.bias"]
        made = node("Conv", [h, *weights], f"conv{i}", dilations=[dilation], pads=[pad, pad], kernel_shape=[_KERNEL])
        active = node("Relu", [made], f"relu{i}")
        h = active if i == 0 else node("Add", [h, active], f"h{i}")
    both = node("Concat", [h, x], "both", axis=1)
    out = node("Conv", [both, "net.out.weight", "net.out.bias"], "correction", kernel_shape=[1])
    logits = node("Add", ["text", node("Transpose", [out], "correction.t", perm=[0, 2, 1])], "logits")
    node("Softmax", [logits], "folded", axis=2)
    log = node("LogSoftmax", [logits], "log", axis=2)
    gate_in = node("Concat", [joined, node("Mul", [log, "scale"], "log.scaled")], "gate.in", axis=2)
    up = node("Add", [node("MatMul", [gate_in, "gate.up.weight"], "gate.up"), "gate.up.bias"], "gate.up.sum")
    one = node("MatMul", [node("Relu", [up], "gate.relu"), "gate.out.weight"], "gate.out")
    alpha = node("Sigmoid", [node("Add", [one, "gate.out.bias"], "gate.out.sum")], "alpha.wide")
    node("Squeeze", [alpha, "last"], "alpha")

    def tensor(name: str, *width: int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "words", *width])

    graph = helper.make_graph(
        nodes,
        "interpunct timing model",
        [tensor("features", len(FEATURES)), tensor("text", CLASSES)],
        [tensor("folded", CLASSES), tensor("alpha")],
        [numpy_helper.from_array(value, name) for name, value in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="interpunct")
    model.ir_version = 8
    return model
