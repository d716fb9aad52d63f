"""JSON Lines: interpunct's own JSON, one transcript a line."""

from __future__ import annotations

import json

from ..errors import FormatError, InputError
from ..transcript import Restored, Source, Transcript
from . import interpunct
from ._json import one_line, whole
from ._slots import other_number_of_words, own_text, printed

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "JSON Lines of interpunct's own JSON; one line is one transcript"
EXTENSIONS = (".jsonl",)
HOLDS = interpunct.HOLDS
EXAMPLE = '{"schema": "interpunct/1", "words": [{"text": "so", "start": 0.0, "end": 0.2}, {"text": "what"}]}\n'


def sniff(text: str) -> bool:
    """Whether the first line is a whole document of the schema ``interpunct/…``, and ends as a line does."""
    return interpunct.has_schema(text) and one_line(text)


def read(text: str) -> Transcript:
    """The transcript of a file of one line.

    Raises:
        FormatError: there are several transcripts, or the line is not as docs/format.md says.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        raise FormatError(
            f"{len(lines)} transcripts, one a line, and this reads one: cut the file "
            "(split -l 1 --additional-suffix=.jsonl FILE part-) and give the folder that holds the parts",
            line=2,
        )
    if not lines:
        return Transcript(source=Source("jsonl", text))
    transcript = interpunct.read(text)
    return Transcript(transcript.words, transcript.segments, transcript.language, Source("jsonl", text))


def write(transcript: Transcript) -> str:
    """One line: what interpunct's own JSON holds.

    Raises:
        InputError: the number of words is not that of the file that was read, or a number is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "jsonl")
    if own is not None and not isinstance(transcript, Restored):
        return interpunct.rewritten(own, texts) if own.strip() else _nothing(own, texts)
    try:
        return whole(json.dumps(interpunct.as_document(transcript), ensure_ascii=False, allow_nan=False)) + "\n"
    except (ValueError, TypeError):
        raise InputError("a time or a confidence is not finite: JSON cannot hold it") from None


def _nothing(own: str, texts: list[str]) -> str:
    if texts:
        raise other_number_of_words(len(texts), 0)
    return own
