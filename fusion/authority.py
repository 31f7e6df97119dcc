"""The multiplier after fusion: how much other notes lean on a note, within bounds.

A note's place among all PageRank scores, from 0.97 for the least linked to 1.03 for the most. At
k = 60 that is worth two ranks in every stream either way: it settles what is nearly equal.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from kb.store.meta import Meta
from kb.store.rows import read_rows
from kb.streams.request import Request

_LOWEST, _HIGHEST = 0.97, 1.03


def read_authority(request: Request) -> dict[int, float]:
    """The multiplier of every note by its id; empty where no current PageRank is stored."""
    if not has_authority(request):
        return {}
    rows = read_rows(request.connection, "SELECT note_id, score FROM pagerank")
    scores: dict[int, float] = dict(rows)
    ordered = sorted(scores.values())
    return {
        note_id: _LOWEST + (_HIGHEST - _LOWEST) * _place(ordered, score)
        for note_id, score in scores.items()
    }


def has_authority(request: Request) -> bool:
    """Whether the stored PageRank is that of the links as they are."""
    return request.meta.get(Meta.PAGERANK_HASH, "") == request.meta.get(Meta.EDGES_HASH, "-")


def _place(ordered: list[float], score: float) -> float:
    """The share of notes below this score, ties in the middle (0 to 1)."""
    return (bisect_left(ordered, score) + bisect_right(ordered, score)) / (2 * len(ordered))
