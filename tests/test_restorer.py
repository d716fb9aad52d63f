"""The whole flow, with the bundled model."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import pytest

import interpunct
from interpunct import InputError, ModelError, Restorer, Word
from interpunct.pretrained import ASSETS
from interpunct.text.onnx import OnnxTextModel

GREETING = "hello how are you"


def test_the_first_example(restorer: Restorer) -> None:
    assert restorer.restore(GREETING).text == "Hello! How are you?"


def test_words_texts_and_transcripts_are_the_same(restorer: Restorer) -> None:
    words = GREETING.split()
    expected = restorer.restore(GREETING).text
    assert restorer.restore(words).text == expected
    assert restorer.restore([Word(word) for word in words]).text == expected
    assert restorer.restore(interpunct.Transcript(tuple(map(Word, words)))).text == expected


def test_a_path_is_read_and_a_str_is_text(restorer: Restorer, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(GREETING, encoding="utf-8")
    assert restorer.restore(path).text == restorer.restore(GREETING).text
    assert restorer.restore(str(path)).words[0].text == str(path)


def test_times_speakers_and_confidences_are_kept(restorer: Restorer) -> None:
    words = [Word(text, i / 2, i / 2 + 0.4, "anna" if i < 2 else "ben", 0.9) for i, text in enumerate(GREETING.split())]
    restored = restorer.restore(words)
    kept = [(w.text, w.start, w.end, w.speaker, w.confidence) for w in restored.words]
    assert kept == [(w.text, w.start, w.end, w.speaker, w.confidence) for w in words]


def test_a_change_of_speaker_ends_a_sentence(restorer: Restorer) -> None:
    turns = [Word(w, speaker="a") for w in "and then we".split()] + [Word(w, speaker="b") for w in "yes i know".split()]
    restored = restorer.restore(turns)
    assert 2 in restored.sentence_ends
    assert restored.words[2].written[-1] in ".?!"
    assert restored.words[3].written.startswith("Yes")
    assert len(restored.sentences) >= 2


def test_probabilities_of_every_mark(restorer: Restorer) -> None:
    last = restorer.restore(GREETING).words[3]
    assert set(last.probabilities) == {"NONE", *interpunct.marks.MARKS}
    assert sum(last.probabilities.values()) == pytest.approx(1, abs=1e-4)
    assert sum(last.case_probabilities.values()) == pytest.approx(1, abs=1e-4)
    assert last.probabilities["QUESTION"] > 0.5
    first = restorer.restore(GREETING).words[0]
    assert first.evidence == {"text": first.probabilities}


def test_nothing_gives_nothing(restorer: Restorer) -> None:
    for nothing in ("", " ", "\n\t", [], ()):
        restored = restorer.restore(nothing)
        assert (restored.text, restored.words, restored.sentences) == ("", (), [])


def test_marks_alone_stay_as_they_are(restorer: Restorer) -> None:
    for lone in ("...", "?", "– –", "\" '"):
        assert restorer.restore(lone).text == lone


def test_one_word(restorer: Restorer) -> None:
    assert restorer.restore("ok").text in ("Ok.", "OK.", "Ok?")


def test_the_final_mark_can_be_left_out(restorer: Restorer) -> None:
    fragment = "and the reason is"
    assert restorer.restore(fragment).text[-1] in ".?!"
    assert restorer.restore(fragment, final_mark=False).text[-1] not in ".?!"


@pytest.mark.parametrize(
    "token",
    [
        "example.org",
        "https://example.org/a?b=c",
        "me@example.com",
        "3.5",
        "10:30",
        "v2.1",
        "1,000",
        "#hashtag",
        "read_me.txt",
    ],
)
def test_protected_tokens_are_never_cut_or_recased(restorer: Restorer, token: str) -> None:
    for text in (f"we saw {token} there and", f"{token} is what we have", f"this is {token}"):
        written = next(w.written for w in restorer.restore(text).words if w.text == token)
        assert re.fullmatch(re.escape(token) + "( –|[.,?!;:])?", written)


@pytest.mark.parametrize(
    "text", ["he lives in the u.s.a.", "ask dr. smith", "the answer is 42. next we go", "it is 5 p.m."]
)
def test_dots_are_never_doubled(restorer: Restorer, text: str) -> None:
    assert ".." not in restorer.restore(text).text


def test_capitals_throughout_are_lowered_first(restorer: Restorer) -> None:
    assert restorer.restore(GREETING.upper()).text == "Hello! How are you?"


def test_a_capital_that_is_there_is_kept(restorer: Restorer) -> None:
    assert "NASA" in restorer.restore("we went to NASA today").text
    assert "Blorg" in restorer.restore("this is Blorg speaking to you").text


def test_i_is_always_a_capital(restorer: Restorer) -> None:
    assert "I'm" in restorer.restore("you know i'm here").text
    assert " I " in restorer.restore("so i said no").text


def test_keep_adds_only_what_is_missing(restorer: Restorer) -> None:
    text = "Hello! how are you today my friend"
    assert restorer.restore(text).text.startswith("Hello! ")


def test_fill_leaves_punctuated_stretches_alone(restorer: Restorer) -> None:
    done = "This is done, and it stays; even like, this. Really, it does."
    bare = (
        "so what i wanted to say is that we went there last year and it was great we had a lot of fun "
        "and then we came back home and it was late"
    )
    restored = restorer.restore(f"{done} {bare}", existing="fill").text
    assert restored.startswith(done + " ")
    assert sum(c in ".,–" for c in restored.removeprefix(done)) >= 2
    assert restorer.restore(done, existing="fill").text == done


def test_replace_decides_anew(restorer: Restorer) -> None:
    assert restorer.restore("hello. how. are. you.", existing="replace").text == "Hello! How are you?"


@pytest.mark.parametrize(
    "text",
    [
        "hello how are you i am fine",
        "Oui, merci. Et vous ?",
        "well – i think so",
        "he lives in the u.s.a. now",
        "“yes” he said",
        "HELLO THERE HOW ARE YOU",
        "a b. c d",
        "J. Smith went home",
        "the end...",
        "I said no. and then",
        "( what ) is - this",
    ],
)
@pytest.mark.parametrize("existing", ["keep", "fill"])
def test_a_second_pass_changes_nothing(restorer: Restorer, text: str, existing: str) -> None:
    once = restorer.restore(text, existing=existing).text  # type: ignore[arg-type]
    assert restorer.restore(once, existing=existing).text == once  # type: ignore[arg-type]


def test_a_dash_is_written_after_its_word_and_read_back(restorer: Restorer) -> None:
    restored = restorer.restore("well – i think so")
    assert restored.words[0].mark == "DASH"
    assert "Well –" in restored.text


@pytest.mark.parametrize("text", ["привет как дела сегодня", "今天天气很好 我们去公园吧", "שלום מה שלומך"])
def test_another_script_is_left_alone_with_one_warning(restorer: Restorer, text: str) -> None:
    with pytest.warns(UserWarning, match="script") as caught:
        assert restorer.restore(" ".join([text] * 100)).text == " ".join([text] * 100)
    assert len(caught) == 1


def test_a_foreign_word_among_known_ones_is_a_word(restorer: Restorer) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "привет" in restorer.restore("she said привет to me and left").text


def test_two_equal_blocks_come_out_alike(restorer: Restorer) -> None:
    block = "so we went there and then we came back because it was late do you know what i mean " * 13
    text = (block * 2).split()
    assert [w.text for w in restorer.restore(text).words] == text


def test_words_of_many_pieces_are_kept(restorer: Restorer) -> None:
    codes = [f"xq7v{i}bnz" for i in range(230)]
    assert [w.text for w in restorer.restore(codes).words] == codes
    giant = "supercali" * 100
    assert restorer.restore(f"this is {giant} you know").words[2].text == giant


@pytest.mark.parametrize("count", [1, 2, 150, 230, 251, 252, 253, 254, 255, 256, 508, 1000])
def test_every_length(restorer: Restorer, count: int) -> None:
    words = ("one two three four five six seven eight nine ten ".split() * 100)[:count]
    assert [w.text for w in restorer.restore(words).words] == words


def test_alone_and_in_a_batch_are_the_same(restorer: Restorer) -> None:
    texts = ["hello how are you", "", "so " * 300, "i think we should go now what do you think", "HELLO THERE"]
    many = Restorer.from_pretrained("en", threads=2)
    assert [r.to_dict() for r in many.restore_many(texts)] == [restorer.restore(t).to_dict() for t in texts]
    long = "and then we said what we wanted to say " * 200
    assert many.restore(long).to_dict() == restorer.restore(long).to_dict()


def test_a_stream_gives_what_a_text_gives(restorer: Restorer) -> None:
    words = [Word(w) for w in ("well i do not know what you mean by that " * 60).split()]
    assert tuple(restorer.restore_stream(words)) == restorer.restore(words).words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"existing": "drop"}, "keep, fill, replace"),
        ({"language": "nl"}, "it knows en"),
        ({"thresholds": {"COMA": 0.4}}, "COMMA"),
        ({"audio": "talk.wav"}, "does not listen"),
        ({"alpha": 1.4}, "from 0 .the text alone. to 1"),
        ({"style": "edited"}, "the styles of the model"),
    ],
)
def test_arguments_that_cannot_be_used(restorer: Restorer, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        restorer.restore("hello", **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", [["two words"], [""], [" a"], [1], [None], ["a\n"]])
def test_words_that_are_no_words(restorer: Restorer, words: list[object]) -> None:
    with pytest.raises(InputError, match="word 0"):
        restorer.restore(words)  # type: ignore[arg-type]


@pytest.mark.parametrize("noise", ["[Music]", "[door slams]", "(laughs)", "( clock ticking )", "♪", "[ __ ]", "【笑】"])
def test_a_noise_is_no_word(restorer: Restorer, noise: str) -> None:
    plain = restorer.restore("hello how are you i am fine")
    words = restorer.restore(f"{noise} hello how are you {noise} i am fine {noise}")
    assert words.text.split() == [
        *noise.split(), *plain.text.split()[:4], *noise.split(), *plain.text.split()[4:], *noise.split()
    ]  # fmt: skip
    assert all(not word.probabilities for word in words.words[: len(noise.split())])


@pytest.mark.parametrize("aside", ["(which, by the way, is", "[hello there how are you", "(1)", "f(x)", "((maybe))"])
def test_what_only_looks_like_a_noise_holds_words(restorer: Restorer, aside: str) -> None:
    assert any(word.probabilities for word in restorer.restore(aside).words)


@pytest.mark.parametrize("turn", [">>", ">>>"])
def test_arrows_begin_a_turn(restorer: Restorer, turn: str) -> None:
    restored = restorer.restore(f"{turn} and then we {turn} yes i know")
    assert [word.text for word in restored.words] == [turn, *"and then we".split(), turn, *"yes i know".split()]
    assert restored.words[3].ends_sentence
    assert restored.words[5].written.startswith("Yes")
    glued = restorer.restore(f"and then we {turn}yes i know")
    assert glued.words[2].ends_sentence
    assert glued.words[3].written.startswith(f"{turn}Yes")


@pytest.mark.parametrize("text", ["- and then we - yes", "-and then we -yes"])
def test_dashes_in_a_cue_begin_turns(restorer: Restorer, text: str) -> None:
    from interpunct.transcript import Segment, Transcript

    words = tuple(map(Word, text.split()))
    cue = restorer.restore(Transcript(words, (Segment(0, len(words), 0.0, 1.0),)))
    assert cue.text.replace(" ", "").replace(".", "").replace("?", "") == "-Andthenwe-Yes"
    assert len(cue.sentences) == 2 + (cue.words[-1].text == "yes" and not cue.words[-1].ends_sentence)


@pytest.mark.parametrize(
    "words",
    [b"hello", None, 5, Word("hello"), interpunct.Transcript((Word("two words"),)), interpunct.Transcript((Word(""),))],
)
def test_what_cannot_be_restored(restorer: Restorer, words: object) -> None:
    with pytest.raises(InputError):
        restorer.restore(words)  # type: ignore[arg-type]


@pytest.mark.parametrize("thresholds", [{"COMMA": "0.4"}, {"COMMA": None}, {"COMMA": float("nan")}, ["COMMA"], "COMMA"])
def test_thresholds_that_cannot_be_used(restorer: Restorer, thresholds: object) -> None:
    with pytest.raises(InputError, match="COMMA"):
        restorer.restore("hello", thresholds=thresholds)  # type: ignore[arg-type]


def test_many_is_not_one(restorer: Restorer) -> None:
    for one in (GREETING, restorer.restore(GREETING), None):
        with pytest.raises(InputError, match="list"):
            restorer.restore_many(one)  # type: ignore[arg-type]


def test_a_stream_is_checked_word_by_word(restorer: Restorer) -> None:
    assert [w.text for w in restorer.restore_stream(GREETING.split())] == GREETING.split()  # type: ignore[arg-type]
    for bad in (GREETING, [Word("two words")], [Word("")], [3]):
        with pytest.raises(InputError):
            list(restorer.restore_stream(bad))  # type: ignore[arg-type]


def test_half_a_character_is_a_word(restorer: Restorer) -> None:
    assert [w.text for w in restorer.restore("hi \ud800 you").words] == ["hi", "\ud800", "you"]


@pytest.mark.parametrize("existing", ["keep", "replace"])
@pytest.mark.parametrize(
    "text", ["THINK A. ¿QUÉ", "well – so i think", "the dogs' are there and", "it is ab... ... and so", "a , b . c - d"]
)
def test_a_second_pass_changes_nothing_in_any_mode(restorer: Restorer, text: str, existing: str) -> None:
    thresholds = {"COMMA": 0.1, "DASH": 0.0}
    once = restorer.restore(text, existing=existing, thresholds=thresholds).text  # type: ignore[arg-type]
    assert restorer.restore(once, existing=existing, thresholds=thresholds).text == once  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positions": "256"}, "positions"),
        ({"languages": []}, "languages"),
        ({"languages": "en"}, "languages"),
        ({"marks": ["NONE", "COMMA"]}, "marks"),
        ({"marks": ["NONE", "DOT"]}, "DOT"),
        ({"margin": 200}, "margins"),
        ({"temperature": 0}, "temperature"),
        ({"thresholds": {"COMA": 0.5}}, "COMA"),
        ({"thresholds": 5}, "thresholds"),
        ({"files": {}}, r"lexicon\.txt"),
        ({"files": {"lexicon.txt": 5}}, r"lexicon\.txt"),
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    config = json.loads((ASSETS / "en" / "config.json").read_text(encoding="utf-8"))
    for name in config["files"]:
        (tmp_path / name).symlink_to(ASSETS / "en" / name)
    (tmp_path / "config.json").write_text(json.dumps({**config, **change}), encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        Restorer.from_pretrained(str(tmp_path))


def test_windows_larger_than_the_graph_takes_are_no_crash() -> None:
    graph, tokenizer = ASSETS / "en" / "model.onnx", ASSETS / "en" / "tokenizer.json"
    with pytest.raises(ModelError, match="cannot be run"):
        OnnxTextModel(graph, tokenizer, positions=4096).run([(5,)] * 3000)


def test_a_folder_may_be_a_path(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"config\.json"):
        Restorer.from_pretrained(tmp_path)  # type: ignore[arg-type]
    with pytest.raises(ModelError):
        Restorer.from_pretrained("x" * 5000)


def test_a_dash_as_it_is_printed_can_be_restored_again(restorer: Restorer, tmp_path: Path) -> None:
    first = restorer.restore(
        "we went on and on", thresholds={"DASH": 0.0, "COMMA": 0.0, "PERIOD": 1.0, "QUESTION": 1.0}
    )
    assert any(text.endswith(" –") for text in first.texts)
    first.save(tmp_path / "d.json")
    again = restorer.restore(interpunct.read(tmp_path / "d.json"))
    assert again.texts == first.texts
    assert [w.mark for w in again.words] == [w.mark for w in first.words]


def test_a_mark_that_ends_a_sentence_stays_at_the_end(restorer: Restorer) -> None:
    """The end of a text asks for a sentence end; one that was decided is not decided anew."""
    restored = restorer.restore("so what did you do", thresholds={"QUESTION": 0.0001, "PERIOD": 0.99})
    assert restored.words[-1].mark == "QUESTION"
