"""What TTML and SAMI share: text between tags, with entities."""

from __future__ import annotations

import html
import re

from ._payload import Syntax

__all__ = ["MARKUP", "escape", "line_at"]


def escape(text: str) -> str:
    """Text written so that markup reads it as the same text."""
    return html.escape(text, quote=False)


MARKUP = Syntax(
    re.compile(
        r"(?P<space>\s+|(?i:</?(?:\w+:)?(?:br|p)(?=[\s/>])[^<>]*>))"
        r"|(?P<tag><!--(?s:.*?)-->|</?[A-Za-z][^<>]*>)"
        r"|(?P<entity>&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});)"
        r"|(?P<text>[^\s<&]+|[<&])"
    ),
    escape,
    special=re.compile("[<&]"),
)


def line_at(text: str, position: int) -> int:
    """The line, from 1, of a position."""
    return len(re.findall(r"\r\n|\r|\n", text[:position])) + 1
