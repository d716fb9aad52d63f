from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from interpunct.captions import Limits, recut, wrap
from interpunct.cli.captions import caption_file
from interpunct.errors import InputError
from interpunct.formats import FORMATS, read
from interpunct.transcript import Segment, Transcript, Word


def timed(text: str, seconds: float = 0.35, start: float = 0.0, speaker: str | None = None) -> tuple[Word, ...]:
    return tuple(
        Word(word, start + k * seconds, start + (k + 1) * seconds, speaker) for k, word in enumerate(text.split())
    )


def cues(transcript: Transcript, limits: Limits | None = None) -> list[list[str]]:
    cut = recut(transcript, limits)
    return [[" ".join(cut.texts[k] for k in line) for line in cue.lines] for cue in cut.cues]


def test_sentence_ends_come_first_then_clauses_then_phrases() -> None:
    text = (
        "The keeper of the lighthouse waved at them twice. Nobody waved back at him that week, "
        "so he went down to the harbour because the boats that he had painted were gone"
    )
    assert cues(Transcript(timed(text), language="en")) == [
        ["The keeper of the lighthouse", "waved at them twice."],
        ["Nobody waved back at him that week,"],
        ["so he went down to the harbour because", "the boats that he had painted were gone"],
    ]


def test_segments_do_not_matter() -> None:
    words = timed("so what do you think of that? I asked her.")
    whole = Transcript(words, (Segment(0, 3, 0.0, 1.0), Segment(3, 10, 1.0, 3.5)))
    assert cues(whole) == cues(Transcript(words)) == [["so what do you think of that?"], ["I asked her."]]


def test_a_cue_stays_for_a_moment_where_there_is_silence() -> None:
    words = (Word("Yes.", 1.0, 1.2), Word("No.", 4.0, 4.1), Word("Oh.", 4.3, 4.4, "Eve"))
    times = [(cue.start, round(cue.end, 3)) for cue in recut(Transcript(words)).cues]
    assert times == [(1.0, 2.0), (4.0, 4.22), (4.3, 5.3)]
    assert recut(Transcript(words)).words == words


def test_what_could_not_be_met_is_reported() -> None:
    words = (Word("No.", 4.0, 4.1, "Jon"), *timed("x" * 50, 0.5, 4.3, "Eve"), *timed("so", 9.0, 20.0))
    report = recut(Transcript(words)).report
    assert (report.cues, report.short, report.fast, report.wide, report.long) == (3, (0,), (), (1,), (2,))
    assert not report.met
    assert report.lines[0] == "3 cues"
    assert "  1 shorter than 1 s: 1" in report.lines
    assert "  1 with a word longer than a line of 42: 2" in report.lines
    assert report.to_dict()["short"] == [0]
    assert json.loads(json.dumps(report.to_dict()))["limits"]["max_cps"] == 17.0
    assert recut(Transcript(timed("so what"))).report.lines == ["1 cues, all within the limits"]


def test_starts_alone_are_enough() -> None:
    words = tuple(Word(word.text, word.start) for word in timed("Hello. " * 40, 0.6))
    cut = recut(Transcript(words))
    assert cut.report.met
    assert cut.words == words  # none was given an end


def test_words_without_times_begin_no_cue() -> None:
    words = [replace(word, start=None, end=None) if k % 2 else word for k, word in enumerate(timed("so what " * 40))]
    cut = recut(Transcript(tuple(words)))
    assert all(cut.words[cue.first].start is not None for cue in cut.cues)
    assert cut.report.untimed == 40
    assert "40 words have no times" in cut.report.lines[-1]


def test_words_without_any_times_are_refused() -> None:
    with pytest.raises(InputError, match="the words have no times"):
        recut(Transcript((Word("so"),), (Segment(0, 1, 0.0, 1.0),)))
    assert recut(Transcript()).cues == ()


@pytest.mark.parametrize("limit", [{"max_chars": 0}, {"max_cps": float("nan")}, {"min_duration": 9.0}, {"gap": -1.0}])
def test_limits_that_no_cue_could_keep_are_refused(limit: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(limit))):
        Limits(**limit)  # type: ignore[arg-type]


def test_lines_are_balanced_and_prefer_clauses() -> None:
    texts = "I asked her, and she said nothing of it at all that week".split()
    assert [len(line) for line in wrap(texts, 0, len(texts))] == [6, 7]
    costs = [10.0 if k != 3 else 0.0 for k in range(len(texts))]
    texts = "I asked everyone, but the keeper said nothing at all".split()
    assert [len(line) for line in wrap(texts, 0, len(texts), Limits(), costs)] == [3, 7]


def test_own_limits() -> None:
    found = cues(Transcript(timed("the keeper of the lighthouse waved at them " * 3)), Limits(20, 3))
    assert all(len(lines) <= 3 and max(map(len, lines)) <= 20 for lines in found)


def test_the_work_grows_with_the_words() -> None:
    def seconds(words: int) -> float:
        transcript = Transcript(timed("so what do you think of that " * (words // 7)))
        began = time.process_time()
        recut(transcript)
        return time.process_time() - began

    assert seconds(8000) < 8 * seconds(2000)


class TestCommand:
    def write(self, folder: Path) -> Path:
        path = folder / "talk.json"
        words = (*timed("So, what now?", speaker="Jon"), *timed("Nothing at all.", start=2.0, speaker="Eve"))
        path.write_text(FORMATS.get("interpunct").write(Transcript(words, (Segment(0, 6, 0.0, 9.0),), "en")), "utf-8")
        return path

    @pytest.mark.parametrize("name", ["talk.vtt", "talk.srt"])
    def test_captions_of_a_file(self, tmp_path: Path, name: str) -> None:
        report = caption_file(self.write(tmp_path), tmp_path / name, Limits())
        assert report.met
        again = read(tmp_path / name)
        assert [(s.first, s.stop) for s in again.segments] == [(0, 3), (3, 6)]
        assert again.text == "So, what now? Nothing at all."

    def test_limits_reach_the_file(self, tmp_path: Path) -> None:
        caption_file(self.write(tmp_path), tmp_path / "talk.srt", Limits(max_chars=8, max_lines=3))
        lines = (tmp_path / "talk.srt").read_text("utf-8").splitlines()
        assert all(len(line) <= 8 for line in lines if "-->" not in line)

    def test_a_file_without_times_is_named_and_nothing_written(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("so what", "utf-8")
        with pytest.raises(InputError, match=r"a\.txt: the words have no times"):
            caption_file(tmp_path / "a.txt", tmp_path / "a.vtt", Limits())
        assert not (tmp_path / "a.vtt").exists()

    def test_no_file_is_its_own_result(self, tmp_path: Path) -> None:
        path = self.write(tmp_path)
        with pytest.raises(InputError, match="overwritten"):
            caption_file(path, path, Limits(), to_format="webvtt")
