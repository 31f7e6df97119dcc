"""The notes of an index by path, a page at a time."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.reading import reading
from kb.store.rows import read_rows


class ListedNote(NamedTuple):
    """A note: path (stored form), title, size in bytes, and when it changed (nanoseconds)."""

    path: str
    title: str
    size: int
    mtime_ns: int


_AFTER = """
SELECT path, title, size, mtime_ns FROM notes WHERE path > ? AND ignored = 0
ORDER BY path LIMIT ?
"""


def list_notes(
    index: Path, *, after: str = "", limit: int = 0, connection: apsw.Connection | None = None
) -> tuple[ListedNote, ...]:
    """The notes whose paths come after one, in order, `limit` at most, 0 for all.

    Those that the vault hides are left out. Raises IndexMissingError, IndexDamagedError or
    IndexVersionError.
    """
    with reading(index, connection) as state:
        rows = read_rows(state.connection, _AFTER, (after, limit or -1))
    return tuple(ListedNote(*row) for row in rows)
