"""Find a model: a folder, one that is bundled, one in the cache, or (only when allowed) the hub.

A model is a folder with ``config.json`` and the files that it names with their SHA-256; a file that was
altered is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from .errors import ModelError
from .marks import MARKS, MarkSet

__all__ = ["ASSETS", "ModelConfig", "bundled_models", "find", "load_config", "load_lexicon", "sha256"]

ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True)
class ModelConfig:
    """What ``config.json`` says of a model."""

    name: str
    languages: tuple[str, ...]
    scripts: tuple[str, ...]
    """Unicode scripts that it learnt, by the first word of their characters' names (``LATIN``)."""
    marks: tuple[str, ...]
    positions: int
    """Pieces of a window, the two special ones included."""
    margin: int
    temperature: float
    case_temperature: float
    thresholds: Mapping[str, float]
    files: Mapping[str, str]
    """File names and their SHA-256. A model that also reads times has a ``timing.onnx``."""
    timing_thresholds: Mapping[str, float] = field(default_factory=dict)
    """Thresholds where times have their say."""
    styles: Mapping[str, str] = field(default_factory=dict)
    """Styles of marks that can be asked for, each with the piece that stands for it at the start of a window."""

    @property
    def mark_set(self) -> MarkSet:
        return MarkSet.of(self.marks)


def bundled_models() -> list[str]:
    """The names of the models that came with the package."""
    return sorted(path.parent.name for path in ASSETS.glob("*/config.json"))


def find(name: str, *, allow_download: bool = False) -> Path:
    """The folder of a model: ``name`` is a folder, a bundled model, a language code, or a hub id.

    Raises:
        ModelError: there is none; the message says which there are.
    """
    name = str(name)  # a Path does too
    folder = Path(name)
    if os.path.isfile(folder / "config.json"):
        return folder
    if os.path.isfile(ASSETS / name / "config.json"):
        return ASSETS / name
    for bundled in bundled_models():
        if name in load_config(ASSETS / bundled).languages:
            return ASSETS / bundled
    if "/" in name and not os.path.exists(folder):
        return _from_hub(name, allow_download)
    if os.path.isdir(folder):
        raise ModelError(f"{folder}: a folder without config.json is not a model")
    raise ModelError(
        f"no model is called {name!r}; bundled are {', '.join(bundled_models()) or 'none'}, or give a folder"
    )


def load_config(folder: Path) -> ModelConfig:
    """Read and check ``config.json``.

    Raises:
        ModelError: it is missing, broken, or lacks a key.
    """
    path = folder / "config.json"
    try:
        keys: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        values: dict[str, Any] = {
            each.name: tuple(keys[each.name]) if isinstance(keys[each.name], list) else keys[each.name]
            for each in fields(ModelConfig)
            if each.name in keys or each.default_factory is MISSING
        }
        config = ModelConfig(**values)
        _check(config)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{path}: not the configuration of a model ({type(error).__name__}: {error})") from None
    return config


_KINDS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    **dict.fromkeys(("languages", "scripts", "marks"), tuple),
    **dict.fromkeys(("positions", "margin"), int),
    **dict.fromkeys(("temperature", "case_temperature"), (int, float)),
    **dict.fromkeys(("thresholds", "files", "timing_thresholds", "styles"), dict),
}
_FILES = {"model.onnx", "tokenizer.json", "lexicon.txt"}


def _check(config: ModelConfig) -> None:
    """Refuse, with a ``ValueError``, what would only fail once the model runs."""
    for name, kinds in _KINDS.items():
        value = getattr(config, name)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise ValueError(f"{name} cannot be {value!r}")
        if isinstance(value, tuple) and not (value and all(isinstance(item, str) for item in value)):
            raise ValueError(f"{name} names nothing that can be used: {list(value)}")
    config.mark_set  # noqa: B018 - checks the names
    thresholds: list[tuple[str, Any]] = [*config.thresholds.items(), *config.timing_thresholds.items()]
    for mark, threshold in thresholds:
        number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
        if mark not in MARKS or not number or not 0 <= threshold <= 1:
            raise ValueError(f"the threshold {mark}={threshold!r} cannot be used")
    if not all(isinstance(piece, str) for piece in config.styles.values()):
        raise ValueError(f"styles are names with the name of a piece each, not {dict(config.styles)}")
    if not 0 <= 2 * config.margin < config.positions - 2:
        raise ValueError(f"windows of {config.positions} pieces cannot have margins of {config.margin}")
    if not all(0.01 <= temperature <= 100 for temperature in (config.temperature, config.case_temperature)):
        raise ValueError("a temperature lies between 0.01 and 100")
    files: Mapping[str, Any] = config.files
    if missing := (_FILES | set(files)) - {name for name, digest in files.items() if isinstance(digest, str)}:
        raise ValueError(f"files has no SHA-256 of {', '.join(sorted(missing))}")


def load_lexicon(folder: Path) -> dict[str, str]:
    """The words of a model that have capitals inside, by their lower-case form.

    Raises:
        ModelError: the file is missing or not UTF-8.
    """
    path = folder / "lexicon.txt"
    try:
        return {word.lower(): word for word in path.read_text(encoding="utf-8").split()}
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: cannot be read ({error})") from None


def check_files(folder: Path, config: ModelConfig) -> None:
    """Compare each file of a model with its SHA-256.

    Raises:
        ModelError: one is missing or altered.
    """
    for name, expected in config.files.items():
        try:
            found = sha256(folder / name)
        except OSError as error:
            raise ModelError(f"{folder / name}: the model is incomplete ({error.strerror})") from None
        if found != expected:
            raise ModelError(
                f"{folder / name}: not the file that this model was released with (SHA-256 {found[:12]}…, "
                f"expected {expected[:12]}…); install it again"
            )


def sha256(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _from_hub(name: str, allow_download: bool) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise ModelError(
            f"no folder and no bundled model is called {name!r}; to look on the hub: pip install huggingface_hub"
        ) from None
    try:
        return Path(snapshot_download(name, local_files_only=not allow_download))
    except Exception as error:  # the hub's client raises many kinds
        hint = "" if allow_download else "; nothing is fetched unless allow_download=True (--allow-download)"
        raise ModelError(f"{name}: not in the cache{hint} ({str(error).splitlines()[0]})") from None
