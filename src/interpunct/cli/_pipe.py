"""Plain text of any length through a pipe: all white space is kept, and little is held at a time."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from ..transcript import RestoredWord, Word

__all__ = ["restore_text"]

_PIECE = re.compile(r"\s+|\S+")
Flow = Callable[[Iterator[Word]], Iterator[RestoredWord]]


def restore_text(chunks: Iterable[str], flow: Flow, write: Callable[[str], object]) -> None:
    """Restore a text that comes in chunks; ``flow`` gives one restored word for each word, in order."""
    spaces: deque[str] = deque()
    tail = [""]

    def words() -> Iterator[Word]:
        # What a chunk leaves open goes on in the next one: parts are joined only once they are whole.
        space: list[str] = []
        word: list[str] = []
        for chunk in chunks:
            for piece in _PIECE.findall(chunk):
                if not piece.isspace():
                    word.append(piece)
                    continue
                if word:
                    spaces.append("".join(space))
                    yield Word("".join(word))
                    space, word = [], []
                space.append(piece)
        if word:
            spaces.append("".join(space))
            yield Word("".join(word))
            space = []
        tail[0] = "".join(space)

    buffer: list[str] = []
    for word in flow(words()):
        buffer += (spaces.popleft(), word.written)
        if len(buffer) >= 512:
            write("".join(buffer))
            buffer.clear()
    write("".join(buffer) + tail[0])
