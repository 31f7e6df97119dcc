"""What differs between a vault and its index, without writing anything."""

# Paths are plain text here: pathlib costs more than the system call it stands for.
# ruff: noqa: PTH118

from __future__ import annotations

import json
import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.indexer.plan import Plan, check_not_unmounted, make_plan, read_indexed
from kb.indexer.walk import Walk, walk_vault
from kb.store.connection import open_reader, translated_errors
from kb.store.errors import VaultError
from kb.store.hashes import digest_of
from kb.store.meta import Meta, read_meta
from kb.store.paths import decode_path
from kb.store.read import NotRegularError, read_file
from kb.store.rows import read_rows


@dataclass(frozen=True, slots=True)
class Changes:
    """How many notes the next run would add, read anew and remove. `unseen`: unreadable folders."""

    added: int
    changed: int
    removed: int
    unseen: tuple[str, ...] = ()


class Differences(NamedTuple):
    """The notes that the next run would add, read anew and remove, and what the walk met."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    walk: Walk


def pending_changes(index: Path) -> Changes:
    """Compare an index with its vault on disk. Raises VaultError where that is not there."""
    with translated_errors(index), closing(open_reader(index)) as connection:
        found = find_differences(connection)
    return Changes(
        len(found.added), len(found.changed), len(found.removed), tuple(found.walk.unseen)
    )


def find_differences(connection: apsw.Connection) -> Differences:
    """Compare an open index with its vault on disk. Raises VaultError where that is not there."""
    meta = read_meta(connection)
    root = decode_path(meta.get(Meta.VAULT, ""))
    if not root:
        raise VaultError("this index names no vault", "run `kb index VAULT`")
    exclude = tuple(str(glob) for glob in json.loads(meta.get(Meta.EXCLUDE, "[]")))
    walk = walk_vault(root, no_ignore=meta.get(Meta.NO_IGNORE) == "1", exclude=exclude)
    walk.keep_unmounted(json.loads(meta.get(Meta.MOUNTS, "[]")))
    last_run_ns = int(meta.get(Meta.RUN_STARTED, "0"))
    indexed = read_indexed(connection)
    check_not_unmounted(walk, indexed, root)
    plan = make_plan(walk, indexed, last_run_ns=last_run_ns)
    return Differences(plan.added, _changed(connection, root, plan), plan.removed, walk)


def _changed(connection: apsw.Connection, root: str, plan: Plan) -> tuple[str, ...]:
    """Those of the suspects that hold other bytes than those indexed."""
    changed = []
    root = os.path.realpath(root)
    for path in plan.suspects:
        ((digest,),) = read_rows(connection, "SELECT hash FROM notes WHERE path = ?", (path,))
        try:
            content = read_file(os.path.join(root, decode_path(path)), within=root)
        except (OSError, NotRegularError):
            continue  # it could not be indexed either
        if digest_of(content.data) != digest:
            changed.append(path)
    return tuple(changed)
