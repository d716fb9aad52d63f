"""The text model as an ONNX graph, written node by node.

Written by hand rather than traced: the graph then holds exactly the fused operators that ONNX Runtime
has for an encoder, and its weights have names by which they are read back into torch.

Weights are int8, one scale a column of each matrix and a row of the embeddings. Matrices use 7 of the
8 bits: without VNNI, x86 multiplies bytes in pairs and saturates their sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from .encoder import Shape

__all__ = ["build_graph", "read_graph"]

Array = npt.NDArray[Any]
_MICROSOFT = "com.microsoft"
_MATRIX_LEVELS, _ROW_LEVELS = 63, 127


class _Graph:
    """Collects nodes and weights."""

    def __init__(self, quantised: bool) -> None:
        self.quantised = quantised
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, name: str, value: Array) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: Sequence[str], output: str, *, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, list(inputs), [output], domain=domain, **attributes))
        return output

    def linear(self, name: str, x: str, weight: Array, bias: Array | None) -> str:
        """``x @ weight.T + bias``; ``weight`` (out, in) as torch keeps it."""
        if self.quantised:
            levels, scale = _quantise(weight.T, 0, _MATRIX_LEVELS)
            inputs = [x, self.weight(f"{name}.weight.int8", levels), self.weight(f"{name}.weight.scale", scale), ""]
            if bias is not None:
                inputs.append(self.weight(f"{name}.bias", bias))
            return self.node("DynamicQuantizeMatMul", inputs, f"{name}.out", domain=_MICROSOFT)
        product = self.node("MatMul", [x, self.weight(f"{name}.weight", weight.T)], f"{name}.product")
        if bias is None:
            return product
        return self.node("Add", [product, self.weight(f"{name}.bias", bias)], f"{name}.out")

    def rows(self, name: str, ids: str, table: Array) -> str:
        """The rows ``ids`` of ``table``."""
        if not self.quantised:
            return self.node("Gather", [self.weight(f"{name}.weight", table), ids], f"{name}.out")
        levels, scale = _quantise(table, 1, _ROW_LEVELS)
        raw = self.node("Gather", [self.weight(f"{name}.weight.int8", levels), ids], f"{name}.raw")
        scales = self.node("Gather", [self.weight(f"{name}.weight.scale", scale[:, None]), ids], f"{name}.scales")
        return self.node("Mul", [self.node("Cast", [raw], f"{name}.cast", to=TensorProto.FLOAT), scales], f"{name}.out")


def _quantise(matrix: Array, axis: int, levels: int) -> tuple[Array, Array]:
    scale = np.maximum(np.abs(matrix).max(axis=axis), 1e-12).astype(np.float32) / levels
    return np.round(matrix / np.expand_dims(scale, axis)).astype(np.int8), scale


def build_graph(shape: Shape, state: Mapping[str, Array], *, quantised: bool) -> onnx.ModelProto:
    """The graph of a :class:`~interpunct.training.encoder.TextModel` from its state dict (numpy arrays).

    Inputs ``pieces`` (batch, pieces) and ``ends`` (batch, words), int64; outputs ``marks``, ``cases`` and
    ``states``, float32, (batch, words, …). There is no mask: windows are run without padding.
    """
    g = _Graph(quantised)
    words = g.rows("words", "pieces", state["words.weight"])
    length = g.node("Shape", ["pieces"], "length", start=1, end=2)
    zero = g.weight("zero", np.array([0], np.int64))
    positions = g.node("Slice", [g.weight("positions", state["positions"]), zero, length, zero], "here")
    x = g.node(
        "LayerNormalization",
        [g.node("Add", [words, positions], "embedded"), *_norm(g, state, "norm")],
        "x",
        axis=-1,
        epsilon=1e-12,
    )
    for i in range(shape.layers):
        x = _layer(g, state, f"layers.{i}", x, shape.heads)
    where = g.node("Unsqueeze", ["ends", g.weight("last", np.array([-1], np.int64))], "where")
    width = g.weight("width", np.array([1, 1, shape.hidden], np.int64))
    states = g.node("GatherElements", [x, g.node("Expand", [where, width], "everywhere")], "states", axis=1)
    for head, output in (("mark", "marks"), ("case", "cases")):
        weight = g.weight(f"{head}.weight", state[f"{head}.weight"].T)
        product = g.node("MatMul", [states, weight], f"{head}.product")
        g.node("Add", [product, g.weight(f"{head}.bias", state[f"{head}.bias"])], output)
    graph = helper.make_graph(
        g.nodes,
        "interpunct text model",
        [_tensor("pieces", TensorProto.INT64, "pieces"), _tensor("ends", TensorProto.INT64, "words")],
        [
            _tensor("marks", TensorProto.FLOAT, "words", shape.marks),
            _tensor("cases", TensorProto.FLOAT, "words", shape.cases),
            _tensor("states", TensorProto.FLOAT, "words", shape.hidden),
        ],
        g.weights,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="interpunct")
    model.ir_version = 8
    for key, value in shape.to_dict().items():
        model.metadata_props.add(key=key, value=str(value))
    return model


def _layer(g: _Graph, state: Mapping[str, Array], name: str, x: str, heads: int) -> str:
    def linear(part: str, inputs: str, bias: bool = True) -> str:
        weight, offset = state[f"{name}.{part}.weight"], state[f"{name}.{part}.bias"]
        return g.linear(f"{name}.{part}", inputs, weight, offset if bias else None)

    qkv = linear("qkv", x)
    parts = [f"{name}.{part}" for part in "qkv"]
    hidden = state[f"{name}.out.weight"].shape[0]
    sizes = g.weight(f"{name}.sizes", np.array([hidden] * 3, np.int64))
    g.nodes.append(helper.make_node("Split", [qkv, sizes], parts, axis=-1))
    mixed = g.node("MultiHeadAttention", parts, f"{name}.mixed", domain=_MICROSOFT, num_heads=heads)
    x = _add_norm(g, state, f"{name}.attention_norm", linear("out", mixed), x)
    up = linear("up", x, bias=False)
    active = g.node(
        "BiasGelu", [up, g.weight(f"{name}.up.bias", state[f"{name}.up.bias"])], f"{name}.active", domain=_MICROSOFT
    )
    return _add_norm(g, state, f"{name}.output_norm", linear("down", active), x)


def _add_norm(g: _Graph, state: Mapping[str, Array], name: str, x: str, skip: str) -> str:
    inputs = [x, skip, *_norm(g, state, name)]
    return g.node("SkipLayerNormalization", inputs, f"{name}.out", domain=_MICROSOFT, epsilon=1e-12)


def _norm(g: _Graph, state: Mapping[str, Array], name: str) -> list[str]:
    return [g.weight(f"{name}.{kind}", state[f"{name}.{kind}"]) for kind in ("weight", "bias")]


def _tensor(name: str, kind: int, axis: str, width: int | None = None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, ["batch", axis, *([] if width is None else [width])])


def read_graph(model: onnx.ModelProto) -> tuple[Shape, dict[str, Array]]:
    """Shape and state dict of a graph that :func:`build_graph` made; int8 weights are dequantised."""
    shape = Shape(**{prop.key: int(prop.value) for prop in model.metadata_props})
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    state: dict[str, Array] = {}
    for name, value in stored.items():
        if name.endswith(".weight.int8"):
            scale = stored[name.removesuffix("int8") + "scale"]
            table = value.astype(np.float32) * scale
            state[name.removesuffix(".int8")] = table if name.startswith("words") else table.T
        elif name.endswith(".weight") and "norm" not in name and name != "words.weight":
            state[name] = value.T
        elif name.endswith((".weight", ".bias")) or name == "positions":
            state[name] = value
    return shape, {name: np.ascontiguousarray(value) for name, value in state.items()}
