"""English."""

from __future__ import annotations

from . import Language

LANGUAGE = Language(
    code="en",
    name="English",
    always={"i": "I", "i'm": "I'm", "i'll": "I'll", "i'd": "I'd", "i've": "I've", "i'd've": "I'd've"},
)
