"""A page to look at: marks coloured and patterned by how sure they are, the distribution under the pointer.

Written only. :func:`page` is a whole page without anything from elsewhere; :func:`fragment` is the same for a
notebook or another page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby

from ..errors import FormatError
from ..marks import MARKS, NONE
from ..transcript import Restored, RestoredWord, Transcript, Word
from ..written import CLOSING, STOPS
from ._slots import printed

__all__ = [
    "DESCRIPTION",
    "EXAMPLE",
    "EXTENSIONS",
    "HOLDS",
    "OUTPUT_ONLY",
    "bold",
    "clock",
    "fragment",
    "frame",
    "legend",
    "page",
    "read",
    "sniff",
    "spoken",
    "write",
]

DESCRIPTION = "a page to look at: how sure each mark is (output only)"
EXTENSIONS = (".html",)
EXAMPLE = "<!doctype html>"
HOLDS = frozenset({"speakers", "language"})
OUTPUT_ONLY = True

LEVELS = ((0.9, "sure"), (0.7, "likely"), (0.5, "doubtful"), (0.0, "a guess"))
"""From which probability of what was decided, and the word for it. The first has the least to look at."""
_NOTABLE = 0.8  # a place without a mark is shown when this is more than the probability that it has none
_SHOWN = 0.005  # the least probability that is listed

STYLE = """\
.interpunct{line-height:1.7;--i0:#1a6b3c;--i1:#0b57a4;--i2:#9a5b00;--i3:#b3261e;--i3b:#fbe4e2}
.interpunct p{margin:.3em 0;max-width:42em}
.interpunct h2{font-size:1em;margin:1.4em 0 .3em}
.interpunct .time{font-size:.75em;opacity:.75;color:inherit;margin-right:.7em;font-variant-numeric:tabular-nums}
.interpunct [title]{cursor:help;white-space:nowrap}
.interpunct b{display:inline-block;min-width:.45em;text-align:center;line-height:1.1;font-weight:700}
.interpunct .c0{color:var(--i0)}
.interpunct .c1{color:var(--i1);border-bottom:2px solid}
.interpunct .c2{color:var(--i2);border-bottom:3px dotted}
.interpunct .c3{color:var(--i3);border:1px dashed;border-bottom:3px double;background:var(--i3b)}
.interpunct b.none::after{content:"\\00b7"}
.interpunct .legend{font-size:.85em;list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2em 1.5em}
@media (prefers-color-scheme:dark){.interpunct{--i0:#7fd6a0;--i1:#8ec1ff;--i2:#f0b453;--i3:#ff9d94;--i3b:#4a1d1a}}
"""
_PAGE_STYLE = """\
:root{color-scheme:light dark}
body{margin:2em auto;padding:0 1.2em;max-width:46em;font:1.05em/1.6 system-ui,sans-serif;background:#fff;color:#1c1c1c}
p:target{outline:2px solid;outline-offset:.3em}
@media (prefers-color-scheme:dark){body{background:#16181c;color:#e6e6e6}}
@media print{body{background:#fff;color:#000}}
"""


def sniff(text: str) -> bool:
    """Never: a page is not read."""
    del text
    return False


def read(text: str) -> Transcript:
    """Refuses.

    Raises:
        FormatError: always.
    """
    del text
    raise FormatError("HTML is written, not read: keep the JSON (--json) beside it to go on from")


def write(transcript: Transcript) -> str:
    """The transcript as a page of its own: see :func:`page`."""
    printed(transcript)
    return page(transcript)


def page(transcript: Transcript, title: str = "Transcript") -> str:
    """A whole page, with styles inside and nothing from elsewhere, for light and dark screens and for paper."""
    head, foot = frame(title, transcript.language)
    return head + _body(transcript, len(transcript.words), anchors=True) + foot


def frame(title: str, language: str | None = None, style: str = "") -> tuple[str, str]:
    """What stands before and after the body of any such page; ``style`` is CSS of its own, added to the common one."""
    attribute = f' lang="{escape(language)}"' if language else ""
    return (
        f'<!doctype html>\n<html{attribute}>\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_PAGE_STYLE}{STYLE}{style}</style>\n</head>\n<body>\n"
    ), "</body>\n</html>\n"


def fragment(transcript: Transcript, limit: int = 2000) -> str:
    """The transcript for a notebook or another page; after ``limit`` words it says how many are left out."""
    return f"<style>\n{STYLE}</style>\n{_body(transcript, limit, anchors=False)}"


def _body(transcript: Transcript, limit: int, *, anchors: bool) -> str:
    parts = ['<div class="interpunct">\n']
    if any(isinstance(word, RestoredWord) and word.probabilities for word in transcript.words):
        parts.append(legend())
    names: dict[str, int] = {}
    for speaker, paragraphs in groupby(_paragraphs(transcript, limit), lambda p: transcript.words[p.start].speaker):
        parts.append("<section>\n" + (f"<h2>{escape(speaker)}</h2>\n" if speaker else ""))
        parts.extend(_paragraph(transcript, words, names if anchors else None) for words in paragraphs)
        parts.append("</section>\n")
    if len(transcript.words) > limit:
        parts.append(f"<p>… and {len(transcript.words) - limit} words more</p>\n")
    return "".join((*parts, "</div>\n"))


def legend() -> str:
    """What the colours and lines of marks mean."""
    items, above = [], 1.0
    for k, (least, name) in enumerate(LEVELS):
        items.append(f'<li><b class="c{k}">,</b> {name}: {least * 100:.0f} to {above * 100:.0f} %</li>')
        above = least
    items.append('<li><b class="none c2"></b> no mark, but perhaps one</li>')
    return '<ul class="legend">' + "".join(items) + "</ul>\n"


def _paragraphs(transcript: Transcript, limit: int) -> Iterator[range]:
    """The words of each sentence; of each segment or turn, where there are no sentences."""
    words, first = transcript.words, 0
    if isinstance(transcript, Restored):
        stops = {end + 1 for end in transcript.sentence_ends}
    else:
        stops = {segment.stop for segment in transcript.segments}
    for k in range(1, min(limit, len(words)) + 1):
        if k == min(limit, len(words)) or k in stops or words[k].speaker != words[k - 1].speaker:
            yield range(first, k)
            first = k


def _paragraph(transcript: Transcript, words: range, names: dict[str, int] | None) -> str:
    start = next((transcript.words[k].start for k in words if transcript.words[k].start is not None), None)
    text = " ".join(_word(transcript.words[k]) for k in words)
    if start is None:
        return f"<p>{text}</p>\n"
    if names is None:
        return f'<p><span class="time">{clock(start)}</span>{text}</p>\n'
    name = f"t={start:g}" if start < 1e5 else f"t={start:.2f}"
    names[name] = seen = names.get(name, 0) + 1
    name += f"-{seen}" if seen > 1 else ""
    return f'<p id="{name}"><a class="time" href="#{name}">{clock(start)}</a>{text}</p>\n'


def clock(start: float) -> str:
    """Seconds as people write a time: ``1:02:05``."""
    minutes, second = divmod(int(start), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def _word(word: Word) -> str:
    text = word.written if isinstance(word, RestoredWord) else word.text
    if not isinstance(word, RestoredWord) or not word.probabilities:
        return escape(text)
    sure = word.probabilities.get(word.mark, 0.0)
    title = escape("\n".join(_distributions(word)))
    if word.mark == NONE:
        mark = bold(None, sure) if sure < _NOTABLE else ""
        return f'<span title="{title}">{escape(text)}{mark}</span>'
    body = text.rstrip("".join(STOPS | CLOSING) + " ")
    mark = text[len(body) :].lstrip()
    space = " " * (len(text) - len(body) - len(mark))  # a dash stands behind one
    return f'<span title="{title}">{escape(body)}{space}{bold(mark, sure)}</span>'


def bold(mark: str | None, sure: float) -> str:
    """A mark that shows how sure it is; ``None`` is a place without one."""
    level = next(k for k, (least, _) in enumerate(LEVELS) if sure >= least or least == 0.0)
    return f'<b class="none c{level}"></b>' if mark is None else f'<b class="c{level}">{escape(mark)}</b>'


def _distributions(word: RestoredWord) -> Iterator[str]:
    """What the pointer shows: the distribution, and that of each source where several were used."""
    yield _distribution(word.probabilities)
    if len(word.evidence) > 1:
        for source, probabilities in word.evidence.items():
            yield f"{source}: {_distribution(probabilities)}"


def _distribution(probabilities: Mapping[str, float]) -> str:
    likely = sorted(((p, name) for name, p in probabilities.items() if p >= _SHOWN), reverse=True)
    return " · ".join(f"{spoken(name)} {p * 100:.0f} %" for p, name in likely)


def spoken(mark: str) -> str:
    """A mark as a reader may call it: ``comma ,``, ``no mark``."""
    if mark == NONE:
        return "no mark"
    return f"{mark.lower()} {MARKS[mark].symbol.strip()}" if mark in MARKS else mark.lower()
