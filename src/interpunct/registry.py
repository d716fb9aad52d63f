"""Plug-ins: a file in a package is a plug-in of that kind, its file name is the plug-in's name.

``Registry("interpunct.formats")`` knows each module of the package that does not begin with an
underscore; a module is imported when it is asked for, and has the same plug-in name as its file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from .errors import InputError

__all__ = ["Registry"]


class Registry:
    """The plug-ins of one kind. ``kind`` is the word for one of them in messages."""

    def __init__(self, package: str, kind: str) -> None:
        self.package, self.kind = package, kind
        self._names: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        if self._names is None:
            path = importlib.import_module(self.package).__path__
            self._names = tuple(
                sorted(m.name for m in pkgutil.iter_modules(path) if not m.ispkg and not m.name.startswith("_"))
            )
        return self._names

    def get(self, name: str) -> ModuleType:
        """The module of one plug-in.

        Raises:
            InputError: there is none of that name; the message lists those that there are.
        """
        if name not in self.names:
            raise InputError(f"unknown {self.kind} {name!r}; there are {', '.join(self.names)}")
        return importlib.import_module(f"{self.package}.{name}")

    def __iter__(self) -> Iterator[ModuleType]:
        return (self.get(name) for name in self.names)
