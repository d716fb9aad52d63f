"""The JSON of AssemblyAI: a text, its words with times in milliseconds, and perhaps utterances of speakers."""

from __future__ import annotations

from typing import Any

from ..errors import FormatError
from ..transcript import Transcript
from ._json import dumped, given, known_keys, load, objects, scaled, string
from ._layout import Keys, Layout, name_of, rewritten, transcript_of
from ._segments import by_sentence
from ._slots import milliseconds, own_text, printed

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "AssemblyAI's JSON"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "segments", "speakers", "confidence", "language"})
EXAMPLE = '{"audio_duration": 1, "text": "so", "words": [{"text": "so", "start": 100, "end": 300, "confidence": 0.9}]}'

_TELLING = {"audio_url", "audio_duration", "language_code", "utterances", "acoustic_model", "speech_model"}
_KEYS = Keys(text=("text",), time=lambda value, where: scaled(value, 1000, where))


def sniff(text: str) -> bool:
    """Whether the JSON has a text or words, and one of the keys that only AssemblyAI has."""
    keys = known_keys(text, 1)
    return bool(keys & _TELLING) and bool(keys & {"text", "words"}) and not keys & {"segments", "schema", "results"}


def read(text: str) -> Transcript:
    """The words of the text; a segment for each utterance.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which word.
    """
    document = load(text)
    return transcript_of(_layout(document), "assemblyai", text, document.get("language_code"))


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced in all its texts and lists; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "assemblyai")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


def _layout(document: Any) -> Layout:
    if not isinstance(document, dict) or not document.keys() & {"text", "words"}:
        raise FormatError('no "text" and no "words": this is not the JSON of AssemblyAI')
    layout = Layout()
    layout.add(string(document.get("text"), "text"), ("text",), _KEYS.entries(document.get("words"), ("words",)))
    utterances = objects(document.get("utterances") or [], "utterances")
    texts = [string(utterance.get("text"), f"utterance {u}") or "" for u, utterance in enumerate(utterances)]
    fit, first = sum(len(text.split()) for text in texts) == len(layout.words), 0
    for u, (utterance, text) in enumerate(zip(utterances, texts, strict=True)):
        where = f"utterance {u}"
        stop = first + len(text.split()) if fit else None
        layout.add_copy(text, ("utterances", u, "text"), first, stop)
        entries = _KEYS.entries(utterance.get("words"), ("utterances", u, "words"), f"{where}, ")
        layout.add_list(entries, first, stop)
        if stop is not None:
            start, end = _KEYS.times(utterance, where)
            layout.add_segment(first, start, end, name_of(utterance.get("speaker"), where), stop)
            first = stop
    return layout


def _new(transcript: Transcript, texts: list[str]) -> str:
    words = [
        given(
            text=text,
            start=milliseconds(word.start),
            end=milliseconds(word.end),
            confidence=word.confidence,
            speaker=word.speaker,
        )
        for word, text in zip(transcript.words, texts, strict=True)
    ]
    utterances = [
        given(
            text=" ".join(texts[segment.first : segment.stop]),
            start=milliseconds(segment.start),
            end=milliseconds(segment.end),
            speaker=segment.speaker,
            words=words[segment.first : segment.stop],
        )
        for segment in by_sentence(transcript)
    ]
    document = {"language_code": transcript.language, "text": " ".join(texts), "words": words}
    return dumped({**document, "utterances": utterances})
