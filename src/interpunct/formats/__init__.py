"""Transcript formats, one file each.

A format is a module ``formats/NAME.py`` with

- ``DESCRIPTION``: a line for people; ``EXTENSIONS``: file endings it is written to, such as ``(".srt",)``;
  ``EXAMPLE``: one line (or a few) of such a file, shown by ``interpunct formats``;
- ``HOLDS``: what a new file of the format keeps besides words, of ``starts`` and ``ends`` (of words), ``segments``
  (and their times), ``speakers``, ``confidence`` and ``language``; ``convert`` says what is left out;
- ``sniff(text) -> bool``: whether a text is in this format, told from its content alone, quickly (``text``
  may be only the first 64 Ki characters of the file);
- ``read(text) -> Transcript``: raises :class:`~interpunct.errors.FormatError` (with the line number where
  it can) on anything it does not read faithfully. Sets ``source`` when the format has a shape of its own;
- ``write(transcript) -> str``: prints ``transcript.texts`` (one text a word). When ``transcript.source`` is of
  this format, the same cues, times and unknown fields come out, only the words are replaced.

``OUTPUT_ONLY = True`` marks a format that is written and never read: it sniffs nothing and its ``read`` refuses.

To add one: write the file, give it a golden file in ``tests/data``; the contract tests find it by itself.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from ..errors import FormatError, InputError
from ..registry import Registry
from ..transcript import Transcript
from ._decode import decode
from ._files import write_atomically
from ._json import looks_like_json

__all__ = ["FORMATS", "HEAD", "format_of_extension", "left_out", "read", "read_text", "save", "sniff"]

FORMATS = Registry("interpunct.formats", "format")
HEAD = 1 << 16
"""Characters by which the format of a text is told."""


def sniff(text: str) -> ModuleType:
    """The format of a text, by its content; plain text when no other fits.

    Raises:
        FormatError: two formats fit; both are named. Or it is JSON of a kind that no format knows.
    """
    head = text[:HEAD]
    fitting = [module for module in FORMATS if module.__name__.rsplit(".", 1)[-1] != "text" and module.sniff(head)]
    if len(fitting) > 1:
        names = " and ".join(module.__name__.rsplit(".", 1)[-1] for module in fitting)
        raise FormatError(f"this could be {names}: say which with --from")
    if not fitting and looks_like_json(head):
        known = "; ".join(module.DESCRIPTION for module in FORMATS if ".json" in module.EXTENSIONS)
        raise FormatError(f"this is JSON, but no transcript that is known. Known are: {known}")
    return fitting[0] if fitting else FORMATS.get("text")


def read_text(text: str, format: str | None = None) -> Transcript:
    """Read a transcript from a text, in ``format`` or, by default, in the one that its content shows."""
    module = FORMATS.get(format) if format else sniff(text)
    transcript: Transcript = module.read(text)
    return transcript


def read(path: str | Path, format: str | None = None) -> Transcript:
    """Read a transcript from a file.

    Raises:
        FormatError: the file is missing, is not text, or is not what it claims to be.
        InputError: there is no format of that name.
    """
    path = Path(path)
    try:
        return read_text(decode(path), format)
    except FormatError as error:
        raise error if error.path else error.at(str(path)) from None


def format_of_extension(path: Path, transcript: Transcript | None = None) -> ModuleType:
    """The format in which ``path`` is written: that of the transcript's source if it has this extension.

    Raises:
        InputError: no format has the extension.
    """
    extension = path.suffix.lower()
    fitting = [module for module in FORMATS if extension in module.EXTENSIONS]
    if transcript is not None and transcript.source is not None:
        own = FORMATS.get(transcript.source.format)
        if own in fitting:
            return own
    if not fitting:
        known = sorted({e for module in FORMATS for e in module.EXTENSIONS})
        raise InputError(
            f"{path}: no format is written to {extension or 'a file without extension'}; there are {', '.join(known)}"
        )
    return next((m for m in fitting if getattr(m, "DEFAULT_FOR", None) == extension), fitting[0])


_NAMES = {
    "starts": "the times of words",
    "ends": "the ends of words",
    "segments": "the times of segments",
    "speakers": "speakers",
    "confidence": "confidences",
    "language": "the language",
}


def left_out(transcript: Transcript, module: ModuleType) -> list[str]:
    """What the transcript holds and a file of a format cannot, in words; nothing for the format it was read from."""
    own = transcript.source is not None and module is FORMATS.get(transcript.source.format)
    words, segments = transcript.words, transcript.segments
    held = {
        "starts": any(word.start is not None for word in words),
        "ends": any(word.end is not None for word in words),
        "segments": any(segment.start is not None or segment.end is not None for segment in segments),
        "speakers": any(word.speaker is not None for word in words) or any(s.speaker is not None for s in segments),
        "confidence": any(word.confidence is not None for word in words),
        "language": transcript.language is not None,
    }
    lost = [name for name, has in held.items() if has and not own and name not in getattr(module, "HOLDS", held)]
    return [_NAMES[name] for name in lost if not (name == "ends" and "starts" in lost)]


def save(transcript: Transcript, path: Path, format: str | None = None) -> None:
    """Write a transcript to a file, whole or not at all.

    Raises:
        InputError: no format has the extension, or the place cannot be written.
    """
    module = FORMATS.get(format) if format else format_of_extension(path, transcript)
    write_atomically(path, module.write(transcript))
