"""Leaving a file that is quick to read: what SQLite likes to have done after a large change."""

from __future__ import annotations

from contextlib import suppress

import apsw

from kb.indexer.tally import Tally

_LARGE = 1_000  # notes


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
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.set_busy_timeout(10_000)
