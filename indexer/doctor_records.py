"""What an examination of an index and its vault is made of, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import apsw

from kb.indexer.changes import Differences, find_differences
from kb.store.errors import VaultError


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
