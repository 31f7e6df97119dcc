"""Making an index of an older schema one of this schema, inside the caller's transaction.

Every table is made anew and left empty but for what a vault cannot give back: the vectors, and what
the user has chosen. Readers see the old tables until the caller commits, and whatever ends the run
before leaves the file as it was.
"""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from kb.store.hashes import KEY_BYTES
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.rows import read_rows
from kb.store.schema import SCHEMA, SCHEMA_VERSION

# What stays of an index whose notes are read anew.
KEPT = (
    Meta.EMBED,
    Meta.MODEL,
    Meta.MODEL_FINGERPRINT,
    Meta.MODEL_DIMENSION,
    Meta.MODEL_LANGUAGES,
    Meta.MODEL_SETTING,
    Meta.NO_IGNORE,
    Meta.VAULT,
)


def is_older(meta: Mapping[str, str]) -> bool:
    """Whether an index, by its `meta` table, has an older schema than this program's."""
    return int(meta[Meta.SCHEMA]) < SCHEMA_VERSION


def renew_schema(connection: apsw.Connection) -> None:
    """Drop every table and make those of this schema, with the vectors and choices of before."""
    meta = read_meta(connection)
    had_vectors = _has_vectors(connection) and bool(meta.get(Meta.MODEL_FINGERPRINT))
    if had_vectors:
        connection.execute("ALTER TABLE vectors RENAME TO former_vectors")
    for name in _tables(connection):
        if name != "former_vectors":
            connection.execute(f'DROP TABLE "{name}"')
    connection.execute(SCHEMA)
    for key in KEPT:
        if key in meta:
            write_meta(connection, key, meta[key])
    write_meta(connection, Meta.SCHEMA, str(SCHEMA_VERSION))
    if had_vectors:
        _take_vectors(connection, meta.get(Meta.MODEL_DIMENSION, ""))


def _has_vectors(connection: apsw.Connection) -> bool:
    columns = {name for _, name, *_ in read_rows(connection, "PRAGMA table_info(vectors)")}
    return {"id", "embed_key", "vector"} <= columns


def _tables(connection: apsw.Connection) -> list[str]:
    """Every table, in an order in which they can go: first those that refer to others."""
    rows = read_rows(
        connection,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite#_%'"
        " ESCAPE '#' AND name NOT LIKE 'passages#_fts#_%' ESCAPE '#'"
        " ORDER BY sql NOT LIKE '%REFERENCES%', name",
    )
    return [name for (name,) in rows]


def _take_vectors(connection: apsw.Connection, dimension: str) -> None:
    """Those that can be vectors of ours, in the order in which they were made."""
    connection.execute(
        "INSERT OR IGNORE INTO vectors(embed_key, vector)"
        " SELECT embed_key, vector FROM former_vectors"
        " WHERE typeof(embed_key) = 'blob' AND length(embed_key) = ?"
        " AND typeof(vector) = 'blob' AND ? IN (0, length(vector)) ORDER BY id",
        (KEY_BYTES, int(dimension) if dimension.isascii() and dimension.isdigit() else 0),
    )
    connection.execute("DROP TABLE former_vectors")
