"""Weighted reciprocal rank fusion: rescore each ranking, then add up.

score(d) = Σ weight_i / (k + rank_i(d)), over the streams that ranked d (Cormack, Clarke and
Büttcher, SIGIR 2009, with a weight for each list). The explanation of a note is the list of its
summands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kb.store.records import Contribution, Ranking, StreamHit, StreamStatus


class FusedNote(NamedTuple):
    """One note with what each stream gave it. `passage_id`: that of its largest contribution."""

    note_id: int
    path: str
    rrf: float
    contributions: dict[str, Contribution]
    passage_id: int | None


# What one ranking gives one note: stream, rank, amount, hit.
_Part = tuple[str, int, float, StreamHit]


def fuse(rankings: Iterable[Ranking], weights: Mapping[str, float], k: int) -> list[FusedNote]:
    """Notes by falling fused score, then by path. A stream that is not `ok` gives nothing."""
    return list(fuse_best(rankings, weights, k))


def fuse_best(
    rankings: Iterable[Ranking], weights: Mapping[str, float], k: int
) -> Iterator[FusedNote]:
    """The same one by one, each put together when it is asked for: mostly ten of hundreds are."""
    parts: dict[int, list[_Part]] = {}
    sums: dict[int, float] = {}
    for ranking in rankings:
        weight = weights.get(ranking.stream, 0.0)
        if ranking.status != StreamStatus.OK or weight <= 0:
            continue
        for rank, hit in enumerate(ranking.hits, start=1):
            amount = weight / (k + rank)
            sums[hit.note_id] = sums.get(hit.note_id, 0.0) + amount
            parts.setdefault(hit.note_id, []).append((ranking.stream, rank, amount, hit))
    order = sorted((-rrf, parts[note_id][0][3].path, note_id) for note_id, rrf in sums.items())
    for _, path, note_id in order:
        yield FusedNote(
            note_id,
            path,
            sums[note_id],
            {
                stream: Contribution(rank, hit.score, amount, hit.matched, hit.via, hit.hops)
                for stream, rank, amount, hit in parts[note_id]
            },
            _best_passage(parts[note_id]),
        )


def highest_score(weights: Iterable[float], k: int) -> float:
    """The score of a note that every stream ranks first: Σ weight / (k + 1)."""
    return sum(weights) / (k + 1)


def _best_passage(parts: list[_Part]) -> int | None:
    with_passage = [(amount, hit) for _, _, amount, hit in parts if hit.passage_id is not None]
    if not with_passage:
        return None
    return max(with_passage, key=lambda one: one[0])[1].passage_id
