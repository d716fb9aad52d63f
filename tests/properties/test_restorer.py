"""The words out are the words in: for any text, any options, any stitching."""

from __future__ import annotations

import warnings
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpunct import Restorer, Word
from interpunct.casing import lower
from interpunct.marks import MARKS
from interpunct.restorer import EXISTING
from interpunct.windows import STITCHES
from interpunct.written import parse

words = st.lists(
    st.one_of(
        st.sampled_from(
            "so what i think is that we u.s.a. dr. 3.5 -- – ... don't, “well” Paris? NASA (yes) 42. no".split()
        ),
        st.text(min_size=1, max_size=12).filter(lambda t: len(t.split()) == 1 and t == t.strip()),
    ),
    max_size=40,
)
fixture = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


@fixture
@given(words, st.sampled_from(EXISTING), st.booleans(), st.sampled_from(STITCHES))
def test_words_are_kept(restorer: Restorer, words: list[str], existing: str, final_mark: bool, stitching: str) -> None:
    restorer = replace(restorer, stitching=stitching)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        restored = restorer.restore(words, existing=existing, final_mark=final_mark)  # type: ignore[arg-type]
    assert [word.text for word in restored.words] == words
    for word in restored.words:
        core = parse(word.text).word
        assert lower(core) in lower(word.written)
        assert (
            word.written.casefold()
            .replace(" ", "")
            .startswith((word.text.casefold(), parse(word.text).before + core.casefold()))
        )
        if existing != "replace":  # nothing but a mark is ever added
            symbol = MARKS[word.mark].symbol if word.mark != "NONE" else ""
            assert word.written.casefold() in (word.text.casefold(), (word.text + symbol).casefold())


@fixture
@given(words, st.sampled_from(["keep", "fill"]))
def test_a_second_pass_changes_nothing(restorer: Restorer, words: list[str], existing: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        once = restorer.restore(words, existing=existing).text  # type: ignore[arg-type]
        assert restorer.restore(once, existing=existing).text == once  # type: ignore[arg-type]


@fixture
@given(words, st.integers(1, 300))
def test_times_never_change(restorer: Restorer, words: list[str], seed: int) -> None:
    timed = [Word(w, i * 0.1 + seed, None if i % 3 else i * 0.1 + seed + 0.05) for i, w in enumerate(words)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        restored = restorer.restore(timed)
    assert [(w.start, w.end) for w in restored.words] == [(w.start, w.end) for w in timed]
