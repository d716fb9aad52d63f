"""The training of a timing model, on small recordings of our own."""

from __future__ import annotations

import lzma
import random
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from interpunct import RecipeError, Restorer, Word
from interpunct.audio.encoders.timing import FEATURES, Timing
from interpunct.cli.train import train_model
from interpunct.errors import InputError
from interpunct.fusion.timing import TimingModel, log_posteriors
from interpunct.training.recipe import TimingRecipe, read_recipe
from interpunct.training.timing.data import disturb_times
from interpunct.training.timing.net import Gate, TimingNet, build_graph

RECIPE = """
kind = "timing"
init = "en"
hidden = 8
epochs = 80
batch = 4
learning_rate = 0.01
[[corpora]]
name = "calls"
train = "calls.tsv.xz"
dev = "calls.tsv.xz"
"""


def recording(random_: random.Random, words: int) -> str:
    """Words that say nothing of sentences; a pause says all."""
    lines, clock = [], 0.0
    for _ in range(words):
        text = random_.choice(("well", "people", "house", "two", "certainly", "said"))
        end = clock + 0.06 * (len(text) + 2) * random_.uniform(0.9, 1.1)
        stop = random_.random() < 0.15
        lines.append(f"{text}\t{'PERIOD' if stop else 'O'}\t{clock:.3f}\t{end:.3f}\t\t\n")
        clock = end + (0.8 if stop else 0.0)
    return "".join(lines)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    chance = random.Random(0)
    text = "".join(f"# doc {i}\n{recording(chance, 300)}" for i in range(12))
    with lzma.open(tmp_path / "calls.tsv.xz", "wt", encoding="utf-8") as file:
        file.write(text)
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path


def test_a_timing_model_learns_that_a_pause_ends_a_sentence(data: Path) -> None:
    folder = train_model(data / "recipe.toml", data, data / "run", quiet=True)
    restorer = Restorer.from_pretrained(str(folder))
    assert restorer.timing is not None
    assert set(restorer.config.timing_thresholds) == set(restorer.config.thresholds)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert restorer.config.files["timing.onnx"] in card
    assert card.count("## Times") == 1
    words, ends, clock = [], [], 0.0
    for i in range(200):
        text = ("well", "people", "house")[i % 3]
        words.append(Word(text, clock, clock + 0.06 * (len(text) + 2)))
        clock += 0.06 * (len(text) + 2)
        if i % 7 == 6:
            ends.append(i)
            clock += 0.8
    stops = [word.evidence["timing"]["PERIOD"] for word in restorer.restore(words).words[:-1]]
    assert np.mean([stops[i] for i in ends]) > 0.8
    assert np.mean([stop for i, stop in enumerate(stops) if i not in ends]) < 0.1


def test_the_graph_computes_what_torch_does(tmp_path: Path) -> None:
    import onnx

    torch.manual_seed(1)
    net, gate = TimingNet(6), Gate(5)
    for parameter in [*net.parameters(), *gate.parameters()]:
        torch.nn.init.normal_(parameter, std=0.3)
    onnx.save(build_graph(net, gate), tmp_path / "timing.onnx")
    chance = np.random.default_rng(0)
    start = np.cumsum(chance.uniform(0.1, 0.9, 40))
    timing = Timing(np.full(40, 4.0), start, start + 0.1, np.full(40, -1))
    text = chance.dirichlet(np.ones(4), 40).astype(np.float32)
    opinion = TimingModel(tmp_path / "timing.onnx").opinion(timing, text)
    from interpunct.audio.encoders.timing import encode

    features, logits = torch.from_numpy(encode(timing))[None], torch.from_numpy(log_posteriors(text))[None]
    with torch.inference_mode():
        log = F.log_softmax(net(features, logits), -1)
        alpha = gate(features, logits, log)[0].numpy()
    assert opinion is not None
    np.testing.assert_allclose(opinion.folded, log.exp()[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(opinion.alpha[:-1], alpha[:-1], atol=1e-5)
    assert opinion.alpha[-1] == 0  # nothing follows the last word


@settings(max_examples=50)
@given(st.integers(2, 80), st.integers(0, 1000))
def test_disturbed_times_are_still_times_of_the_same_words(words: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    start = np.cumsum(chance.uniform(0.1, 0.9, words))
    timing = Timing(np.full(words, 4.0), start, start + 0.1, np.arange(words) % 2)
    disturbed = disturb_times(timing, chance)
    assert len(disturbed) == words
    known = np.isfinite(disturbed.start)
    assert (disturbed.end[known] >= disturbed.start[known] - 1e-9).all()
    np.testing.assert_array_equal(timing.start, start)  # the original is left as it was


def test_a_recipe_of_times(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE)
    assert isinstance(read_recipe(path), TimingRecipe)
    for wrong, message in (
        (RECIPE.replace('"timing"', '"tiding"'), "text.*timing"),
        (RECIPE.replace("epochs = 80", "steps = 30"), "steps"),
        (RECIPE.replace("epochs = 80", "gate_share = 1.0"), "gate_share"),
    ):
        path.write_text(wrong)
        with pytest.raises(RecipeError, match=message):
            read_recipe(path)


def test_steps_are_not_for_a_recipe_of_times(data: Path) -> None:
    with pytest.raises(InputError, match="epochs"):
        train_model(data / "recipe.toml", data, data / "run", steps=3)


def test_a_timing_graph_of_other_features_is_refused(tmp_path: Path) -> None:
    from interpunct import ModelError

    (tmp_path / "timing.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelError, match="cannot be loaded"):
        TimingModel(tmp_path / "timing.onnx")
    assert len(FEATURES) == 15
