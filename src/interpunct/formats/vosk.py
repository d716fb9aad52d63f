"""The JSON of Vosk: one result, or a stream of them as a recogniser gives them, partial results in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import FormatError
from ..transcript import Transcript
from ._json import Path, documents_in, dumped, given, known_keys, load_stream, objects, string
from ._layout import Keys, Layout, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import own_text, printed
from ._times import Clock, in_one_time

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Vosk's JSON, one result or a stream of results and partial results"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "confidence"})
EXAMPLE = '{"result": [{"conf": 0.98, "end": 0.3, "start": 0.1, "word": "so"}], "text": "so"}'

_KEYS = Keys(confidence=("conf",), speaker=())
_RESULT = {"text", "result", "spk", "spk_frames", "alternatives", "partial", "partial_result"}


def sniff(text: str) -> bool:
    """Whether the JSON has a ``result``, alternatives or partial results, or is several texts."""
    keys = known_keys(text, 2 if text.lstrip()[:1] == "[" else 1)
    told = keys & {"result", "partial"} or (documents_in(text) > 1 and "text" in keys)
    return keys <= _RESULT and bool(told or ("alternatives" in keys and known_keys(text, 3) & {"text"}))


def read(text: str) -> Transcript:
    """A segment for each result, with its words; of alternatives the first. Partial results are no words.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which result or word.
    """
    return transcript_of(_layout(load_stream(text)), "vosk", text)


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced; from another format, a result for each segment or sentence.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "vosk")
    if own is None:
        return "".join(_new(transcript, texts))
    return rewritten(own, _layout(load_stream(own)), texts, stream=True)


def _layout(documents: list[Any]) -> Layout:
    layout, clock = Layout(), Clock()
    for number, (path, result) in enumerate(_results(documents)):
        where = f"result {number}"
        alternatives = objects(result.get("alternatives") or [], f"{where}, alternatives")
        if alternatives:
            path, result = (*path, "alternatives", 0), alternatives[0]
        text = string(result.get("text"), f"{where}, text")
        entries = _KEYS.entries(result.get("result"), (*path, "result"), f"{where}, ", clock)
        if text is None and not entries:
            if result.keys() & {"partial", "partial_result", "result"}:
                continue
            raise FormatError(f'{where}: no "result", "text" or "partial": this is not the JSON of Vosk')
        first = layout.add(text, (*path, "text"), entries)
        if first < len(layout.words):
            layout.add_segment(
                first, entries[0].start if entries else None, max((e.end or 0 for e in entries), default=None)
            )
    return layout


def _results(documents: list[Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    for k, document in enumerate(documents):
        listed = isinstance(document, list)
        for j, result in enumerate(objects(document if listed else [document], "results")):
            yield ((k, j) if listed else (k,)), result


def _new(transcript: Transcript, texts: list[str]) -> Iterator[str]:
    for segment in by_sentence(in_one_time(transcript, "Vosk's JSON")):
        words = range(segment.first, segment.stop)
        result = [
            given(conf=word.confidence, end=word.end, start=word.start, word=texts[k])
            for k, word in zip(words, transcript.words[segment.first : segment.stop], strict=True)
        ]
        yield dumped({"result": result, "text": " ".join(texts[k] for k in words)})
