"""Start-up, query and index times against floors measured in the same run.

usage: python -m benchmarks.speed [--notes 10000] [--runs 9] [--write docs/performance.md]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.generate import write_vault
from benchmarks.measure import (
    kb_command,
    machine,
    median_seconds,
    private_environment,
    run,
    table,
)
from benchmarks.questions import measure_questions

_TYPER = "import typer"
_RICH = "import typer, rich.table, rich.console"
_WALK = """
import os, sys
def walk(folder):
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                walk(entry.path)
            else:
                entry.stat(follow_symlinks=False)
walk(sys.argv[1])
"""
_PLAIN = """
import pathlib, sys, apsw
db = apsw.Connection(sys.argv[2])
db.execute("PRAGMA journal_mode=WAL")
db.execute("CREATE VIRTUAL TABLE f USING fts5(path, body)")
with db:
    for path in pathlib.Path(sys.argv[1]).rglob("*.md"):
        db.execute("INSERT INTO f VALUES (?, ?)", (str(path), path.read_text("utf-8")))
"""


def frequent_words(vault: Path, count: int) -> str:
    """A question of words that the vault's first note holds."""
    text = next(iter(sorted(vault.rglob("*.md")))).read_text(encoding="utf-8")
    body = text.split("---", 2)[2]
    return " ".join(word for word in body.split() if word.isalpha())[: count * 12]


def measure(vault: Path, work: Path, runs: int) -> list[list[str]]:
    """The rows of the table."""
    env = private_environment(work)
    python = [sys.executable]
    plain = run([*python, "-c", _PLAIN, str(vault), str(work / "plain.sqlite")], env)
    first = run([*kb_command(), "index", str(vault), "--json"], env)
    if first.status or plain.status:
        raise SystemExit(first.err + plain.err)
    kb = kb_command()
    asked = [*kb, "query", frequent_words(vault, 3), "--vault", str(vault)]
    medians = median_seconds(
        {
            "import typer": [*python, "-c", _TYPER],
            "import rich": [*python, "-c", _RICH],
            "walk": [*python, "-c", _WALK, str(vault)],
            "kb --version": [*kb, "--version"],
            "kb --help": [*kb, "--help"],
            "kb query --json": [*asked, "--json"],
            "kb query --explain --pretty": [*asked, "--explain", "--pretty"],
            "kb index, unchanged": [*kb, "index", str(vault), "--json"],
        },
        runs,
        env,
    )

    medians["kb index, one changed note"] = changed_seconds(vault, runs, env)

    def row(work_name: str, floor: str, most: float) -> list[str]:
        ratio = medians[work_name] / medians[floor]
        return [
            f"`{work_name}`",
            f"{medians[work_name] * 1000:.0f} ms",
            f"`{floor}` {medians[floor] * 1000:.0f} ms",
            f"{ratio:.2f}",
            f"{most:g}",
        ]

    return [
        row("kb --version", "import typer", 1.3),
        row("kb --help", "import typer", 1.3),
        row("kb query --json", "import typer", 1.5),
        row("kb query --explain --pretty", "import rich", 1.4),
        row("kb index, unchanged", "walk", 5.0),
        row("kb index, one changed note", "kb index, unchanged", 1.3),
        [
            "`kb index`, from nothing",
            f"{first.seconds:.1f} s ({first.peak:.0f} MiB)",
            f"plain script into FTS5 {plain.seconds:.1f} s",
            f"{first.seconds / plain.seconds:.2f}",
            "5",
        ],
        _question_row(vault, next((work / "data").rglob("index.sqlite"))),
    ]


def _question_row(vault: Path, index: Path) -> list[str]:
    bare, whole = measure_questions(vault, index, 100)
    return [
        "questions of 8 to 10 words in one process (CPU)",
        f"{whole.median * 1000:.1f} ms, 95 of 100 below {whole.p95 * 1000:.0f}",
        f"the FTS5 statement for their words {bare.median * 1000:.1f} ms",
        f"{whole.median / bare.median:.2f}",
        "1.5",
    ]


def changed_seconds(vault: Path, runs: int, env: Mapping[str, str]) -> float:
    """The median of runs before each of which one note has changed."""
    note = next(iter(sorted(vault.rglob("*.md"))))
    taken = []
    for number in range(runs):
        with note.open("a", encoding="utf-8") as file:
            file.write(f"\nChange {number}.\n")
        taken.append(run([*kb_command(), "index", str(vault), "--json"], env).seconds)
    return statistics.median(taken)


def main() -> None:
    """Generate, measure, print, write."""
    parser = argparse.ArgumentParser(description="Start-up, query and index times against floors")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--write", type=Path, help="the page to write the table to")
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="kb-speed-"))
    try:
        vault = work / "vault"
        write_vault(vault, given.notes, 1_700, 1)
        rows = measure(vault, work, given.runs)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    head = ("work", "median", "floor in the same run", "ratio", "at most")
    page = (
        "# Performance\n\n"
        f"{given.notes} notes of about 1.7 kB, {given.runs} runs of each command in turn, whole"
        f" processes, {machine()}. Repeat it with"
        f" `python -m benchmarks.speed --write docs/performance.md`.\n\n{table(head, rows)}"
    )
    sys.stdout.write(page)
    if given.write:
        given.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
