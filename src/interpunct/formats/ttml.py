"""TTML captions (also DFXP and IMSC text): ``<p begin="…" end="…">`` is a cue."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import FormatError
from ..transcript import Transcript
from ._captions import Dialect, FoundCue, checked_cues, in_place, transcript_of
from ._cues import Cue, build
from ._markup import MARKUP, escape, line_at
from ._slots import own_text, printed
from ._timing import stamp

__all__ = ["DESCRIPTION", "EXAMPLE", "EXTENSIONS", "HOLDS", "read", "sniff", "write"]

DESCRIPTION = "TTML captions"
EXTENSIONS = (".ttml", ".dfxp")
HOLDS = frozenset({"segments", "language"})
EXAMPLE = (
    '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>\n<p begin="1s" end="3.5s">so what do you think</p>\n'
    "</div></body></tt>"
)

_LANGUAGE = re.compile(r"""<(?:\w+:)?tt\s[^<>]*?\bxml:lang\s*=\s*["']([A-Za-z][A-Za-z0-9-]*)["']""")
_PARAGRAPH = re.compile(
    r"<!--(?s:.*?)-->|<(?P<name>(?:\w+:)?p)(?P<attributes>(?:\s[^<>]*?)?)(?P<empty>/?)>"
    r"|(?P<unread><(?:\w+:)?(?:body|div)\s[^<>]*?\b(?:begin|dur)\s*=|<!\[CDATA\[)"
)
_UNREAD = re.compile(r"<(?:\w+:)?span\s[^<>]*?\b(?:begin|dur)\s*=|<!\[CDATA\[")
_ATTRIBUTE = re.compile(r"""(?:^|\s)(begin|end|dur)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_CLOCK = re.compile(r"([0-9]{1,6}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9})|:([0-9]{1,3}))?")
_OFFSET = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)(h|m|s|ms|f|t)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def sniff(text: str) -> bool:
    """Whether the root of the XML is ``<tt>``."""
    return re.match(r"\s*(?:<\?[^<>]*>\s*|<!--[^<>]*-->\s*|<!DOCTYPE[^<>]*>\s*)*<(?:\w+:)?tt[\s>]", text) is not None


def read(text: str) -> Transcript:
    """A segment a paragraph.

    Raises:
        FormatError: a paragraph has no times, times that cannot be, or is inside something that has; names the line.
    """
    language = _LANGUAGE.search(text[: 1 << 12])
    return transcript_of(text, _DIALECT, language[1] if language else None)


def write(transcript: Transcript) -> str:
    """The file with its words replaced, or, from another format, new cues of at most two lines.

    Raises:
        InputError: there are no times.
    """
    texts, own = printed(transcript), own_text(transcript, "ttml")
    if own is not None:
        return in_place(own, texts, _DIALECT)
    language = transcript.language or ""
    known = f' xml:lang="{language}"' if re.fullmatch("[A-Za-z][A-Za-z0-9-]*", language) else ""
    cues = "".join(_written(cue, texts) for cue in build(transcript, "TTML"))
    output = f'<tt xmlns="http://www.w3.org/ns/ttml"{known}>\n<body>\n<div>\n{cues}</div>\n</body>\n</tt>\n'
    return checked_cues(output, texts, _DIALECT)


def _written(cue: Cue, texts: list[str]) -> str:
    text = "<br/>".join(" ".join(escape(texts[k]) for k in line) for line in cue.lines)
    return f'<p begin="{stamp(cue.start, ".")}" end="{stamp(cue.end, ".")}">{text}</p>\n'


def _cues(text: str) -> Iterator[FoundCue]:
    rates = {"f": _rate(text, "frameRate", 30.0), "t": _rate(text, "tickRate", 1.0)}
    position = 0
    while found := _PARAGRAPH.search(text, position):
        position = found.end()
        if found["unread"]:
            raise _unread(text, found.start())
        if not found["name"] or found["empty"]:
            continue
        close = text.find(f"</{found['name']}", position)
        if close < 0:
            raise FormatError("this paragraph does not end", line=line_at(text, found.start()))
        if unread := _UNREAD.search(text, position, close):
            raise _unread(text, unread.start())
        if found["attributes"].strip() or text[position:close].strip():
            try:
                yield FoundCue(*_times(found["attributes"], rates), position, close)
            except _NoTimes as problem:
                raise FormatError(str(problem), line=line_at(text, found.start())) from None
        position = close


class _NoTimes(Exception):
    """The times of a paragraph cannot be."""


def _unread(text: str, position: int) -> FormatError:
    return FormatError("times are read at paragraphs alone, and text outside of CDATA", line=line_at(text, position))


def _times(attributes: str, rates: dict[str, float]) -> tuple[float, float]:
    given = {name: _seconds(double or single, rates) for name, double, single in _ATTRIBUTE.findall(attributes)}
    if "begin" not in given or not given.keys() & {"end", "dur"}:
        raise _NoTimes('a paragraph needs begin="…" and end="…"')
    start = given["begin"]
    end = given["end"] if "end" in given else round(start + given["dur"], 3)
    if end < start:
        raise _NoTimes(f"the paragraph ends at {end} s, before it starts at {start} s")
    return start, end


def _seconds(written: str, rates: dict[str, float]) -> float:
    written = written.strip()
    if (offset := _OFFSET.fullmatch(written)) is not None:
        unit = offset[2]
        seconds = float(offset[1]) / rates[unit] if unit in rates else float(offset[1]) * _UNITS[unit]
        return round(seconds, 3)
    clock = _CLOCK.fullmatch(written)
    if clock is None or int(clock[2]) > 59 or int(clock[3]) > 59:
        raise _NoTimes(f"{written[:40]!r} is no time: write 00:00:01.000 or 1.0s")
    whole = int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3])
    frames = int(clock[5]) / rates["f"] if clock[5] else 0.0
    return round(whole + float(f"0.{clock[4] or 0}") + frames, 3)


def _rate(text: str, name: str, default: float) -> float:
    found = re.search(rf"""\b{name}\s*=\s*["']([0-9]{{1,9}})["']""", text[: 1 << 12])
    return float(found[1]) if found and int(found[1]) else default


_DIALECT = Dialect("TTML", "ttml", MARKUP, _cues)
