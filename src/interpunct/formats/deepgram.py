"""The JSON of Deepgram: channels of alternatives, with paragraphs and utterances that say the words again."""

from __future__ import annotations

from typing import Any

from ..errors import FormatError
from ..transcript import Transcript
from ._json import Path, dumped, given, known_keys, load, objects, seconds, string
from ._layout import Entry, Keys, Layout, name_of, rewritten, transcript_of
from ._slots import own_text, printed

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "Deepgram's JSON"
EXTENSIONS = (".json",)
HOLDS = frozenset({"starts", "ends", "speakers", "confidence"})
EXAMPLE = (
    '{"results": {"channels": [{"alternatives": [{"transcript": "so", '
    '"words": [{"word": "so", "start": 0.1, "end": 0.3, "confidence": 0.9}]}]}]}}'
)

_KEYS = Keys(text=("punctuated_word", "word"))


def sniff(text: str) -> bool:
    """Whether the JSON has ``channels`` among its ``results``."""
    return "results" in known_keys(text, 1) and "channels" in known_keys(text, 2)


def read(text: str) -> Transcript:
    """The first alternative of each channel; of words that have a ``punctuated_word``, that one.

    Raises:
        FormatError: not such a JSON, cut short, or times that run backwards; it says in which channel and word.
    """
    document = load(text)
    return transcript_of(_layout(document), "deepgram", text, _language(document))


def write(transcript: Transcript) -> str:
    """The same JSON with the words replaced in all its texts and lists; from another format, a new one.

    Raises:
        InputError: the number of words is not that of the JSON that was read, or a time is not finite.
    """
    texts, own = printed(transcript), own_text(transcript, "deepgram")
    return _new(transcript, texts) if own is None else rewritten(own, _layout(load(own)), texts)


def _layout(document: Any) -> Layout:
    layout, results = Layout(), _object(document, "results")
    channels = objects(results.get("channels"), "channels")
    utterances = objects(results.get("utterances") or [], "utterances")
    for c, channel in enumerate(channels):
        path: Path = ("results", "channels", c, "alternatives", 0)
        alternatives = objects(channel.get("alternatives") or [], f"channel {c}, alternatives")
        if not alternatives:
            continue
        name = f"channel {c}" if len(channels) > 1 else None
        first = _add_channel(layout, alternatives[0], path, f"channel {c}", name)
        own = [u for u, utterance in enumerate(utterances) if utterance.get("channel", 0) == c]
        _add_utterances(layout, utterances, own, first, name)
        if name and not own and first < len(layout.words):
            layout.add_segment(first, layout.words[first].start, layout.words[-1].end, name)
    return layout


def _add_channel(layout: Layout, best: dict[str, Any], path: Path, where: str, name: str | None) -> int:
    entries = _named(_KEYS.entries(best.get("words"), (*path, "words"), f"{where}, "), name)
    first = layout.add(string(best.get("transcript"), f"{where}, transcript"), (*path, "transcript"), entries, name)
    paragraphs = best.get("paragraphs")
    if isinstance(paragraphs, dict):
        layout.add_copy(string(paragraphs.get("transcript"), "paragraphs"), (*path, "paragraphs", "transcript"), first)
        _add_sentences(layout, paragraphs, (*path, "paragraphs", "paragraphs"), first)
    return first


def _add_sentences(layout: Layout, paragraphs: dict[str, Any], path: Path, first: int) -> None:
    for p, paragraph in enumerate(objects(paragraphs.get("paragraphs") or [], "paragraphs")):
        for s, sentence in enumerate(objects(paragraph.get("sentences") or [], "sentences")):
            text = string(sentence.get("text"), "sentence")
            size = len(text.split()) if text else 0
            layout.add_copy(text, (*path, p, "sentences", s, "text"), first, first + size)
            first += size


def _add_utterances(
    layout: Layout, utterances: list[dict[str, Any]], own: list[int], first: int, name: str | None
) -> None:
    """Segments, where the utterances of a channel hold its words and no others."""
    sizes = [len((string(utterances[u].get("transcript"), f"utterance {u}") or "").split()) for u in own]
    fit = sum(sizes) == len(layout.words) - first
    for u, size in zip(own, sizes, strict=True):
        utterance, path = utterances[u], ("results", "utterances", u)
        stop = first + size if fit else None
        layout.add_copy(utterance.get("transcript"), (*path, "transcript"), first, stop)
        entries = _named(_KEYS.entries(utterance.get("words"), (*path, "words"), f"utterance {u}, "), name)
        layout.add_list(entries, first, stop)
        if stop is not None:
            where = f"utterance {u}"
            start, end = seconds(utterance.get("start"), where), seconds(utterance.get("end"), where)
            layout.add_segment(first, start, end, _named_speaker(name_of(utterance.get("speaker"), where), name), stop)
            first = stop


def _named(entries: list[Entry], channel: str | None) -> list[Entry]:
    """Of several channels, each has speakers of its own."""
    return [entry._replace(speaker=_named_speaker(entry.speaker, channel)) for entry in entries]


def _named_speaker(speaker: str | None, channel: str | None) -> str | None:
    return f"{channel}, {speaker}" if channel and speaker else channel or speaker


def _object(document: Any, name: str) -> dict[str, Any]:
    value = document.get(name) if isinstance(document, dict) else None
    if not isinstance(value, dict):
        raise FormatError(f'no "{name}": this is not the JSON of Deepgram')
    return value


def _language(document: Any) -> Any:
    channels = document["results"]["channels"]
    return channels[0].get("detected_language") if channels else None


def _new(transcript: Transcript, texts: list[str]) -> str:
    words = [
        given(word=text, start=w.start, end=w.end, confidence=w.confidence, speaker=w.speaker)
        for w, text in zip(transcript.words, texts, strict=True)
    ]
    best = {"transcript": " ".join(texts), "words": words}
    return dumped({"results": {"channels": [{"alternatives": [best]}]}})
