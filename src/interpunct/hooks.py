"""How the library speaks: it never prints, it calls a hook that anyone may replace.

The command line sets hooks that draw progress bars and write to stderr; by default nothing is shown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

__all__ = ["on_message", "on_warning", "say", "warn"]

Hook = Callable[[str], None]


def _silent(message: str) -> None:
    del message


def _python_warning(message: str) -> None:
    warnings.warn(message, stacklevel=4)


_message: Hook = _silent
_warning: Hook = _python_warning


def on_message(hook: Hook) -> None:
    """Have progress notes sent to ``hook`` (default: nowhere)."""
    global _message
    _message = hook


def on_warning(hook: Hook) -> None:
    """Have warnings sent to ``hook`` (default: Python's ``warnings``)."""
    global _warning
    _warning = hook


def say(message: str) -> None:
    """A note on what is being done."""
    _message(message)


def warn(message: str) -> None:
    """Something the user should know; the result still stands."""
    _warning(message)
