"""Preparing many notes in processes of their own.

A worker that dies takes no note with it: its notes are looked at again one by one, and only the
one that ends a process is left out, with a word.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from typing import ParamSpec, TypeVar

from kb.indexer.prepare import FailedNote, Job, Outcome, Settings, prepare_note, prepare_notes

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

_SAFE_PATH = "PYTHONSAFEPATH"
_CHUNK_NOTES = 64
_CHUNK_BYTES = 500_000
_AHEAD = 3  # chunks a process may be ahead of the writer, which bounds the memory


def prepare_in_processes(jobs: Sequence[Job], settings: Settings, count: int) -> Iterator[Outcome]:
    """The outcome of every job, in order, from `count` processes; from this one if none starts."""
    chunks = list(_chunks(jobs))
    done = 0
    while done < len(chunks):
        with _working_pool(count) as pool:
            if pool is None:
                for job in chain.from_iterable(chunks[done:]):
                    yield prepare_note(job, settings)
                return
            for outcomes in _until_broken(pool, chunks[done:], settings, count):
                done += 1
                yield from outcomes
        if done < len(chunks):
            yield from _one_by_one(chunks[done], settings)
            done += 1


def _chunks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    chunk: list[Job] = []
    size = 0
    for job in jobs:
        chunk.append(job)
        size += job.size
        if len(chunk) >= _CHUNK_NOTES or size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _until_broken(
    pool: ProcessPoolExecutor, chunks: list[list[Job]], settings: Settings, count: int
) -> Iterator[list[Outcome]]:
    """The outcomes of chunk after chunk, up to the first that a dead process took with it."""
    waiting: deque[Future[list[Outcome]]] = deque()
    coming = iter(chunks)
    try:
        for chunk in islice(coming, count * _AHEAD):
            waiting.append(_submit(pool, prepare_notes, chunk, settings))
        while waiting:
            outcomes = waiting.popleft().result()
            for chunk in islice(coming, 1):
                waiting.append(_submit(pool, prepare_notes, chunk, settings))
            yield outcomes
    except BrokenProcessPool:
        return


def _one_by_one(jobs: list[Job], settings: Settings) -> Iterator[Outcome]:
    """Each note alone in a process of its own kind, so that one that ends it is known."""
    left = deque(jobs)
    while left:
        with _pool(1) as pool:
            try:
                while left:
                    yield _submit(pool, prepare_note, left[0], settings).result()
                    left.popleft()
            except BrokenProcessPool:
                yield FailedNote(left.popleft().path, "reading it ended the process that did")


@contextmanager
def _working_pool(count: int) -> Iterator[ProcessPoolExecutor | None]:
    """A pool whose first process has answered; None where none can be started, or run our code.

    So it is in a process that is itself being started (a script without the `__main__` guard),
    where the system has no semaphores, and in some frozen programs.
    """
    with ExitStack() as stack:
        pool: ProcessPoolExecutor | None = None
        try:
            pool = stack.enter_context(_pool(count))
            # As many as there are to be processes: all start at once, and one is waited for.
            first, *_ = [_submit(pool, os.getpid) for _ in range(count)]
            answered = first.result() != os.getpid()
        except (BrokenProcessPool, OSError, ImportError, RuntimeError):
            answered = False
        yield pool if answered else None


@contextmanager
def _pool(count: int) -> Iterator[ProcessPoolExecutor]:
    # Not fork: it copies whatever threads and locks the calling program holds.
    context = multiprocessing.get_context("spawn")
    with _safe_path():
        pool = ProcessPoolExecutor(count, mp_context=context, initializer=_start_worker)
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Processes that start meanwhile import nothing from the current folder.

    Python's own way puts that folder first, which may be a vault from a stranger with a
    `multiprocessing.py` in it.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


def _submit(
    pool: ProcessPoolExecutor,
    work: Callable[_Given, _Result],
    *given: _Given.args,
    **named: _Given.kwargs,
) -> Future[_Result]:
    """Hand work to the pool, which may start a process for it.

    A new process has the signals blocked that were blocked where it was started: an interrupt at
    the terminal, which goes to all of them, must not find it before it knows how to ignore that.
    """
    if sys.platform == "win32":
        return pool.submit(work, *given, **named)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(work, *given, **named)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """An interrupt is for the main process to handle, and a worker does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
