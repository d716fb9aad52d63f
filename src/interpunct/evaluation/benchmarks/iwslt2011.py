"""IWSLT 2011: TED talks, the usual yardstick for English (``iwslt2011:FOLDER`` or ``iwslt2011:FILE.tsv``).

A folder holds ``test2011.tsv`` (split ``ref``) and ``test2011asr.tsv`` (``asr``, real recogniser output
with projected marks); one file is a split of its name. Lines are ``token TAB O|COMMA|PERIOD|QUESTION``,
all one stream: talks and segments are not parted.

The tokens split contractions (``i`` ``'m``, ``do`` ``n't``) as no recogniser does, so they are joined
for the model (``i'm``, ``don't``); scores are over the original tokens, as in all published figures: the
mark of a joined word stands at the last of its tokens that the reference marks, else at its last token.
Tokens without a letter or digit (``--``) are part of the word before. What was broken in the file's
encoding (``itâ€™s``, the remains of music notes) is mended for the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...errors import FormatError, InputError
from ...marks import NONE
from ...written import parse
from . import Document, Split

__all__ = ["load"]

_FILES = {"ref": "test2011.tsv", "asr": "test2011asr.tsv"}
_LABELS = {"O": NONE, "COMMA": "COMMA", "PERIOD": "PERIOD", "QUESTION": "QUESTION"}
_ENDINGS = frozenset("n't 's 'm 're 've 'll 'd".split())
_MUSIC = re.compile("(?:â™.)+")  # U+266A, its last byte lost

Token = tuple[str, str]


def load(path: Path) -> tuple[Split, ...]:
    """Read the two tests of a folder (one will do), or one file.

    Raises:
        InputError: there is no such file, or it is not UTF-8.
        FormatError: a line is not a token and a label.
    """
    if not path.is_dir():
        return (_split(path.stem, path),)
    found = tuple(_split(name, path / file) for name, file in _FILES.items() if (path / file).exists())
    if not found:
        raise InputError(f"{path}: holds neither {' nor '.join(_FILES.values())}")
    return found


def _split(name: str, path: Path) -> Split:
    return Split(name, (_document(_tokens(path)),), folded=True)


def _tokens(path: Path) -> list[Token]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # splitlines() also splits at U+0085 and others
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None
    tokens: list[Token] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        token, tab, label = line.rstrip("\r").rpartition("\t")
        if not tab or label not in _LABELS:
            raise FormatError(
                f"{line!r} is not a token, a tab and one of {', '.join(_LABELS)}", path=str(path), line=number
            )
        tokens.append((token, _LABELS[label]))
    return tokens


def _document(tokens: list[Token]) -> Document:
    words: list[str] = []
    places: list[int] = []
    for word, group in _joined([_mended(token) for token, _ in tokens]):
        marked = [i for i in group if tokens[i][1] != NONE]
        words.append(parse(word).word or word)  # a few tokens of dev2012 still hold their mark: states,'
        places.append(marked[-1] if marked else group[-1])
    return Document(tuple(words), tuple(mark for _, mark in tokens), scored_at=tuple(places))


def _joined(tokens: list[str]) -> Iterator[tuple[str, range]]:
    """Words, each with the range of its tokens; only words decide, never labels."""
    word, start = "", 0
    for i, token in enumerate(tokens):
        readable = any(c.isalnum() for c in token)
        if word and readable and token not in _ENDINGS:
            yield word, range(start, i)
            word, start = token, i
        elif readable:
            word += token
    if word:
        yield word, range(start, len(tokens))


def _mended(token: str) -> str:
    token = _MUSIC.sub("", token)
    try:
        return token.encode("cp1252").decode("utf-8").replace("’", "'")
    except UnicodeError:
        return token
