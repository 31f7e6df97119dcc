"""Leaving a file that is quick to read: what SQLite likes to have done after a large change."""

from __future__ import annotations

from contextlib import suppress

import apsw

from kb.indexer.tally import Tally
from kb.store.rows import read_rows

_LARGE = 1_000  # notes
_WORTH_SHRINKING = 1_000  # pages


def tidy(connection: apsw.Connection, tally: Tally) -> None:
    """After a run: statistics for the planner, and no long journal left beside the file."""
    written = tally.written
    if not written and not tally.removed:
        return
    connection.set_busy_timeout(0)  # readers must not be waited for: the next run does it then
    # What the run wrote is safe; where there is no room for more than that, this can wait.
    with suppress(apsw.BusyError, apsw.FullError, apsw.IOError):
        if written >= _LARGE:
            connection.execute("PRAGMA optimize = 0x10002").fetchall()
        if _is_mostly_free(connection):
            connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.set_busy_timeout(10_000)


def _is_mostly_free(connection: apsw.Connection) -> bool:
    """Whether more of a file of some size is empty than is not, after much has gone."""
    ((pages,),) = read_rows(connection, "PRAGMA page_count")
    ((free,),) = read_rows(connection, "PRAGMA freelist_count")
    return bool(pages > _WORTH_SHRINKING and 2 * free > pages)
