"""Resolving links again after a run: exactly those that may now lead elsewhere.

Resolution is a property of the whole vault, so a note that appears or goes can re-point links in
notes that did not change. The outcome is that of an index from scratch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence

import apsw

from kb.indexer.prepare import to_json
from kb.indexer.resolve import Names, Resolution, resolve_link
from kb.store.meta import Meta, write_meta
from kb.store.note_records import LinkStatus
from kb.store.rows import read_rows

# From so many on, reading every name at once is quicker than asking for each.
_MANY_LINKS = 2_000
_AT_ONCE = 20_000  # links, which bounds the memory

# A link's id, its note's id and path, its target and kind; then what it led to so far: note,
# status, candidates.
_Link = tuple[int, int, str, str, str, int | None, str, str]

_SELECT = """
SELECT l.id, l.source_id, n.path, l.target, l.kind, l.target_id, l.status, l.candidates
FROM links AS l JOIN notes AS n ON n.id = l.source_id
"""
_FROM = f"{_SELECT} WHERE l.id > ? ORDER BY l.id LIMIT ?"
_OF_SOURCES = f"{_SELECT} WHERE l.source_id IN (SELECT value FROM json_each(?))"
_OF_KEYS = f"{_SELECT} WHERE l.target_key IN (SELECT value FROM json_each(?))"
_EDGES = """
INSERT INTO edges(source_id, target_id, count)
SELECT source_id, target_id, count(*) FROM links
WHERE target_id IS NOT NULL AND target_id != source_id {restriction}
GROUP BY source_id, target_id
"""


def relink_all(connection: apsw.Connection) -> None:
    """Resolve every link, and make all edges anew."""
    resolver = _Resolver(connection, at_once=True)
    last = 0
    while links := read_rows(connection, _FROM, (last, _AT_ONCE)):
        last = links[-1][0]
        resolver.resolve(links)
    connection.execute("DELETE FROM edges")
    connection.execute(_EDGES.format(restriction=""))
    mark_edges_changed(connection)


def relink(
    connection: apsw.Connection, changed: Sequence[int], keys: Iterable[str], *, same_notes: bool
) -> None:
    """Resolve the links of the notes `changed` and those with a `target_key` in `keys`.

    Then the edges of every note whose links lead elsewhere are made anew, and what the ranking
    of notes by links was computed from is marked as changed, if it has. `same_notes`: none was
    added and none removed.
    """
    links = _read_links(connection, changed, keys)
    resolver = _Resolver(connection, at_once=len(links) >= _MANY_LINKS)
    moved = resolver.resolve(links)
    if _renew_edges(connection, json.dumps(sorted(moved.union(changed)))) or not same_notes:
        mark_edges_changed(connection)


def mark_edges_changed(connection: apsw.Connection) -> None:
    """Let what was computed from the notes and their links be known as out of date."""
    write_meta(connection, Meta.EDGES_MARK, os.urandom(16).hex())


def _renew_edges(connection: apsw.Connection, sources: str) -> bool:
    """Make the edges from these notes (a JSON list) anew, and say whether they changed."""
    within = "source_id IN (SELECT value FROM json_each(?))"
    existing = f"SELECT * FROM edges WHERE {within} ORDER BY source_id, target_id"
    before = read_rows(connection, existing, (sources,))
    connection.execute(f"DELETE FROM edges WHERE {within}", (sources,))
    connection.execute(_EDGES.format(restriction=f"AND {within}"), (sources,))
    return before != read_rows(connection, existing, (sources,))


def _read_links(
    connection: apsw.Connection, changed: Sequence[int], keys: Iterable[str]
) -> list[_Link]:
    rows = read_rows(connection, _OF_SOURCES, (json.dumps(changed),))
    rows += read_rows(connection, _OF_KEYS, (to_json(sorted(keys)),))
    return list({row[0]: row for row in rows}.values())


class _Resolver:
    """Writes where links lead. `at_once` reads all names first, else each as it is asked for."""

    def __init__(self, connection: apsw.Connection, *, at_once: bool) -> None:
        self._connection = connection
        self._names, self._id_of = _read_names(connection, at_once=at_once)

    def resolve(self, links: Iterable[_Link]) -> set[int]:
        """Write where each link leads, and return the ids of the notes with a link that moved."""
        moved: set[int] = set()
        updates = []
        for link_id, source_id, source, target, kind, old_id, old_status, old_candidates in links:
            found = resolve_link(target, kind, source, self._names)
            leads_to = self._note_id(found)
            candidates = to_json(found.candidates)
            if leads_to != old_id:
                moved.add(source_id)
            if (leads_to, found.status, candidates) != (old_id, old_status, old_candidates):
                updates.append((leads_to, str(found.status), candidates, link_id))
        self._connection.executemany(
            "UPDATE links SET target_id = ?, status = ?, candidates = ? WHERE id = ?", updates
        )
        return moved

    def _note_id(self, found: Resolution) -> int | None:
        if found.path is None or found.status is LinkStatus.ATTACHMENT:
            return None
        return self._id_of(found.path)


def _read_names(
    connection: apsw.Connection, *, at_once: bool
) -> tuple[Names, Callable[[str], int]]:
    """The names of the vault, read now or as they are asked for, and the id of a path."""
    if at_once:
        ids = dict(read_rows(connection, "SELECT path, id FROM notes"))
        files = (path for (path,) in read_rows(connection, "SELECT path FROM attachments"))
        aliases = read_rows(
            connection,
            "SELECT a.label, n.path FROM aliases AS a JOIN notes AS n ON n.id = a.note_id",
        )
        return Names.of(ids, files, aliases), ids.__getitem__

    def reader(sql: str) -> Callable[[str], list[str]]:
        return lambda key: [path for (path,) in read_rows(connection, sql, (key,))]

    names = Names(
        notes=reader("SELECT path FROM notes WHERE name_key = ?"),
        attachments=reader("SELECT path FROM attachments WHERE name_key = ?"),
        aliases=reader(
            "SELECT n.path FROM aliases AS a JOIN notes AS n ON n.id = a.note_id WHERE a.key = ?"
        ),
    )

    def id_of(path: str) -> int:
        return int(read_rows(connection, "SELECT id FROM notes WHERE path = ?", (path,))[0][0])

    return names, id_of
