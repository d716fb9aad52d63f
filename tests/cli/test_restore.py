"""``interpunct restore`` as people run it: a process, its pipes, its files, its exit code."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpunct.formats._decode import decode_bytes, decode_stream

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


GREETING = r"Hello[,.!] [Hh]ow are you\?"
"""What becomes of "hello how are you", whichever model is bundled."""


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
    assert re.fullmatch(GREETING + "\n", done.stdout)
    assert (done.stderr, done.returncode) == ("", 0)


def test_white_space_is_kept() -> None:
    text = "\n  hello how\tare you \r\n\r\n i am   fine\n\n"
    out = run("restore", "-", stdin=text).stdout
    assert [c for c in out if c.isspace()] == [c for c in text if c.isspace()]
    assert run("restore", stdin="").stdout == ""
    assert run("restore", stdin=" \n ").stdout == " \n "


def test_json_to_captions_and_back_in_its_own_shape(talk: Path, tmp_path: Path) -> None:
    for name in ("talk.srt", "talk.vtt", "talk.txt"):
        assert run("restore", talk, "-o", tmp_path / name).returncode == 0
        assert re.search(GREETING, (tmp_path / name).read_text(encoding="utf-8"))
    assert "00:00:00,000 --> 00:00:02,000" in (tmp_path / "talk.srt").read_text(encoding="utf-8")
    run("restore", talk, "-o", tmp_path / "out.json")
    restored = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert re.fullmatch(" " + GREETING, "".join(w["word"] for w in restored["segments"][0]["words"]))
    for document in (restored, whole := json.loads(json.dumps(WHISPER))):
        document.pop("text")
        document["segments"][0].pop("text")
        for word in document["segments"][0]["words"]:
            word.pop("word")
    assert restored == whole


def test_captions_keep_their_cues(tmp_path: Path) -> None:
    done = run("restore", "-", stdin=SRT)
    assert re.sub("[,.!?]", "", done.stdout.lower()) == re.sub("[,.!?]", "", SRT)
    assert done.stdout.endswith("are you?\n")


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
        (["-", "--audio", "talk.wav"], "hi", "does not listen"),
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
    assert re.fullmatch(GREETING, run("restore", "-", stdin=data).stdout)


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


def test_convert_says_once_what_is_left_out(tmp_path: Path) -> None:
    talk = tmp_path / "talk.json"
    talk.write_text('{"schema": "interpunct/1", "words": [{"text": "so", "start": 0, "end": 1, "speaker": "A"}]}')
    done = run("convert", talk, tmp_path / "talk.ctm")
    assert done.returncode == 0
    assert done.stderr == "warning: ctm cannot hold speakers: left out\n"


def test_a_text_may_begin_like_the_header_of_a_sound_file() -> None:
    for text in ("caffeine is good for you", "FORMER DAYS WERE GOOD", "ID3 tags"):
        done = run("restore", "-", stdin=text)
        assert (done.returncode, done.stdout.lower().rstrip(".!?")) == (0, text.lower())


@pytest.mark.parametrize("data", [SRT.encode(), json.dumps(WHISPER).encode(), "hello how are you".encode("utf-16")])
def test_what_a_file_is_does_not_depend_on_how_a_pipe_cuts_it_up(data: bytes) -> None:
    def slowly() -> Iterator[bytes]:
        yield from (data[k : k + 1] for k in range(12))
        yield data[12:]

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.parts = slowly()

        def read1(self, size: int) -> bytes:
            return next(self.parts, b"")

    assert "".join(decode_stream(Pipe())) == decode_bytes(data)  # type: ignore[arg-type]
    assert len(next(decode_stream(Pipe()))) > 12  # type: ignore[arg-type]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("command", ["restore -", "models", "formats", "convert - - --to text"])
def test_a_full_disk_behind_stdout_is_one_clear_line(command: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *command.split()], input=b"hello", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"No space left" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_what_the_shell_closed_is_empty(closed: str) -> None:
    command = " ".join((*COMMAND, "restore", "-", closed))
    done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_on_a_terminal_that_lacks_a_character() -> None:
    for command in ("restore", "evaluate", "formats"):
        assert run(command, "--help", PYTHONIOENCODING="ascii").returncode == 0


def letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.lower()))


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("hello how are you", encoding="utf-8")
    return path


def test_an_output_that_ends_in_a_slash_is_a_folder(words: Path, tmp_path: Path) -> None:
    assert run("restore", words, "-o", f"{tmp_path}/new/").returncode == 0
    assert letters((tmp_path / "new" / "words.txt").read_text(encoding="utf-8")) == "hellohowareyou"


def test_the_output_may_be_stdout(words: Path) -> None:
    assert letters(run("restore", words, "-o", "-").stdout) == "hellohowareyou"


def test_a_long_name_is_a_name(words: Path, tmp_path: Path) -> None:
    assert run("restore", words, "-o", tmp_path / f"{'n' * 250}.txt").returncode == 0
    assert run("restore", f"{'n' * 5000}.txt").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="links and devices of Unix")
def test_links_and_devices_stay_what_they_are(words: Path, tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.txt", tmp_path / "link.txt", tmp_path / "pipe.txt"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    os.mkfifo(pipe)
    assert run("restore", words, "-o", link).returncode == 0
    assert link.is_symlink()
    assert letters(real.read_text(encoding="utf-8")) == "hellohowareyou"
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    assert run("restore", words, "-o", pipe).returncode == 0
    assert letters(reader.communicate()[0].decode()) == "hellohowareyou"
    assert pipe.is_fifo()
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    assert run("restore", tmp_path / "loop.txt", "-o", tmp_path / "out.txt").returncode == 2


def test_results_in_a_folder_inside_are_no_inputs(words: Path, tmp_path: Path) -> None:
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "b.txt").write_text("hello", encoding="utf-8")
    for _ in range(2):
        assert run("restore", tmp_path, "-o", tmp_path / "out").returncode == 0
        assert [p.name for p in (tmp_path / "out").iterdir()] == ["words.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"), [(["--jobs", "0"], "at least one"), (["--json", "--to", "srt"], "two formats")]
)
def test_options_that_contradict(arguments: list[str], message: str, words: Path) -> None:
    done = run("restore", words, *arguments)
    assert (done.returncode, message in done.stderr) == (2, True)


def test_half_a_character_is_kept_in_json_and_refused_elsewhere(tmp_path: Path) -> None:
    talk = tmp_path / "half.json"
    talk.write_text('{"segments": [{"text": " hi \\ud800 you", "start": 0, "end": 1}]}', encoding="utf-8")
    assert "\\ud800" in run("restore", talk).stdout
    assert json.loads(run("restore", talk, "--json").stdout)["words"][1]["text"] == "\ud800"
    for name in ("out.srt", "out.vtt", "out.txt"):
        done = run("restore", talk, "-o", tmp_path / name)
        assert (done.returncode, "half a character" in done.stderr, (tmp_path / name).exists()) == (2, True, False)


def test_warnings_of_other_processes_name_their_file(words: Path, tmp_path: Path) -> None:
    (tmp_path / "ru.txt").write_text("привет как дела сегодня", encoding="utf-8")
    done = run("restore", tmp_path, "-o", tmp_path / "out", "--jobs", "2")
    assert done.returncode == 0
    assert done.stderr.startswith(f"warning: {tmp_path / 'ru.txt'}: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_in_a_batch_leaves_nothing_behind(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.txt").write_text("so what do you mean by that\n" * 50_000, encoding="utf-8")
    out = tmp_path / "out"
    batch = subprocess.Popen(
        [*COMMAND, "restore", tmp_path, "-o", out, "--jobs", "2"], stderr=subprocess.PIPE, start_new_session=True
    )
    for _ in range(600):
        time.sleep(0.1)
        if out.exists() and len(list(out.iterdir())) == 2:
            break
    os.killpg(batch.pid, signal.SIGINT)
    _, errors = batch.communicate(timeout=120)
    assert (batch.returncode, errors, list(out.iterdir())) == (130, b"", [])
