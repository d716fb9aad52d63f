"""The segments of a transcript, made to hold every word."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InputError
from ..transcript import Restored, Segment, Transcript

__all__ = ["by_sentence", "covering", "within"]


def covering(transcript: Transcript) -> list[Segment]:
    """The segments in order; words that stand between two of them become one more, without times.

    Raises:
        InputError: segments overlap, or reach past the last word.
    """
    return list(_covering(transcript)) if transcript.segments else []


def _covering(transcript: Transcript) -> Iterator[Segment]:
    stop = 0
    for number, segment in enumerate(transcript.segments):
        if not stop <= segment.first <= segment.stop <= len(transcript.words):
            raise InputError(
                f"segment {number} holds the words {segment.first} to {segment.stop}, "
                f"the one before ends at {stop} of {len(transcript.words)}: segments follow each other"
            )
        if stop < segment.first:
            yield within(transcript, stop, segment.first)
        yield segment
        stop = segment.stop
    if stop < len(transcript.words):
        yield within(transcript, stop, len(transcript.words))


def by_sentence(transcript: Transcript) -> list[Segment]:
    """The transcript's segments; where it has none, one a sentence; where it has no sentences, one."""
    if transcript.segments:
        return covering(transcript)
    ends = transcript.sentence_ends if isinstance(transcript, Restored) else ()
    stops = sorted({*(end + 1 for end in ends), len(transcript.words)})
    return [within(transcript, first, stop) for first, stop in zip([0, *stops], stops, strict=False) if first < stop]


def within(transcript: Transcript, first: int, stop: int) -> Segment:
    """A segment of these words, with the first and the last time that they have, and their speaker if it is one."""
    words = transcript.words[first:stop]
    start = next((word.start for word in words if word.start is not None), None)
    end = next((word.end for word in reversed(words) if word.end is not None), None)
    speakers = {word.speaker for word in words}
    return Segment(first, stop, start, end, speakers.pop() if len(speakers) == 1 else None)
