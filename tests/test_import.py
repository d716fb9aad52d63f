"""Importing interpunct is light, and what it exports is what ``__all__`` says."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import interpunct

HEAVY = ("numpy", "onnxruntime", "tokenizers", "torch", "typer", "rich", "huggingface_hub", "num2words")
PUBLIC = ("Restored", "RestoredWord", "Restorer", "Transcript", "Word", "read")  # the README and the guides use these


def run(code: str) -> str:
    """What ``code`` prints in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_nothing_heavy() -> None:
    loaded = run("import interpunct, sys; print(*sys.modules, sep='\\n')").split()
    assert "interpunct" in loaded
    assert [name for name in HEAVY if name in loaded] == []


@pytest.mark.parametrize("name", ["Transcript", "Word", "InterpunctError"])
def test_records_and_errors_are_light_too(name: str) -> None:
    loaded = run(f"import interpunct, sys; interpunct.{name}; print(*sys.modules, sep='\\n')").split()
    assert [heavy for heavy in HEAVY if heavy in loaded] == []


def test_all_is_what_is_exported() -> None:
    code = """
import interpunct, json, types
names = [n for n in dir(interpunct) if not n.startswith("_")]
print(json.dumps([n for n in names if not isinstance(getattr(interpunct, n), types.ModuleType)]))
"""
    assert json.loads(run(code)) == sorted(interpunct.__all__)


@pytest.mark.parametrize("name", interpunct.__all__)
def test_each_exported_name_is_there(name: str) -> None:
    assert getattr(interpunct, name).__module__.startswith("interpunct.")


def test_public_names_are_exported() -> None:
    assert set(PUBLIC) <= set(interpunct.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Restore'"):
        interpunct.Restore  # noqa: B018 - the access is the test
