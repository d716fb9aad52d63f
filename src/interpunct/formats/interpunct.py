"""The one JSON of interpunct, ``"schema": "interpunct/1"``; docs/format.md describes it."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import FormatError, InputError
from ..transcript import SCHEMA, Restored, Segment, Source, Transcript, Word
from ._json import Path, load, one_line, replaced, seconds, string, whole
from ._slots import other_number_of_words, own_text, printed
from ._times import Clock

__all__ = [
    "DEFAULT_FOR",
    "DESCRIPTION",
    "EXAMPLE",
    "EXTENSIONS",
    "HOLDS",
    "as_document",
    "dumps",
    "has_schema",
    "read",
    "rewritten",
    "sniff",
    "write",
]

DESCRIPTION = "interpunct's own JSON: words, times, marks, cases and how sure they are"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "segments", "speakers", "confidence", "language"})
DEFAULT_FOR = ".json"
EXAMPLE = '{"schema": "interpunct/1", "words": [{"text": "so", "start": 0.0, "end": 0.2}, {"text": "what"}]}'

_SCHEMA = re.compile(r'[{,]\s*"schema"\s*:\s*"interpunct/')


def sniff(text: str) -> bool:
    """Whether the JSON names its schema, ``interpunct/…``, and is no line of JSON Lines."""
    return has_schema(text) and not one_line(text)


def has_schema(text: str) -> bool:
    """Whether the JSON names its schema, ``interpunct/…``."""
    return text.lstrip()[:1] == "{" and _SCHEMA.search(text) is not None


def read(text: str) -> Transcript:
    """The words as printed (``written``) where they carry it, else as they came in (``text``).

    Raises:
        FormatError: another schema, or something that is not as docs/format.md says; it says where.
    """
    document = load(text)
    if not isinstance(document, dict):
        raise FormatError(f'expected an object with "schema": "{SCHEMA}"')
    if document.get("schema") != SCHEMA:
        raise FormatError(f"the schema is {json.dumps(document.get('schema'))[:40]}: this version reads {SCHEMA}")
    clock = Clock()
    words = tuple(_word(item, k, clock) for k, item in enumerate(_objects(document, "words")))
    segments, stop = [], 0
    for k, item in enumerate(_objects(document, "segments", optional=True)):
        segments.append(_segment(item, k, stop, len(words)))
        stop = segments[-1].stop
    return Transcript(words, tuple(segments), string(document.get("language"), "language"), Source("interpunct", text))


def write(transcript: Transcript) -> str:
    """A restored transcript whole; one that was read from this format as it was, with its words replaced.

    Raises:
        InputError: the number of words is not that of the file that was read, or a number is not finite.
    """
    texts = printed(transcript)
    own = own_text(transcript, "interpunct")
    if own is None or isinstance(transcript, Restored):
        return dumps(as_document(transcript))
    return rewritten(own, texts)


def dumps(document: dict[str, Any]) -> str:
    """The document as JSON, with a line for each word and each segment.

    Raises:
        InputError: a number is not finite.
    """
    try:
        fields = ",\n".join(f"{json.dumps(key)}: {_value(value)}" for key, value in document.items())
    except (ValueError, TypeError):
        raise InputError("a time or a confidence is not finite: JSON cannot hold it") from None
    return f"{{\n{fields}\n}}\n"


def _value(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(_value(item) for item in value) + "\n]"
    return whole(json.dumps(value, ensure_ascii=False, allow_nan=False))


def as_document(transcript: Transcript) -> dict[str, Any]:
    """The document of any transcript; that of a restored one says how sure it is."""
    if isinstance(transcript, Restored):
        return transcript.to_dict()
    return {
        "schema": SCHEMA,
        "language": transcript.language,
        "text": transcript.text,
        "words": [_given(w, ("text", "start", "end", "speaker", "confidence")) for w in transcript.words],
        "segments": [_given(s, ("first", "stop", "start", "end", "speaker")) for s in transcript.segments],
    }


def _given(record: Word | Segment, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(record, name)) is not None}


def rewritten(own: str, texts: list[str]) -> str:
    """The file ``own`` with its words replaced.

    Raises:
        InputError: there are more or fewer words than in the file.
    """
    document = load(own)
    if len(document["words"]) != len(texts):
        raise other_number_of_words(len(texts), len(document["words"]))
    changes: dict[Path, str] = {}
    before = []
    for k, (item, text) in enumerate(zip(document["words"], texts, strict=True)):
        key = _printed_key(item)
        before.append(item[key])
        if item[key] != text:
            changes["words", k, key] = text
    if changes and document.get("text") == " ".join(before):
        changes["text",] = " ".join(texts)
    return replaced(own, changes)


def _printed_key(item: dict[str, Any]) -> str:
    return "written" if item.get("written") else "text"


def _objects(document: dict[str, Any], name: str, optional: bool = False) -> list[dict[str, Any]]:
    items = document.get(name, [] if optional else None)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise FormatError(f'"{name}" is not a list of objects')
    return items


def _word(item: dict[str, Any], k: int, clock: Clock) -> Word:
    where = f"word {k}"
    text = string(item.get(_printed_key(item)), where)
    if not text or text != text.strip():
        raise FormatError(f'{where}: "{_printed_key(item)}" is not a word but {json.dumps(text)[:40]}')
    start, end = seconds(item.get("start"), f"{where}, start"), seconds(item.get("end"), f"{where}, end")
    speaker = string(item.get("speaker"), f"{where}, speaker")
    clock.check(start, end, f"{where} ({text!r})", speaker)
    return Word(text, start, end, speaker, seconds(item.get("confidence"), f"{where}, confidence"))


def _segment(item: dict[str, Any], k: int, above: int, words: int) -> Segment:
    where = f"segment {k}"
    first, stop = item.get("first"), item.get("stop")
    if type(first) is not int or type(stop) is not int or not above <= first <= stop <= words:
        raise FormatError(f"{where}: first {json.dumps(first)} and stop {json.dumps(stop)} are not words that follow")
    start, end = seconds(item.get("start"), f"{where}, start"), seconds(item.get("end"), f"{where}, end")
    Clock().check(start, end, where)
    return Segment(first, stop, start, end, string(item.get("speaker"), f"{where}, speaker"))
