"""What many tests share."""

from __future__ import annotations

import pytest

from interpunct import Restorer


@pytest.fixture(scope="session")
def restorer() -> Restorer:
    """The bundled English model, on one thread."""
    return Restorer.from_pretrained("en", threads=1)
