"""Every speed and memory target as a table, with the machine and the date.

usage: python -m benchmarks.performance [--quick] [--only PART ...] [--work FOLDER]
           [--million] [--write docs/performance.md]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import embedding
from benchmarks.measure import machine, table
from benchmarks.performance import building, commands, growth, memory, peers, running
from benchmarks.performance.material import prepare
from benchmarks.performance.rows import HEAD, Row


def _ratios(small: int, large: int, work: Path, runs: int) -> Iterator[Row]:
    ten, hundred = prepare(work, small), prepare(work, large)
    yield from building.from_nothing(ten)
    yield from commands.start_up(ten, runs)
    yield from commands.with_vectors(ten, runs)
    yield from commands.unchanged(ten, runs, 5.0)
    yield from commands.unchanged(hundred, max(3, runs // 3), 3.0)
    yield from running.in_process(ten)
    yield from running.in_process(hundred)
    yield embedding.row(work)


def _parts(given: argparse.Namespace, work: Path) -> dict[str, Callable[[], str]]:
    small, large = (1_000, 5_000) if given.quick else (10_000, 100_000)
    runs = 3 if given.quick else 11
    sizes = (1_000, 10_000) if given.quick else (1_000, 10_000, 100_000)
    if given.million:
        sizes = (*sizes, 1_000_000)
    return {
        "ratios": lambda: (
            "## Against the floor of the machine\n\nA ratio above its target is bold.\n\n"
            + table(HEAD, [row.cells() for row in _ratios(small, large, work, runs)])
        ),
        "memory": lambda: (
            "## Memory\n\nThe most that was resident, whole processes.\n\n"
            + table(memory.HEAD, list(memory.peaks(prepare(work, large))))
        ),
        "real": lambda: (
            "## Real vaults\n\nOne run each, without vectors. The share of parsing is that of"
            " markdown-it-py in the work on a note, by profile.\n\n"
            + table(building.REAL_HEAD, list(building.real_vaults()))
        ),
        "growth": lambda: (
            "## How it grows\n\n" + table(growth.HEAD, list(growth.curve(work, sizes)))
        ),
        "peers": lambda: (
            "## Beside other tools\n\nThe same notes, words alone on every side, queries asked in"
            " turn. Tools that are not installed have no row.\n\n"
            + table(peers.HEAD, list(peers.side_by_side(prepare(work, small), runs)))
        ),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small vaults, few runs")
    parser.add_argument("--million", action="store_true", help="let the curve reach 10^6 passages")
    parser.add_argument("--only", action="append", metavar="PART", help="some parts only")
    parser.add_argument("--work", type=Path, help="keep vaults and indexes here")
    parser.add_argument("--write", type=Path, help="the page to write")
    given = parser.parse_args()
    work = given.work or Path(tempfile.mkdtemp(prefix="kb-performance-"))
    parts = _parts(given, work)
    wanted = given.only or list(parts)
    if unknown := set(wanted) - set(parts):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    head = (
        "# Performance\n\n"
        f"{machine()}. Repeat it with `python -m benchmarks.performance --million --write"
        " docs/performance.md`. Times are medians of whole processes, run in turn with their"
        " floors."
    )
    sections = [head]
    try:
        for name in wanted:
            section = parts[name]()
            sys.stdout.write(section + "\n")
            sys.stdout.flush()
            sections.append(section)
    finally:
        if not given.work:
            shutil.rmtree(work, ignore_errors=True)
    if given.write:
        given.write.write_text("\n\n".join(s.strip() for s in sections) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
