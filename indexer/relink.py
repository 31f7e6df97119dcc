"""Resolving links again after a run: exactly those that may now lead elsewhere.

Resolution is a property of the whole vault, so a note that appears or goes can re-point links in
notes that did not change. The outcome is that of an index from scratch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from struct import pack

import apsw

from kb.indexer.prepare import to_json
from kb.indexer.resolve import Names, Resolution, resolve_link
from kb.store.hashes import blake2b
from kb.store.meta import Meta, write_meta
from kb.store.note_records import LinkStatus
from kb.store.rows import read_rows

# From so many on, reading every name at once is quicker than asking for each.
_MANY_LINKS = 2_000

_SELECT = """
SELECT l.id, l.source_id, n.path, l.target, l.kind, l.target_id, l.status, l.candidates
FROM links AS l JOIN notes AS n ON n.id = l.source_id
"""
_OF_SOURCES = f"{_SELECT} WHERE l.source_id IN (SELECT value FROM json_each(?))"
_OF_KEYS = f"{_SELECT} WHERE l.target_key IN (SELECT value FROM json_each(?))"
_EDGES = """
INSERT INTO edges(source_id, target_id, count)
SELECT source_id, target_id, count(*) FROM links
WHERE target_id IS NOT NULL AND target_id != source_id {restriction}
GROUP BY source_id, target_id
"""


def relink(
    connection: apsw.Connection,
    changed: Sequence[int],
    keys: Iterable[str],
    *,
    everything: bool,
    same_notes: bool = False,
) -> None:
    """Resolve the links of the notes `changed` and those with a `target_key` in `keys`.

    Then the edges of every note whose links lead elsewhere are made anew, and what the ranking
    of notes by links was computed from is marked as changed, if it has. `same_notes`: none was
    added and none removed.
    """
    links = _read_links(connection, changed, keys, everything=everything)
    moved = _resolve(connection, links)
    if everything:
        connection.execute("DELETE FROM edges")
        connection.execute(_EDGES.format(restriction=""))
    elif not _renew_edges(connection, json.dumps(sorted(moved.union(changed)))) and same_notes:
        return  # the hash takes a look at every edge of the vault
    write_meta(connection, Meta.EDGES_HASH, edges_hash(connection))


def _renew_edges(connection: apsw.Connection, sources: str) -> bool:
    """Make the edges from these notes (a JSON list) anew, and say whether they changed."""
    within = "source_id IN (SELECT value FROM json_each(?))"
    existing = f"SELECT * FROM edges WHERE {within} ORDER BY source_id, target_id"
    before = read_rows(connection, existing, (sources,))
    connection.execute(f"DELETE FROM edges WHERE {within}", (sources,))
    connection.execute(_EDGES.format(restriction=f"AND {within}"), (sources,))
    return before != read_rows(connection, existing, (sources,))


def _read_links(
    connection: apsw.Connection, changed: Sequence[int], keys: Iterable[str], *, everything: bool
) -> list[tuple[int, int, str, str, str, int | None, str, str]]:
    if everything:
        return read_rows(connection, _SELECT)
    rows = read_rows(connection, _OF_SOURCES, (json.dumps(changed),))
    rows += read_rows(connection, _OF_KEYS, (to_json(sorted(keys)),))
    return list({row[0]: row for row in rows}.values())


def _resolve(
    connection: apsw.Connection,
    links: list[tuple[int, int, str, str, str, int | None, str, str]],
) -> set[int]:
    """Write where each link leads, and return the ids of the notes with a link that moved."""
    if not links:
        return set()
    names, id_of = _read_names(connection, at_once=len(links) >= _MANY_LINKS)
    moved: set[int] = set()
    updates = []
    for link_id, source_id, source, target, kind, old_id, old_status, old_candidates in links:
        found = resolve_link(target, kind, source, names)
        leads_to = _note_id(found, id_of)
        candidates = to_json(found.candidates)
        if leads_to != old_id:
            moved.add(source_id)
        if (leads_to, found.status, candidates) != (old_id, old_status, old_candidates):
            updates.append((leads_to, str(found.status), candidates, link_id))
    connection.executemany(
        "UPDATE links SET target_id = ?, status = ?, candidates = ? WHERE id = ?", updates
    )
    return moved


def _note_id(found: Resolution, id_of: Callable[[str], int]) -> int | None:
    if found.path is None or found.status is LinkStatus.ATTACHMENT:
        return None
    return id_of(found.path)


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


def edges_hash(connection: apsw.Connection) -> str:
    """A hash of all notes' ids and all edges, hexadecimal: what a ranking of notes rests on."""
    digest = blake2b(digest_size=16)
    for (note_id,) in connection.execute("SELECT id FROM notes ORDER BY id"):
        digest.update(pack("<q", note_id))
    for edge in connection.execute(
        "SELECT source_id, target_id, count FROM edges ORDER BY source_id, target_id"
    ):
        digest.update(pack("<qqq", *edge))
    return digest.hexdigest()
