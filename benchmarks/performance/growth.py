"""How cost grows with the vault: from a thousand to a million passages."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import kb_command, run
from benchmarks.performance.material import Material, build, index_command, prepare
from benchmarks.performance.rows import count, shown
from benchmarks.questions import measure_questions, questions

HEAD = (
    "passages",
    "notes",
    "index from nothing",
    "its peak",
    "file",
    "nothing changed",
    "`kb query`",
    "its peak",
    "question in a running process, median / 95 of 100",
)
_PASSAGES_A_NOTE = 1.0  # what notes of 1.7 kB are cut into, about
_ASKED = 5


def curve(work: Path, passages: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """A row for each size. The sizes are reached by the number of notes, all of one length."""
    for wanted in passages:
        yield _row(prepare(work, round(wanted / _PASSAGES_A_NOTE)))


def _row(material: Material) -> tuple[str, ...]:
    built = build(material)
    status = run([*kb_command(), "status", "--json", "--index", str(material.plain)], material.env)
    held = json.loads(status.out)
    same = [run(index_command(material, material.plain), material.env) for _ in range(3)]
    asked = [
        run(
            [*kb_command(), "query", "--json", "--index", str(material.plain), "--", question],
            material.env,
        )
        for question in questions(material.vault, _ASKED, seed=29)
    ]
    _, whole = measure_questions(material.vault, material.plain, 40)
    return (
        count(int(held["passages"])),
        count(int(held["notes"])),
        shown(built.seconds),
        f"{built.peak:.0f} MiB",
        f"{material.plain.stat().st_size / 2**20:.0f} MiB",
        shown(min(one.seconds for one in same)),
        shown(statistics.median(one.seconds for one in asked)),
        f"{max(one.peak for one in asked):.0f} MiB",
        f"{shown(whole.median)} / {shown(whole.p95)}",
    )
