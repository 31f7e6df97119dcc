"""Questions of 8 to 10 words in a running process, against the bare FTS5 statement for the words.

The words stand in a row in a note, so that common ones come as often as they are common.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

_BARE = (
    "SELECT rowid, bm25(passages_fts) AS score FROM passages_fts WHERE passages_fts MATCH ?"
    " ORDER BY score LIMIT 50"
)


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of CPU a question: median, and what 95 of 100 stay below."""

    median: float
    p95: float


def questions(vault: Path, count: int, seed: int = 1) -> list[str]:
    """Words in a row out of notes, the same ones for the same arguments."""
    rng = random.Random(seed)
    notes = sorted(vault.rglob("*.md"))
    found: list[str] = []
    while len(found) < count:
        body = rng.choice(notes).read_text(encoding="utf-8").split("---", 2)[2]
        words = [word for word in body.replace(".", "").split() if word.isalpha()]
        length = rng.randrange(8, 11)
        if len(words) >= length:
            start = rng.randrange(len(words) - length + 1)
            found.append(" ".join(words[start : start + length]).lower())
    return found


def measure_questions(vault: Path, index: Path, count: int) -> tuple[Times, Times]:
    """The bare statement's times, and those of a whole search."""
    from kb.fusion.search import search
    from kb.store.connection import open_reader

    asked = questions(vault, count)
    with closing(open_reader(index)) as connection:

        def bare(question: str) -> None:
            words = " OR ".join(f'"{word}"' for word in question.split())
            connection.execute(_BARE, (words,)).fetchall()

        def whole(question: str) -> None:
            search(index, question, connection=connection)

        whole(asked[0])  # what is loaded once
        return _times((bare, whole), asked)


def _times(
    ways: tuple[Callable[[str], None], Callable[[str], None]], asked: Iterable[str]
) -> tuple[Times, Times]:
    """The times of two ways to ask, in turn, so that a change of the machine's pace hits both."""
    taken: tuple[list[float], list[float]] = ([], [])
    for question in asked:
        for ask, times in zip(ways, taken, strict=True):
            started = time.process_time()
            ask(question)
            times.append(time.process_time() - started)
    first, second = (
        Times(statistics.median(times), sorted(times)[int(len(times) * 0.95)]) for times in taken
    )
    return first, second
