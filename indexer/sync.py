"""The whole run: make an index say what the vault says.

1. Walk the vault. 2. Compare with the index: sizes and times, then hashes where they differ.
3. In one transaction, all or nothing: read, parse and write what differs, resolve the links that
this can touch. 4. Make the vectors that are missing, a batch at a time.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import apsw

from kb.indexer.embed import write_embeddings
from kb.indexer.open import with_index
from kb.indexer.options import IndexOptions, Progress, Unwatched
from kb.indexer.plan import (
    NOTHING_INDEXED,
    Plan,
    check_not_unmounted,
    make_plan,
    read_former,
    read_indexed,
)
from kb.indexer.statistics import write_finished
from kb.indexer.tally import Tally
from kb.indexer.tidy import tidy
from kb.indexer.versions import OLDER, parse_settings, stale_because, write_versions
from kb.indexer.walk import Walk, check_vault, walk_vault
from kb.store.connection import writing
from kb.store.errors import VaultError
from kb.store.files import identity_of
from kb.store.index_records import IndexReport
from kb.store.locations import remember_vault
from kb.store.lock import writer_lock
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.paths import decode_path, encode_path
from kb.store.renew import is_older, renew_schema

__all__ = ["IndexOptions", "Progress", "index_vault"]

_DENDRON = "dendron.yml"


_DEFAULTS = IndexOptions()
_UNWATCHED = Unwatched()


def index_vault(
    vault: Path,
    index: Path,
    options: IndexOptions = _DEFAULTS,
    progress: Progress = _UNWATCHED,
) -> IndexReport:
    """Bring the index of a vault up to date, and say what was done.

    Raises VaultError where the vault is missing or is not the one indexed here, NotEmbeddedError
    (with the report) where the notes were indexed and vectors could not be made, and the errors
    of the store. Whatever ends a run early leaves the index as it was, but for finished vectors.
    """
    _refuse_in_worker()
    began = time.perf_counter()
    root = check_vault(str(vault))
    notices: list[str] = []

    def work(connection: apsw.Connection) -> IndexReport:
        report = _write_text(connection, root, options, progress)
        remember_vault(Path(root), index)
        report = report._replace(index=encode_path(str(index)), notices=(*notices, *report.notices))
        report = report._replace(seconds=time.perf_counter() - began)
        return write_embeddings(connection, options, progress, report)

    with writer_lock(index, waiting=progress.notice):
        report = with_index(index, work, rebuild=options.rebuild, notice=notices.append)
    return report._replace(seconds=time.perf_counter() - began)


def _write_text(
    connection: apsw.Connection, root: str, options: IndexOptions, progress: Progress
) -> IndexReport:
    """Everything but the vectors, in one transaction."""
    meta = read_meta(connection)
    _check_same_vault(meta, root, options)
    started_ns = time.time_ns()
    folder = identity_of(root)
    no_ignore = _no_ignore(meta, options)
    walk = walk_vault(root, no_ignore=no_ignore, exclude=options.exclude)
    mounted = [] if options.rebuild else json.loads(meta.get(Meta.MOUNTS, "[]"))
    away = walk.keep_unmounted(mounted)
    older = bool(meta) and is_older(meta)
    indexed = read_former(connection) if older else read_indexed(connection)
    if not options.rebuild:
        check_not_unmounted(walk, indexed, root)

    parsed_with = parse_settings(
        dendron=_DENDRON in walk.attachments, default_language=options.default_language
    )
    stale = OLDER if older else stale_because(meta, parsed_with)
    everything = options.rebuild or bool(stale)
    if older:
        indexed = NOTHING_INDEXED
    last_run_ns = 0 if older else int(meta.get(Meta.RUN_STARTED, "0"))
    plan = make_plan(walk, indexed, last_run_ns=last_run_ns, everything=everything)
    if plan.is_mostly_removal and not everything:
        everything = True
        plan = make_plan(walk, indexed, last_run_ns=last_run_ns, everything=True)
    with writing(connection):
        if older:
            renew_schema(connection)
        if plan.is_empty and not everything:
            tally = Tally(unchanged=plan.untouched + len(plan.kept))
        else:
            tally = _apply(connection, plan, walk, root, options, progress, everything)
        _check_still_there(root, folder)
        if everything or not meta.get(Meta.PARSER):
            write_versions(connection, parsed_with)
        _write_choices(connection, root, options, no_ignore, [*walk.mounts, *away])
        write_finished(connection, started_ns)
    tidy(connection, tally)
    notices = [stale] if stale and (older or not options.rebuild) else []
    return _report(root, walk, tally, (*notices, *walk.notices))


def _write_choices(
    connection: apsw.Connection,
    root: str,
    options: IndexOptions,
    no_ignore: bool,
    mounts: list[str],
) -> None:
    """What the next run goes by, where it is not told otherwise."""
    write_meta(connection, Meta.VAULT, encode_path(root))
    write_meta(connection, Meta.NO_IGNORE, "1" if no_ignore else "")
    write_meta(connection, Meta.EXCLUDE, json.dumps(options.exclude))
    write_meta(connection, Meta.MOUNTS, json.dumps(mounts))


def _apply(
    connection: apsw.Connection,
    plan: Plan,
    walk: Walk,
    root: str,
    options: IndexOptions,
    progress: Progress,
    everything: bool,
) -> Tally:
    # What parses and writes is loaded where there is something to parse or write.
    from kb.indexer.apply import apply_plan
    from kb.indexer.prepare import Settings

    settings = Settings(root, _DENDRON in walk.attachments, options.default_language)
    return apply_plan(connection, plan, walk, settings, progress, everything=everything)


def _check_still_there(root: str, folder: tuple[int, int] | None) -> None:
    """Keep what was known of a vault that went away meanwhile: its notes are not deleted."""
    if folder is None or identity_of(root) != folder:
        raise VaultError(
            f"the vault {root} went away while it was read; nothing was done",
            "connect the drive that holds it, or wait for it, and run this again",
        )


def _report(root: str, walk: Walk, tally: Tally, notices: tuple[str, ...]) -> IndexReport:
    skipped = sorted((*walk.skipped, *tally.skipped), key=lambda one: one.path)
    return IndexReport(
        vault=encode_path(root),
        index="",
        added=tally.added,
        changed=tally.changed,
        removed=tally.removed,
        unchanged=tally.unchanged,
        reread=tally.written - tally.added - tally.changed,
        skipped=tuple(skipped),
        problems=tuple(tally.problems),
        unseen=tuple(walk.unseen),
        notices=notices,
    )


def _no_ignore(meta: Mapping[str, str], options: IndexOptions) -> bool:
    remembered = meta.get(Meta.NO_IGNORE) == "1"
    return remembered if options.no_ignore is None else options.no_ignore


def _check_same_vault(meta: Mapping[str, str], root: str, options: IndexOptions) -> None:
    """One index, one vault: another one would take the place of what is there."""
    known = decode_path(meta.get(Meta.VAULT, ""))
    if known and os.path.normcase(known) != os.path.normcase(root) and not options.rebuild:
        raise VaultError(
            f"this index holds the vault {known}, not {root}",
            "name another file with `--index`, or replace what it holds with `--rebuild`",
        )


def _refuse_in_worker() -> None:
    """Stop a script that starts itself again in each worker, for want of a `__main__` guard."""
    process = sys.modules.get("multiprocessing.process")
    if process is not None and getattr(process.current_process(), "_inheriting", False):
        raise RuntimeError('call index_vault below `if __name__ == "__main__":`')
