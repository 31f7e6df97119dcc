"""Notes related by links: linked with each other, or both linked with a third.

A link between two notes counts 2, in either direction and both. Each note that both are linked
with counts 1, whichever way the links lead. Both are divided by log2(1 + the links of the note
at the far end, or in between), since a link of a note with many says little (Adamic and Adar,
"Friends and neighbors on the web", 2003).
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from time import perf_counter

from kb.store.records import Ranking, StreamHit, StreamStatus
from kb.store.rows import read_rows
from kb.streams.graph import NAME, neighbours_of, read_notes
from kb.streams.request import Request, best_first
from kb.streams.scope import NOTES

_DIRECT = 2.0
_BETWEEN = 1.0
# A note with more links than this relates everything to everything.
_HUB = 500
_CARRIERS = 5


def rank(request: Request, note_id: int) -> Ranking:
    """Notes by the links that they have with a note, or in common with it (no unit)."""
    started = perf_counter()
    around = read_notes(request.connection, set(neighbours_of(request.connection, note_id)))
    if not around:
        return Ranking(NAME, StreamStatus.SKIPPED, reason="no link leads to it or from it")
    hits = best_first(_related(request, note_id, around), request.depth)
    elapsed = (perf_counter() - started) * 1000
    if not hits:
        reason = "no note that may be listed is near it"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason, milliseconds=elapsed)
    return Ranking(NAME, StreamStatus.OK, hits, candidates=len(hits), milliseconds=elapsed)


def _related(request: Request, note_id: int, around: list[tuple[int, str, int]]) -> list[StreamHit]:
    own = read_notes(request.connection, {note_id})[0][1]
    given: dict[int, dict[str, float]] = defaultdict(dict)
    direct = {other for other, _, _ in around}
    for other, path, degree in around:
        given[other][own] = _DIRECT / math.log2(1 + degree)
        if degree <= _HUB:
            for far in neighbours_of(request.connection, other):
                if far != note_id:
                    given[far][path] = _BETWEEN / math.log2(1 + degree)
    paths = _paths(request, set(given))
    return [
        _hit(other, paths[other], amounts, hops=1 if other in direct else 2)
        for other, amounts in given.items()
        if other in paths
    ]


def _paths(request: Request, ids: set[int]) -> dict[int, str]:
    """The paths of those notes that may be listed."""
    scope = f" CROSS JOIN {NOTES} AS s ON s.note_id = n.id" if request.scope.active else ""
    sql = (
        f"SELECT n.id, n.path FROM json_each(?) AS w CROSS JOIN notes AS n ON n.id = w.value{scope}"
    )
    return dict(read_rows(request.connection, sql, (json.dumps(sorted(ids)),)))


def _hit(note_id: int, path: str, amounts: dict[str, float], hops: int) -> StreamHit:
    strongest = sorted(amounts, key=lambda one: (-amounts[one], one))
    score = math.fsum(amounts.values())
    return StreamHit(note_id, path, score, via=tuple(strongest[:_CARRIERS]), hops=hops)
