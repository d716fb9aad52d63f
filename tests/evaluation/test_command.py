from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from interpunct.cli._console import thresholds_option
from interpunct.cli.evaluate import register
from interpunct.errors import InputError
from interpunct.restorer import Restorer

from .test_evaluate import KNOWN, FakeRestorer


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setattr(Restorer, "from_pretrained", lambda name: FakeRestorer(KNOWN))
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    return app


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "a.txt").write_text("Hello, Anna! It works.", encoding="utf-8")
    return f"text:{tmp_path / 'a.txt'}"


def test_a_table_for_people(app: typer.Typer, text: str) -> None:
    result = CliRunner().invoke(app, ["evaluate", "en", text, text])
    assert result.exit_code == 0, result.output
    assert result.output.count("a: 4 words") == 2


def test_json_for_programs(app: typer.Typer, text: str) -> None:
    result = CliRunner().invoke(
        app, ["evaluate", "en", text, "--json", "--limit", "3", "--threshold", "comma=0.95", "--threshold", "DASH=1"]
    )
    (report,) = json.loads(result.output)
    assert report["splits"][0]["words"] == 3
    assert report["thresholds"]["COMMA"] == 0.95


def test_the_help_has_examples(app: typer.Typer) -> None:
    output = CliRunner().invoke(app, ["evaluate", "--help"]).output
    assert "interpunct evaluate en text:minutes.txt" in output


def test_thresholds_are_checked() -> None:
    assert thresholds_option(["comma=0.5", "PERIOD = 1"]) == {"COMMA": 0.5, "PERIOD": 1.0}
    for bad in ("COMMA", "COMMA=much"):
        with pytest.raises(InputError, match="write MARK=NUMBER"):
            thresholds_option([bad])
