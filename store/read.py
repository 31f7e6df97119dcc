"""Reading a file of the vault: regular files only, not through a symbolic link, never waiting.

`read_inside` also makes sure that what was opened lies in the vault, whatever an index says.
"""

# Paths are plain text here: pathlib costs more than the system call it stands for.
# ruff: noqa: PTH116, PTH118

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


class OutsideError(NotRegularError):
    """What stands at the path lies outside the folder that it should be in."""


def read_file(path: str, most: int = MOST_BYTES, within: str = "") -> FileContent:
    """Read a regular file. Raises NotRegularError or OSError.

    `within`: the real path of a folder that the file must lie in, else OutsideError.

    A file that changes meanwhile is read again. If it never rests, the stat is that of before the
    last attempt, so that the next run sees a difference.
    """
    for _ in range(_ATTEMPTS):
        content, settled = _read_once(path, most, within)
        if settled:
            break
    return content


def read_inside(root: str, path: str, most: int = MOST_BYTES) -> FileContent:
    """Read a regular file below the folder `root`, `path` being relative to it.

    Raises OutsideError for a file that lies elsewhere, by `..`, a drive or a link on the way
    there, and what `read_file` does. That is asked of the file that was opened, so that a folder
    replaced by a link meanwhile leads nowhere else.
    """
    real_root = os.path.realpath(root)
    place = os.path.join(real_root, path)
    if not _lies_in(os.path.realpath(place), real_root):
        raise OutsideError("it lies outside the vault")
    return read_file(place, most, within=real_root)


def _lies_in(real: str, real_root: str) -> bool:
    try:
        return os.path.commonpath((real, real_root)) == real_root and real != real_root
    except ValueError:  # on another drive
        return False


def _check_inside(handle: int, path: str, real_root: str) -> None:
    """Raise OutsideError where an open file is not the one at `path`, or not below the folder."""
    if _place_of(handle).startswith(os.path.join(real_root, "")):
        return
    real = os.path.realpath(path)
    if not (_lies_in(real, real_root) and os.path.samestat(os.fstat(handle), os.stat(real))):
        raise OutsideError("it lies outside the vault")


def _place_of(handle: int) -> str:
    """Where an open file lies, by the system's own account; "" where it gives none."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115
    except OSError:
        return ""


def _read_once(path: str, most: int, within: str) -> tuple[FileContent, bool]:
    handle = os.open(path, _FLAGS)
    try:
        if within:
            _check_inside(handle, path, within)
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise NotRegularError("not a regular file")
        data = _read_all(handle, before.st_size, most)
        after = os.fstat(handle)
    finally:
        os.close(handle)
    settled = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return FileContent(data, before.st_size, change_time(before)), settled


def _read_all(handle: int, size: int, most: int) -> bytes:
    """All of a file that says it has `size` bytes: in one piece, where that is true."""
    pieces = []
    left = most + 1
    at_once = size + 1
    while size <= most and left > 0 and (piece := os.read(handle, min(left, at_once))):
        pieces.append(piece)
        left -= len(piece)
        at_once = 1 << 20  # of what has grown since
    if size > most or left <= 0:
        kibibytes = most // 1024
        shown = f"{kibibytes // 1024} MiB" if kibibytes >= 1024 else f"{kibibytes} KiB"
        raise NotRegularError(f"larger than {shown}")
    return b"".join(pieces)


def reason_of(error: OSError) -> str:
    """What the operating system says, without the path."""
    return error.strerror or str(error)
