"""A whole run from the bundled model: twenty steps on a text of ours, offline."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from interpunct import ModelError, RecipeError, Restorer
from interpunct.cli.train import train_model
from interpunct.errors import InputError
from interpunct.marks import MarkSet
from interpunct.training.batches import Batches, forward
from interpunct.training.corpus import Vocabulary, load_corpus
from interpunct.training.encoder import Shape, TextModel, from_bert
from interpunct.training.graph import build_graph, read_graph
from interpunct.training.init import load_initial
from interpunct.training.loop import schedule, train
from interpunct.training.noise import Noise
from interpunct.training.recipe import Recipe, read_recipe

TEXT = "Well, I think so. Do you know McDonald? Yes! It is late; we go home: now. NASA called - twice.\n\n" * 40
RECIPE = """
init = "en"
marks = ["PERIOD", "COMMA", "QUESTION"]
window = 32
margin = 6
batch_pieces = 128
steps = 20
learning_rate = 1e-4
warmup = 5
evaluate_every = 10
[[corpora]]
name = "ours"
train = "ours.txt"
dev = "ours.txt"
train_part = [0.0, 0.8]
dev_part = [0.8, 1.0]
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "ours.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path


def tiny_model(marks: int = 4) -> TextModel:
    torch.manual_seed(0)
    return TextModel(Shape(50, 24, 2, 3, 48, 64, marks, 4))


def test_twenty_steps_from_the_bundled_model(data: Path) -> None:
    folder = train_model(data / "recipe.toml", data, data / "run")
    restorer = Restorer.from_pretrained(str(folder))
    assert restorer.config.marks == ("NONE", "PERIOD", "COMMA", "QUESTION")
    restored = restorer.restore("well i think so do you know mcdonald")
    assert [w.text for w in restored.words] == "well i think so do you know mcdonald".split()
    assert restored.text.startswith("Well, I think so.")
    log = [json.loads(line) for line in (data / "run" / "log.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in log] == [10, 20]
    assert log[-1]["loss"] < log[0]["loss"] * 1.2
    assert "McDonald" in (folder / "lexicon.txt").read_text()


def test_a_style_can_be_asked_for_once_it_was_learnt(data: Path) -> None:
    path = data / "recipe.toml"
    path.write_text(RECIPE.replace('name = "ours"', 'name = "ours"\nstyle = "plain"'), encoding="utf-8")
    recipe = read_recipe(path)
    assert isinstance(recipe, Recipe)
    assert recipe.styles == {"plain": "[unused0]"}
    vocabulary = Vocabulary(load_initial("en", MarkSet.of(recipe.marks))[1])
    corpus = load_corpus("ours", data / "ours.txt", vocabulary)
    begins = {
        int(row[0])
        for step in range(20)
        for row in Batches.of(recipe, [corpus], vocabulary, MarkSet.of(recipe.marks)).batch(step).pieces
    }
    assert begins == {vocabulary.begin, vocabulary.tokenizer.token_to_id("[unused0]")}
    restorer = Restorer.from_pretrained(str(train_model(path, data, data / "run", quiet=True)))
    words = "well i think so do you know mcdonald yes it is late".split()
    assert not np.array_equal(restorer.posteriors(words).marks, restorer.posteriors(words, style="plain").marks)
    assert [w.text for w in restorer.restore(words, style="plain").words] == words
    with pytest.raises(InputError, match="plain"):
        restorer.restore(words, style="fancy")


def test_a_resumed_run_ends_as_an_undisturbed_one(data: Path) -> None:
    recipe = replace(read_recipe(data / "recipe.toml"), steps=20)
    whole = train(recipe, data, data / "whole").model.state_dict()

    class Stopped(Exception):
        pass

    def stop(progress: object) -> None:
        if getattr(progress, "step") == 13:  # noqa: B009
            raise Stopped

    with pytest.raises(Stopped):
        train(recipe, data, data / "parts", watch=stop)
    resumed = train(recipe, data, data / "parts").model.state_dict()
    for name, value in whole.items():
        torch.testing.assert_close(resumed[name], value, rtol=1e-4, atol=1e-5)


def test_the_graph_computes_what_torch_computes() -> None:
    import onnxruntime

    model = tiny_model().eval()
    state = {name: value.numpy() for name, value in model.state_dict().items()}
    session = onnxruntime.InferenceSession(build_graph(model.shape, state, quantised=False).SerializeToString())
    pieces, ends = torch.randint(0, 50, (1, 20)), torch.tensor([[1, 3, 4, 18]])
    got = session.run(["marks", "cases", "states"], {"pieces": pieces.numpy(), "ends": ends.numpy()})
    with torch.inference_mode():
        wanted = model(pieces, None, ends)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b.numpy(), atol=1e-4)


def test_a_graph_is_read_back_within_its_rounding() -> None:
    model = tiny_model()
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    exact_shape, exact = read_graph(build_graph(model.shape, state, quantised=False))
    shape, rounded = read_graph(build_graph(model.shape, state, quantised=True))
    assert exact_shape == shape == model.shape
    assert set(exact) == set(rounded) == set(state)
    for name, value in state.items():
        np.testing.assert_array_equal(exact[name], value)
        np.testing.assert_allclose(rounded[name], value, atol=np.abs(value).max() / 120 + 1e-7)


def test_padding_changes_nothing() -> None:
    model = tiny_model().eval()
    pieces, ends = torch.randint(1, 50, (1, 10)), torch.tensor([[2, 8]])
    padded = torch.cat([pieces, torch.zeros(1, 6, dtype=torch.long)], 1)
    mask = torch.tensor([[True] * 10 + [False] * 6])
    with torch.inference_mode():
        alone, _, _ = model(pieces, None, ends)
        among, _, _ = model(padded, mask, ends)
    torch.testing.assert_close(alone, among, rtol=1e-4, atol=1e-5)


def test_a_bert_checkpoint_is_taken_over() -> None:
    hidden, layers = 24, 2
    weights = {
        "embeddings.word_embeddings.weight": torch.randn(50, hidden),
        "embeddings.position_embeddings.weight": torch.randn(64, hidden),
        "embeddings.token_type_embeddings.weight": torch.randn(2, hidden),
        "embeddings.LayerNorm.weight": torch.ones(hidden),
        "embeddings.LayerNorm.bias": torch.zeros(hidden),
    }
    for i in range(layers):
        sizes = {"attention.self.query": (hidden, hidden), "attention.self.key": (hidden, hidden)}
        sizes |= {"attention.self.value": (hidden, hidden), "attention.output.dense": (hidden, hidden)}
        sizes |= {"intermediate.dense": (48, hidden), "output.dense": (hidden, 48)}
        for name, size in sizes.items():
            weights[f"encoder.layer.{i}.{name}.weight"] = torch.randn(*size)
            weights[f"encoder.layer.{i}.{name}.bias"] = torch.randn(size[0])
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            weights[f"encoder.layer.{i}.{norm}.weight"] = torch.ones(hidden)
            weights[f"encoder.layer.{i}.{norm}.bias"] = torch.zeros(hidden)
    model = from_bert(weights, heads=3, marks=4, cases=4)
    assert model.shape == Shape(50, hidden, layers, 3, 48, 64, 4, 4)
    torch.testing.assert_close(
        model.layers[1].qkv.weight[hidden : 2 * hidden], weights["encoder.layer.1.attention.self.key.weight"]
    )


def test_the_bundled_model_is_read_back(restorer: Restorer) -> None:
    """In torch it thinks what it thinks in the wheel, but for the rounding of activations."""
    model, tokenizer = load_initial("en", restorer.config.mark_set)
    words = "so what do you think about that".split()
    pieces = [p for w in words for p in tokenizer.encode(w, add_special_tokens=False).ids]
    assert len(pieces) == len(words)
    ids = torch.tensor([[tokenizer.token_to_id("[CLS]"), *pieces, tokenizer.token_to_id("[SEP]")]])
    with torch.inference_mode():
        logits, _, _ = model.eval()(ids, None, torch.arange(1, len(words) + 1)[None])
    ours = restorer.posteriors(words).marks
    np.testing.assert_allclose(torch.softmax(logits[0] / restorer.config.temperature, -1).numpy(), ours, atol=0.15)


def test_batches_depend_on_seed_and_step_alone(data: Path) -> None:
    _, tokenizer = load_initial("en", MarkSet.of(["PERIOD"]))
    vocabulary = Vocabulary(tokenizer)
    corpus = load_corpus("ours", data / "ours.txt", vocabulary)
    batches = Batches([corpus], [1.0], vocabulary, MarkSet.of(["PERIOD"]), 32, 128, Noise(), 0.5, seed=3)
    model, _ = load_initial("en", MarkSet.of(["PERIOD"]))
    for step in range(12):
        a, b = batches.batch(step), batches.batch(step)
        np.testing.assert_array_equal(a.pieces, b.pieces)
        assert a.marks.shape == a.ends.shape == a.cases.shape
        assert (a.ends < a.pieces.shape[1]).all()
        assert (a.mask is None) or not a.mask.all()
    assert forward(model, batches.batch(0))[0].shape[-1] == 2


def test_the_cache_holds_what_was_read(data: Path) -> None:
    _, tokenizer = load_initial("en", MarkSet.of(["PERIOD"]))
    first, second = Vocabulary(tokenizer), Vocabulary(tokenizer)
    second.id("something before")
    a = load_corpus("ours", data / "ours.txt", first, data / "cache")
    b = load_corpus("ours", data / "ours.txt", second, data / "cache")
    assert [first.forms[i] for i in a.words] == [second.forms[i] for i in b.words]
    np.testing.assert_array_equal(a.marks, b.marks)
    np.testing.assert_array_equal(a.cases, b.cases)


def test_the_learning_rate_rises_stays_and_falls() -> None:
    recipe = Recipe("en", ("PERIOD",), (), steps=100, warmup=10, decay=0.3)
    factors = [schedule(step, recipe) for step in range(100)]
    assert factors[0] == pytest.approx(0.1)
    assert factors[20:70] == [1.0] * 50
    assert factors[-1] == pytest.approx(1 / 30)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("steps = 20", "stepz = 20"), "stepz"),
        (('"COMMA"', '"COMA"'), "COMA"),
        (("window = 32", "window = 5"), "window"),
        (("init", "["), "TOML"),
        (("[[corpora]]", "[[corpora]]\nweigth = 1"), "weigth"),
        (('name = "ours"', ""), "name"),
    ],
)
def test_recipes_are_checked(data: Path, change: tuple[str, str], message: str) -> None:
    (data / "recipe.toml").write_text(RECIPE.replace(*change, 1), encoding="utf-8")
    with pytest.raises(RecipeError, match=message):
        read_recipe(data / "recipe.toml")


def test_what_a_run_cannot_start_from(data: Path) -> None:
    recipe = read_recipe(data / "recipe.toml")
    with pytest.raises(ModelError, match="nowhere"):
        train(replace(recipe, init="nowhere"), data, data / "run")
    with pytest.raises(InputError, match="--data"):
        train(recipe, data / "elsewhere", data / "run")
    (data / "run").mkdir(exist_ok=True)
    (data / "run" / "checkpoint.pt").write_bytes(b"not a checkpoint")
    with pytest.raises(ModelError, match="checkpoint"):
        train(recipe, data, data / "run")


def test_the_shipped_recipes_are_valid() -> None:
    recipes = sorted(Path(__file__).parents[2].glob("recipes/train/*.toml"))
    assert recipes
    for recipe in recipes:
        read_recipe(recipe)


def test_int8_rounds_no_weight_away() -> None:
    model = tiny_model()
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    graph = build_graph(model.shape, state, quantised=True)
    onnx.checker.check_model(onnx.load_from_string(graph.SerializeToString()), full_check=False)
    sizes = {t.name: t.data_type for t in graph.graph.initializer}
    assert sizes["layers.0.qkv.weight.int8"] == onnx.TensorProto.INT8


def test_recognised_words_with_labels_can_be_trained_on_in_bfloat16(data: Path) -> None:
    talk = "# doc 1\n" + "WELL\tCOMMA\t0\t1\tO\ni\tO\t\t\tO\nthink\tPERIOD\t1\t2\tO\n" * 60
    with lzma.open(data / "talk.tsv.xz", "wt", encoding="utf-8") as file:
        file.write(talk)
    text = RECIPE.replace("ours.txt", "talk.tsv.xz").replace("steps = 20", 'steps = 4\nprecision = "bfloat16"')
    (data / "timed.toml").write_text(text, encoding="utf-8")
    folder = train_model(data / "timed.toml", data, data / "run")
    stored = torch.load(data / "run" / "checkpoint.pt", weights_only=True)["model"]
    assert all(value.dtype == torch.float32 and value.isfinite().all() for value in stored.values())
    words = load_corpus("talk", data / "talk.tsv.xz", Vocabulary(load_initial("en", MarkSet.of(("PERIOD",)))[1]))
    assert len(words) == 180
    assert set(words.marks.tolist()) == {0, 1, 2}
    assert (words.cases < 0).all()
    restored = Restorer.from_pretrained(str(folder)).restore("well i think")
    assert [word.text for word in restored.words] == ["well", "i", "think"]


def test_a_precision_that_is_none_is_refused(data: Path) -> None:
    (data / "recipe.toml").write_text(RECIPE.replace("steps = 20", 'precision = "float8"'), encoding="utf-8")
    with pytest.raises(RecipeError, match="bfloat16"):
        read_recipe(data / "recipe.toml")
