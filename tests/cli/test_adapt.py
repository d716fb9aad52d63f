"""``interpunct adapt``, and its file given to ``restore`` and ``evaluate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from interpunct.cli.main import app

TEXT = "Hello. How are you? I think so to say that it works well; we went home yesterday evening and it rained. "


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(TEXT * 8, encoding="utf-8")
    return path


def test_from_text_to_restored(mine: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    done = run(app, ["adapt", str(mine), "-o", str(tmp_path / "my.json")])
    assert done.exit_code == 0, done.output
    for expected in ("168 words", "bias", "threshold", "→", "adapted on these very words", "cross-validated"):
        assert expected in done.output
    saved = json.loads((tmp_path / "my.json").read_text(encoding="utf-8"))
    assert saved["schema"] == "interpunct/adaptation-1"
    saved["biases"] = {"COMMA": -20, "PERIOD": -20, "QUESTION": -20}
    (tmp_path / "none.json").write_text(json.dumps(saved), encoding="utf-8")
    talk = tmp_path / "talk.txt"
    talk.write_text("hello how are you i think it works", encoding="utf-8")
    printed = [
        run(app, ["restore", str(talk), "--no-final-mark", *more]).stdout
        for more in ([], ["--adapted", str(tmp_path / "none.json")])
    ]
    assert "?" in printed[0]
    assert "?" not in printed[1]
    scored = run(app, ["evaluate", "en", f"text:{mine}", "--adapted", str(tmp_path / "my.json"), "--json"])
    assert scored.exit_code == 0, scored.output
    assert json.loads(scored.stdout)[0]["thresholds"]["COMMA"] == saved["thresholds"].get("COMMA", 0.31)


def test_json_without_a_file(mine: Path) -> None:
    done = CliRunner().invoke(app, ["adapt", str(mine), str(mine), "--json"])
    found = json.loads(done.stdout)
    assert found["adaptation"]["words"] == 336
    assert {"f1_before", "f1_after", "cross_validated_gain", "helps"} <= set(found)


@pytest.mark.parametrize(
    ("content", "problem"), [("Only a few words.", "4 words are too few"), ("no marks here " * 30, "has a mark")]
)
def test_bad_input_ends_with_one_line(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(content, encoding="utf-8")
    done = CliRunner().invoke(app, ["adapt", str(path), "-o", str(tmp_path / "my.json")])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "my.json").exists()


@pytest.mark.parametrize("command", [["restore", "{}"], ["evaluate", "en", "text:{}"]])
def test_a_file_that_is_no_adaptation(mine: Path, command: list[str]) -> None:
    done = CliRunner().invoke(app, [*(part.format(mine) for part in command), "--adapted", str(mine)])
    assert done.exit_code == 2
    assert "not an adaptation" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_input_is_never_overwritten(mine: Path) -> None:
    before = mine.read_bytes()
    for arguments in (["adapt", mine, "-o", mine], ["evaluate", "en", f"text:{mine}", "--errors", mine]):
        result = CliRunner().invoke(app, list(map(str, arguments)))
        assert result.exit_code == 2
        assert "overwritten" in result.output
        assert mine.read_bytes() == before


def test_what_fails_leaves_no_folders(tmp_path: Path) -> None:
    page = tmp_path / "new" / "newer" / "page.html"
    result = CliRunner().invoke(app, ["evaluate", "en", f"text:{tmp_path / 'none.txt'}", "--errors", str(page)])
    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []
