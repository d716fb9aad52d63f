"""Optional dependencies: declared as extras, imported late, explained in one sentence."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import MissingExtraError

__all__ = ["require"]


def require(module: str, extra: str) -> Any:
    """Import ``module``, which the extra ``extra`` brings.

    Raises:
        MissingExtraError: it is not installed; the message says what to type.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"this needs {module.split('.')[0]}, which is not installed: pip install 'interpunct[{extra}]'"
        ) from error
