"""The first screen of the README is run, and must print what it says.

The first screen ends at the first heading of the second level. In it,

- a ``console`` block holds commands after ``$``, each followed by the output it must have;
- in a ``python`` block, ``# → text`` behind an expression is what the expression must be, printed.

``...`` in an expected output stands for anything. What is in other blocks (``sh``) is not run.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
FIRST_SCREEN = re.split(r"^## ", (ROOT / "README.md").read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[0]


class Command(NamedTuple):
    line: str
    expected: str


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", FIRST_SCREEN, flags=re.M | re.S)


def commands(block: str) -> list[Command]:
    """The commands of a console block with their outputs."""
    parts = re.split(r"^\$ ", block, flags=re.M)
    assert not parts[0].strip(), "a console block begins with a command"
    return [Command(line, expected.strip("\n")) for line, _, expected in (part.partition("\n") for part in parts[1:])]


def same(found: str, expected: str) -> bool:
    pattern = ".*".join(map(re.escape, expected.strip().split("...")))
    return re.fullmatch(pattern, found.strip(), flags=re.S) is not None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with the example files and this environment's programs at hand."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


def test_there_is_something_to_run() -> None:
    assert blocks("console")
    assert blocks("python")


@pytest.mark.parametrize("block", blocks("console"))
def test_console(block: str, folder: Path) -> None:
    for command in commands(block):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command.line],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"$ {command.line}\n{done.stderr}"
        assert same(done.stdout, command.expected), f"$ {command.line}\n{done.stdout}"


@pytest.mark.parametrize("block", blocks("python"))
@pytest.mark.usefixtures("folder")
def test_python(block: str) -> None:
    lines = block.splitlines()
    names: dict[str, Any] = {}
    checked = 0
    for statement in ast.parse(block).body:
        assert statement.end_lineno is not None
        comment = re.search(r"# → (.*)$", lines[statement.end_lineno - 1])
        if not isinstance(statement, ast.Expr) or comment is None:
            exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), "README.md", "eval"), names)
        assert same(str(value), comment.group(1)), f"{ast.unparse(statement)}\n{value}"
        checked += 1
    assert checked, "no line of the block says what it gives"


def test_the_parser_of_this_test() -> None:
    assert commands("$ echo a\na\n$ true\n") == [Command("echo a", "a"), Command("true", "")]
    assert same("a b\nc\n", "a ...c")
    assert not same("a b", "a")
