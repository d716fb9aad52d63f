"""Fit the network, then, on recordings that it has not seen, the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from ..loop import Progress
from ..recipe import TimingRecipe
from .data import IGNORED, Arrays, Recording, collate, disturb_times
from .net import Gate, TimingNet

__all__ = ["fit_gate", "fit_net"]

_SHORTEST = 64
_GATE_EPOCHS = 6
Watch = Callable[[Progress], None]


def fit_net(recipe: TimingRecipe, data: Sequence[Recording], watch: Watch = lambda _: None) -> TimingNet:
    """The network, by cross-entropy."""
    torch.manual_seed(recipe.seed)
    net = TimingNet(recipe.hidden)

    def loss(batch: Arrays) -> Tensor:
        features, text, labels = _tensors(batch)
        return F.cross_entropy(net(features, text).flatten(0, 1), labels.flatten(), ignore_index=IGNORED)

    _descend(list(net.parameters()), loss, recipe, data, recipe.epochs, recipe.learning_rate, watch)
    return net.eval()


def fit_gate(recipe: TimingRecipe, net: TimingNet, data: Sequence[Recording]) -> Gate:
    """The gate, by the likelihood of the mixture; the network stays as it is."""
    torch.manual_seed(recipe.seed)
    gate = Gate()

    def loss(batch: Arrays) -> Tensor:
        features, text, labels = _tensors(batch)
        with torch.no_grad():
            timing = F.log_softmax(net(features, text), -1)
        alpha = gate(features, text, timing).unsqueeze(-1)
        mixture = alpha * timing.exp() + (1 - alpha) * F.softmax(text, -1)
        return F.nll_loss(torch.log(mixture + 1e-9).flatten(0, 1), labels.flatten(), ignore_index=IGNORED)

    _descend(list(gate.parameters()), loss, recipe, data, _GATE_EPOCHS, recipe.learning_rate / 2, lambda _: None)
    return gate.eval()


def _descend(
    parameters: list[torch.nn.Parameter],
    loss_of: Callable[[Arrays], Tensor],
    recipe: TimingRecipe,
    data: Sequence[Recording],
    epochs: int,
    peak: float,
    watch: Watch,
) -> None:
    random = np.random.default_rng(recipe.seed)
    data = [row for row in data if len(row) >= _SHORTEST] or list(data)
    steps = epochs * max(1, len(data) // recipe.batch)
    optimizer = torch.optim.AdamW(parameters, lr=peak, weight_decay=recipe.weight_decay, betas=(0.9, 0.98))
    batches = _batches(data, recipe, random)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = peak * min(1.0, (step + 1) / 30, (steps - step) / (steps * 0.6))
        loss = loss_of(next(batches))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        watch(Progress(step + 1, steps, loss.item(), None))


def _batches(data: Sequence[Recording], recipe: TimingRecipe, random: np.random.Generator) -> Iterator[Arrays]:
    """Without end: each epoch in another order, the times of each stretch as another recogniser has them."""
    size = min(recipe.batch, len(data))
    while True:
        order = random.permutation(len(data))
        for at in range(0, len(order) - size + 1, size):
            rows = [_shortened(data[i], random) for i in order[at : at + size]]
            yield collate(rows, [disturb_times(row.timing, random, recipe.disturb) for row in rows])


def _shortened(row: Recording, random: np.random.Generator) -> Recording:
    """Some stretches are a minute long: the pace must then be told from few words."""
    if random.random() >= 0.15 or len(row) <= _SHORTEST:
        return row
    length = int(random.integers(_SHORTEST // 2, min(len(row), 4 * _SHORTEST)))
    first = int(random.integers(0, len(row) - length + 1))
    return row.part(first, first + length)


def _tensors(batch: Arrays) -> tuple[Tensor, Tensor, Tensor]:
    return torch.from_numpy(batch.features), torch.from_numpy(batch.text), torch.from_numpy(batch.labels)
