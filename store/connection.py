"""Opening an index: to read (never blocked, never writing) or to write (one at a time)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from kb.store.errors import IndexDamagedError, IndexMissingError, IndexVersionError, KbError
from kb.store.files import NAME_ANOTHER, is_file, make_private_file, make_private_folder
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.schema import SCHEMA, SCHEMA_VERSION, TABLES

_BUSY_MILLISECONDS = 10_000
_REBUILD = "run `kb index --rebuild` to make it anew"
_FIRST_RUN = "run `kb index VAULT` first"
# What reading a row that no run wrote can end in.
_PERHAPS_DAMAGE = (
    *(apsw.SQLError, apsw.ConstraintError, apsw.MismatchError, apsw.FormatError, apsw.TooBigError),
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
)


def open_reader(index: Path) -> apsw.Connection:
    """A connection that cannot change the index. It may make temporary tables.

    Raises IndexMissingError, IndexDamagedError or IndexVersionError.
    """
    if not is_file(index):
        raise IndexMissingError(f"no index at {index}", _FIRST_RUN)
    with translated_errors(index):
        connection = _connect_reader(index)
        try:
            _check_finished(connection, index)
        except BaseException:
            connection.close()
            raise
    return connection


def _check_finished(connection: apsw.Connection, index: Path) -> None:
    """Raise unless the file is an index that at least one run has filled."""
    unfinished = IndexMissingError(
        f"nothing is in {index} yet: its first run has not finished",
        "run `kb index VAULT`, or wait for the run that is at it",
    )
    if is_empty(connection):
        raise unfinished
    check_schema(connection, index)
    if Meta.INDEXED_AT not in read_meta(connection):
        raise unfinished


def _connect_reader(index: Path) -> apsw.Connection:
    connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        _prepare(connection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        return connection
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError):
        # A folder that we may not write into, or that is full, cannot hold the side files of
        # write-ahead logging. If nobody can write there, the file does not change meanwhile.
        connection.close()
        if _has_journal(index):
            raise
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(index.absolute().as_uri() + "?immutable=1", flags=flags)
    _prepare(connection)
    return connection


def _has_journal(index: Path) -> bool:
    """Whether what was written last stands in a file beside the index."""
    try:
        return index.with_name(f"{index.name}-wal").stat().st_size > 0
    except OSError:
        return False


def open_writer(index: Path, *, older: bool = False) -> apsw.Connection:
    """A connection that writes, on a file that is made, private to the user, if it is absent.

    The caller holds `writer_lock`, and makes the tables anew (see renew.py) where it takes an
    `older` schema. Raises IndexDamagedError or IndexVersionError.
    """
    make_private_folder(index.parent)
    if not is_file(index):
        for stray in journals(index):  # would be taken for those of the file that is made
            stray.unlink(missing_ok=True)
        make_private_file(index)
    with translated_errors(index):
        connection = apsw.Connection(str(index))
        _prepare(connection)
        is_new = is_empty(connection)
        if not is_new:
            # before anything is changed in what may not be ours
            check_schema(connection, index, older=older)
        connection.execute("PRAGMA page_size = 8192")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -65536")
        if is_new:
            create_schema(connection)
    return connection


def journals(index: Path) -> list[Path]:
    """The files that SQLite may keep beside an index, whether or not they are there."""
    return [index.with_name(index.name + suffix) for suffix in ("-wal", "-shm", "-journal")]


def _prepare(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    connection.execute("PRAGMA temp_store = MEMORY")


def is_empty(connection: apsw.Connection) -> bool:
    """Whether the file holds no table at all."""
    return not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()


def create_schema(connection: apsw.Connection) -> None:
    """Make every table in an empty file, all or none."""
    with writing(connection):
        connection.execute(SCHEMA)
        write_meta(connection, Meta.SCHEMA, str(SCHEMA_VERSION))


def check_schema(connection: apsw.Connection, index: Path, *, older: bool = False) -> None:
    """Raise unless the file is an index of this program's version, or an `older` one is taken."""
    try:
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (Meta.SCHEMA,)).fetchone()
    except apsw.SQLError:
        row = None
    written = "" if row is None else str(row[0])
    if not (written.isascii() and written.isdigit() and len(written) < 10):
        raise IndexDamagedError(f"{index} is not an index of kb, or an incomplete one", _REBUILD)
    version = int(written)
    if version > SCHEMA_VERSION:
        raise IndexVersionError(
            f"{index} was written by a newer kb (schema {version}, known here: {SCHEMA_VERSION})",
            "upgrade with `pip install -U kb-search`, or name another file with `--index`",
        )
    if version < SCHEMA_VERSION and not older:
        raise IndexVersionError(
            f"{index} was written by an older kb (schema {version})",
            "run `kb index` to read the vault anew; embeddings are kept",
        )
    if version == SCHEMA_VERSION:
        _check_tables(connection, index)


def _check_tables(connection: apsw.Connection, index: Path) -> None:
    """Raise where a table is missing, which a run that changes nothing would not notice."""
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for name in TABLES:
        if name not in found:
            raise IndexDamagedError(f"{index} is damaged (`{name}` is missing)", _REBUILD)


@contextmanager
def translated_errors(index: Path) -> Iterator[None]:
    """Turn what SQLite says of a file into errors that say what to do next.

    Whatever else goes wrong with a file that turns out to be damaged is laid to that.
    """
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise IndexDamagedError(f"{index} is damaged ({error})", _REBUILD) from error
    except apsw.FullError as error:
        raise no_room(index) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise KbError(
            f"cannot write or open {index} ({error})",
            f"check its folder's permissions, or {NAME_ANOTHER}",
        ) from error
    except apsw.IOError as error:
        if _is_full(index):
            raise no_room(index) from error
        raise KbError(
            f"cannot read or write {index} ({error})", "check the disk and try again"
        ) from error
    except apsw.BusyError as error:
        raise KbError(f"{index} is in use by another program", "try again in a moment") from error
    except _PERHAPS_DAMAGE as error:
        from kb.store.damage import find_damage

        if damage := find_damage(index):
            raise IndexDamagedError(f"{index} is damaged ({damage})", _REBUILD) from error
        raise


def no_room(index: Path) -> KbError:
    """The error of a full disk."""
    return KbError(
        f"no room left on the disk of {index}; what it held before the run is still there",
        "free some space and run `kb index` again",
    )


def _is_full(index: Path) -> bool:
    """Whether the disk has no room for one more page, which SQLite may call any error."""
    import shutil

    try:
        return shutil.disk_usage(index.parent).free < 64 * 1024
    except OSError:
        return False


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[None]:
    """All that is written inside, or nothing where it is cut short.

    The right to write is taken first. A transaction that reads and then writes would fail at once,
    without waiting, where a reader holds that right: it does for a moment when it comes upon the
    journal just as a commit is written.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[None]:
    """Everything read inside comes from one state of the index, whatever is written meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def one_state(
    index: Path, connection: apsw.Connection | None = None
) -> Iterator[tuple[apsw.Connection, dict[str, str]]]:
    """A reader that holds one state of an index, and what that says of itself.

    `connection`: a reader that is open already, and stays so. Raises IndexMissingError,
    IndexDamagedError or IndexVersionError.
    """
    reader = connection or open_reader(index)
    try:
        with translated_errors(index), snapshot(reader):
            yield reader, read_meta(reader)
    finally:
        if connection is None:
            reader.close()
