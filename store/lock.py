"""One writer at a time: a lock beside the index, held for a whole run, freed when it dies.

The lock is an exclusive transaction on an empty SQLite file: the operating system drops it with
the process, on every system that SQLite runs on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from kb.store.connection import translated_errors
from kb.store.errors import IndexBusyError, IndexDamagedError, KbError
from kb.store.files import make_private_folder, write_private_text

_SLICE = 0.25  # seconds


@contextmanager
def writer_lock(
    index: Path, wait: float = 600.0, waiting: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Hold the right to write `index`.

    While another process holds it, `waiting` is told once who that is, and the wait is at most
    `wait` seconds; then IndexBusyError.
    """
    make_private_folder(index.parent)
    holder = side_file(index, "holder")
    file = side_file(index, "lock")
    lock = _open_lock(file, index)
    try:
        if not _try_lock(lock, file, 0.0):
            if waiting is not None:
                waiting(f"waiting for {_holder_name(holder)}, which is writing this index")
            if not _wait_for(lock, file, wait):
                raise IndexBusyError(
                    f"{_holder_name(holder)} is still writing {index}",
                    "wait for it to end, or stop it, and run this again",
                )
        # Who holds it is told to those who wait; the lock itself does not depend on it.
        with suppress(OSError):
            write_private_text(holder, str(os.getpid()))
        try:
            yield
        finally:
            with suppress(OSError):
                holder.unlink(missing_ok=True)
    finally:
        lock.close(True)


def _open_lock(file: Path, index: Path) -> apsw.Connection:
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        return apsw.Connection(str(file))
    except (OSError, apsw.Error) as error:
        raise KbError(
            f"cannot lock {index} ({getattr(error, 'strerror', None) or error})",
            "check its folder's permissions, or name another file with `--index`",
        ) from error


def _wait_for(lock: apsw.Connection, file: Path, seconds: float) -> bool:
    """Wait for the lock a slice at a time: within one, SQLite sleeps and no interrupt is heard."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if _try_lock(lock, file, min(left, _SLICE)):
            return True
    return False


def _try_lock(lock: apsw.Connection, file: Path, seconds: float) -> bool:
    lock.set_busy_timeout(int(seconds * 1000))
    try:
        with translated_errors(file):
            return _lock_now(lock)
    except IndexDamagedError as error:
        raise KbError(f"{file} is no lock of ours", "remove it and run this again") from error


def _lock_now(lock: apsw.Connection) -> bool:
    try:
        # No journal on the disk: a lock must be had where there is no room left.
        lock.execute("PRAGMA journal_mode = MEMORY").fetchall()
        lock.execute("BEGIN EXCLUSIVE")
    except apsw.BusyError:
        return False
    return True


def _holder_name(holder: Path) -> str:
    try:
        return f"process {int(holder.read_text(encoding='ascii'))}"
    except (OSError, ValueError):
        return "another process"


def side_file(index: Path, suffix: str) -> Path:
    """A file that stands beside the index, with the index's name as prefix."""
    return index.with_name(f"{index.name}.{suffix}")
