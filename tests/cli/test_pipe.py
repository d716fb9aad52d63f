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
