"""WebVTT captions, with voices, tags, entities and word times inside a cue."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import groupby

from ..errors import FormatError
from ..transcript import Transcript
from ._captions import Dialect, FoundCue, Line, checked_cues, in_place, lines_of, transcript_of
from ._cues import Cue, build
from ._payload import Syntax
from ._slots import own_text, printed
from ._timing import cue_times, stamp

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "WebVTT captions"
EXTENSIONS = (".vtt",)
HOLDS = frozenset({"segments", "speakers", "language"})
EXAMPLE = "WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nso what do you think"

_SIGNATURE = re.compile(r"WEBVTT(?=[ \t\r\n]|\Z)")
_LANGUAGE = re.compile(r"Language:[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*")
_NOT_A_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t].*)?|(?:Style|Region):.*")


def _encode(text: str) -> str:
    return html.escape(text, quote=False)


_SYNTAX = Syntax(
    re.compile(
        r"(?P<space>\s+|(?i:<br\s*/?>))"
        r"|(?P<time><[0-9]+(?::[0-9]+){1,2}\.[0-9]+>)"
        r"|(?P<voice><v(?:\.[^\s<>]*)?\s(?P<name>[^<>]*)>)"
        r"|(?P<voice_end></v>)"
        r"|(?P<tag></?[A-Za-z][^<>]*>|</?>)"
        r"|(?P<entity>&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});)"
        r"|(?P<text>[^\s<&]+|[<&])"
    ),
    _encode,
    special=re.compile("[<&]"),
)


def sniff(text: str) -> bool:
    """Whether the text bears the signature ``WEBVTT``."""
    return _SIGNATURE.match(text) is not None


def read(text: str) -> Transcript:
    """A segment a cue; ``<v Name>`` gives the speaker of words, ``<00:00:01.200>`` the start of the next word.

    Raises:
        FormatError: no signature, text without times, or times that cannot be; it names the line.
    """
    return transcript_of(text, _DIALECT, _language(text))


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues of at most two lines.

    Raises:
        InputError: there are no times.
    """
    texts, own = printed(transcript), own_text(transcript, "webvtt")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    language = f"Language: {transcript.language or ''}"
    header = f"WEBVTT\n{language}\n" if _LANGUAGE.fullmatch(language) else "WEBVTT\n"
    cues = (_written(cue, transcript, texts) for cue in build(transcript, "WebVTT"))
    return checked_cues("\n".join((header, *cues)), texts, _DIALECT)


def _written(cue: Cue, transcript: Transcript, texts: list[str]) -> str:
    voices = [
        (speaker, list(run))
        for speaker, run in groupby((k for line in cue.lines for k in line), lambda k: transcript.words[k].speaker)
    ]
    breaks = {line[0] for line in cue.lines[1:]}
    text = ""
    for speaker, run in voices:
        name = _encode(" ".join((speaker or cue.speaker or "").split()))
        words = "".join(("" if k == run[0] else _gap(k, breaks)) + _encode(texts[k]) for k in run)
        voice_end = "</v>" if name and len(voices) > 1 else ""  # a voice that fills its cue needs no end
        text += (_gap(run[0], breaks) if text else "") + (f"<v {name}>" if name else "") + words + voice_end
    return f"{stamp(cue.start, '.')} --> {stamp(cue.end, '.')}\n{text}\n"


def _gap(word: int, breaks: set[int]) -> str:
    return "\n" if word in breaks else " "


def _language(text: str) -> str | None:
    for line in lines_of(text[: 1 << 12])[1:]:
        if not line.text:
            break
        if found := _LANGUAGE.fullmatch(line.text):
            return found[1]
    return None


def _cues(text: str) -> Iterator[FoundCue]:
    if not sniff(text):
        raise FormatError("a WebVTT file begins with the line WEBVTT", line=1)
    lines = lines_of(text)
    k = _header_end(lines)
    while k < len(lines):
        line = lines[k]
        if not line.text:
            k += 1
        elif _NOT_A_CUE.fullmatch(line.text):
            k = _blank(lines, k)
        else:
            k = _timing_line(lines, k)
            times = cue_times(lines[k].text, lines[k].number)
            if times is None:
                raise FormatError(f"{line.text[:40]!r} has no times", line=line.number)
            stop = _payload_end(lines, k + 1)
            first = lines[k].stop if stop == k + 1 else lines[k + 1].first
            yield FoundCue(*times, first, lines[stop - 1].stop)
            k = stop


def _header_end(lines: list[Line]) -> int:
    return next((k for k, line in enumerate(lines) if k and (not line.text or "-->" in line.text)), len(lines))


def _blank(lines: list[Line], k: int) -> int:
    return next((j for j in range(k, len(lines)) if not lines[j].text), len(lines))


def _timing_line(lines: list[Line], k: int) -> int:
    """The line after an identifier, or the line itself."""
    identified = "-->" not in lines[k].text and k + 1 < len(lines) and "-->" in lines[k + 1].text
    return k + 1 if identified else k


def _payload_end(lines: list[Line], k: int) -> int:
    """A cue's text ends at an empty line (a space makes a line of text), or where the next times stand."""
    for j in range(k, len(lines)):
        text = lines[j].text
        if not text or "-->" in text:
            return j
    return len(lines)


_DIALECT = Dialect("WebVTT", "webvtt", _SYNTAX, _cues)
