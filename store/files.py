"""Naming, looking at and making files and folders; what is made is private to the user."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from kb.store.errors import KbError

_MOST_NANOSECONDS = 2**63 - 1
NAME_ANOTHER = "name another file with `--index`"
_KB_DATA = "set `KB_DATA` to a folder that you can write to, or name a file with `--index`"


def user_path(text: str) -> Path:
    """A path as a user types it, `~` resolved; one of a user who is not known stays as it is."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (pathlib raises)


def plain_user_folder(variable: str, below: str) -> Path | None:
    """Our folder `below` the user's home on Linux; None on other systems, and where anything says
    otherwise, such as `variable` (one of the XDG base directories).

    platformdirs says the same, and takes as long to load as the whole index to open.
    """
    home = os.environ.get("HOME", "")
    elsewhere = os.environ.get(variable) or "ANDROID_DATA" in os.environ
    if sys.platform != "linux" or elsewhere or not os.path.isabs(home):  # noqa: PTH117
        return None
    return Path(home, below, "kb-search")


def change_time(status: os.stat_result) -> int:
    """When a file changed last, in nanoseconds, as far as SQLite can hold it (1677 to 2262)."""
    time = status.st_mtime_ns
    if 0 <= time <= _MOST_NANOSECONDS:  # of nearly all, and millions may be asked for
        return time
    return min(max(time, -_MOST_NANOSECONDS), _MOST_NANOSECONDS)


def is_folder(path: Path) -> bool:
    """Whether there is a folder; false, not an error, where that cannot be told."""
    return os.path.isdir(path)  # noqa: PTH112 (pathlib raises)


def identity_of(place: str | Path) -> tuple[int, int] | None:
    """What tells a file or folder from another one of its name; None where there is none."""
    try:
        status = os.stat(place)  # noqa: PTH116 (it may be text)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_at_hand(vault: Path) -> bool:
    """Whether a vault can be looked at. An empty folder is where a drive would be mounted."""
    try:
        with os.scandir(vault) as entries:
            return next(entries, None) is not None
    except OSError:
        return False


def is_file(index: Path) -> bool:
    """Whether there is a file at all. What is none is never opened: a pipe would be waited for.

    Raises KbError where that cannot be told, or something else stands there.
    """
    try:
        mode = index.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise KbError(f"cannot open {index} ({reason})", NAME_ANOTHER) from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise KbError(f"{index} is {kind}", NAME_ANOTHER)
    return True


def make_private_file(file: Path) -> None:
    """Make an empty file that is the user's alone. Raises KbError."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise KbError(f"cannot make {file} ({error.strerror})", NAME_ANOTHER) from error


def write_private_text(file: Path, text: str) -> None:
    """Write a file that is the user's alone. Raises OSError."""
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)


def make_private_folder(folder: Path, hint: str = _KB_DATA) -> None:
    """Make a folder, and those above it, for the user alone; one that was there keeps its mode.

    Raises KbError, with `hint`.
    """
    if is_folder(folder):
        return
    make_private_folder(folder.parent, hint)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise KbError(f"cannot make the folder {folder} ({error.strerror})", hint) from error
    if sys.platform != "win32":
        folder.chmod(0o700)
