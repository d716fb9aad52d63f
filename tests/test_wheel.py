"""What users install: the wheel, in an empty environment, without torch and without a network."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import interpunct

ROOT = Path(__file__).parents[1]
LARGEST = 95_000_000  # bytes; package indexes refuse files of more than 100 MB
WORDS = "hello how are you"

pytestmark = pytest.mark.slow


def run(command: Sequence[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    asked = run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder / "asked", "hatchling"]
    )
    if asked.returncode:
        pytest.skip(f"pip cannot reach a package index: {asked.stderr.strip().splitlines()[-1]}")
    return folder


@pytest.fixture(scope="module")
def wheel(scratch: Path) -> Path:
    built = run([sys.executable, "-m", "build", "--wheel", "--outdir", scratch / "dist", ROOT])
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = (scratch / "dist").glob("*.whl")
    return file


@pytest.fixture(scope="module")
def environment(scratch: Path, wheel: Path) -> Path:
    """The ``bin`` folder of an environment that holds the wheel and what it requires, nothing else."""
    made = run([sys.executable, "-m", "venv", scratch / "venv"])
    assert made.returncode == 0, made.stderr
    programs = scratch / "venv" / ("Scripts" if os.name == "nt" else "bin")
    installed = run([programs / "python", "-m", "pip", "install", "--quiet", wheel])
    assert installed.returncode == 0, installed.stderr
    return programs


def offline(home: Path) -> dict[str, str]:
    """Environment variables under which whatever asks for a network fails at once."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    nowhere = "http://127.0.0.1:9"  # the discard port
    proxies = dict.fromkeys(
        ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), nowhere
    )
    return kept | proxies | {"HF_HUB_OFFLINE": "1", "HOME": str(home), "PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1"}


def plain(text: str) -> list[str]:
    """The words without marks and case."""
    return [word.strip(".,?!:;–").lower() for word in text.split()]


def test_what_is_inside(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata_name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(metadata_name).decode()
    assert f"\nVersion: {interpunct.__version__}\n" in metadata
    assert "interpunct/py.typed" in names
    for part in ("LICENSE", "LICENSE-WEIGHTS", "NOTICE"):
        assert any(name.endswith(f".dist-info/licenses/{part}") for name in names), part
    # The parts of the English model, with its card.
    assets = {name.removeprefix("interpunct/assets/") for name in names if name.startswith("interpunct/assets/")}
    assert {"en/config.json", "en/tokenizer.json", "en/model.onnx"} <= assets
    assert any(name.startswith("en/") and name.endswith(".md") for name in assets)
    # Nothing that belongs to the repository alone.
    assert all(name.startswith(("interpunct/", "interpunct-")) for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith((".npz", ".pt", ".partial"))]


def test_the_environment_is_lean(environment: Path) -> None:
    code = (
        "import importlib.util as u; print([m for m in ('torch', 'onnx', 'transformers', 'scipy') if u.find_spec(m)])"
    )
    assert run([environment / "python", "-I", "-c", code]).stdout.strip() == "[]"


def test_the_command_restores_offline(environment: Path, tmp_path: Path) -> None:
    done = run([environment / "interpunct", "restore", "-"], input=f"{WORDS}\n", cwd=tmp_path, env=offline(tmp_path))
    assert done.returncode == 0, done.stderr
    assert plain(done.stdout) == WORDS.split()
    assert done.stdout.startswith("Hello")
    assert done.stdout.strip().endswith("?")
    assert done.stdout.endswith("\n")


def test_the_library_restores_offline(environment: Path, tmp_path: Path) -> None:
    code = f"import interpunct; print(interpunct.Restorer.from_pretrained('en').restore({WORDS!r}).text)"
    done = run([environment / "python", "-I", "-c", code], cwd=tmp_path, env=offline(tmp_path))
    assert done.returncode == 0, done.stderr
    assert plain(done.stdout) == WORDS.split()


def test_what_needs_an_extra_says_which(environment: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('init = "en"\nmarks = ["PERIOD"]\n[[corpora]]\nname = "a"\ntrain = "a.txt"\ndev = "a.txt"\n')
    command = [environment / "interpunct", "train", recipe, "--data", tmp_path, "-o", tmp_path / "run"]
    done = run(command, cwd=tmp_path, env=offline(tmp_path))
    assert done.returncode == 2, done.stdout + done.stderr
    assert "interpunct[train]" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
