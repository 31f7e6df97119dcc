"""What an index holds, and what has changed in its vault since."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from glob import escape
from pathlib import Path

import apsw

from kb.indexer.changes import Changes, pending_changes
from kb.store.connection import one_state
from kb.store.counts import Counts, read_counts, read_problems
from kb.store.errors import VaultError
from kb.store.files import is_at_hand, is_folder
from kb.store.index_records import SkippedFile
from kb.store.lock import side_file
from kb.store.meta import Meta
from kb.store.paths import decode_path


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of one index. `age` is in seconds since the last run, None where unknown.

    `size` is in bytes, with the files beside the index. `pending` is None where the vault cannot
    be compared, `away` says why. `problems` are the first of them, or all where they were asked
    for.
    """

    vault: Path
    index: Path
    size: int
    indexed_at: str
    age: float | None
    model: str
    counts: Counts
    pending: Changes | None
    away: str = ""
    problems: tuple[SkippedFile, ...] = ()


def read_status(
    index: Path,
    now: datetime.datetime,
    *,
    problems: int = 3,
    connection: apsw.Connection | None = None,
) -> Status:
    """Gather everything about an index; nothing is written.

    The vault is walked, which takes a moment for a large one. `problems`: how many notes to name
    that could not be read in full, 0 for all. `connection`: a reader that is open already.
    Raises IndexMissingError, IndexDamagedError or IndexVersionError.
    """
    with one_state(index, connection) as (reader, meta):
        counts = read_counts(reader)
        named = tuple(read_problems(reader, problems))
    vault = Path(decode_path(meta.get(Meta.VAULT, "")))
    pending, away = _compare(index, vault)
    indexed_at = meta.get(Meta.INDEXED_AT, "")
    return Status(
        vault=vault,
        index=index,
        size=_size(index),
        indexed_at=indexed_at,
        age=_age(indexed_at, now),
        model=meta.get(Meta.MODEL, ""),
        counts=counts,
        pending=pending,
        away=away,
        problems=named,
    )


def _compare(index: Path, vault: Path) -> tuple[Changes | None, str]:
    """What differs on disk, or why that cannot be told."""
    if not is_at_hand(vault):
        there = is_folder(vault)
        return None, f"the vault is {'empty or cannot be read' if there else 'not there'}"
    try:
        return pending_changes(index), ""
    except VaultError as error:
        return None, error.message


def _size(index: Path) -> int:
    """Bytes of the index and of the files beside it that carry its name."""
    files = [
        index,
        Path(f"{index}-wal"),
        *index.parent.glob(side_file(Path(escape(index.name)), "*").name),
    ]
    return sum(file.stat().st_size for file in files if file.is_file())


def _age(indexed_at: str, now: datetime.datetime) -> float | None:
    try:
        then = datetime.datetime.fromisoformat(indexed_at)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=datetime.UTC)
    return max((now - then).total_seconds(), 0.0)
