"""Carrying out a plan: notes read, written, replaced and removed, links resolved again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import apsw

from kb.indexer.many import prepare_all
from kb.indexer.options import Progress
from kb.indexer.plan import Plan
from kb.indexer.prepare import FailedNote, Job, Outcome, PreparedNote, SameNote, Settings, day_of
from kb.indexer.relink import relink, relink_all
from kb.indexer.statistics import write_statistics
from kb.indexer.tally import Tally
from kb.indexer.walk import Walk
from kb.indexer.write import (
    NoteWriter,
    drop_unused_vectors,
    forget_stat,
    wipe_notes,
    write_attachments,
    write_hidden,
)
from kb.store.index_records import SkippedFile
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.rows import read_rows


class _WouldBeLostError(Exception):
    """All notes were wiped, and one of them cannot be read now."""


def apply_plan(
    connection: apsw.Connection,
    plan: Plan,
    walk: Walk,
    settings: Settings,
    progress: Progress,
    *,
    everything: bool = False,
) -> Tally:
    """Write what differs, inside the caller's transaction. `everything` parses every note anew.

    That is quickest on empty tables, but what is known of a note that cannot be read is kept: if
    there is one, notes are replaced one by one.
    """
    if everything and not plan.kept:
        with suppress(_WouldBeLostError), connection:  # a savepoint of its own
            return _apply(_Run(connection, walk, everything, wipe=True), plan, settings, progress)
    return _apply(_Run(connection, walk, everything), plan, settings, progress)


def _apply(run: _Run, plan: Plan, settings: Settings, progress: Progress) -> Tally:
    jobs = [Job(path, run.walk.notes[path][0]) for path in plan.added]
    jobs += run.look_up(plan.suspects)
    jobs.sort(key=lambda job: job.path)
    run.start()
    for path in plan.removed:
        run.remove(path)
    for outcome in _told(prepare_all(jobs, settings), len(jobs), progress):
        run.take(outcome)
    write_hidden(run.connection, plan.hidden, plan.shown)
    keys = write_attachments(run.connection, plan.new_attachments, plan.gone_attachments)
    run.finish(keys)
    if run.everything:
        forget_stat(run.connection, (*plan.kept, *run.read_failed))
    run.tally.unchanged += plan.untouched + len(plan.kept)
    return run.tally


def _told(outcomes: Iterator[Outcome], total: int, progress: Progress) -> Iterator[Outcome]:
    if not total:
        return
    progress.begin("read", total)
    try:
        for outcome in outcomes:
            yield outcome
            progress.advance()
    finally:
        progress.end()


class _Known(NamedTuple):
    """An indexed note that is looked at again. `note_id` is None once it has been wiped."""

    note_id: int | None
    digest: bytes


class _Run:
    def __init__(
        self, connection: apsw.Connection, walk: Walk, everything: bool, *, wipe: bool = False
    ) -> None:
        self.connection = connection
        self.walk = walk
        self.everything = everything
        self.wipe = wipe
        self.tally = Tally()
        self.known: dict[str, _Known] = {}
        self.read_failed: list[str] = []  # indexed notes that could not be read

    def look_up(self, suspects: tuple[str, ...]) -> Iterator[Job]:
        """The jobs for indexed notes, with what the index knows of them."""
        sql = "SELECT id, hash, date, mtime_ns FROM notes WHERE path = ?"
        for path in suspects:
            ((note_id, digest, date, mtime_ns),) = read_rows(self.connection, sql, (path,))
            self.known[path] = _Known(None if self.wipe else note_id, digest)
            size = self.walk.notes[path][0]
            if self.everything:
                yield Job(path, size)
            else:
                yield Job(path, size, digest, date if date == day_of(mtime_ns) else "")

    def start(self) -> None:
        """From here on notes are written."""
        if self.wipe:
            wipe_notes(self.connection)
        self.writer = NoteWriter(self.connection)

    def remove(self, path: str) -> None:
        """Remove a note that is no longer there."""
        self.tally.removed += 1
        if self.wipe:
            return
        for (note_id,) in read_rows(
            self.connection, "SELECT id FROM notes WHERE path = ?", (path,)
        ):
            self.writer.remove(note_id, path)

    def take(self, outcome: Outcome) -> None:
        """Write one outcome, and count it."""
        match outcome:
            case PreparedNote():
                self._put(outcome)
            case SameNote():
                self.writer.update_stat(outcome)
                self.tally.unchanged += 1
            case FailedNote():
                self._fail(outcome)

    def _put(self, note: PreparedNote) -> None:
        self.tally.written += 1
        known = self.known.get(note.path)
        hidden = self.walk.hidden.hides(note.path)
        self.writer.put(note, known.note_id if known else None, hidden=hidden)
        if known is None:
            self.tally.added += 1
        elif known.digest == note.digest:
            self.tally.unchanged += 1
        else:
            self.tally.changed += 1
        self.tally.problems += [SkippedFile(note.path, problem) for problem in note.problems]

    def _fail(self, note: FailedNote) -> None:
        known = self.known.get(note.path)
        if not note.gone:
            self.tally.skipped.append(SkippedFile(note.path, note.reason))
        if known is None:
            return
        if not note.unread:
            self.remove(note.path)
        elif self.wipe:
            raise _WouldBeLostError
        else:
            self.read_failed.append(note.path)
            self.tally.unchanged += 1

    def finish(self, keys: set[str]) -> None:
        """Resolve links and count, if any note, name or file came, went or changed.

        `keys` are those of links that other files may have touched.
        """
        writer = self.writer
        writer.finish()
        # What belongs to a folder that could not be read may be wanted when it can.
        if self.wipe or writer.was_empty or read_meta(self.connection).get(Meta.LOOSE_VECTORS):
            write_meta(self.connection, Meta.LOOSE_VECTORS, "1" if self.walk.unseen else "")
            if not self.walk.unseen:
                drop_unused_vectors(self.connection)
        writer.keys |= keys
        if not (self.wipe or writer.changed or writer.keys):
            return
        if self.wipe or len(writer.changed) * 2 > len(self.walk.notes):
            relink_all(self.connection)
            write_statistics(self.connection)
        else:
            same = not (self.tally.added or self.tally.removed)
            relink(self.connection, writer.changed, writer.keys, same_notes=same)
            write_statistics(self.connection, writer.gained)
