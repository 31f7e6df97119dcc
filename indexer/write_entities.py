"""Writing entities: which notes carry them, how many, and what they are called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

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
# Into empty tables notes are written in the order of paths, so that the label is right already.
_COUNT_ALL = """
UPDATE entities SET notes = (SELECT count(*) FROM note_entities WHERE entity_id = entities.id)
"""
_UNUSED = """
SELECT t.id FROM temp.touched_entities AS t
WHERE NOT EXISTS (SELECT 1 FROM note_entities AS c WHERE c.entity_id = t.id)
"""
_DROP_UNUSED = f"""
DELETE FROM entity_words WHERE entity_id IN ({_UNUSED});
DELETE FROM entities WHERE id IN ({_UNUSED});
"""
# Entities whose ids are kept in memory, some 40 MB.
_MOST_KNOWN = 250_000
# The full-text columns hold the words of these.
_FULL_TEXT_KINDS = frozenset(("title", "name", "alias", "tag"))


class EntityWriter:
    """Gathers the entities of notes; `finish` leaves counts and labels as a new index has them."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        ((highest,),) = read_rows(connection, "SELECT max(id) FROM entities")
        self._fresh = highest is None
        self._next_id = 1 if highest is None else int(highest) + 1
        self._ids: dict[str, dict[str, int]] = defaultdict(dict)  # by kind, then key
        self._room = _MOST_KNOWN
        self._may_be_known = not self._fresh
        self._new: list[tuple[int, str, str, str]] = []
        self._carried: list[tuple[int, int, str]] = []
        self._touched: set[int] = set()
        self._before: dict[int, dict[int, str]] = {}

    def remove(self, note_id: int) -> None:
        """Note what a note carries, which is about to go or to be written anew."""
        sql = "SELECT entity_id, label FROM note_entities WHERE note_id = ?"
        self._before[note_id] = dict(read_rows(self._connection, sql, (note_id,)))

    def add(self, note_id: int, entities: Sequence[tuple[str, str, str]]) -> None:
        """Gather the entities (kind, key, label) of a note; each kind and key once."""
        carried = []
        for kind, key, label in entities:
            number = self._ids[kind].get(key)
            if number is None:
                number = self._learn(kind, key, label)
            carried.append((number, note_id, label))
        self._carried += carried
        if not self._fresh:
            before = self._before.pop(note_id, {})
            now = {number: label for number, _, label in carried}
            # What stays as it was needs no count: with a tag on thousands of notes that matters.
            self._touched.update(number for number, _ in before.items() ^ now.items())

    def _learn(self, kind: str, key: str, label: str) -> int:
        """The id of an entity, which is new or was not met before in this run."""
        number = self._look_up(kind, key) if self._may_be_known else None
        if number is None:
            number = self._next_id
            self._next_id += 1
            self._new.append((number, kind, key, label))
        self._ids[kind][key] = number
        self._room -= 1
        return number

    def _look_up(self, kind: str, key: str) -> int | None:
        sql = "SELECT id FROM entities WHERE key = ? AND kind = ?"
        row = self._connection.execute(sql, (key, kind)).fetchone()
        return None if row is None else int(row[0])

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
        if self._room <= 0:  # what was forgotten is looked up when it comes again
            self._ids.clear()
            self._room, self._may_be_known = _MOST_KNOWN, True

    def finish(self) -> None:
        """Count again what was touched, and drop what no note carries any more."""
        connection = self._connection
        if self._fresh:
            connection.execute(_COUNT_ALL)
            return
        for before in self._before.values():  # of notes that were not written anew
            self._touched.update(before)
        self._before.clear()
        if not self._touched:
            return
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
