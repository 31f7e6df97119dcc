"""Readers of one index for a process that asks it often, from several threads.

A connection serves one question at a time and is kept for the next one. An index that was made
anew is another file: connections to the old one are closed and new ones opened.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import apsw

from kb.store.connection import open_reader
from kb.store.errors import UsageError, VaultError
from kb.store.files import identity_of

# Windows lets nobody replace a file that is open, so none is kept open there.
_KEPT = 0 if sys.platform == "win32" else 4

_Identity = tuple[int, int] | None  # of a file, None where there is none


class Readers:
    """The connections to one index, opened as they are wanted."""

    def __init__(self, index: Path) -> None:
        self.index = index
        self._lock = Lock()
        self._idle: list[tuple[_Identity, apsw.Connection]] = []

    @contextmanager
    def reader(self) -> Iterator[apsw.Connection]:
        """A connection for one question. One that met an error is not used again.

        Raises IndexMissingError, IndexDamagedError or IndexVersionError.
        """
        identity = identity_of(self.index)
        connection = self._take(identity) or open_reader(self.index)
        try:
            yield connection
        except (UsageError, VaultError):  # the connection did what it could
            self._keep(identity, connection)
            raise
        except BaseException:
            connection.close()
            raise
        self._keep(identity, connection)

    def close(self) -> None:
        """Close what is not in use; more are opened when wanted."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _take(self, identity: _Identity) -> apsw.Connection | None:
        with self._lock:
            current = [one for one in self._idle if one[0] == identity]
            gone = [one for one in self._idle if one[0] != identity]
            taken = current.pop()[1] if current else None
            self._idle = current
        for _, connection in gone:
            connection.close()
        return taken

    def _keep(self, identity: _Identity, connection: apsw.Connection) -> None:
        with self._lock:
            if len(self._idle) < _KEPT:
                self._idle.append((identity, connection))
                return
        connection.close()
