"""What a run has to do: the difference between what is on disk and what is indexed."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import apsw

from kb.indexer.walk import Walk
from kb.store.errors import VaultError

# File systems tell times apart by up to two seconds (FAT). A note changed less than that before
# it was read, or since, may change again without its size or its time telling.
_COARSEST_TICK_NS = 2_000_000_000
# Taking a note out of a full-text index costs about as much as writing one.
_MANY_REMOVED = 1_000
_MOST_REMOVED = 3  # for each that stays


class Indexed(NamedTuple):
    """What the index knows of the files. `notes` gives size and time of change (nanoseconds)."""

    notes: dict[str, tuple[int, int]]
    attachments: set[str]
    hidden: set[str]


NOTHING_INDEXED = Indexed({}, set(), set())


class Plan(NamedTuple):
    """What to do, each in the order of paths.

    `suspects` are indexed notes that have to be read to know whether they changed. `kept` are
    indexed notes that could not be looked at, `untouched` counts those that need no look.
    """

    added: tuple[str, ...]
    suspects: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    untouched: int
    new_attachments: tuple[str, ...]
    gone_attachments: tuple[str, ...]
    hidden: tuple[str, ...]
    shown: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the index is as the disk is, as far as sizes and times tell."""
        notes = self.added or self.suspects or self.removed or self.hidden or self.shown
        return not (notes or self.new_attachments or self.gone_attachments)

    @property
    def is_mostly_removal(self) -> bool:
        """Whether so much goes that it is quicker to empty the index and read the rest anew."""
        removed, staying = len(self.removed), self.untouched + len(self.suspects)
        return removed >= _MANY_REMOVED and removed > _MOST_REMOVED * staying and not self.kept


def read_former(connection: apsw.Connection) -> Indexed:
    """The paths in an index of an older schema, as far as it has them where this one does."""
    with suppress(apsw.SQLError):
        rows = connection.execute("SELECT path FROM notes").fetchall()
        return NOTHING_INDEXED._replace(notes={str(path): (0, 0) for (path,) in rows})
    return NOTHING_INDEXED


def read_indexed(connection: apsw.Connection) -> Indexed:
    """Read what the index knows of the files."""
    rows = connection.execute("SELECT path, size, mtime_ns FROM notes")
    notes = {path: (size, mtime_ns) for path, size, mtime_ns in rows}
    attachments = connection.execute("SELECT path FROM attachments")
    hidden = connection.execute("SELECT path FROM notes WHERE ignored = 1")
    return Indexed(notes, {path for (path,) in attachments}, {path for (path,) in hidden})


def check_not_unmounted(walk: Walk, indexed: Indexed, root: str) -> None:
    """Raise VaultError where a vault has become empty: that is likelier a drive not there."""
    if indexed.notes and not walk.files and not walk.unseen:
        raise VaultError(
            f"{root} is empty, and {len(indexed.notes)} notes of it are indexed; nothing was done",
            "connect the drive that holds it; if it is meant to be empty, run `kb index --rebuild`",
        )


def make_plan(walk: Walk, indexed: Indexed, *, last_run_ns: int, everything: bool = False) -> Plan:
    """Compare. `last_run_ns` is when the last run began; `everything` makes all notes suspects."""
    doubtful_from = last_run_ns - _COARSEST_TICK_NS
    added, suspects = [], []
    for path, seen in walk.notes.items():
        known = indexed.notes.get(path)
        if known is None:
            added.append(path)
        elif everything or known != seen or seen[1] >= doubtful_from:
            suspects.append(path)
    missing = sorted(indexed.notes.keys() - walk.notes.keys())
    kept = tuple(path for path in missing if walk.is_unseen(path))
    gone = sorted(indexed.attachments - walk.attachments)
    return Plan(
        added=tuple(sorted(added)),
        suspects=tuple(sorted(suspects)),
        removed=tuple(sorted(set(missing).difference(kept))),
        kept=kept,
        untouched=len(walk.notes) - len(added) - len(suspects),
        new_attachments=tuple(sorted(walk.attachments - indexed.attachments)),
        gone_attachments=tuple(path for path in gone if not walk.is_unseen(path)),
        **_plan_hidden(walk, indexed),
    )


def _plan_hidden(walk: Walk, indexed: Indexed) -> dict[str, tuple[str, ...]]:
    """Indexed notes that the vault's owner has hidden, or shows again, since the last run."""
    if not walk.hidden and not indexed.hidden:
        return {"hidden": (), "shown": ()}
    now = {path for path in indexed.notes if walk.hidden.hides(path)}
    return {
        "hidden": tuple(sorted(now - indexed.hidden)),
        "shown": tuple(sorted(indexed.hidden - now)),
    }
