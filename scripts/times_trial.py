"""A trial on dev: what word times add to the posteriors of a text model.

    python scripts/times_trial.py --data $DATA --cache runs/times-trial [--leave-out earnings21_amazon]

A small convolutional network reads the timing features of a word boundary and of its neighbours, and the text
model's posteriors; the same network without the times is the control. Thresholds are chosen on dev, per set.
Prints micro F1 over three marks. Not the product: nothing here is shipped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from interpunct import Restorer
from interpunct.audio.encoders.timing import FEATURES, Timing, encode
from interpunct.evaluation.benchmarks import load
from interpunct.decoding import fold_posteriors
from interpunct.marks import THREE
from interpunct.windows import cut

SETS = ("earnings21_amazon", "earnings21_speechmatics", "earnings21_kaldi_librispeech", "earnings22_forced")
CLASSES = ("NONE", *THREE)
SIZE, MARGIN = 1024, 128
IGNORED = -100
Window = tuple[Timing, np.ndarray, np.ndarray, slice]


class Net(nn.Module):
    """Corrects log posteriors (batch, words, 4) from features (batch, words, 15)."""

    def __init__(self, times: bool, hidden: int = 64) -> None:
        super().__init__()
        self.times = times
        inputs = len(FEATURES) + len(CLASSES)
        self.near = nn.Conv1d(inputs, hidden, 5, padding=2)
        self.far = nn.Conv1d(hidden, hidden, 5, padding=4, dilation=2)
        self.mix = nn.Conv1d(hidden, hidden, 3, padding=1)
        self.out = nn.Conv1d(hidden + inputs, len(CLASSES), 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, features: Tensor, text: Tensor) -> Tensor:
        x = torch.cat([features * self.times, text / 4], -1).transpose(1, 2)
        h = F.gelu(self.near(x))
        h = h + F.gelu(self.far(h))
        h = h + F.gelu(self.mix(h))
        return text + self.out(torch.cat([h, x], 1)).transpose(1, 2)


def windows(restorer: Restorer, data: Path, name: str, cache: Path) -> list[Window]:
    """The recordings of a file in windows: timing, posteriors, labels, and the words that are a window's own."""
    (split,) = load(f"timed:{data / 'timed' / name}.tsv.xz")
    file = cache / f"{name}.npz"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        found = {f"{i:03d}": restorer.posteriors(doc.words).marks for i, doc in enumerate(split.documents)}
        np.savez(file, **found)
    stored, result = np.load(file), []
    for i, doc in enumerate(split.documents):
        timing = Timing.of(doc.words, doc.times, doc.speakers)
        text = fold_posteriors(stored[f"{i:03d}"], restorer.config.mark_set).astype(np.float32)
        labels = np.array([CLASSES.index(mark) for mark in doc.marks])
        for w in cut([1] * len(timing), SIZE, MARGIN):
            here = slice(w.first, w.stop)
            own = slice(w.own_first - w.first, w.own_stop - w.first)
            result.append((part(timing, here), text[here], labels[here], own))
    return result


def part(t: Timing, here: slice) -> Timing:
    return Timing(t.letters[here], t.start[here], t.end[here], t.speakers[here])


def disturbed(t: Timing, random: np.random.Generator) -> Timing:
    """The times as other recognisers would have them: pauses given to a neighbour, rounding, jitter, gaps."""
    start, end, speakers = t.start.copy(), t.end.copy(), t.speakers
    if random.random() < 0.5:
        speakers = np.full_like(speakers, -1)
    pause = np.maximum(np.nan_to_num(start[1:] - end[:-1]), 0)
    how = random.random()
    if how < 0.12:
        end[:-1] += pause * random.choice([1, 1, 0.5])
    elif how < 0.24:
        start[1:] -= pause * random.choice([1, 1, 0.5])
    elif how < 0.30:
        end[:-1] += pause / 2
        start[1:] -= pause / 2
    elif how < 0.36:
        end[:-1] += np.where(pause < random.uniform(0.1, 0.5), pause, 0)
    if random.random() < 0.25:
        jitter = random.uniform(0.01, 0.06)
        start = start + random.normal(0, jitter, len(start))
        end = np.maximum(end + random.normal(0, jitter, len(end)), start)
    if random.random() < 0.2:
        tick = random.choice([0.02, 0.05, 0.1])
        start, end = np.round(start / tick) * tick, np.round(end / tick) * tick
    if random.random() < 0.2:
        pace = random.uniform(0.7, 1.4)
        start, end = start * pace, end * pace
    if random.random() < 0.15:
        lost = random.random(len(start)) < random.uniform(0, 0.3)
        start, end = np.where(lost, np.nan, start), np.where(lost, np.nan, end)
    return Timing(t.letters, start, end, speakers)


def train(data: list[Window], times: bool, epochs: int = 12, batch: int = 8, peak: float = 4e-3) -> Net:
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    net = Net(times)
    data = [w for w in data if len(w[1]) > 64]
    per_epoch = len(data) // batch
    steps = epochs * per_epoch
    optimizer = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.01, betas=(0.9, 0.98))
    for step in range(steps):
        if step % per_epoch == 0:
            order = random.permutation(len(data))
        at = step % per_epoch * batch
        features, text, labels = collate([data[i] for i in order[at : at + batch]], random)
        for group in optimizer.param_groups:
            group["lr"] = peak * min(1, (step + 1) / 30, (steps - step) / (steps * 0.6))
        loss = F.cross_entropy(net(features, text).flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


def collate(data: list[Window], random: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Padded arrays; boundaries without times teach nothing."""
    longest = max(len(w[1]) for w in data)
    features = np.zeros((len(data), longest, len(FEATURES)), np.float32)
    text = np.zeros((len(data), longest, len(CLASSES)), np.float32)
    labels = np.full((len(data), longest), IGNORED)
    for row, (timing, posteriors, truth, _) in enumerate(data):
        here = slice(0, len(truth))
        features[row, here] = encode(disturbed(timing, random))
        text[row, here] = np.log(posteriors + 1e-6)
        labels[row, here] = np.where(features[row, here, 0] > 0, truth, IGNORED)
    return torch.from_numpy(features), torch.from_numpy(text), torch.from_numpy(labels)


@torch.inference_mode()
def answers(net: Net | None, data: list[Window]) -> np.ndarray:
    """Posteriors of all words; the text's own where there is no time, and everywhere without a network."""
    found = []
    for timing, text, _, own in data:
        fused = text
        if net is not None:
            features = encode(timing)
            logits = net(torch.from_numpy(features)[None], torch.from_numpy(np.log(text + 1e-6))[None])[0]
            fused = np.where(features[:, :1] > 0, torch.softmax(logits, -1).numpy(), text)
        found.append(fused[own])
    return np.concatenate(found)


def best_f1(posteriors: np.ndarray, truth: np.ndarray) -> float:
    """Micro F1 at the best thresholds."""

    def f1(thresholds: np.ndarray) -> float:
        ratios = posteriors[:, 1:] / thresholds
        guess = np.where(ratios.max(1) >= 1, ratios.argmax(1) + 1, 0)
        return 2 * ((guess == truth) & (truth > 0)).sum() / ((guess > 0).sum() + (truth > 0).sum())

    thresholds = np.full(3, 0.4)
    for k in (0, 1, 2) * 3:
        tried = [np.where(np.arange(3) == k, v, thresholds) for v in np.arange(0.1, 0.8, 0.02)]
        thresholds = max(tried, key=f1)
    return float(f1(thresholds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True, help="where the text model's posteriors are kept")
    parser.add_argument("--leave-out", choices=SETS, help="a set that is not trained on")
    options = parser.parse_args()
    restorer = Restorer.from_pretrained("en")

    def of(name: str, split: str) -> list[Window]:
        return windows(restorer, options.data, f"{name}.{split}", options.cache)

    data = [w for name in SETS if name != options.leave_out for w in of(name, "train")]
    nets = {"text": None, "network without times": train(data, False), "network with times": train(data, True)}
    for title, net in nets.items():
        print(f"{title}:")
        for name in SETS:
            dev = of(name, "dev")
            truth = np.concatenate([labels[own] for _, _, labels, own in dev])
            print(f"  {name:<30}{100 * best_f1(answers(net, dev), truth):6.2f}", flush=True)


if __name__ == "__main__":
    main()
