"""The text model in torch: a BERT encoder with two word-level heads.

Written out rather than taken from ``transformers`` so that training needs only torch, and so that the
exported graph holds exactly what inference runs. There is no dropout: training sees most words once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

__all__ = ["Shape", "TextModel", "from_bert"]


@dataclass(frozen=True)
class Shape:
    """The sizes of an encoder."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    intermediate: int
    positions: int
    marks: int
    cases: int

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


class Layer(nn.Module):
    """A post-norm transformer block, as in BERT (Devlin et al. 2019)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = nn.Linear(shape.hidden, 3 * shape.hidden)
        self.out = nn.Linear(shape.hidden, shape.hidden)
        self.attention_norm = nn.LayerNorm(shape.hidden, eps=1e-12)
        self.up = nn.Linear(shape.hidden, shape.intermediate)
        self.down = nn.Linear(shape.intermediate, shape.hidden)
        self.output_norm = nn.LayerNorm(shape.hidden, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        batch, length, hidden = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, hidden // self.heads).transpose(1, 2)
            for part in self.qkv(x).split(hidden, dim=-1)
        )
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.attention_norm(x + self.out(mixed.transpose(1, 2).reshape(batch, length, hidden)))
        return self.output_norm(x + self.down(F.gelu(self.up(x))))  # type: ignore[no-any-return]


class TextModel(nn.Module):
    """Pieces in, logits a word out.

    A word is read at its last piece. ``forward`` takes ``pieces`` (batch, pieces) int64, ``mask``
    (batch, pieces) bool, true where there is a piece, or None where there is no padding, and
    ``ends`` (batch, words) int64, the position of each word's last piece. It returns mark logits
    (batch, words, marks), case logits (batch, words, cases) and states (batch, words, hidden).
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.hidden)
        self.positions = nn.Parameter(torch.zeros(shape.positions, shape.hidden))
        self.norm = nn.LayerNorm(shape.hidden, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.mark = nn.Linear(shape.hidden, shape.marks)
        self.case = nn.Linear(shape.hidden, shape.cases)

    def forward(self, pieces: Tensor, mask: Tensor | None, ends: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = self.norm(self.words(pieces) + self.positions[: pieces.shape[1]])
        attend = None if mask is None else mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attend)
        states = x.gather(1, ends.unsqueeze(-1).expand(-1, -1, x.shape[-1]))
        return self.mark(states), self.case(states), states


def from_bert(weights: Mapping[str, Tensor], *, heads: int, marks: int, cases: int) -> TextModel:
    """Put the weights of a BERT checkpoint (Hugging Face names) under fresh heads.

    The embedding of token type 0 is folded into the positions, for it is added to each of them.
    """
    words = weights["embeddings.word_embeddings.weight"]
    positions = weights["embeddings.position_embeddings.weight"]
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    model = TextModel(
        Shape(
            vocabulary=words.shape[0],
            hidden=words.shape[1],
            layers=layers,
            heads=heads,
            intermediate=weights["encoder.layer.0.intermediate.dense.weight"].shape[0],
            positions=positions.shape[0],
            marks=marks,
            cases=cases,
        )
    )
    own: dict[str, Tensor] = {
        "words.weight": words,
        "positions": positions + weights["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": weights["embeddings.LayerNorm.weight"],
        "norm.bias": weights["embeddings.LayerNorm.bias"],
    }
    for i in range(layers):
        theirs = f"encoder.layer.{i}."
        for kind in ("weight", "bias"):
            own[f"layers.{i}.qkv.{kind}"] = torch.cat(
                [weights[f"{theirs}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            )
            for mine, name in (
                ("out", "attention.output.dense"),
                ("attention_norm", "attention.output.LayerNorm"),
                ("up", "intermediate.dense"),
                ("down", "output.dense"),
                ("output_norm", "output.LayerNorm"),
            ):
                own[f"layers.{i}.{mine}.{kind}"] = weights[f"{theirs}{name}.{kind}"]
    for head in (model.mark, model.case):
        nn.init.normal_(head.weight, std=0.02)
        nn.init.zeros_(head.bias)
    missing, unexpected = model.load_state_dict(own, strict=False)
    assert not unexpected and all(name.startswith(("mark.", "case.")) for name in missing)
    return model
