"""The JSON of whisper.cpp (``-oj``, ``-ojf``): segments with times in milliseconds, and perhaps sub-word tokens."""

from __future__ import annotations

import re
from typing import Any

from ..errors import FormatError
from ..transcript import Transcript, Word
from ._json import Path, dumped, given, known_keys, load, objects, probability, scaled, string
from ._layout import Entry, Layout, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import milliseconds, own_text, printed
from ._times import Clock, in_one_time
from ._timing import stamp

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "whisper.cpp's JSON (-oj, -ojf)"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "segments", "confidence", "language"})
EXAMPLE = '{"result": {"language": "en"}, "transcription": [{"offsets": {"from": 0, "to": 900}, "text": " so what"}]}'

_SPECIAL = re.compile(r"\s*\[_[A-Z]+_(?:\d+\])?\]?\s*")


def sniff(text: str) -> bool:
    """Whether the JSON has a ``transcription``."""
    return "transcription" in known_keys(text, 1) and text.lstrip()[:1] == "{"


def read(text: str) -> Transcript:
    """A segment each; words have the times of their tokens. Where each segment is a piece of a word, it is a token.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which segment.
    """
    document = load(text)
    layout = _layout(document)
    result = document.get("result")
    return transcript_of(layout, "whispercpp", text, result.get("language") if isinstance(result, dict) else None)


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced in texts and tokens; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "whispercpp")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


def _layout(document: Any) -> Layout:
    if not isinstance(document, dict):
        raise FormatError('no "transcription": this is not the JSON of whisper.cpp')
    segments = objects(document.get("transcription"), "transcription")
    layout, clock = Layout(), Clock()
    pieces = [_entry(item, ("transcription", k), f"segment {k}", clock) for k, item in enumerate(segments)]
    if _are_tokens(pieces):
        layout.add(None, (), pieces)
        return layout
    words_clock = Clock()
    for k, (item, piece) in enumerate(zip(segments, pieces, strict=True)):
        tokens = objects(item.get("tokens") or [], f"segment {k}, tokens")
        entries = [
            _entry(token, ("transcription", k, "tokens", t), f"segment {k}, token {t}", words_clock)
            for t, token in enumerate(tokens)
        ]
        first = layout.add(piece.text, piece.path, [entry for entry in entries if not _SPECIAL.fullmatch(entry.text)])
        layout.add_segment(first, piece.start, piece.end)
    return layout


def _are_tokens(pieces: list[Entry]) -> bool:
    """Whether segments go on in the middle of a word (``-ml 1``)."""
    said = [piece.text for piece in pieces if piece.text.strip()]
    continued = [not text[0].isspace() for text in said]
    return any(continued[1:]) and not all(continued) and max(len(text.split()) for text in said) == 1


def _entry(item: dict[str, Any], path: Path, where: str, clock: Clock) -> Entry:
    text = string(item.get("text"), where)
    if text is None:
        raise FormatError(f'{where}: it has no "text"')
    offsets = item.get("offsets")
    offsets = offsets if isinstance(offsets, dict) else {}
    start, end = (scaled(offsets.get(key), 1000, where) for key in ("from", "to"))
    if not _SPECIAL.fullmatch(text):
        clock.check(start, end, f"{where} ({text.strip()[:40]!r})")
    return Entry((*path, "text"), text, start, end, probability(item.get("p")))


def _new(transcript: Transcript, texts: list[str]) -> str:
    segments = []
    for segment in by_sentence(in_one_time(transcript, "whisper.cpp's JSON")):
        own = range(segment.first, segment.stop)
        record = _timed("".join(f" {texts[k]}" for k in own), segment.start, segment.end)
        words = [transcript.words[k] for k in own]
        if any(word.start is not None or word.confidence is not None for word in words):
            record["tokens"] = [_token(word, texts[k]) for k, word in zip(own, words, strict=True)]
        segments.append(record)
    return dumped({"result": {"language": transcript.language}, "transcription": segments})


def _token(word: Word, text: str) -> dict[str, Any]:
    return {**_timed(f" {text}", word.start, word.end), **given(p=word.confidence)}


def _timed(text: str, start: float | None, end: float | None) -> dict[str, Any]:
    offsets: dict[str, Any] = given(**{"from": milliseconds(start), "to": milliseconds(end)})
    if start is None or end is None:
        return {"offsets": offsets, "text": text}
    return {"timestamps": {"from": stamp(start, ","), "to": stamp(end, ",")}, "offsets": offsets, "text": text}
