"""How much an index holds, counted for people."""

from __future__ import annotations

import json
from typing import NamedTuple

import apsw

from kb.store.index_records import SkippedFile
from kb.store.rows import read_rows


class Counts(NamedTuple):
    """Plain counts. `links` by status, `languages` by ISO code ("" where none could be told).

    `embedded` is how many passages have a vector, `vectors` how many different ones there are.
    `ignored` notes are hidden by the vault, `problems` are notes that could not be read in full.
    `tags` counts those that a note carries itself, not the parents that follow from them.
    """

    notes: int
    passages: int
    links: dict[str, int]
    entities: int
    tags: int
    languages: dict[str, int]
    vectors: int
    embedded: int
    ignored: int
    problems: int


def read_counts(connection: apsw.Connection) -> Counts:
    """Count everything in one index."""
    return Counts(
        notes=_count(connection, "SELECT count(*) FROM notes"),
        passages=_count(connection, "SELECT count(*) FROM passages"),
        links=_groups(connection, "SELECT status, count(*) FROM links GROUP BY status ORDER BY 1"),
        entities=_count(connection, "SELECT count(*) FROM entities"),
        tags=_count(connection, "SELECT count(DISTINCT key) FROM tags WHERE label != ''"),
        languages=_groups(
            connection,
            "SELECT language, count(*) FROM notes GROUP BY language ORDER BY 2 DESC, 1",
        ),
        vectors=_count(connection, "SELECT count(*) FROM vectors"),
        embedded=_count(
            connection,
            "SELECT count(*) FROM passages WHERE embed_key IN (SELECT embed_key FROM vectors)",
        ),
        ignored=_count(connection, "SELECT count(*) FROM notes WHERE ignored = 1"),
        problems=_count(connection, "SELECT count(*) FROM notes WHERE problems != '[]'"),
    )


def read_problems(connection: apsw.Connection, limit: int = 0) -> list[SkippedFile]:
    """The notes that could not be read in full, in the order of paths, and why.

    A note has an entry for each problem. `limit` notes at most, 0 for all.
    """
    rows = read_rows(
        connection,
        "SELECT path, problems FROM notes WHERE problems != '[]' ORDER BY path LIMIT ?",
        (limit or -1,),
    )
    return [SkippedFile(path, reason) for path, problems in rows for reason in json.loads(problems)]


def _count(connection: apsw.Connection, sql: str) -> int:
    return int(read_rows(connection, sql)[0][0])


def _groups(connection: apsw.Connection, sql: str) -> dict[str, int]:
    return dict(read_rows(connection, sql))
