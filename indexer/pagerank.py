"""PageRank of notes over their links (Brin and Page, 1998), kept in the index until links change.

Power iteration over plain lists: networkx's own needs scipy, which this project does not bring.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import apsw

from kb.indexer.graph import read_edges
from kb.store.connection import open_reader, open_writer, translated_errors, writing
from kb.store.errors import KbError
from kb.store.lock import writer_lock
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.rows import read_rows

DAMPING = 0.85
_MOST_ROUNDS = 200
_TOLERANCE = 1e-10  # of the sum of all changes in one round
_DIGITS = 9  # so that the scores do not depend on the order of additions


def pagerank(connection: apsw.Connection) -> dict[int, float]:
    """The score of every note by id; they sum to 1. Several links of one pair count once."""
    notes = [note_id for (note_id,) in read_rows(connection, "SELECT id FROM notes ORDER BY id")]
    pairs = ((source, target) for source, target, _ in read_edges(connection))
    return compute_pagerank(notes, pairs)


def compute_pagerank(notes: Sequence[int], edges: Iterable[tuple[int, int]]) -> dict[int, float]:
    """PageRank of a graph: s(v) = (1 - d) / n + d · (Σ s(u) / outdegree(u) + s(dangling) / n)."""
    if not notes:
        return {}
    position = {note_id: number for number, note_id in enumerate(notes)}
    incoming: list[list[int]] = [[] for _ in notes]
    degree = [0] * len(notes)
    for source, target in edges:
        if source in position and target in position:
            incoming[position[target]].append(position[source])
            degree[position[source]] += 1
    scores = [1.0 / len(notes)] * len(notes)
    for _ in range(_MOST_ROUNDS):
        after = _round(scores, incoming, degree)
        moved = sum(abs(new - old) for new, old in zip(after, scores, strict=True))
        scores = after
        if moved < _TOLERANCE:
            break
    return {
        note_id: float(f"{score:.{_DIGITS}g}") for note_id, score in zip(notes, scores, strict=True)
    }


def _round(scores: list[float], incoming: list[list[int]], degree: list[int]) -> list[float]:
    count = len(scores)
    given = [score / out if out else 0.0 for score, out in zip(scores, degree, strict=True)]
    dangling = sum(score for score, out in zip(scores, degree, strict=True) if not out)
    base = (1.0 - DAMPING) / count + DAMPING * dangling / count
    return [base + DAMPING * sum([given[source] for source in sources]) for sources in incoming]


def ensure_pagerank(index: Path) -> dict[int, float]:
    """The scores of an index, from its table if that is up to date.

    Otherwise they are computed, and stored unless that cannot be done now: another process is
    writing, the folder may not be written into, the disk is full.
    """
    with closing(open_reader(index)) as connection:
        meta = read_meta(connection)
        current = meta.get(Meta.EDGES_MARK, "")
        if current and meta.get(Meta.PAGERANK_MARK) == current:
            return dict(read_rows(connection, "SELECT note_id, score FROM pagerank"))
        scores = pagerank(connection)
    if current:
        _store(index, scores, current)
    return scores


def _store(index: Path, scores: dict[int, float], computed_for: str) -> None:
    try:
        with (
            writer_lock(index, wait=0.0),
            translated_errors(index),
            closing(open_writer(index)) as connection,
        ):
            if read_meta(connection).get(Meta.EDGES_MARK, "") == computed_for:
                write_pagerank(connection, scores, computed_for)
    except KbError:
        return  # the scores are there, and the next who asks for them stores them


def write_pagerank(
    connection: apsw.Connection, scores: dict[int, float], computed_for: str
) -> None:
    """Store scores, and the mark of the edges that they were computed for."""
    with writing(connection):
        connection.execute("DELETE FROM pagerank")
        connection.executemany("INSERT INTO pagerank VALUES (?, ?)", sorted(scores.items()))
        write_meta(connection, Meta.PAGERANK_MARK, computed_for)
