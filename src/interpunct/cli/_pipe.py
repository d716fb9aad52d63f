"""Plain text of any length through a pipe: all white space is kept, and little is held at a time."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from ..transcript import RestoredWord, Word

__all__ = ["restore_text"]

_TOKEN = re.compile(r"(\s*)(\S+)")
Flow = Callable[[Iterator[Word]], Iterator[RestoredWord]]


def restore_text(chunks: Iterable[str], flow: Flow, write: Callable[[str], object]) -> None:
    """Restore a text that comes in chunks; ``flow`` gives one restored word for each word, in order."""
    spaces: deque[str] = deque()
    tail = [""]

    def words() -> Iterator[Word]:
        held = ""
        for chunk in chunks:
            held += chunk
            end = 0
            for token in _TOKEN.finditer(held):
                if token.end() == len(held):  # it may go on in the next chunk
                    break
                spaces.append(token[1])
                yield Word(token[2])
                end = token.end()
            held = held[end:]
        token_left = _TOKEN.match(held)
        if token_left:
            spaces.append(token_left[1])
            yield Word(token_left[2])
            held = held[token_left.end() :]
        tail[0] = held

    buffer: list[str] = []
    for word in flow(words()):
        buffer += (spaces.popleft(), word.written)
        if len(buffer) >= 512:
            write("".join(buffer))
            buffer.clear()
    write("".join(buffer) + tail[0])
