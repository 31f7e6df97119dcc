"""Notes related by what they are about: tags, aliases, titles, people, any property's value.

A name that both carry counts ln(1 + N / n) for N notes in the vault of which n carry it. One name
under several kinds (a tag here, a title there) is one name, and a tag speaks for its parents.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from time import perf_counter

from kb.store.records import Ranking, StreamHit, StreamStatus
from kb.store.rows import read_rows
from kb.streams.entity import COMMON, KIND_WEIGHT, NAME, NAMED, carriers_statement
from kb.streams.note_paths import read_paths
from kb.streams.request import Request, best_first
from kb.streams.totals import count_notes

_SHOWN = 5
# A day or a number that two notes share says less than a name.
_WITHOUT_LETTER = 0.3
_OWN_KEYS = """
SELECT DISTINCT e.key FROM note_entities AS c CROSS JOIN entities AS e ON e.id = c.entity_id
WHERE c.note_id = ?
"""


def rank(request: Request, note_id: int) -> Ranking:
    """Notes by the sum of what the names they share with a note tell (no unit)."""
    started = perf_counter()
    found = best_first(_sharing(request, note_id), request.depth)
    elapsed = (perf_counter() - started) * 1000
    if not found:
        reason = "it shares no tag, name or property with a note that may be listed"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason, milliseconds=elapsed)
    return Ranking(NAME, StreamStatus.OK, found, candidates=len(found), milliseconds=elapsed)


def _sharing(request: Request, note_id: int) -> list[StreamHit]:
    keys = [key for (key,) in read_rows(request.connection, _OWN_KEYS, (note_id,))]
    total = count_notes(request.meta)
    names = {
        entity_id: (key, f"{kind}:{label}", _telling(key, kind) * math.log(1 + total / notes))
        for entity_id, kind, key, label, notes in read_rows(
            request.connection, NAMED, (json.dumps(keys),)
        )
        if notes <= COMMON
    }
    sql = carriers_statement(in_scope=request.scope.active)
    carried: dict[int, dict[str, tuple[float, str]]] = {}
    for other, entity_id in read_rows(request.connection, sql, (json.dumps(list(names)),)):
        if other == note_id:
            continue
        key, label, telling = names[entity_id]
        best = carried.setdefault(other, {})
        best[key] = min(best.get(key, (-telling, label)), (-telling, label))
    paths = read_paths(request.connection, carried)
    return [_hit(other, paths[other], _specific(best)) for other, best in carried.items()]


def _specific(shared: Mapping[str, tuple[float, str]]) -> list[tuple[float, str]]:
    """What is shared, less what a longer name says already (`a` where both carry `a/b`)."""
    return [
        best
        for key, best in shared.items()
        if not any(other.startswith(f"{key} ") for other in shared)
    ]


def _telling(key: str, kind: str) -> float:
    """How much a name of that kind says, whatever its rarity."""
    named = any(map(str.isalpha, key))
    return KIND_WEIGHT.get(kind, 1.0) * (1.0 if named else _WITHOUT_LETTER)


def _hit(note_id: int, path: str, shared: list[tuple[float, str]]) -> StreamHit:
    shared.sort()
    labels = tuple(label for _, label in shared[:_SHOWN])
    return StreamHit(note_id, path, -math.fsum(telling for telling, _ in shared), matched=labels)
