"""``interpunct restore`` as people run it: a process, its pipes, its files, its exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "interpunct"]
WHISPER = {
    "text": " hello how are you",
    "segments": [
        {
            "id": 0,
            "start": 0.0,
            "end": 2.0,
            "text": " hello how are you",
            "words": [
                {"word": f" {w}", "start": i * 0.5, "end": i * 0.5 + 0.4, "probability": 0.9}
                for i, w in enumerate(["hello", "how", "are", "you"])
            ],
            "unknown": [1, 2],
        }
    ],
    "language": "en",
}
SRT = "1\n00:00:00,000 --> 00:00:01,000\nhello how\n\n2\n00:00:01,000 --> 00:00:02,000\nare you\n"


def run(*arguments: object, stdin: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=data,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")
    )


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(WHISPER), encoding="utf-8")
    return path


def test_a_pipe() -> None:
    done = run("restore", "-", stdin="hello how are you\n")
    assert (done.stdout, done.stderr, done.returncode) == ("Hello, how are you?\n", "", 0)


def test_white_space_is_kept() -> None:
    text = "\n  hello how\tare you \r\n\r\n i am   fine\n\n"
    out = run("restore", "-", stdin=text).stdout
    assert [c for c in out if c.isspace()] == [c for c in text if c.isspace()]
    assert run("restore", stdin="").stdout == ""
    assert run("restore", stdin=" \n ").stdout == " \n "


def test_json_to_captions_and_back_in_its_own_shape(talk: Path, tmp_path: Path) -> None:
    for name in ("talk.srt", "talk.vtt", "talk.txt"):
        assert run("restore", talk, "-o", tmp_path / name).returncode == 0
        assert "Hello, how are you?" in (tmp_path / name).read_text(encoding="utf-8")
    assert "00:00:00,000 --> 00:00:02,000" in (tmp_path / "talk.srt").read_text(encoding="utf-8")
    run("restore", talk, "-o", tmp_path / "out.json")
    restored = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [w["word"] for w in restored["segments"][0]["words"]] == [" Hello,", " how", " are", " you?"]
    for document in (restored, whole := json.loads(json.dumps(WHISPER))):
        document.pop("text")
        document["segments"][0].pop("text")
        for word in document["segments"][0]["words"]:
            word.pop("word")
    assert restored == whole


def test_captions_keep_their_cues(tmp_path: Path) -> None:
    done = run("restore", "-", stdin=SRT)
    assert done.stdout == SRT.replace("hello", "Hello,").replace("you", "you?")


def test_the_one_json(talk: Path) -> None:
    document = json.loads(run("restore", talk, "--json").stdout)
    assert document["schema"] == "interpunct/1"
    assert document["words"][3]["probabilities"]["QUESTION"] > 0.5
    assert document["words"][3]["start"] == 1.5


def test_folders_in_parallel_go_on_past_a_bad_file(talk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deeper").mkdir(parents=True)
    (folder / "a.srt").write_text(SRT, encoding="utf-8")
    (folder / "deeper" / "b.txt").write_text("i am fine", encoding="utf-8")
    (folder / "broken.json").write_text('{"segments": [', encoding="utf-8")
    done = run("restore", folder, "-o", tmp_path / "out", "--jobs", "2")
    assert done.returncode == 2
    assert "1 of 3 files" in done.stderr
    assert "broken.json" in done.stderr
    assert (tmp_path / "out" / "a.srt").read_text(encoding="utf-8").count("-->") == 2
    assert (tmp_path / "out" / "deeper" / "b.txt").read_text(encoding="utf-8") == "I am fine."
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a.srt", "deeper"]


def test_two_inputs_for_one_output_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("hello", encoding="utf-8")
    done = run("restore", tmp_path / "x" / "a.txt", tmp_path / "y" / "a.txt", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "both" in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_input_is_never_overwritten(talk: Path) -> None:
    before = talk.read_bytes()
    done = run("restore", talk, "-o", talk)
    assert done.returncode == 2
    assert talk.read_bytes() == before


def test_a_threshold() -> None:
    text = "well i think so because i know it"
    assert "," not in run("restore", "-", "--threshold", "COMMA=1", stdin=text).stdout
    assert run("restore", "-", "--threshold", "COMMA=0.0001", stdin=text).stdout.count(",") > 2


def test_doubtful_places_are_listed() -> None:
    done = run("restore", "-", "--doubtful", stdin="so i said no you know what i mean but he said yes", NO_COLOR="1")
    assert "places are doubtful" in done.stderr
    assert "\x1b[3" not in done.stderr
    assert done.stdout.startswith("So")


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["missing.txt"], "", "missing.txt: no such file"),
        (["-", "--from", "wishper"], "hi", "whisper"),
        (["-", "--from", "srt"], "just words", "first cue"),
        (["-", "--threshold", "COMMA"], "hi", "--threshold COMMA=0.4"),
        (["-", "--threshold", "COMA=0.4"], "hi", "COMMA"),
        (["-", "--existing", "drop"], "hi", "keep, fill, replace"),
        (["-", "--model", "nowhere"], "hi", "bundled are en"),
        (["-", "--language", "xx"], "hi", "it knows en"),
        (["-", "--audio", "talk.wav"], "hi", "from the words alone"),
        (["-", "--threads", "0"], "hi", "at least one"),
        (["-"], b"RIFF\x00\x00\x00\x00WAVEfmt ", "--audio"),
        (["-"], b"caf\xe9 au lait", "byte 3"),
        (["-"], b"\x00\x01\x02\x03", "binary"),
        (["-"], '{"segments": [', "JSON"),
        (["-"], '{"apples": 3}', "JSON"),
        (["-", "-o", "no-such-folder/out.xyz"], "hi", ".xyz"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], stdin: str | bytes, message: str, tmp_path: Path) -> None:
    done = run("restore", *arguments, stdin=stdin)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not Path("no-such-folder").exists()


def test_debug_shows_the_traceback() -> None:
    assert "Traceback" in run("restore", "missing.txt", "--debug").stderr


@pytest.mark.parametrize(
    "data",
    ["hello how are you".encode("utf-8-sig"), "hello how are you".encode("utf-16")],
)
def test_encodings_with_a_byte_order_mark(data: bytes) -> None:
    assert run("restore", "-", stdin=data).stdout == "Hello, how are you?"


def test_a_folder_without_transcripts(tmp_path: Path) -> None:
    done = run("restore", tmp_path, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "no transcripts" in done.stderr


def test_an_output_that_cannot_be_written_leaves_everything_as_it_was(talk: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = run("restore", talk, "-o", tmp_path / "file" / "out.txt")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    old = tmp_path / "old.srt"
    old.write_text("before", encoding="utf-8")
    (tmp_path / "bad.json").write_text('{"segments": [{"text": 3}]}', encoding="utf-8")
    assert run("restore", tmp_path / "bad.json", "-o", old).returncode == 2
    assert old.read_text(encoding="utf-8") == "before"


def test_an_altered_model_is_refused(tmp_path: Path) -> None:
    import shutil

    from interpunct.pretrained import ASSETS

    shutil.copytree(ASSETS / "en", tmp_path / "en")
    with (tmp_path / "en" / "model.onnx").open("ab") as file:
        file.write(b"x")
    done = run("restore", "-", "--model", tmp_path / "en", stdin="hi")
    assert done.returncode == 2
    assert "SHA-256" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_head_and_ctrl_c_end_quietly() -> None:
    source = subprocess.Popen(
        [*COMMAND, "restore", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert source.stdout is not None
    source.stdout.close()
    _, errors = source.communicate(b"so what do you mean " * 2000)
    assert (source.returncode, errors) == (0, b"")
    waiting = subprocess.Popen(
        [*COMMAND, "restore", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(2)
    waiting.send_signal(signal.SIGINT)
    _, errors = waiting.communicate()
    assert (waiting.returncode, errors) == (130, b"")


def test_commands_explain_themselves() -> None:
    for command in ("restore", "convert", "train", "evaluate", "models", "formats"):
        done = run(command, "--help")
        assert done.returncode == 0
        assert len(done.stdout) > 200
    assert "en" in run("models").stdout
    assert "whisper" in run("formats").stdout
    assert run("--version").stdout.startswith("interpunct ")


def test_convert(talk: Path, tmp_path: Path) -> None:
    assert run("convert", talk, tmp_path / "talk.srt").returncode == 0
    assert "hello how are you" in (tmp_path / "talk.srt").read_text(encoding="utf-8")
    assert run("convert", talk, "-", "--to", "text").stdout.strip() == "hello how are you"
    assert run("convert", talk, "-").returncode == 2
    assert run("convert", talk, talk).returncode == 2
