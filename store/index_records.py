"""The records of an index run: what it did, and what it left out."""

from __future__ import annotations

from typing import NamedTuple


class SkippedFile(NamedTuple):
    """A file that looked like a note and was not indexed."""

    path: str
    reason: str


class IndexReport(NamedTuple):
    """What one index run did. Counts are notes; `reread` are those of the `unchanged` that were
    parsed and written all the same.
    """

    vault: str
    index: str  # type: ignore[assignment]  # in place of tuple's
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    reread: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    problems: tuple[SkippedFile, ...] = ()
    unseen: tuple[str, ...] = ()  # folders that could not be read; what was known of them is kept
    embedded: int = 0
    seconds: float = 0.0
    notices: tuple[str, ...] = ()
