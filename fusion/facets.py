"""What notes can be narrowed by: the tags, types and properties there are, with their counts.

Notes that the vault hides are not counted, as a search does not find them.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.reading import reading
from kb.store.rows import read_rows
from kb.text import fold

_VALUES = 5


class TagCount(NamedTuple):
    """A tag as it is mostly written. `notes` have it or a tag below it, `own` have it itself."""

    tag: str
    notes: int
    own: int


class TypeCount(NamedTuple):
    """A type (without case), and how many notes are of it."""

    type: str
    notes: int


class PropertyCount(NamedTuple):
    """A property as some note writes it, how many notes have it, and its commonest values."""

    name: str
    notes: int
    values: tuple[str, ...]


class Facets(NamedTuple):
    """Tags, types and properties, the commonest first. The counts are of all there are."""

    vault: str
    tags: tuple[TagCount, ...]
    types: tuple[TypeCount, ...]
    properties: tuple[PropertyCount, ...]
    tag_count: int
    type_count: int
    property_count: int


# The spelling that most notes have; where a tag stands for those below it only, its key.
_TAGS = """
WITH spelt AS (
  SELECT t.key, t.label, count(*) AS notes FROM tags AS t
  CROSS JOIN notes AS n ON n.id = t.note_id AND n.ignored = 0
  WHERE ?1 = '' OR t.key = ?1 OR t.key LIKE ?2 ESCAPE '\\'
  GROUP BY t.key, t.label
)
SELECT coalesce((
    SELECT s.label FROM spelt AS s WHERE s.key = a.key AND s.label != ''
    ORDER BY s.notes DESC, s.label LIMIT 1
  ), a.key), sum(a.notes) AS total, sum(iif(a.label != '', a.notes, 0))
FROM spelt AS a GROUP BY a.key ORDER BY total DESC, a.key
"""
_TYPES = """
SELECT type, count(*) AS total FROM notes WHERE type != '' AND ignored = 0
GROUP BY type ORDER BY total DESC, type
"""
_PROPERTIES = """
SELECT p.name_key, min(p.name), count(DISTINCT p.note_id) AS total FROM properties AS p
CROSS JOIN notes AS n ON n.id = p.note_id AND n.ignored = 0
GROUP BY p.name_key ORDER BY total DESC, p.name_key
"""
_PROPERTY_VALUES = """
SELECT min(p.value), count(DISTINCT p.note_id) AS total FROM properties AS p
CROSS JOIN notes AS n ON n.id = p.note_id AND n.ignored = 0
WHERE p.name_key = ? AND p.value_key != ''
GROUP BY p.value_key ORDER BY total DESC, p.value_key LIMIT ?
"""


def read_facets(
    index: Path, *, under: str = "", limit: int = 0, connection: apsw.Connection | None = None
) -> Facets:
    """What the notes of an index can be narrowed by, `limit` of each kind at most, 0 for all.

    `under` restricts the tags to one and those below it. Raises what `search` does.
    """
    with reading(index, connection) as state:
        tags = _read_tags(state.connection, under)
        types = [TypeCount(*row) for row in read_rows(state.connection, _TYPES)]
        properties = read_rows(state.connection, _PROPERTIES)
        named = [
            PropertyCount(name, total, _values(state.connection, key))
            for key, name, total in (properties[:limit] if limit else properties)
        ]
    most = limit or None
    return Facets(
        state.vault,
        tuple(tags[:most]),
        tuple(types[:most]),
        tuple(named),
        len(tags),
        len(types),
        len(properties),
    )


def _read_tags(connection: apsw.Connection, under: str) -> list[TagCount]:
    key = fold(under.strip().lstrip("#").strip("/"))
    below = key.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "/%"
    return [TagCount(*row) for row in read_rows(connection, _TAGS, (key, below))]


def _values(connection: apsw.Connection, key: str) -> tuple[str, ...]:
    return tuple(row[0] for row in read_rows(connection, _PROPERTY_VALUES, (key, _VALUES)))
