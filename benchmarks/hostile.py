"""What the worst notes cost: time, its growth, and memory, each note in a process of its own.

usage: python -m benchmarks.hostile [--mib 8] [KIND ...]

A note of each kind of `tests/hostile_kinds.py` is read, parsed and analysed as an index run does,
at a quarter, a half and all of the size. Growth is how many times longer twice the size takes: 2
for work that grows with the size, 4 for work that grows with its square.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

from benchmarks.measure import machine, run, table

_HEAD = ("kind", "MiB", "CPU s", "growth", "peak MiB", "passages", "told")


def _kinds() -> ModuleType:
    """The kinds, which the tests hold to bounds too."""
    file = Path(__file__).parent.parent / "tests" / "hostile_kinds.py"
    spec = importlib.util.spec_from_file_location("hostile_kinds", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure_one(kind: str, size: int) -> str:
    """One note in this process: CPU seconds, passages, problems, with tabs between."""
    from kb.indexer.prepare import Job, PreparedNote, Settings, prepare_note

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder).resolve() / "note.md"
        file.write_bytes(_kinds().note_of(kind, size))
        began = time.process_time()
        note = prepare_note(Job("note.md", size), Settings(str(file.parent)))
        took = time.process_time() - began
        assert isinstance(note, PreparedNote), note
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        told = "; ".join(note.problems)
        return f"{took}\t{len(note.passages)}\t{peak}\t{told}"


def _row(kind: str, size: int) -> tuple[str, ...]:
    seconds, passages, peak, told = [], "", "", ""
    for part in (size // 4, size // 2, size):
        module = "benchmarks.hostile"
        done = run([sys.executable, "-m", module, "--one", kind, "--bytes", str(part)])
        if done.status:
            return (kind, f"{part / 2**20:g}", "-", "-", "-", "-", f"failed: {done.err[-200:]}")
        took, passages, peak, told = done.out.rstrip("\n").split("\t")
        seconds.append(float(took))
    growth = (seconds[2] / max(seconds[0], 0.01)) ** 0.5
    figures = (f"{size / 2**20:g}", f"{seconds[2]:.2f}", f"{growth:.1f}", f"{float(peak):.0f}")
    return (kind, *figures, passages, told)


def main() -> None:
    """Measure and print a table, the slowest first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--mib", type=float, default=8.0)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--bytes", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(measure_one(arguments.one, arguments.bytes))
        return
    size = int(arguments.mib * 2**20)
    rows = []
    for kind in arguments.kinds or _kinds().KINDS:
        rows.append(_row(kind, size))
        print(*rows[-1], sep="  ", file=sys.stderr, flush=True)
    rows.sort(key=lambda row: -float(row[2]) if row[2] != "-" else -1e9)
    print(f"{machine()}\n\n{table(_HEAD, rows)}")


if __name__ == "__main__":
    main()
