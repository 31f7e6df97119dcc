"""The fusion formula: expectations are written as the formula itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.fusion.rrf import fuse, highest_score
from kb.store.records import Ranking, StreamHit, StreamStatus


def ranking(stream: str, *ids: int, status: StreamStatus = StreamStatus.OK) -> Ranking:
    hits = tuple(
        StreamHit(note_id, f"{note_id:03}.md", 1.0 / place, passage_id=note_id * 10)
        for place, note_id in enumerate(ids, start=1)
    )
    return Ranking(stream, status, hits)


def test_a_note_gets_weight_over_k_plus_rank_from_each_stream() -> None:
    fused = fuse([ranking("lexical", 7, 8), ranking("graph", 8)], {"lexical": 1, "graph": 0.3}, 60)
    scores = {note.note_id: note.rrf for note in fused}
    assert scores == {7: 1 / 61, 8: 1 / 62 + 0.3 / 61}
    assert [note.note_id for note in fused] == [8, 7]


def test_equal_scores_are_ordered_by_path() -> None:
    fused = fuse([ranking("lexical", 9), ranking("cosine", 2)], {"lexical": 1, "cosine": 1}, 60)
    assert [note.path for note in fused] == ["002.md", "009.md"]


@pytest.mark.parametrize("status", [StreamStatus.OFF, StreamStatus.SKIPPED, StreamStatus.SEED])
def test_a_stream_that_is_not_ok_gives_nothing(status: StreamStatus) -> None:
    rankings = [ranking("lexical", 1), ranking("cosine", 2, status=status)]
    assert [note.note_id for note in fuse(rankings, {"lexical": 1, "cosine": 1}, 60)] == [1]


def test_a_weight_of_zero_gives_nothing() -> None:
    assert fuse([ranking("lexical", 1)], {"lexical": 0}, 60) == []


def test_the_passage_is_that_of_the_largest_contribution() -> None:
    lexical = Ranking("lexical", StreamStatus.OK, (StreamHit(1, "a.md", 2.0, passage_id=5),))
    cosine = Ranking("cosine", StreamStatus.OK, (StreamHit(1, "a.md", 0.9, passage_id=6),))
    entity = Ranking("entity", StreamStatus.OK, (StreamHit(1, "a.md", 9.0),))
    weights = {"lexical": 1.0, "cosine": 2.0, "entity": 5.0}
    assert fuse([lexical, cosine, entity], weights, 60)[0].passage_id == 6


ids = st.lists(st.integers(0, 30), unique=True, max_size=20)


@given(st.lists(ids, min_size=1, max_size=4), st.lists(st.floats(0, 5), min_size=4, max_size=4))
def test_the_score_is_the_sum_of_what_is_explained(
    lists: list[list[int]], weights: list[float]
) -> None:
    rankings = [ranking(str(number), *found) for number, found in enumerate(lists)]
    by_name = {str(number): weights[number] for number in range(len(lists))}
    fused = fuse(rankings, by_name, 60)
    for note in fused:
        assert note.rrf == sum(one.amount for one in note.contributions.values())
        for name, one in note.contributions.items():
            assert one.amount == by_name[name] / (60 + one.rank)
        assert note.rrf <= highest_score(by_name.values(), 60) + 1e-12
    assert [note.rrf for note in fused] == sorted((note.rrf for note in fused), reverse=True)
    named = {one for name, found in enumerate(lists) if by_name[str(name)] > 0 for one in found}
    assert {note.note_id for note in fused} == named
