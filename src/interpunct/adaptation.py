"""How a model's marks are adapted to one writer's style: a small JSON file beside the model, never a change to it.

:mod:`interpunct.evaluation.adapting` chooses it; :meth:`interpunct.Restorer.adapted` uses it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .decoding import check_thresholds
from .errors import InputError, ModelError
from .formats._files import write_atomically
from .marks import MARKS

__all__ = ["SCHEMA", "Adaptation", "load_adaptation"]

SCHEMA = "interpunct/adaptation-1"
LARGEST = 20.0
"""Nats. A bias beyond this would be no preference but a ban or a must."""


@dataclass(frozen=True)
class Adaptation:
    """What one writer's text says of a model's marks.

    Raises:
        InputError: a bias or threshold is for no mark, or is a number that cannot be used.
    """

    model: str
    """The name of the model that it was chosen for; no other can use it."""
    biases: Mapping[str, float]
    """Nats added to the log-probability of each mark before the probabilities are made to sum to 1; 0 where absent."""
    thresholds: Mapping[str, float]
    """Instead of the model's own, by mark; the model's where absent."""
    words: int
    """Words of the text that it was chosen on."""

    def __post_init__(self) -> None:
        biases: Mapping[str, Any] = self.biases
        for mark, bias in biases.items():
            if mark not in MARKS:
                raise InputError(f"no mark is called {mark!r}; the marks are {', '.join(MARKS)}")
            if isinstance(bias, bool) or not isinstance(bias, int | float) or not -LARGEST <= bias <= LARGEST:
                raise InputError(f"bias {mark}={bias!r}: a bias is a number from -{LARGEST:g} to {LARGEST:g}")
        check_thresholds(self.thresholds)

    @property
    def changes_nothing(self) -> bool:
        return not any(self.biases.values()) and not self.thresholds

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {
            "schema": SCHEMA,
            "model": self.model,
            "words": self.words,
            "biases": dict(self.biases),
            "thresholds": dict(self.thresholds),
        }

    def save(self, path: str | Path) -> None:
        """Write it as JSON, whole or not at all.

        Raises:
            InputError: the file cannot be written.
        """
        write_atomically(Path(path), json.dumps(self.to_dict(), indent=2) + "\n")


def load_adaptation(path: str | Path) -> Adaptation:
    """Read what ``interpunct adapt`` wrote.

    Raises:
        InputError: the file is missing or cannot be read.
        ModelError: it is something else, or holds what cannot be used.
    """
    try:
        record: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; to make one: interpunct adapt my_text.txt -o {path}") from None
    except (ValueError, RecursionError) as error:  # neither JSON nor UTF-8, or a path that no file can have
        raise ModelError(f"{path}: not an adaptation: not JSON ({error}); interpunct adapt writes them") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    schema = record.get("schema") if isinstance(record, dict) else None
    if schema != SCHEMA:
        raise ModelError(
            f"{path}: not an adaptation: its schema is {schema!r}, not {SCHEMA!r}; interpunct adapt writes them"
        )
    model, words, biases, thresholds = (record.get(key) for key in ("model", "words", "biases", "thresholds"))
    right = isinstance(model, str) and isinstance(words, int) and not isinstance(words, bool) and words >= 0
    if not right or not isinstance(biases, dict) or not isinstance(thresholds, dict):
        raise ModelError(
            f"{path}: not an adaptation: it needs model (a name), words (how many), "
            "biases and thresholds (a number a mark)"
        )
    try:
        return Adaptation(model, biases, thresholds, words)
    except InputError as error:
        raise ModelError(f"{path}: {error}") from None
