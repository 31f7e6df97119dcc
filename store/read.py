"""Reading a file of the vault: regular files only, not through a symbolic link, never waiting."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from kb.store.files import change_time

# A note above this is no text that somebody wrote, and parsing it takes many times its size.
MOST_BYTES = 64 * 1024 * 1024
_ATTEMPTS = 3
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
)


class FileContent(NamedTuple):
    """The bytes of a file, and its size and time of change (nanoseconds) before it was read."""

    data: bytes
    size: int
    mtime_ns: int


class NotRegularError(Exception):
    """What stands at the path is no regular file, or one too large to be a note."""


def read_file(path: str, most: int = MOST_BYTES) -> FileContent:
    """Read a regular file. Raises NotRegularError or OSError.

    A file that changes meanwhile is read again. If it never rests, the stat is that of before the
    last attempt, so that the next run sees a difference.
    """
    for _ in range(_ATTEMPTS):
        content, settled = _read_once(path, most)
        if settled:
            break
    return content


def _read_once(path: str, most: int) -> tuple[FileContent, bool]:
    handle = os.open(path, _FLAGS)
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise NotRegularError("not a regular file")
        data = _read_all(handle, most)
        after = os.fstat(handle)
    finally:
        os.close(handle)
    settled = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return FileContent(data, before.st_size, change_time(before)), settled


def _read_all(handle: int, most: int) -> bytes:
    pieces = []
    left = most + 1
    while left > 0 and (piece := os.read(handle, min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        kibibytes = most // 1024
        size = f"{kibibytes // 1024} MiB" if kibibytes >= 1024 else f"{kibibytes} KiB"
        raise NotRegularError(f"larger than {size}")
    return b"".join(pieces)


def reason_of(error: OSError) -> str:
    """What the operating system says, without the path."""
    return error.strerror or str(error)
