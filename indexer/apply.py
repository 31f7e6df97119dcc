"""Carrying out a plan: notes read, written, replaced and removed, links resolved again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import apsw

from kb.indexer.many import prepare_all
from kb.indexer.options import Progress
from kb.indexer.plan import Plan
from kb.indexer.prepare import FailedNote, Job, Outcome, PreparedNote, SameNote, Settings, day_of
from kb.indexer.relink import relink
from kb.indexer.statistics import write_statistics
from kb.indexer.walk import Walk
from kb.indexer.write import NoteWriter, forget_stat, write_attachments, write_hidden
from kb.store.records import SkippedFile
from kb.store.rows import read_rows


@dataclass(slots=True)
class Tally:
    """What was done, in notes. `read_failed` are indexed notes that could not be read."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    written: int = 0  # notes parsed and written, whether or not they had changed
    skipped: list[SkippedFile] = field(default_factory=list)
    problems: list[SkippedFile] = field(default_factory=list)
    read_failed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Known:
    """An indexed note that is looked at again."""

    note_id: int
    digest: bytes


def apply_plan(
    connection: apsw.Connection,
    plan: Plan,
    walk: Walk,
    settings: Settings,
    progress: Progress,
    *,
    everything: bool = False,
) -> Tally:
    """Write what differs, inside the caller's transaction. `everything` parses every note anew."""
    run = _Run(connection, walk, everything)
    for path in plan.removed:
        run.remove(path)
    jobs = [Job(path, walk.notes[path][0]) for path in plan.added]
    jobs += run.look_up(plan.suspects)
    jobs.sort(key=lambda job: job.path)
    for outcome in _told(prepare_all(jobs, settings), len(jobs), progress):
        run.take(outcome)
    write_hidden(connection, plan.hidden, plan.shown)
    run.writer.keys |= write_attachments(connection, plan.new_attachments, plan.gone_attachments)
    run.finish()
    if everything:
        forget_stat(connection, (*plan.kept, *run.tally.read_failed))
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


class _Run:
    def __init__(self, connection: apsw.Connection, walk: Walk, everything: bool) -> None:
        self.connection = connection
        self.walk = walk
        self.everything = everything
        self.writer = NoteWriter(connection)
        self.tally = Tally()
        self.known: dict[str, _Known] = {}

    def look_up(self, suspects: tuple[str, ...]) -> Iterator[Job]:
        """The jobs for indexed notes, with what the index knows of them."""
        sql = "SELECT id, hash, date, mtime_ns FROM notes WHERE path = ?"
        for path in suspects:
            ((note_id, digest, date, mtime_ns),) = read_rows(self.connection, sql, (path,))
            self.known[path] = _Known(note_id, digest)
            size = self.walk.notes[path][0]
            if self.everything:
                yield Job(path, size)
            else:
                yield Job(path, size, digest, date if date == day_of(mtime_ns) else "")

    def remove(self, path: str) -> None:
        ((note_id,),) = read_rows(self.connection, "SELECT id FROM notes WHERE path = ?", (path,))
        self.writer.remove(note_id, path)
        self.tally.removed += 1

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
        if note.unread:
            self.tally.read_failed.append(note.path)
            self.tally.unchanged += 1
        else:
            self.writer.remove(known.note_id, note.path)
            self.tally.removed += 1

    def finish(self) -> None:
        """Resolve links and count, if any note, name or file came, went or changed."""
        writer = self.writer
        writer.finish()
        if not writer.changed and not writer.keys:
            return
        ((notes,),) = read_rows(self.connection, "SELECT count(*) FROM notes")
        most = len(writer.changed) * 2 > notes
        relink(self.connection, writer.changed, writer.keys, everything=most)
        write_statistics(self.connection)
