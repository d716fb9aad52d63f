"""Caption files with many mistakes: read faithfully, or refused. ``bench/fuzz_captions.py`` is the long run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpunct.errors import InterpunctError
from interpunct.formats import FORMATS

GOLDEN = Path(__file__).parents[1] / "data" / "formats"
NAMES = ("ass", "microdvd", "sami", "sbv", "srt", "ttml", "webvtt")
FILES = sorted(path for name in NAMES for path in GOLDEN.glob(f"{name}.*"))
PATCHES = ["", "-->", "\n\n", "\r", "<", "&lt", "{", "00:00:01.000 --> 00:00:02.000", "\0", "\u2028", "[", "<!--", "٣"]
mutations = st.lists(
    st.tuples(
        st.integers(0, 2000),
        st.integers(0, 60),
        st.sampled_from(PATCHES) | st.just(None),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(mutations=mutations)
def test_a_file_with_many_mistakes_is_read_or_refused(path: Path, mutations: list[Any]) -> None:
    module, text = FORMATS.get(path.name.split(".")[0]), path.read_bytes().decode()
    for position, length, patch, times in mutations:
        start = position % (len(text) + 1)
        piece = text[start : start + length] if patch is None else patch
        text = text[:start] + piece * times + text[start + length :]
    try:
        assert module.write(module.read(text)) == text
    except InterpunctError as error:
        assert str(error)  # noqa: PT017
