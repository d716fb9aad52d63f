from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from interpunct.cli._console import thresholds_option
from interpunct.cli.evaluate import register
from interpunct.cli.main import main
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


def test_a_page_of_errors(app: typer.Typer, text: str, tmp_path: Path) -> None:
    page = tmp_path / "pages" / "errors.html"
    result = CliRunner().invoke(app, ["evaluate", "en", text, text, "--errors", str(page)])
    assert result.exit_code == 0, result.output
    content = page.read_text(encoding="utf-8")
    assert content.count("<h2>") == 2
    assert content.endswith("</html>\n")
    assert [path.name for path in page.parent.iterdir()] == ["errors.html"]


def test_a_page_is_written_whole_or_not_at_all(app: typer.Typer, tmp_path: Path) -> None:
    page = tmp_path / "errors.html"
    page.write_text("as it was", encoding="utf-8")
    result = CliRunner().invoke(app, ["evaluate", "en", f"text:{tmp_path / 'none.txt'}", "--errors", str(page)])
    assert isinstance(result.exception, InputError)
    assert page.read_text(encoding="utf-8") == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == ["errors.html"]


def test_figures_by_pause(app: typer.Typer, text: str, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("hello\tCOMMA\t0\t0.5\nanna\tPERIOD\t0.8\t1.1\n", encoding="utf-8")
    timed = f"timed:{tmp_path / 'a.tsv'}"
    assert "0.2–0.5 s" in CliRunner().invoke(app, ["evaluate", "en", timed, "--by", "pause"]).output
    (report,) = json.loads(CliRunner().invoke(app, ["evaluate", "en", timed, "--by", "pause", "--json"]).output)
    (bucket,) = [b for b in report["splits"][0]["by_pause"] if b["pause"] == "0.2–0.5 s"]
    assert (bucket["words"], bucket["reference"], bucket["f1"]) == (1, 1, 1.0)


@pytest.mark.parametrize(("by", "message"), [("pause", "no word has a time"), ("speaker", "those by 'pause'")])
def test_figures_that_there_are_not_end_with_2(
    by: str, message: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Restorer, "from_pretrained", lambda name: FakeRestorer(KNOWN))
    monkeypatch.setattr("sys.argv", ["interpunct", "evaluate", "en", text, "--by", by])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert message in capsys.readouterr().err


def test_the_help_has_examples(app: typer.Typer) -> None:
    output = CliRunner().invoke(app, ["evaluate", "--help"]).output
    assert "interpunct evaluate en text:minutes.txt" in output


def test_thresholds_are_checked() -> None:
    assert thresholds_option(["comma=0.5", "PERIOD = 1"]) == {"COMMA": 0.5, "PERIOD": 1.0}
    for bad in ("COMMA", "COMMA=much"):
        with pytest.raises(InputError, match="write MARK=NUMBER"):
            thresholds_option([bad])
