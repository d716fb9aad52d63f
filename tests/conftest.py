"""What many tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

from interpunct import Restorer

settings.register_profile("steady", deadline=None)  # a busy machine is no failure
settings.load_profile("steady")


@pytest.fixture(scope="session")
def restorer() -> Restorer:
    """The bundled English model, on one thread."""
    return Restorer.from_pretrained("en", threads=1)
