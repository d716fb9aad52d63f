"""The page of ``interpunct evaluate --errors``: wrong and doubtful places, reference and output side by side.

It stands on the page of :mod:`interpunct.formats.html`, whose marks and colours it shares. What is wrong has a
word for it and an underline: no colour says anything alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..formats.html import bold, clock, frame, legend, spoken
from ..marks import MARKS, NONE
from .errors import Confusion, Errors, Place
from .report import Report, SplitReport
from .scores import ALL_MARKS

__all__ = ["errors_page"]

_SUREST = 10
"""So many mistakes are listed before all others."""
_AROUND = 3
"""Words on each side in that list."""
_STYLE = """\
body{max-width:76em;overflow-wrap:anywhere}
table{border-collapse:collapse;margin:.6em 0;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600}
th,td{border:1px solid;padding:.1em .6em;text-align:right;font-weight:400;white-space:nowrap}
thead th,tbody th{text-align:left}
.scroll{overflow-x:auto}
.interpunct h2{font-size:1.3em}
.interpunct h3{display:inline;font-size:1.05em}
summary{margin:1.6em 0 .4em;cursor:pointer}
.place{border-top:1px solid;padding:.5em 0;break-inside:avoid}
.place:target{outline:3px solid;outline-offset:.2em}
.place .facts{font-size:.85em;max-width:none}
.kind{font-weight:700;text-transform:uppercase;letter-spacing:.04em}
.bar{display:inline-block;width:5em;height:.6em;border:1px solid;margin:0 .4em}
.bar i{display:block;height:100%;background:currentColor;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.sides{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2em}
.sides .who{display:block;font-size:.75em;opacity:.8}
mark{background:#fff3b8;color:inherit;padding:.1em .15em;outline:1px solid}
.wrong mark{outline:2px solid}
mark.is-wrong{text-decoration:underline wavy 2px;text-underline-offset:.3em}
.also{text-decoration:underline wavy 1px;text-underline-offset:.3em}
@media (max-width:50em){.sides{grid-template-columns:minmax(0,1fr)}}
@media (prefers-color-scheme:dark){mark{background:#4a4210}}
@media print{mark{background:none}}
"""


def errors_page(model: str, reports: Sequence[Report]) -> Iterator[str]:
    """The page, piece by piece; a section for each split whose report has its errors."""
    splits = [(report, split) for report in reports for split in report.splits]
    head, foot = frame(f"Errors of {model}", style=_STYLE)
    yield f'{head}<div class="interpunct">\n<h1>Errors of {escape(model)}</h1>\n<ul>\n'
    for number, (report, split) in enumerate(splits, 1):
        name, figures = _name(report, split), f"{split.words:,} words, F1 {float(split):.3f} over three marks"
        yield f'<li><a href="#s{number}">{name}</a>: {figures}</li>\n'
    yield f"</ul>\n<p>How sure the model was of a mark that it gave:</p>\n{legend()}"
    yield "<p>A wavy underline: not as the reference has it.</p>\n"
    for number, (report, split) in enumerate(splits, 1):
        if split.errors is not None:
            yield f'<section id="s{number}">\n<h2>{_name(report, split)}</h2>\n'
            yield from _figures(split)
            yield from _split(f"s{number}", split.errors)
            yield "</section>\n"
    yield f"</div>\n{foot}"


def _name(report: Report, split: SplitReport) -> str:
    return escape(f"{report.benchmark}, {split.name}")


def _figures(split: SplitReport) -> Iterator[str]:
    scores = split.scores.folded if split.full_intervals is None else split.scores.full
    yield from _table(
        "Figures by mark",
        ("mark", "precision", "recall", "F1", "in the reference", "given", "right"),
        (
            (name, *(f"{x:.3f}" for x in (s.precision, s.recall, s.f1)), *map(_count, (s.reference, s.guessed, s.hits)))
            for name, s in [*((spoken(mark), score) for mark, score in scores.marks.items()), ("all", scores.micro)]
        ),
    )


def _split(name: str, errors: Errors) -> Iterator[str]:
    confusions = errors.confusions
    yield from _funnel(confusions.values())
    marks = [mark for mark in ALL_MARKS if any(mark in cell for cell in confusions)]
    yield from _table(
        "Words by the mark of the reference (rows) and the mark given (columns); a number leads to its places",
        ("", *(spoken(mark) for mark in marks)),
        ((spoken(row), *(_cell(name, confusions.get((row, column))) for column in marks)) for row in marks),
    )
    yield from _surest(name, errors)
    shown = [confusion for confusion in confusions.values() if confusion.places]
    for confusion in sorted(shown, key=lambda c: (c.reference == c.given, -c.words)):
        yield from _confusion(name, confusion)


def _funnel(confusions: Iterable[Confusion]) -> Iterator[str]:
    """From all words down to the mistakes."""
    counts = dict.fromkeys(("right", "missed", "added", "confused"), 0)
    words = 0
    for c in confusions:
        words += c.words
        if c.reference != c.given:
            kind = "missed" if c.given == NONE else "added" if c.reference == NONE else "confused"
            counts[kind] += c.words
        elif c.reference != NONE:
            counts["right"] += c.words
    wanted = counts["right"] + counts["missed"] + counts["confused"]
    yield (
        f"<p>{words:,} words. After {wanted:,} the reference has a mark: {counts['right']:,} right, "
        f"{counts['missed']:,} missed, {counts['confused']:,} confused with another. "
        f"{counts['added']:,} were added where it has none.</p>\n"
    )


def _cell(name: str, confusion: Confusion | None) -> str:
    if confusion is None:
        return "0"
    count = f"{confusion.words:,}"
    if confusion.reference == confusion.given:
        count += " right"
    return f'<a href="#{_anchor(name, confusion)}">{count}</a>' if confusion.places else count


def _surest(name: str, errors: Errors) -> Iterator[str]:
    mistakes = [place for place in errors.places if place.kind != "doubtful"][:_SUREST]
    if mistakes:
        yield "<p>The surest mistakes:</p>\n<ol>\n"
        for place in mistakes:
            near = slice(max(place.at - _AROUND, 0), place.at + _AROUND + 1)
            text = " ".join(_given(place)[near])
            yield f'<li>… {text} … <a href="#{_place_anchor(name, place)}">{_verdict(place)}</a></li>\n'
        yield "</ol>\n"


def _confusion(name: str, confusion: Confusion) -> Iterator[str]:
    right = confusion.reference == confusion.given
    if right:
        title = f"Doubtful but right: {spoken(confusion.given)}"
    else:
        title = f"{spoken(confusion.reference)} → {spoken(confusion.given)}"
    count = f"{confusion.found:,} of {confusion.words:,} words" if right else f"{confusion.words:,} words"
    yield f'<details open id="{_anchor(name, confusion)}">\n<summary><h3>{escape(title)}</h3> ({count})</summary>\n'
    for place in confusion.places:
        yield from _place(name, place)
    if confusion.left_out:
        yield f"<p>… and {confusion.left_out:,} more</p>\n"
    yield "</details>\n"


def _place(name: str, place: Place) -> Iterator[str]:
    anchor, wrong = _place_anchor(name, place), place.kind != "doubtful"
    where = f"document {place.document + 1}, word {place.word + 1}"
    if place.start is not None:
        where += f", at {clock(place.start)}"
    if place.pause is not None:
        where += f", pause {place.pause:.2f} s"
    chances = _chance("given", place.given, place.confidence)
    if wrong:
        chances += _chance("reference", place.reference, place.reference_probability)
    yield (
        f'<article class="place{" wrong" if wrong else ""}" id="{anchor}">\n<p class="facts">'
        f'<span class="kind">{"✗" if wrong else "?"} {_verdict(place)}</span>{chances} '
        f'· <a href="#{anchor}">{where}</a></p>\n<div class="sides">\n'
    )
    yield f'<p><span class="who">reference</span>{" ".join(_reference(place))}</p>\n'
    yield f'<p><span class="who">given</span>{" ".join(_given(place))}</p>\n</div>\n</article>\n'


def _reference(place: Place) -> list[str]:
    side = place.reference_side
    texts = [escape(word + _symbol(mark)) for word, mark in zip(side.words, side.marks, strict=True)]
    texts[place.at] = f"<mark>{escape(side.words[place.at])}{_strong(place.reference, 1.0)}</mark>"
    return texts


def _given(place: Place) -> list[str]:
    side, texts = place.given_side, []
    for i, (word, mark, wanted) in enumerate(zip(side.words, side.marks, place.reference_side.marks, strict=True)):
        text = escape(word + _symbol(mark))
        if i == place.at:
            state = ' class="is-wrong"' if mark != wanted else ""
            text = f"<mark{state}>{escape(word)}{_strong(mark, place.confidence)}</mark>"
        elif mark != wanted:
            text = f'<span class="also" title="reference: {spoken(wanted)}">{text}</span>'
        texts.append(text)
    return texts


def _strong(mark: str, sure: float) -> str:
    if mark == NONE:
        return bold(None, sure)
    symbol = _symbol(mark)
    return " " * (len(symbol) - len(symbol.strip())) + bold(symbol.strip(), sure)


def _verdict(place: Place) -> str:
    given = spoken(place.given)
    if place.kind == "doubtful":
        return f"doubtful: {given}"
    if place.kind == "missed":
        return f"missed: {spoken(place.reference)}"
    return f"added: {given}" if place.kind == "added" else f"confused: {spoken(place.reference)} → {given}"


def _chance(who: str, mark: str, probability: float) -> str:
    bar = f'<span class="bar"><i style="width:{probability * 100:.0f}%"></i></span>'
    return f" · {who} {spoken(mark)}{bar}{probability * 100:.1f} %"


def _symbol(mark: str) -> str:
    return "" if mark == NONE else MARKS[mark].symbol


def _anchor(name: str, confusion: Confusion) -> str:
    return f"{name}-{confusion.reference}-{confusion.given}"


def _place_anchor(name: str, place: Place) -> str:
    return f"{name}-d{place.document + 1}-w{place.word + 1}"


def _count(number: int) -> str:
    return f"{number:,}"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table with a head a column and a head a row; the cells are HTML already."""
    yield f'<div class="scroll"><table>\n<caption>{escape(title)}</caption>\n<thead><tr>'
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads) + "</tr></thead>\n<tbody>\n"
    for first, *cells in rows:
        body = "".join(f"<td>{cell}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(first)}</th>{body}</tr>\n'
    yield "</tbody>\n</table></div>\n"
