"""Opening an index: to read (never blocked, never writing) or to write (one at a time)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from kb.store.errors import IndexDamagedError, IndexMissingError, IndexVersionError, KbError
from kb.store.meta import Meta, write_meta
from kb.store.schema import SCHEMA, SCHEMA_VERSION

_BUSY_MILLISECONDS = 10_000
_REBUILD = "run `kb index --rebuild` to make it anew"


def open_reader(index: Path) -> apsw.Connection:
    """A connection that cannot change the index. It may make temporary tables.

    Raises IndexMissingError, IndexDamagedError or IndexVersionError.
    """
    if not index.exists():
        raise IndexMissingError(f"no index at {index}", "run `kb index VAULT` first")
    with translated_errors(index):
        connection = _connect_reader(index)
        check_schema(connection, index)
    return connection


def _connect_reader(index: Path) -> apsw.Connection:
    connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        _prepare(connection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        return connection
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        # A folder that we may not write into cannot hold the side files of write-ahead logging.
        # If nobody can write there, the file does not change while we look at it.
        connection.close()
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(index.absolute().as_uri() + "?immutable=1", flags=flags)
    _prepare(connection)
    return connection


def open_writer(index: Path) -> apsw.Connection:
    """A connection that writes, on a file that is made, private to the user, if it is absent.

    The caller holds `writer_lock`. An older schema is migrated. Raises IndexDamagedError or
    IndexVersionError.
    """
    make_private_folder(index.parent)
    if not index.exists():
        os.close(os.open(index, os.O_CREAT | os.O_RDWR, 0o600))
    with translated_errors(index):
        connection = apsw.Connection(str(index))
        _prepare(connection)
        connection.execute("PRAGMA page_size = 8192")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -65536")
        if is_empty(connection):
            create_schema(connection)
        check_schema(connection, index)
    return connection


def _prepare(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    connection.execute("PRAGMA temp_store = MEMORY")


def is_empty(connection: apsw.Connection) -> bool:
    """Whether the file holds no table at all."""
    return not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()


def create_schema(connection: apsw.Connection) -> None:
    """Make every table in an empty file, all or none."""
    with connection:
        connection.execute(SCHEMA)
        write_meta(connection, Meta.SCHEMA, str(SCHEMA_VERSION))


def check_schema(connection: apsw.Connection, index: Path) -> None:
    """Raise unless the file is an index of a version that this program knows."""
    try:
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (Meta.SCHEMA,)).fetchone()
    except apsw.SQLError:
        row = None
    if row is None or not str(row[0]).isdigit():
        raise IndexDamagedError(f"{index} is not an index of kb, or an incomplete one", _REBUILD)
    version = int(str(row[0]))
    if version > SCHEMA_VERSION:
        raise IndexVersionError(
            f"{index} was written by a newer kb (schema {version}, known here: {SCHEMA_VERSION})",
            "upgrade with `pip install -U kb-search`, or name another file with `--index`",
        )
    if version < SCHEMA_VERSION:
        raise IndexVersionError(f"{index} was written by an older kb (schema {version})", _REBUILD)


@contextmanager
def translated_errors(index: Path) -> Iterator[None]:
    """Turn what SQLite says of a file into errors that say what to do next."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise IndexDamagedError(f"{index} is damaged ({error})", _REBUILD) from error
    except apsw.FullError as error:
        raise KbError(
            f"no room left on the disk of {index}; nothing of this run was kept",
            "free some space and run `kb index` again",
        ) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise KbError(
            f"cannot write or open {index} ({error})",
            "check its folder's permissions, or name another file with `--index`",
        ) from error
    except apsw.IOError as error:
        raise KbError(
            f"cannot read or write {index} ({error})", "check the disk and try again"
        ) from error
    except apsw.BusyError as error:
        raise KbError(f"{index} is in use by another program", "try again in a moment") from error


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[None]:
    """Everything read inside comes from one state of the index, whatever is written meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it, for the user alone; one that was there keeps its mode."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise KbError(
            f"cannot make the folder {folder} ({error.strerror})",
            "set `KB_DATA` to a folder that you can write to, or name a file with `--index`",
        ) from error
    if sys.platform != "win32":
        folder.chmod(0o700)
