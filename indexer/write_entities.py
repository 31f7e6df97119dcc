"""Writing entities: which notes carry them, how many, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from kb.store.rows import read_rows

# The label is that of the first note by path, so that it does not depend on the order of runs.
_RECOUNT = """
UPDATE entities SET notes = found.notes, label = found.label FROM (
  SELECT c.entity_id, c.label, count(*) AS notes, min(n.path)
  FROM note_entities AS c JOIN notes AS n ON n.id = c.note_id
  WHERE c.entity_id IN (SELECT id FROM temp.touched_entities)
  GROUP BY c.entity_id
) AS found WHERE entities.id = found.entity_id
"""
_UNUSED = """
SELECT t.id FROM temp.touched_entities AS t
WHERE NOT EXISTS (SELECT 1 FROM note_entities AS c WHERE c.entity_id = t.id)
"""
_DROP_UNUSED = f"""
DELETE FROM entity_words WHERE entity_id IN ({_UNUSED});
DELETE FROM entities WHERE id IN ({_UNUSED});
"""
# The full-text columns hold the words of these.
_FULL_TEXT_KINDS = frozenset(("title", "name", "alias", "tag"))


class EntityWriter:
    """Gathers the entities of notes; `finish` leaves counts and labels as a new index has them."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        ((highest, count),) = read_rows(
            connection, "SELECT coalesce(max(id), 0), count(*) FROM entities"
        )
        self._next_id = int(highest) + 1
        self._was_empty = count == 0
        self._ids: dict[tuple[str, str], int] = {}
        self._new: list[tuple[int, str, str, str]] = []
        self._carried: list[tuple[int, int, str]] = []
        self._touched: set[int] = set()
        self._before: dict[int, dict[int, str]] = {}

    def remove(self, note_id: int) -> None:
        """Note what a note carries, which is about to go or to be written anew."""
        sql = "SELECT entity_id, label FROM note_entities WHERE note_id = ?"
        self._before[note_id] = dict(read_rows(self._connection, sql, (note_id,)))

    def add(self, note_id: int, entities: Iterable[tuple[str, str, str]]) -> None:
        """Gather the entities (kind, key, label) of a note; each kind and key once."""
        now = {self._id_of(kind, key, label): label for kind, key, label in entities}
        before = self._before.pop(note_id, {})
        # What stays as it was needs no count: with a tag on thousands of notes that matters.
        self._touched.update(number for number, _ in before.items() ^ now.items())
        self._carried.extend((number, note_id, label) for number, label in now.items())

    def _id_of(self, kind: str, key: str, label: str) -> int:
        number = self._ids.get((kind, key))
        if number is None:
            number = self._ids[kind, key] = self._look_up(kind, key)
            if number == self._next_id:
                self._next_id += 1
                self._new.append((number, kind, key, label))
        return number

    def _look_up(self, kind: str, key: str) -> int:
        """The id of an entity, the next free one if it is new."""
        if self._was_empty:
            return self._next_id
        sql = "SELECT id FROM entities WHERE key = ? AND kind = ?"
        rows = read_rows(self._connection, sql, (key, kind))
        return int(rows[0][0]) if rows else self._next_id

    def flush(self) -> None:
        """Write what was gathered. The notes it belongs to have been written."""
        self._connection.executemany("INSERT INTO entities VALUES (?, ?, ?, ?, 0)", self._new)
        self._connection.executemany(
            "INSERT INTO entity_words VALUES (?, ?)",
            (
                (word, number)
                for number, kind, key, _ in self._new
                if kind not in _FULL_TEXT_KINDS
                for word in _words(key)
            ),
        )
        self._connection.executemany(
            "INSERT INTO note_entities(entity_id, note_id, label) VALUES (?, ?, ?)", self._carried
        )
        self._new.clear()
        self._carried.clear()

    def finish(self) -> None:
        """Count again what was touched, and drop what no note carries any more."""
        for before in self._before.values():  # of notes that were not written anew
            self._touched.update(before)
        self._before.clear()
        if not self._touched:
            return
        connection = self._connection
        connection.execute("CREATE TEMP TABLE touched_entities (id INTEGER PRIMARY KEY)")
        connection.executemany(
            "INSERT INTO temp.touched_entities VALUES (?)", ((number,) for number in self._touched)
        )
        connection.execute(_RECOUNT)
        connection.execute(_DROP_UNUSED)
        connection.execute("DROP TABLE temp.touched_entities")
        self._touched.clear()


def _words(key: str) -> list[str]:
    """The words of a value that has several; a value of one word is found by its name."""
    words = dict.fromkeys(key.split())
    return list(words) if len(words) > 1 else []
