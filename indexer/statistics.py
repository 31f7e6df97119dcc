"""What an index says of itself after a run, so that a query need not count."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import apsw

from kb.store.meta import Meta, write_meta
from kb.store.rows import read_rows


def write_statistics(connection: apsw.Connection) -> None:
    """Write the languages of the notes, most common first, and how much there is."""
    languages = read_rows(
        connection, "SELECT language, count(*) FROM notes GROUP BY language ORDER BY 2 DESC, 1"
    )
    write_meta(connection, Meta.LANGUAGES, json.dumps(dict(languages)))
    ((notes,),) = read_rows(connection, "SELECT count(*) FROM notes")
    ((passages,),) = read_rows(connection, "SELECT count(*) FROM passages")
    write_meta(connection, Meta.AVERAGES, json.dumps({"notes": notes, "passages": passages}))


def write_finished(connection: apsw.Connection, started_ns: int) -> None:
    """Write when this run began, which later runs rely on, and that it has finished now."""
    write_meta(connection, Meta.RUN_STARTED, str(started_ns))
    write_meta(connection, Meta.INDEXED_AT, datetime.now(UTC).isoformat(timespec="seconds"))
