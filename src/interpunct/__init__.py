"""Punctuation, casing, sentences and captions for the words of a speech recogniser.

>>> import interpunct
>>> interpunct.Restorer.from_pretrained("en").restore("hello how are you").text
'Hello! How are you?'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import FormatError, InputError, InterpunctError, MissingExtraError, ModelError, RecipeError
    from .formats import read
    from .restorer import Restorer
    from .transcript import Restored, RestoredWord, Segment, Transcript, Word

__version__ = "0.1.0"

_HOMES = {
    "errors": ("FormatError", "InputError", "InterpunctError", "MissingExtraError", "ModelError", "RecipeError"),
    "formats": ("read",),
    "restorer": ("Restorer",),
    "transcript": ("Restored", "RestoredWord", "Segment", "Transcript", "Word"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "FormatError",
    "InputError",
    "InterpunctError",
    "MissingExtraError",
    "ModelError",
    "RecipeError",
    "Restored",
    "RestoredWord",
    "Restorer",
    "Segment",
    "Transcript",
    "Word",
    "read",
]


def __getattr__(name: str) -> Any:
    """Names are imported when first used: ``import interpunct`` alone loads nothing heavy."""
    if name not in _HOME:
        raise AttributeError(f"module 'interpunct' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
