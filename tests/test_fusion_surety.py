"""Which of lexical and cosine counts more for a query: the one that is surer of its first note."""

from __future__ import annotations

from math import sqrt

import pytest

from kb.fusion.surety import compare_sureness
from kb.store.records import Ranking, StreamHit, StreamStatus


def ranking(stream: str, *scores: float, factor: float = 1.0) -> Ranking:
    hits = tuple(StreamHit(place, f"{place}.md", score) for place, score in enumerate(scores))
    return Ranking(stream, StreamStatus.OK, hits, factor=factor)


def cosine_factor(lexical: Ranking, cosine: Ranking) -> float:
    return compare_sureness({"lexical": lexical, "cosine": cosine})["cosine"].factor


def test_the_factor_is_that_of_the_formula() -> None:
    # Lexical is (8 - 6) / 8 = 0.25 ahead, cosine (0.6 - 0.54) / 0.6 = 0.1.
    factor = cosine_factor(ranking("lexical", 8.0, 6.0), ranking("cosine", 0.6, 0.54))
    assert factor == pytest.approx(max(0.7, 1.2 * sqrt((0.1 + 0.05) / (0.25 + 0.1))))


def test_a_surer_cosine_counts_more_and_both_ways_are_bounded() -> None:
    sure, unsure = ranking("cosine", 0.9, 0.3), ranking("cosine", 0.6, 0.6)
    assert cosine_factor(ranking("lexical", 8.0, 8.0), sure) == 2.0
    assert cosine_factor(ranking("lexical", 8.0), unsure) == 0.7


def test_no_words_found_means_nothing_to_compare_with() -> None:
    assert cosine_factor(ranking("lexical"), ranking("cosine", 0.5, 0.4)) == 1.0


def test_a_stream_with_a_reason_of_its_own_keeps_its_factor() -> None:
    held = ranking("cosine", 0.5, 0.4, factor=0.01)
    assert cosine_factor(ranking("lexical", 8.0, 6.0), held) == 0.01


def test_a_stream_that_is_off_changes_nothing() -> None:
    off = Ranking("lexical", StreamStatus.OFF, reason="its weight is 0")
    cosine = ranking("cosine", 0.5, 0.4)
    assert compare_sureness({"lexical": off, "cosine": cosine})["cosine"] == cosine
