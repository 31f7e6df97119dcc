"""Vectors of earlier queries, so that asking again loads no model.

A small SQLite file of its own. Of a query only a hash is kept. It is a convenience: where the
file cannot be used there is no cache, and `problem` says why.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kb.embedding.places import make_private_folder

try:
    from _blake2 import blake2b  # hashlib's, without OpenSSL, which takes milliseconds to load
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    import apsw

_Result = TypeVar("_Result")

_KEPT = 1000
_PATIENCE_MS = 200  # another process writes for a moment only

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,  -- grows with time
  fingerprint TEXT NOT NULL,
  text_hash BLOB NOT NULL,               -- BLAKE2b-128 of the query
  vector BLOB NOT NULL,                  -- signed bytes
  UNIQUE (fingerprint, text_hash)
) STRICT
"""


class QueryVectorCache:
    """Keeps the newest thousand vectors. `problem` is "" as long as it works."""

    def __init__(self, path: Path) -> None:
        self.problem = ""
        self._path = path
        self._connection: apsw.Connection | None = None
        self._connection = self._try(self._open)

    def get(self, fingerprint: str, text: str) -> bytes | None:
        """Return the stored vector of a query by a model, None where there is none."""

        def read() -> bytes | None:
            assert self._connection is not None
            row = self._connection.execute(
                "SELECT vector FROM vectors WHERE fingerprint = ? AND text_hash = ?",
                (fingerprint, _hash(text)),
            ).fetchone()
            return bytes(row[0]) if row else None

        return self._try(read) if self._connection is not None else None

    def put(self, fingerprint: str, text: str, vector: bytes) -> None:
        """Store a vector as the newest one, and drop what is too old."""

        def write() -> None:
            assert self._connection is not None
            with self._connection:
                self._connection.execute(
                    "INSERT OR REPLACE INTO vectors (fingerprint, text_hash, vector)"
                    " VALUES (?, ?, ?)",
                    (fingerprint, _hash(text), vector),
                )
                self._connection.execute(
                    "DELETE FROM vectors WHERE id <="
                    " (SELECT id FROM vectors ORDER BY id DESC LIMIT 1 OFFSET ?)",
                    (_KEPT,),
                )

        if self._connection is not None:
            self._try(write)

    def close(self) -> None:
        """Close the file; the cache stays empty from then on."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> apsw.Connection:
        import apsw

        make_private_folder(self._path.parent)
        # created here, since SQLite would give it the mode that the umask leaves
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = apsw.Connection(os.fspath(self._path))
        connection.set_busy_timeout(_PATIENCE_MS)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        return connection

    def _try(self, action: Callable[[], _Result]) -> _Result | None:
        """Return what an action returns, or None after noting in `problem` why it failed."""
        import apsw

        try:
            return action()
        except (apsw.BusyError, apsw.LockedError):
            self.problem = f"`{self._path}` is in use; this query's vector was not kept"
        except (apsw.Error, OSError) as error:
            self.problem = f"`{self._path}` cannot be used: {error}; it may be deleted"
            self.close()
        return None


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
