"""``--recut`` and ``interpunct captions`` as people run them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

WORDS = "so we went down to the harbour and nobody was there what do you think of that i asked her".split()


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "interpunct", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    words = [{"text": word, "start": k * 0.3, "end": k * 0.3 + 0.3} for k, word in enumerate(WORDS)]
    segments = [{"first": k, "stop": k + 1, "start": k * 0.3, "end": k * 0.3 + 0.3} for k in range(len(WORDS))]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"schema": "interpunct/1", "words": words, "segments": segments}), encoding="utf-8")
    return path


def test_recut_makes_new_cues_and_without_it_they_stay(talk: Path, tmp_path: Path) -> None:
    assert run("restore", talk, "-o", tmp_path / "old.vtt").returncode == 0
    assert (tmp_path / "old.vtt").read_text("utf-8").count("-->") == len(WORDS)
    assert run("restore", talk, "-o", tmp_path / "new.vtt", "--recut").returncode == 0
    assert 1 <= (tmp_path / "new.vtt").read_text("utf-8").count("-->") <= 4
    whole = json.loads(run("restore", talk, "--json", "--recut").stdout)
    assert len(whole["segments"]) <= 4
    assert [word["start"] for word in whole["words"]] == [k * 0.3 for k in range(len(WORDS))]


def test_recut_needs_times(tmp_path: Path) -> None:
    for name, text in (("a.txt", "so what"), ("a.srt", "1\n00:00:00,000 --> 00:00:01,000\nso what\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        done = run("restore", tmp_path / name, "-o", tmp_path / f"out{name}", "--recut")
        assert done.returncode == 2
        assert f"{name}: --recut needs the times of words" in done.stderr
        assert not (tmp_path / f"out{name}").exists()


def test_captions_report(talk: Path, tmp_path: Path) -> None:
    done = run("captions", talk, "-o", tmp_path / "talk.srt", "--json", "--max-cps", "5")
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(done.stderr)["fast"]
    done = run("captions", talk)
    assert done.stdout.startswith("WEBVTT")
    assert "cues" in done.stderr
    done = run("captions", tmp_path / "none.json", "-o", tmp_path / "none.srt")
    assert done.returncode == 2
    assert "none.json: no such file" in done.stderr
