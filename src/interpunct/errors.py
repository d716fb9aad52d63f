"""Every error that interpunct raises on purpose.

InterpunctError
├── InputError            what was given cannot be used (also a ValueError)
│   ├── FormatError       a file is not what it claims to be; knows path and line
│   └── RecipeError       a recipe asks for something that does not exist
├── ModelError            a model is missing, incomplete or altered
└── MissingExtraError     an optional dependency is not installed (also an ImportError)

Each message says what, where, what would have worked and, where one helps, what to type.
All of them survive pickling, so that a worker process can raise them.
"""

from __future__ import annotations

__all__ = ["FormatError", "InputError", "InterpunctError", "MissingExtraError", "ModelError", "RecipeError"]


class InterpunctError(Exception):
    """The root of the tree: catch this to catch them all."""


class InputError(InterpunctError, ValueError):
    """What was given cannot be used."""


class FormatError(InputError):
    """A file cannot be read as a transcript.

    ``path`` and ``line`` (from 1) say where, when known.
    """

    def __init__(self, problem: str, *, path: str | None = None, line: int | None = None) -> None:
        self.problem, self.path, self.line = problem, path, line
        place = "".join((path or "", f", line {line}" if line and path else f"line {line}" if line else ""))
        super().__init__(f"{place}: {problem}" if place else problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (_format_error, (self.problem, self.path, self.line))

    def at(self, path: str) -> FormatError:
        """The same error, with the file named."""
        return FormatError(self.problem, path=path, line=self.line)


def _format_error(problem: str, path: str | None, line: int | None) -> FormatError:
    return FormatError(problem, path=path, line=line)


class RecipeError(InputError):
    """A recipe asks for something that does not exist."""


class ModelError(InterpunctError):
    """A model is missing, incomplete or altered."""


class MissingExtraError(InterpunctError, ImportError):
    """An optional dependency is not installed."""
