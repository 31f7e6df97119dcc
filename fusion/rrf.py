"""Weighted reciprocal rank fusion: rescore each ranking, then add up.

score(d) = Σ weight_i / (k + rank_i(d)), over the streams that ranked d (Cormack, Clarke and
Büttcher, SIGIR 2009, with a weight for each list). The explanation of a note is the list of its
summands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kb.store.records import Contribution, Ranking, StreamHit, StreamStatus


class FusedNote(NamedTuple):
    """One note with what each stream gave it. `passage_id`: that of its largest contribution."""

    note_id: int
    path: str
    rrf: float
    contributions: dict[str, Contribution]
    passage_id: int | None


def fuse(rankings: Iterable[Ranking], weights: Mapping[str, float], k: int) -> list[FusedNote]:
    """Notes by falling fused score, then by path. A stream that is not `ok` gives nothing."""
    found: dict[int, dict[str, Contribution]] = {}
    hits: dict[int, list[tuple[float, StreamHit]]] = {}
    for ranking in rankings:
        weight = weights.get(ranking.stream, 0.0)
        if ranking.status != StreamStatus.OK or weight <= 0:
            continue
        for rank, hit in enumerate(ranking.hits, start=1):
            amount = weight / (k + rank)
            found.setdefault(hit.note_id, {})[ranking.stream] = Contribution(
                rank, hit.score, amount, hit.matched, hit.via, hit.hops
            )
            hits.setdefault(hit.note_id, []).append((amount, hit))
    fused = [
        FusedNote(
            note_id,
            hits[note_id][0][1].path,
            sum(one.amount for one in contributions.values()),
            contributions,
            _best_passage(hits[note_id]),
        )
        for note_id, contributions in found.items()
    ]
    fused.sort(key=lambda note: (-note.rrf, note.path))
    return fused


def highest_score(weights: Iterable[float], k: int) -> float:
    """The score of a note that every stream ranks first: Σ weight / (k + 1)."""
    return sum(weights) / (k + 1)


def _best_passage(hits: list[tuple[float, StreamHit]]) -> int | None:
    with_passage = [(amount, hit) for amount, hit in hits if hit.passage_id is not None]
    if not with_passage:
        return None
    return max(with_passage, key=lambda one: one[0])[1].passage_id
