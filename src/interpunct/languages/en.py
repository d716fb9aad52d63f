"""English."""

from __future__ import annotations

from . import Language

LANGUAGE = Language(
    code="en",
    name="English",
    always={"i": "I", "i'm": "I'm", "i'll": "I'll", "i'd": "I'd", "i've": "I've", "i'd've": "I'd've"},
    phrase_starts=frozenset(
        "and or but nor so because since although though unless until while when where whether if that which who whose"
        " whom why how as than about above across after against along among around at before behind below beneath"
        " beside between beyond by despite during except for from in inside into like near of off on onto outside over"
        " past per through throughout to toward towards under up upon via with within without the a an".split()
    ),
)
