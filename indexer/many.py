"""Preparing notes, whether a few or many: which of the two is decided here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from kb.indexer.prepare import Job, Outcome, Settings, prepare_note

# Below this, starting processes takes longer than they save.
_MANY_NOTES = 1_000
_MANY_BYTES = 4_000_000
_MOST_PROCESSES = 8


def prepare_all(
    jobs: Sequence[Job], settings: Settings, *, processes: int | None = None
) -> Iterator[Outcome]:
    """The outcome of every job, in order. `processes`: None chooses, 0 stays in this one."""
    count = _processes_for(jobs) if processes is None else processes
    if count:
        from kb.indexer.pool import prepare_in_processes

        yield from prepare_in_processes(jobs, settings, count)
        return
    for job in jobs:
        yield prepare_note(job, settings)


def _processes_for(jobs: Sequence[Job]) -> int:
    if len(jobs) < _MANY_NOTES and sum(job.size for job in jobs) < _MANY_BYTES:
        return 0
    available = getattr(os, "sched_getaffinity", None)
    cores = len(available(0)) if available is not None else os.cpu_count() or 1
    return min(cores, _MOST_PROCESSES) if cores > 1 else 0
