from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpunct.errors import FormatError, InputError
from interpunct.evaluation.benchmarks import BENCHMARKS, Document, load


def tsv(path: Path, *tokens: str) -> Path:
    path.write_text("".join(token.replace("/", "\t", 1) + "\n" for token in tokens), encoding="utf-8")
    return path


def one(spec: str) -> Document:
    (split,) = load(spec)
    (document,) = split.documents
    return document


def test_contractions_are_joined_and_scored_at_their_last_token(tmp_path: Path) -> None:
    path = tsv(tmp_path / "a.tsv", "i/O", "'m/O", "here/COMMA", "do/O", "n't/PERIOD", "we've/O", "won/PERIOD")
    document = one(f"iwslt2011:{path}")
    assert document.words == ("i'm", "here", "don't", "we've", "won")
    assert document.scored_at == (1, 2, 4, 5, 6)
    assert document.word_marks == ("NONE", "COMMA", "PERIOD", "NONE", "PERIOD")
    assert len(document.marks) == 7
    assert document.spellings is None


def test_a_label_inside_a_joined_word_is_where_it_is_scored(tmp_path: Path) -> None:
    document = one(f"iwslt2011:{tsv(tmp_path / 'a.tsv', 'it/COMMA', chr(39) + 's/O', 'so/O')}")
    assert document.words == ("it's", "so")
    assert document.scored_at == (0, 2)


def test_tokens_that_are_no_words_belong_to_the_word_before(tmp_path: Path) -> None:
    path = tsv(tmp_path / "a.tsv", "--/O", "the/O", "dogs/O", "'/COMMA", "and/O", "--/PERIOD", "'the/O", "=/O")
    document = one(f"iwslt2011:{path}")
    assert document.words == ("the", "dogs", "and", "the")
    assert document.word_marks == ("NONE", "COMMA", "PERIOD", "NONE")


def test_a_token_without_text_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("so\tO\n\tCOMMA\r\nthen\tO\n", encoding="utf-8")
    assert one(f"iwslt2011:{path}").word_marks == ("COMMA", "NONE")


def test_broken_encoding_is_mended_for_the_model(tmp_path: Path) -> None:
    path = tsv(tmp_path / "a.tsv", "itâ€™s/O", "schrÃ¶dinger/O", "â™?â™?now/O", "â™?/O", "naïve/O", "states,'/PERIOD")
    assert one(f"iwslt2011:{path}").words == ("it's", "schrödinger", "now", "naïve", "states")


def test_a_folder_has_the_two_tests(tmp_path: Path) -> None:
    tsv(tmp_path / "test2011.tsv", "a/PERIOD")
    assert [split.name for split in load(f"iwslt2011:{tmp_path}")] == ["ref"]
    tsv(tmp_path / "test2011asr.tsv", "b/PERIOD")
    splits = load(f"iwslt2011:{tmp_path}")
    assert [split.name for split in splits] == ["ref", "asr"]
    assert all(split.folded for split in splits)


def test_errors_say_where(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.tsv, line 2: 'b\\tDOT' is not a token, a tab and one of O, COMMA"):
        load(f"iwslt2011:{tsv(tmp_path / 'a.tsv', 'a/O', 'b/DOT')}")
    (tmp_path / "bad.tsv").write_bytes(b"\xff\tO\n")
    with pytest.raises(InputError, match="not UTF-8 at byte 0"):
        load(f"iwslt2011:{tmp_path / 'bad.tsv'}")
    with pytest.raises(InputError, match="no such file"):
        load(f"iwslt2011:{tmp_path / 'none.tsv'}")
    with pytest.raises(InputError, match="neither"):
        load(f"iwslt2011:{tmp_path}")
    with pytest.raises(InputError, match="unknown benchmark 'iwslt'; there are iwslt2011, recogniser, text"):
        load(f"iwslt:{tmp_path}")
    with pytest.raises(InputError, match="is not NAME:PATH"):
        load("text")
    (tmp_path / "empty.txt").write_text("\n—\n")
    with pytest.raises(InputError, match="holds no words"):
        load(f"text:{tmp_path / 'empty.txt'}")


TEXT = "Hello, Anna!\nIs it 3.5 -- or “NASA”?\n\n...\n\nThe iPhone; yes."


def test_text_gives_lower_case_words_and_keeps_the_spelling(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (split,) = load(f"text:{tmp_path / 'a.txt'}")
    first, second = split.documents
    assert split.name == "a"
    assert not split.folded
    assert first.words == ("hello", "anna", "is", "it", "3.5", "or", "nasa")
    assert first.marks == ("COMMA", "EXCLAMATION", "NONE", "NONE", "DASH", "NONE", "QUESTION")
    assert second.spellings == ("The", "iPhone", "yes")
    assert second.word_marks == ("NONE", "SEMICOLON", "PERIOD")
    with lzma.open(tmp_path / "a.txt.xz", "wt", encoding="utf-8") as file:
        file.write(TEXT)
    assert load(f"text:{tmp_path / 'a.txt.xz'}") == (split,)


def test_every_benchmark_loads_by_path() -> None:
    assert BENCHMARKS.names == ("iwslt2011", "recogniser", "text", "timed")
    assert all(callable(module.load) for module in BENCHMARKS)


@given(st.integers(0, 12))
def test_a_split_can_be_cut(n: int) -> None:
    joined = Document(("a'b", "c", "d"), ("NONE", "COMMA", "NONE", "PERIOD"), scored_at=(1, 2, 3))
    plain = Document(("e", "f"), ("NONE", "PERIOD"), ("E", "f"))
    from interpunct.evaluation.benchmarks import Split

    cut = Split("x", (joined, plain, joined)).first(n)
    assert sum(len(document.words) for document in cut.documents) == min(n, 8)
    for document in cut.documents:
        assert len(document.word_marks) == len(document.words)


def test_a_document_of_unequal_lengths_is_refused() -> None:
    with pytest.raises(InputError, match="2 words"):
        Document(("a", "b"), ("NONE",))


def test_a_recogniser_is_aligned_with_a_person(tmp_path: Path) -> None:
    (tmp_path / "talk.ref.txt").write_text("Well, I said so. Did you hear me? Yes!", encoding="utf-8")
    (tmp_path / "talk.txt").write_text("well i set so did uh you hear yes", encoding="utf-8")
    document = one(f"recogniser:{tmp_path}")
    assert document.words == ("well", "i", "set", "so", "did", "uh", "you", "hear", "yes")
    assert document.word_marks == ("COMMA", "NONE", "NONE", "PERIOD", "NONE", "NONE", "NONE", "NONE", "EXCLAMATION")
    assert document.marks.count("QUESTION") == 1  # on "me", which was lost: nothing can find it
    assert len(document.marks) == 10
    assert one(f"recogniser:{tmp_path / 'talk.txt'}") == document


def test_a_recogniser_needs_its_reference(tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("well", encoding="utf-8")
    for path in (tmp_path, tmp_path / "talk.txt"):
        with pytest.raises(InputError, match=r"ref\.txt"):
            load(f"recogniser:{path}")


TIMED = "# doc 1\nGood\tO\t0.5\t0.7\tO\nDAY\tPERIOD\t\t\tPERIOD\t0\n# doc 2\nyes\tO\t\t\n"


def test_timed_reads_words_labels_times_and_speakers(tmp_path: Path) -> None:
    (tmp_path / "talk.tsv").write_text(TIMED, encoding="utf-8")
    (split,) = load(f"timed:{tmp_path}")
    first, second = split.documents
    assert split.folded
    assert first.words == ("good", "day")
    assert first.marks == ("NONE", "PERIOD")
    assert first.times == ((0.5, 0.7), None)
    assert first.speakers == (None, "0")
    assert second.times is None
    assert first.first(1).times == ((0.5, 0.7),)
    with lzma.open(tmp_path / "talk.tsv.xz", "wt", encoding="utf-8") as file:
        file.write(TIMED)
    assert load(f"timed:{tmp_path / 'talk.tsv.xz'}") == (split,)


@pytest.mark.parametrize("line", ["good\tO\t1", "good\tX\t1\t2", "good\tO\tone\t2"])
def test_timed_says_which_line_is_something_else(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.tsv").write_text(f"# doc 1\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.tsv"):
        load(f"timed:{tmp_path / 'a.tsv'}")


def test_times_are_numbers_and_files_without_words_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "ok.tsv").write_text("so\tO\t0.1\t0.2\n", encoding="utf-8")
    (tmp_path / "empty.tsv").write_text("# doc a\n", encoding="utf-8")
    assert [split.name for split in load(f"timed:{tmp_path}")] == ["ok"]
    (tmp_path / "nan.tsv").write_text("so\tO\tnan\t0.2\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 1"):
        load(f"timed:{tmp_path}")
