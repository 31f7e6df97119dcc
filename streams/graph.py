"""graph: the notes that the best notes of the other streams link to, or are linked from.

The starting notes are in the list with their own share, so a neighbour never passes the direct
hit it hangs on by the link alone. What a note hands on is divided among its links, and a note
with many links takes less from each: hubs are discounted on both ends.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from time import perf_counter

import apsw

from kb.store.records import Ranking, StreamHit, StreamStatus, StreamWhy
from kb.store.rows import read_rows
from kb.streams.identifiers import AFTER_THE_OTHERS, held_identifier
from kb.streams.request import Request, best_first, find_hit
from kb.streams.scope import NOTES

NAME = "graph"

# What a step along a link keeps of a note's share, before the discount for the links it has.
# Below 1, so that a neighbour of one note stays behind that note.
_STEP = 0.9
# A neighbour that takes less than this part of the best note's share hangs on a hub: it is as
# near to everything, which says nothing.
_LEAST = 0.03
_CARRIERS = 5

NEIGHBOURS = """
SELECT target_id FROM edges WHERE source_id = ?1
UNION SELECT source_id FROM edges WHERE target_id = ?1
"""

_NOTES = """
SELECT n.id, n.path,
  (SELECT count(*) FROM edges WHERE source_id = n.id)
  + (SELECT count(*) FROM edges WHERE target_id = n.id)
FROM json_each(?1) AS wanted CROSS JOIN notes AS n ON n.id = wanted.value
"""


class _Reached:
    """What has come to one note so far, over which notes, in how many steps."""

    __slots__ = ("hops", "share", "via")

    def __init__(self, share: float, hops: int) -> None:
        self.share = share
        self.hops = hops
        self.via: dict[int, float] = {}


def rank(request: Request) -> Ranking:
    """Notes by the share that came to them from the starting notes (0 to 1)."""
    started = perf_counter()
    if not request.seeds:
        nothing = "no other stream found a note to start from"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=nothing)
    reached = _spread(request)
    if all(note.hops == 0 for note in reached.values()):
        return Ranking(
            NAME,
            StreamStatus.SKIPPED,
            reason="the best notes of the other streams have no links to other notes",
            milliseconds=(perf_counter() - started) * 1000,
        )
    least = _LEAST * max(share for _, share in request.seeds)
    kept = {one: note for one, note in reached.items() if note.hops == 0 or note.share >= least}
    hits = best_first(_hits(request, kept), request.depth)
    identifier = held_identifier(request.connection, request.query)
    return Ranking(
        NAME,
        StreamStatus.OK,
        hits,
        candidates=len(hits),
        factor=AFTER_THE_OTHERS if identifier else 1.0,
        reason=f"{identifier} is a name to be found as it stands" if identifier else "",
        milliseconds=(perf_counter() - started) * 1000,
    )


def _spread(request: Request) -> dict[int, _Reached]:
    """Hand the seeds' shares on along links, one step or two."""
    reached = {note_id: _Reached(share, 0) for note_id, share in request.seeds}
    front = dict(request.seeds)
    for step in range(1, request.hops + 1):
        coming: dict[int, dict[int, float]] = defaultdict(dict)
        neighbours = {note_id: neighbours_of(request.connection, note_id) for note_id in front}
        around = {one for ids in neighbours.values() for one in ids}
        degrees = {note_id: degree for note_id, _, degree in read_notes(request.connection, around)}
        for note_id, share in front.items():
            handed_on = share * _STEP / math.sqrt(max(1, len(neighbours[note_id])))
            for neighbour in neighbours[note_id]:
                if neighbour in reached[note_id].via:
                    continue  # what came from there does not go back as an echo
                taken = handed_on / math.sqrt(max(1, degrees.get(neighbour, 1)))
                coming[neighbour][note_id] = taken
        front = {}
        for neighbour, carriers in coming.items():
            if neighbour not in reached:
                front[neighbour] = sum(carriers.values())
            note = reached.setdefault(neighbour, _Reached(0.0, step))
            note.share += sum(carriers.values())
            note.via.update(carriers)
    return reached


def neighbours_of(connection: apsw.Connection, note_id: int) -> list[int]:
    return [row[0] for row in read_rows(connection, NEIGHBOURS, (note_id,))]


def read_notes(connection: apsw.Connection, ids: set[int]) -> list[tuple[int, str, int]]:
    """Id, path and number of links of each note."""
    rows = read_rows(connection, _NOTES, (json.dumps(sorted(ids)),))
    return [(note_id, path, degree) for note_id, path, degree in rows]


def _hits(request: Request, reached: dict[int, _Reached]) -> list[StreamHit]:
    paths = {note_id: path for note_id, path, _ in read_notes(request.connection, set(reached))}
    allowed = set(paths)
    if request.scope.active:
        rows = read_rows(
            request.connection,
            f"SELECT s.note_id FROM json_each(?) AS w CROSS JOIN {NOTES} AS s"
            " ON s.note_id = w.value",
            (json.dumps(sorted(allowed)),),
        )
        allowed = {row[0] for row in rows}
    return [
        StreamHit(
            note_id,
            paths[note_id],
            note.share,
            via=_strongest(note.via, paths),
            hops=note.hops,
        )
        for note_id, note in reached.items()
        if note_id in allowed
    ]


def _strongest(via: dict[int, float], paths: dict[int, str]) -> tuple[str, ...]:
    carriers = sorted(via.items(), key=lambda one: (-one[1], paths.get(one[0], "")))
    return tuple(paths[note_id] for note_id, _ in carriers[:_CARRIERS] if note_id in paths)


def explain(request: Request, ranking: Ranking, note_id: int) -> StreamWhy:
    """Which links carried the note, or which notes could have."""
    position, hit = find_hit(ranking, note_id)
    if hit:
        reason, links, needs = _how_reached(hit), hit.via, ""
    else:
        reason, links = _why_not_reached(request, note_id)
        needs = "a link to or from one of the best notes"
        if ranking.status not in (StreamStatus.OK, StreamStatus.SEED):
            reason = ranking.reason or reason
    return StreamWhy(
        status=ranking.status,
        rank=position,
        score=hit.score if hit else None,
        contribution=0.0,
        weight=0.0,
        reason=reason,
        links=links,
        needs=needs,
    )


def _how_reached(hit: StreamHit) -> str:
    if hit.hops == 0:
        return "it is one of the notes that the graph starts from"
    steps = "one step" if hit.hops == 1 else f"{hit.hops} steps"
    return f"reached in {steps} from {', '.join(hit.via)}"


def _why_not_reached(request: Request, note_id: int) -> tuple[str, tuple[str, ...]]:
    """Why nothing came to a note, and the notes that it is linked with, starting notes first."""
    around = read_notes(request.connection, set(neighbours_of(request.connection, note_id)))
    if not around:
        return "no link leads to it or from it", ()
    seeds = {one for one, _ in request.seeds}
    around.sort(key=lambda note: (note[0] not in seeds, note[1]))
    links = tuple(path for _, path, _ in around[:_CARRIERS])
    carriers = [(path, degree) for one, path, degree in around if one in seeds]
    if carriers:
        path, degree = carriers[0]
        return f"{path} has {degree} links, too many for one of them to say anything", links
    notes = "the one note" if len(around) == 1 else f"none of the {len(around)} notes"
    verb = "is not" if len(around) == 1 else "is"
    return f"{notes} that it is linked with {verb} among the best", links
