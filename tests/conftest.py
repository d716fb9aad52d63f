"""What many tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from interpunct import Restorer, hooks

# A busy machine is no failure; and in CI a change fails for what it changed, not for the luck of a new draw.
settings.register_profile("steady", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "steady")


@pytest.fixture(autouse=True)
def own_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that is run within a test sends warnings to stderr: only as long as the test lasts."""
    for name in ("_message", "_warning"):
        monkeypatch.setattr(hooks, name, getattr(hooks, name))


@pytest.fixture(scope="session")
def restorer() -> Restorer:
    """The bundled English model, on one thread."""
    return Restorer.from_pretrained("en", threads=1)
