"""The streamed text: chunks may end anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from interpunct.cli._pipe import restore_text
from interpunct.transcript import RestoredWord, Word


def shout(words: Iterator[Word]) -> Iterator[RestoredWord]:
    return (RestoredWord(word.text, written=word.text + "!") for word in words)


@given(st.lists(st.text(alphabet="ab é\n\t\u2028\x1c", max_size=6), max_size=30))
def test_chunks_may_end_anywhere(chunks: list[str]) -> None:
    whole = "".join(chunks)
    out: list[str] = []
    restore_text(iter(chunks), shout, out.append)
    assert "".join(out).replace("!", "") == whole
    assert "".join(out).count("!") == len(whole.split())


def test_long_spaces_and_long_words_take_no_longer_than_their_length() -> None:
    whole = " " * 200_000 + "a" * 5_000_000 + " " * 200_000
    out: list[str] = []
    restore_text((whole[k : k + 1000] for k in range(0, len(whole), 1000)), shout, out.append)
    assert "".join(out) == whole.replace("a ", "a! ")
