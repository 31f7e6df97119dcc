"""What every stream is given, and what every stream gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import apsw

from kb.store.records import Ranking, StreamHit, StreamWhy
from kb.streams.scope import Scope
from kb.text import Query


class Request(NamedTuple):
    """One query to one index.

    `scope` says which notes may be ranked; every stream ranks among those only. `depth` is how
    many notes to rank at most, 0 for every one that matches. `seeds` are the notes that the
    graph starts from, best first, with a share of 1 between them. `hops` is 1 or 2.
    """

    connection: apsw.Connection
    index: Path  # type: ignore[assignment]  # in place of tuple's
    meta: Mapping[str, str]
    query: Query
    scope: Scope
    depth: int
    seeds: tuple[tuple[int, float], ...] = ()
    hops: int = 1


class StreamModule(Protocol):
    """What a module of this room offers: the two functions that make it a stream."""

    rank: Callable[[Request], Ranking]
    explain: Callable[[Request, Ranking, int], StreamWhy]


def best_first(hits: list[StreamHit], depth: int) -> tuple[StreamHit, ...]:
    """Hits by falling score, then by path, cut to the depth (0: all)."""
    hits.sort(key=lambda hit: (-hit.score, hit.path))
    return tuple(hits[:depth] if depth else hits)


def find_hit(ranking: Ranking, note_id: int) -> tuple[int | None, StreamHit | None]:
    """The rank (1-based) and hit of a note in a ranking, or two Nones."""
    for rank, hit in enumerate(ranking.hits, start=1):
        if hit.note_id == note_id:
            return rank, hit
    return None, None


def without(ranking: Ranking, note_id: int, depth: int) -> Ranking:
    """The ranking less one note, cut to the depth (0: all)."""
    hits = tuple(hit for hit in ranking.hits if hit.note_id != note_id)
    hits = hits[:depth] if depth else hits
    return ranking._replace(hits=hits, candidates=len(hits))
