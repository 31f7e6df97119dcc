"""Writing notes: the rows of each, gathered and written many at a time.

Everything here happens inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from kb.indexer.names import link_keys
from kb.indexer.prepare import PreparedNote, SameNote, to_json
from kb.indexer.statistics import Gained
from kb.indexer.write_entities import EntityWriter
from kb.store.note_records import LinkStatus
from kb.store.paths import name_key
from kb.store.rows import read_rows
from kb.store.schema import FTS_COLUMNS

_BATCH = 256  # notes

_DROP_VECTOR = """
DELETE FROM vectors WHERE embed_key = ?1
AND NOT EXISTS (SELECT 1 FROM passages WHERE embed_key = ?1)
"""
_SIZE = """
SELECT language, (SELECT count(*) FROM passages WHERE note_id = notes.id) FROM notes WHERE id = ?
"""

_INSERTS = {
    "notes": 12,
    "passages": 8,
    "passages_fts": len(FTS_COLUMNS) + 1,
    "tags": 3,
    "properties": 9,
    "aliases": 3,
    "links": 13,
}
_BELOW_NOTES = (
    *("links", "edges", "pagerank", "note_entities", "entity_words", "entities"),
    *("aliases", "properties", "tags", "passages", "notes"),
)
_COLUMNS = {"passages_fts": f"(rowid, {', '.join(FTS_COLUMNS)})"}


class NoteWriter:
    """Writes, replaces and removes notes. `finish` writes what is still held back.

    `changed` are the ids of the notes written, `keys` the `target_key` of every link that may
    now lead elsewhere, `gained` is what came, less what went. `was_empty`: there was no note.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._entities = EntityWriter(connection)
        self._rows: dict[str, list[tuple[object, ...]]] = {table: [] for table in _INSERTS}
        self._next = {
            table: _highest(connection, table) + 1 for table in ("notes", "passages", "links")
        }
        self.was_empty = self._next["notes"] == 1
        self.changed: list[int] = []
        self.keys: set[str] = set()
        self.gained = Gained()
        self._let_go: set[tuple[bytes]] = set()  # what passages were embedded as that went

    def put(self, note: PreparedNote, note_id: int | None, *, hidden: bool) -> None:
        """Write a note, in place of the one with `note_id` if there was one."""
        before: set[str] = set()
        if note_id is None:
            note_id = self._take("notes")
            self.keys |= link_keys(note.path)
        else:
            before = self._aliases_of(note_id)
            self._delete(note_id)
        after = {label for _, label in note.aliases}
        for alias in before ^ after:
            self.keys |= link_keys(alias)
        self.changed.append(note_id)
        self._add(note, note_id, hidden)
        if len(self._rows["notes"]) >= _BATCH:
            self._flush()

    def remove(self, note_id: int, path: str) -> None:
        """Take a note out of every table. Its links are gone, those to it are yet to resolve."""
        self.keys |= link_keys(path)
        for alias in self._aliases_of(note_id):
            self.keys |= link_keys(alias)
        self._delete(note_id)
        self._connection.execute("DELETE FROM edges WHERE source_id = ?", (note_id,))
        self._connection.execute("DELETE FROM pagerank WHERE note_id = ?", (note_id,))

    def update_stat(self, same: SameNote) -> None:
        """A note whose bytes did not change: only its time of change, and what follows from it."""
        self._connection.execute(
            "UPDATE notes SET size = ?, mtime_ns = ?, date = coalesce(?, date) WHERE path = ?",
            (same.size, same.mtime_ns, same.date, same.path),
        )

    def finish(self) -> None:
        """Write what is held back, and bring the entities' counts and labels up to date.

        A vector that no passage needs any more goes; one whose text now stands elsewhere stays.
        """
        self._flush()
        self._entities.finish()
        self._connection.executemany(_DROP_VECTOR, self._let_go)

    def _take(self, table: str) -> int:
        number = self._next[table]
        self._next[table] = number + 1
        return number

    def _aliases_of(self, note_id: int) -> set[str]:
        sql = "SELECT label FROM aliases WHERE note_id = ?"
        return {str(label) for (label,) in self._connection.execute(sql, (note_id,))}

    def _delete(self, note_id: int) -> None:
        self._entities.remove(note_id)
        ((language, passages),) = read_rows(self._connection, _SIZE, (note_id,))
        self.gained.count(language, -1, -passages)
        keys = "SELECT embed_key FROM passages WHERE note_id = ?"
        self._let_go.update(read_rows(self._connection, keys, (note_id,)))
        self._connection.execute(
            "DELETE FROM passages_fts WHERE rowid IN (SELECT id FROM passages WHERE note_id = ?)",
            (note_id,),
        )
        self._connection.execute("DELETE FROM notes WHERE id = ?", (note_id,))  # and all below it

    def _add(self, note: PreparedNote, note_id: int, hidden: bool) -> None:
        rows = self._rows
        self.gained.count(note.language, 1, len(note.passages))
        named = (note_id, note.path, name_key(note.path), note.title, note.note_type, note.date)
        stat = (note.language, note.size, note.mtime_ns, note.digest, int(hidden))
        rows["notes"].append((*named, *stat, to_json(note.problems)))
        for ordinal, (passage, tokens) in enumerate(zip(note.passages, note.tokens, strict=True)):
            passage_id = self._take("passages")
            rows["passages"].append((passage_id, note_id, ordinal, *passage))
            rows["passages_fts"].append((passage_id, *tokens))
        rows["tags"].extend((note_id, *tag) for tag in note.tags)
        rows["aliases"].extend((note_id, *alias) for alias in note.aliases)
        rows["properties"].extend(
            (note_id, ordinal, *prop) for ordinal, prop in enumerate(note.properties)
        )
        unresolved = (None, str(LinkStatus.UNRESOLVED), "[]")
        rows["links"].extend(
            (self._take("links"), note_id, ordinal, *link, *unresolved)
            for ordinal, link in enumerate(note.links)
        )
        self._entities.add(note_id, note.entities)

    def _flush(self) -> None:
        for table, rows in self._rows.items():
            if rows:
                marks = ", ".join("?" * _INSERTS[table])
                columns = _COLUMNS.get(table, "")
                self._connection.executemany(f"INSERT INTO {table}{columns} VALUES ({marks})", rows)
                rows.clear()
        self._entities.flush()


def wipe_notes(connection: apsw.Connection) -> None:
    """Take every note out of every table, at once. Attachments and vectors stay."""
    connection.execute("INSERT INTO passages_fts(passages_fts) VALUES ('delete-all')")
    for table in _BELOW_NOTES:
        connection.execute(f"DELETE FROM {table}")


def drop_unused_vectors(connection: apsw.Connection) -> None:
    """Remove every vector that no passage needs, which looks at each."""
    connection.execute(
        "DELETE FROM vectors WHERE embed_key NOT IN (SELECT embed_key FROM passages)"
    )


def write_attachments(
    connection: apsw.Connection, new: Iterable[str], gone: Iterable[str]
) -> set[str]:
    """Write which other files there are. Returns the `target_key` of links that this may touch."""
    added, removed = list(new), list(gone)
    connection.executemany("DELETE FROM attachments WHERE path = ?", ((path,) for path in removed))
    connection.executemany(
        "INSERT INTO attachments VALUES (?, ?)", ((path, name_key(path)) for path in added)
    )
    return {key for path in (*added, *removed) for key in link_keys(path)}


def write_hidden(connection: apsw.Connection, hidden: Iterable[str], shown: Iterable[str]) -> None:
    """Mark notes as hidden by the vault's owner, or not."""
    marked = [*((1, path) for path in hidden), *((0, path) for path in shown)]
    connection.executemany("UPDATE notes SET ignored = ? WHERE path = ?", marked)


def forget_stat(connection: apsw.Connection, paths: Iterable[str]) -> None:
    """Make sure that notes which could not be read now are parsed as soon as they can be."""
    connection.executemany(
        "UPDATE notes SET mtime_ns = -1, hash = x'' WHERE path = ?", ((path,) for path in paths)
    )


def _highest(connection: apsw.Connection, table: str) -> int:
    ((highest,),) = read_rows(connection, f"SELECT max(id) FROM {table}")
    return highest or 0
