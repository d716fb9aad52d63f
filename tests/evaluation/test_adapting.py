from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpunct import InputError, ModelError, Restorer
from interpunct.adaptation import LARGEST, SCHEMA, Adaptation, load_adaptation
from interpunct.decoding import softmax
from interpunct.evaluation.adapting import Choice, Evidence, adapt, choose, cross_validated, documents_of, study
from interpunct.marks import MARKS, THREE

OWN = np.array([0.38, 0.31, 0.42])
TEXT = "so what i think is that we should go there now because it is late and she said no why would you ask me that"


def known(n: int, seed: int, biases: tuple[float, float, float]) -> Evidence:
    """Words of a writer who differs from an honest model by ``biases``."""
    random = np.random.default_rng(seed)
    logits = random.normal(0, 2, (n, 4)) + np.array([3.0, 0, 0, -2])
    true = softmax((logits + np.array([0, *biases])).astype(np.float32))
    reference = (random.random((n, 1)) > true.cumsum(axis=1)).sum(axis=1).clip(0, 3)
    return Evidence(softmax(logits.astype(np.float32)).astype(np.float64), reference)


def test_much_text_gives_the_biases_of_its_writer() -> None:
    assert choose(known(40_000, 0, (0.5, -1.0, 0.0)), OWN).biases == pytest.approx([0.5, -1.0, 0.0], abs=0.08)


def test_little_text_changes_little() -> None:
    few, many = (np.abs(choose(known(n, 1, (0.0, -1.5, 0.0)), OWN).biases).max() for n in (50, 5000))
    assert few < 0.4 < 1.2 < many


def test_the_prior_holds() -> None:
    loose, tight = (np.abs(choose(known(500, 2, (1, 1, 0)), OWN, prior).biases).max() for prior in (1.0, 1e6))
    assert tight < 1e-3 < loose


def test_the_biases_are_the_best_near_them() -> None:
    text = known(300, 3, (1.0, -1.0, 0.5))
    found = choose(text, OWN, 5.0).biases

    def loss(biases: np.ndarray) -> float:
        return text.loss(Choice(biases, OWN)) + 5.0 * float(biases @ biases) / 2

    assert all(loss(found) <= loss(found + step) + 1e-3 for step in 0.05 * np.vstack([np.eye(3), -np.eye(3)]))


def test_other_words_of_the_writer_gain() -> None:
    for seed in range(5):
        choice = choose(known(500, seed, (0.0, -2.0, 0.0)), OWN)
        other = known(5000, seed + 100, (0.0, -2.0, 0.0))
        assert float(other.score(choice)) > float(other.score(Choice(np.zeros(3), OWN))) + 0.03


def test_cross_validation_tells_a_style_from_none() -> None:
    gain, nats = cross_validated(known(1000, 4, (0.0, -2.0, 0.0)), OWN)
    assert gain > 0.02
    assert nats > 20
    assert sum(cross_validated(known(500, seed, (0, 0, 0)), OWN)[1] for seed in range(10)) < 0


SENTENCES = (
    "Hello. How are you? I think, so to say, that it works well; we went home yesterday evening, and it rained. "
)


def test_a_text_becomes_an_adaptation(restorer: Restorer, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(SENTENCES.replace(",", "") * 8, encoding="utf-8")  # a writer who never writes a comma
    found = study(restorer, path)
    adaptation = found.adaptation
    assert adaptation == adapt(restorer, documents_of(path))
    assert (adaptation.model, adaptation.words) == ("en", 8 * len(SENTENCES.split()))
    assert found.f1_before <= found.f1_after
    assert float(found) == found.gain > 0
    assert adaptation.biases["COMMA"] == adaptation.biases["DASH"] < 0
    assert set(adaptation.thresholds) == set(THREE)
    assert "COMMA" in found.table()
    json.dumps(found.to_dict())
    adaptation.save(tmp_path / "mine.json")
    assert load_adaptation(tmp_path / "mine.json") == adaptation
    assert restorer.adapted(tmp_path / "mine.json") == restorer.adapted(adaptation)
    with pytest.raises(InputError, match="adapted already"):
        study(restorer.adapted(adaptation), path)


def test_without_a_gain_nothing_changes(restorer: Restorer, tmp_path: Path) -> None:
    restored = restorer.restore(TEXT.split() * 5)
    path = tmp_path / "as-the-model.txt"
    path.write_text(restored.text, encoding="utf-8")
    found = study(restorer, path)
    assert found.adaptation.changes_nothing
    assert found.f1_before == found.f1_after
    assert "nothing is changed" in found.table()
    assert restorer.adapted(found.adaptation).restore(restored.text).texts == restorer.restore(restored.text).texts


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Too few words. Are there?", "5 words are too few"),
        ("no marks at all here " * 20, "has a mark"),
        ("", "words"),
        ("Привет, как дела? " * 40, "script"),
    ],
)
def test_what_cannot_teach_is_refused(restorer: Restorer, tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        adapt(restorer, path)


def test_labelled_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("do\tO\nn't\tO\ngo\tPERIOD\n", encoding="utf-8")
    (document,) = documents_of(path)
    assert (document.words, document.word_marks) == (("don't", "go"), ("NONE", "PERIOD"))
    assert documents_of(f"iwslt2011:{path}") == (document,)
    with pytest.raises(InputError, match="no such file"):
        documents_of(tmp_path / "none.txt")


GOOD = {"schema": SCHEMA, "model": "en", "words": 500, "biases": {"COMMA": -0.5}, "thresholds": {"COMMA": 0.4}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "its schema is None"),
        (json.dumps({**GOOD, "schema": "interpunct/1"}), "its schema is 'interpunct/1'"),
        (json.dumps({**GOOD, "schema": [1]}), "its schema is"),
        (json.dumps({**GOOD, "words": "many"}), "it needs model"),
        (json.dumps({**GOOD, "biases": [1]}), "it needs model"),
        (json.dumps({**GOOD, "biases": {"COMA": 1}}), "no mark is called 'COMA'"),
        (json.dumps({**GOOD, "biases": {"COMMA": 1e9}}), "a bias is a number"),
        (json.dumps({**GOOD, "biases": {"COMMA": float("nan")}}), "a bias is a number"),
        (json.dumps({**GOOD, "thresholds": {"COMMA": 2}}), "a threshold is a probability"),
    ],
)
def test_broken_files_are_refused_by_name(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "my.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=problem) as error:
        load_adaptation(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_and_another_models(restorer: Restorer, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; to make one: interpunct adapt"):
        restorer.adapted(tmp_path / "none.json")
    with pytest.raises(ModelError, match="adapts the model 'de', and this is 'en'"):
        restorer.adapted(Adaptation("de", {}, {}, 500))


numbers = st.floats(-LARGEST, LARGEST)
adaptations = st.builds(
    Adaptation,
    st.just("en"),
    st.dictionaries(st.sampled_from(list(MARKS)), numbers),
    st.dictionaries(st.sampled_from(list(MARKS)), st.floats(0, 1)),
    st.integers(0, 10_000),
)
words = st.lists(
    st.one_of(st.sampled_from(TEXT.split()), st.text(min_size=1, max_size=8).filter(lambda t: t.split() == [t]))
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(words, adaptations)
def test_words_are_kept(restorer: Restorer, words: list[str], adaptation: Adaptation) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        restored = restorer.adapted(adaptation).restore(words)
    assert [word.text for word in restored.words] == words
    for word in restored.words:
        if word.probabilities:
            assert sum(word.probabilities.values()) == pytest.approx(1, abs=1e-4)


def test_the_identity_changes_nothing(restorer: Restorer) -> None:
    zero = Adaptation("en", dict.fromkeys(restorer.config.thresholds, 0.0), {}, 500)
    for adapted in (restorer.adapted(zero), restorer.adapted(None), restorer.adapted(replace(zero, biases={}))):
        assert adapted.restore(TEXT) == restorer.restore(TEXT)


def test_a_bias_moves_its_mark(restorer: Restorer) -> None:
    def commas(bias: float) -> int:
        adapted = restorer.adapted(Adaptation("en", {"COMMA": bias}, {}, 500))
        return sum(word.mark == "COMMA" for word in adapted.restore(TEXT).words)

    assert commas(-20) == 0 < commas(20)


def test_a_threshold_given_still_wins(restorer: Restorer) -> None:
    adapted = restorer.adapted(Adaptation("en", {}, {"COMMA": 0.0}, 500))
    given = {"COMMA": restorer.config.thresholds["COMMA"]}
    assert adapted.restore(TEXT, thresholds=given) == restorer.restore(TEXT)
