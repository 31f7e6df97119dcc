"""Ranked lists as TREC run files, for any evaluation tool: `query Q0 path rank score kb` a line.

Paths stand as they are, spaces and all; the four columns after a path have none. Such tools sort
by score, which they hold in single precision, and break ties in their own way: a score that they
would take for a tie is written as the next smaller number, so that they see our order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from kb.evaluation.judgements import JudgedQuery
from kb.evaluation.refuse import Listed
from kb.store.errors import KbError
from kb.store.paths import decode_path

_TAG = "kb"


class RunFiles:
    """Writes `NAME.run` in a folder for each system, one after the other query by query."""

    def __init__(self, folder: Path, systems: Iterable[str]) -> None:
        self._folder = folder
        self._systems = tuple(systems)
        self._files: dict[str, BinaryIO] = {}

    def __enter__(self) -> Self:
        """Make the folder and empty files, so that no earlier run shines through."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for system in self._systems:
                self._files[system] = (self._folder / f"{system}.run").open("wb")
        except OSError as error:
            self._close()
            raise _cannot_write(self._folder, error) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every file."""
        self._close()

    def write(self, system: str, query: JudgedQuery, notes: Sequence[Listed]) -> None:
        """Add the list of one query."""
        try:
            self._files[system].write(render_run(query.id, notes))
        except OSError as error:
            raise _cannot_write(self._folder, error) from error

    def _close(self) -> None:
        for file in self._files.values():
            file.close()


def render_run(query: str, notes: Sequence[Listed]) -> bytes:
    """The lines of one query. White space in its name becomes `_`."""
    name = "_".join(query.split())
    scores = falling_scores([note.score for note in notes])
    text = "".join(
        f"{name} Q0 {decode_path(note.path)} {rank} {score!r} {_TAG}\n"
        for rank, (note, score) in enumerate(zip(notes, scores, strict=True), start=1)
    )
    return text.encode("utf-8", "surrogateescape")


def falling_scores(scores: Sequence[float]) -> list[float]:
    """The scores of a list, each less than the one before, in single precision too."""
    falling: list[float] = []
    for score in scores:
        if falling and _single(score) >= _single(falling[-1]):
            falling.append(_next_below(_single(falling[-1])))
        else:
            falling.append(score)
    return falling


def _single(value: float) -> float:
    """The nearest number in single precision."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def _next_below(value: float) -> float:
    """The next smaller number in single precision."""
    (bits,) = struct.unpack("<i", struct.pack("<f", value))
    if value == 0.0:
        bits = -(2**31) + 1  # the smallest number below zero
    else:
        bits += -1 if value > 0 else 1
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])


def _cannot_write(folder: Path, error: OSError) -> KbError:
    return KbError(f"cannot write run files to {folder} ({error.strerror})", "name another folder")
