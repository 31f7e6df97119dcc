"""Whether an index says what no run of ours wrote: looked into once something has gone wrong.

A damaged page does not always end in an error of SQLite's: it may give a text that is none, a row
without the one it belongs to, a table without a column.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from kb.store.meta import Meta, read_meta
from kb.store.rows import read_rows
from kb.store.schema import SCHEMA

_JSON_COLUMNS = (
    ("notes", "problems"),
    ("passages", "heading"),
    ("links", "section"),
    ("links", "candidates"),
)
_LINKED = (
    "SELECT source_id, target_id, count(*) FROM links"
    " WHERE target_id IS NOT NULL AND target_id != source_id GROUP BY 1, 2"
)
# Rows that no run writes.
_NEVER_WRITTEN = {
    "a note has no passage": (
        "SELECT 1 FROM notes WHERE id NOT IN (SELECT note_id FROM passages) LIMIT 1"
    ),
    "a passage is not in the full-text index": (
        "SELECT 1 FROM passages WHERE id NOT IN (SELECT id FROM passages_fts_docsize) LIMIT 1"
    ),
    "the full-text index holds a passage that is none": (
        "SELECT 1 FROM passages_fts_docsize WHERE id NOT IN (SELECT id FROM passages) LIMIT 1"
    ),
    "an entity is on no note": "SELECT 1 FROM entities WHERE notes < 1 LIMIT 1",
    "an entity is counted on other notes than carry it": (
        "SELECT 1 FROM entities WHERE notes !="
        " (SELECT count(*) FROM note_entities WHERE entity_id = id) LIMIT 1"
    ),
    "a link leads to a note that is none": (
        "SELECT 1 FROM links WHERE target_id IS NOT NULL"
        " AND target_id NOT IN (SELECT id FROM notes) LIMIT 1"
    ),
    "the graph is not what the links say": (
        f"SELECT * FROM (SELECT * FROM edges EXCEPT {_LINKED})"
        f" UNION ALL SELECT * FROM ({_LINKED} EXCEPT SELECT * FROM edges) LIMIT 1"
    ),
    "a path leads out of the vault": (
        "SELECT 1 FROM notes WHERE path = '' OR instr(path, char(0)) OR path LIKE '/%'"
        " OR '/' || path || '/' LIKE '%/../%' LIMIT 1"
    ),
    "a vector has another dimension than the model": (
        "SELECT 1 FROM vectors WHERE length(vector) !="
        " (SELECT nullif(cast(value AS INTEGER), 0) FROM meta WHERE key = 'model_dimension')"
        " LIMIT 1"
    ),
}
_JSON_META = {
    Meta.LANGUAGES: dict,
    Meta.AVERAGES: dict,
    Meta.PARSE_SETTINGS: dict,
    Meta.EXCLUDE: list,
    Meta.MOUNTS: list,
}


def find_damage(index: Path) -> str:
    """What is wrong with an index, in a few words; "" where nothing is found.

    Reads the whole file, which takes seconds for a large one.
    """
    try:
        with closing(apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            return next(read_damages(connection), "")
    except (apsw.NotADBError, apsw.CorruptError) as error:
        return str(error)
    except apsw.Error:
        return ""  # it cannot be looked at, which says nothing of what it holds


def read_damages(connection: apsw.Connection) -> Iterator[str]:
    """Everything that is wrong with an open index, a few words each, as far as it can be read.

    Raises apsw.Error where it cannot be looked at.
    """
    try:
        yield from _damages(connection)
    except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError) as error:
        yield str(error)
    except UnicodeDecodeError:
        yield "it holds text that is not UTF-8"


def _damages(connection: apsw.Connection) -> Iterator[str]:
    yield from _missing_parts(connection)
    for (said,) in connection.execute("PRAGMA integrity_check(10)"):
        if said != "ok":
            yield str(said)
    for table, *_ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of `{table}` belongs to none"
    yield from _wrong_meta(read_meta(connection))
    for what, sql in _NEVER_WRITTEN.items():
        if read_rows(connection, sql):
            yield what
    for table, column in _JSON_COLUMNS:
        sql = f"SELECT 1 FROM {table} WHERE NOT json_valid({column}) LIMIT 1"
        if read_rows(connection, sql):
            yield f"`{table}.{column}` is no JSON"
    for table in _tables(connection):
        for _ in connection.execute(f"SELECT * FROM {_quoted(table)}"):
            pass  # every text is decoded


def _quoted(name: str) -> str:
    """A name that an index gave, as no more than a name."""
    return '"' + name.replace('"', '""') + '"'


def _missing_parts(connection: apsw.Connection) -> Iterator[str]:
    with closing(apsw.Connection(":memory:")) as new:
        new.execute(SCHEMA)
        wanted = _parts(new)
    found = _parts(connection)
    for name, sql in wanted.items():
        if name not in found:
            yield f"`{name}` is missing"
        elif found[name] != sql:
            yield f"`{name}` is not as it was made"


def _parts(connection: apsw.Connection) -> dict[str, str]:
    return dict(read_rows(connection, "SELECT name, coalesce(sql, '') FROM sqlite_master"))


def _tables(connection: apsw.Connection) -> list[str]:
    """The tables that are ours; those of FTS5 are checked by SQLite itself."""
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%'"
    return [name for (name,) in read_rows(connection, sql)]


def _wrong_meta(meta: dict[str, str]) -> Iterator[str]:
    for key, kind in _JSON_META.items():
        if key in meta and not _is_json(meta[key], kind):
            yield f"`{key}` is not what it should be"
    started = meta.get(Meta.RUN_STARTED, "0")
    if not (started.isascii() and started.isdigit()):
        yield f"`{Meta.RUN_STARTED}` is no number"


def _is_json(text: str, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except ValueError:
        return False
