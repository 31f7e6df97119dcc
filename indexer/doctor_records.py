"""What an examination of an index and its vault is made of, and what it finds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import apsw

from kb.indexer.changes import Differences, find_differences
from kb.store.errors import VaultError
from kb.store.index_records import SkippedFile
from kb.store.meta import Meta, read_meta
from kb.store.paths import decode_path, show_path
from kb.store.read import MOST_BYTES, reason_of

# Of the other notes that a finding is about, so many are named.
_NAMED = 3


class Finding(NamedTuple):
    """One thing found. `path` is in its stored form, "" where it is about the index or the vault.

    `line` is 1-based, 0 without a path. `paths` are the other notes that it is about: what an
    ambiguous link could mean as well, the notes that share a title.
    """

    path: str
    line: int
    message: str
    hint: str
    paths: tuple[str, ...] = ()


class Check(NamedTuple):
    """Something to look for. A fault is to be mended; the findings of others are remarks.

    `find` gives the findings in the order of paths, and raises NotExaminedError.
    """

    name: str
    title: str
    is_fault: bool
    find: Callable[[Examination], Iterator[Finding]]


class CheckResult(NamedTuple):
    """What one check found. `reason` says why it was not made, "" where it was."""

    check: Check
    findings: tuple[Finding, ...]
    reason: str = ""


class NotExaminedError(Exception):
    """A check does not apply, or cannot be made. Its text is the reason."""


class Examination:
    """An open index, and its vault as it is now, compared once however many checks ask."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._differences: Differences | VaultError | None = None
        self._unreadable: tuple[SkippedFile, ...] | None = None

    def differences(self) -> Differences:
        """What differs on disk. Raises VaultError where the vault is not there."""
        if self._differences is None:
            try:
                self._differences = find_differences(self.connection)
            except VaultError as error:
                self._differences = error
        if isinstance(self._differences, VaultError):
            raise self._differences
        return self._differences

    def unreadable(self) -> tuple[SkippedFile, ...]:
        """Notes on disk that no run could index, and why. Raises VaultError as `differences`."""
        if self._unreadable is None:
            root = decode_path(read_meta(self.connection).get(Meta.VAULT, ""))
            self._unreadable = tuple(_unreadable(self.differences(), root))
        return self._unreadable


def _unreadable(found: Differences, root: str) -> Iterator[SkippedFile]:
    for path in found.added:
        size, _ = found.walk.notes[path]
        if size > MOST_BYTES:
            yield SkippedFile(path, f"larger than {MOST_BYTES // 1024 // 1024} MiB")
            continue
        try:
            with open(os.path.join(root, decode_path(path)), "rb"):  # noqa: PTH118, PTH123
                continue
        except OSError as error:
            yield SkippedFile(path, reason_of(error))


def some_of(paths: Sequence[str]) -> str:
    """The first of some paths as a text, and how many more there are."""
    named = ", ".join(show_path(path) for path in paths[:_NAMED])
    more = len(paths) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
