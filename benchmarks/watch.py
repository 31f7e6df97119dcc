"""From a save to a query that sees it, while `kb watch` keeps the index of a vault.

usage: python -m benchmarks.watch [--notes 10000] [--saves 20] [--write PAGE]

The query is asked again and again of a process that stays (`kb query --queries -`) until its
answer holds the note, so that the times are those of somebody who looks as soon as possible.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.generate import write_vault
from benchmarks.measure import kb_command, machine, private_environment, run, table

_HEAD = ("what", "median", "longest", "CPU of the watch")
_BURST = 1_000
_IDLE_SECONDS = 10
_PATIENCE = 120.0


class Coprocess:
    """A `kb` that is talked with over pipes."""

    def __init__(self, arguments: list[str], env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [*kb_command(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            encoding="utf-8",
        )

    def read(self) -> Any:
        """The next line, which is JSON."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def found(self, query: str) -> list[str]:
        """The paths that a query finds now."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"query": query}) + "\n")
        self._process.stdin.flush()
        return [hit["path"] for hit in self.read()["result"]["results"]]

    def cpu(self) -> float:
        """Seconds of CPU so far; 0 where the system does not show them."""
        try:
            text = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
        except OSError:
            return 0.0
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def end(self) -> float:
        """End it. Returns its peak memory in MiB."""
        self._process.terminate()
        _, _, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = 0
        return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 2**20


@dataclass(slots=True)
class Bench:
    """A watched vault, and times by what was done to it."""

    vault: Path
    watch: Coprocess
    asked: Coprocess
    rows: list[list[str]] = field(default_factory=list)
    _words: int = 0

    def word(self) -> str:
        """A word that no note holds yet."""
        self._words += 1
        return f"saved{self._words:06d}word"

    def measure(self, what: str, times: int, act: Callable[[str], Callable[[], bool]]) -> None:
        """Act so often, each time until what `act` returns is so; a row of the table."""
        taken, before = [], self.watch.cpu()
        for _ in range(times):
            time.sleep(0.5)
            word = self.word()
            began = time.perf_counter()
            seen = act(word)
            while not seen():
                if time.perf_counter() - began > _PATIENCE:
                    raise SystemExit(f"{what}: nothing was seen within {_PATIENCE:g} s")
            taken.append(time.perf_counter() - began)
        cpu = (self.watch.cpu() - before) / times
        self.rows.append([what, _ms(statistics.median(taken)), _ms(max(taken)), _ms(cpu)])


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"


def measure(vault: Path, env: Mapping[str, str], saves: int) -> list[list[str]]:
    """The rows of the table."""
    watch = Coprocess(["watch", str(vault), "--jsonl", "-q"], env)
    watch.read()
    asking = ["query", "--queries", "-", "--jsonl", "--vault", str(vault)]
    asked = Coprocess([*asking, "-n", "1"], env)
    counted = Coprocess([*asking, "-n", "0", "--depth", "1000000", "--mode", "lexical"], env)
    bench = Bench(vault, watch, asked)
    notes = sorted(vault.rglob("*.md"))

    def seen(word: str) -> Callable[[], bool]:
        return lambda: bool(asked.found(word))

    def save(word: str) -> Callable[[], bool]:
        with notes[len(notes) // 2].open("a", encoding="utf-8") as file:
            file.write(f"\n{word}\n")
        return seen(word)

    def save_atomically(word: str) -> Callable[[], bool]:
        note = notes[len(notes) // 3]
        beside = note.with_name(".saving.tmp")
        beside.write_text(f"{note.read_text(encoding='utf-8')}\n{word}\n", encoding="utf-8")
        beside.replace(note)
        return seen(word)

    def add(word: str) -> Callable[[], bool]:
        (vault / f"{word}.md").write_text(f"# {word}\n", encoding="utf-8")
        return seen(word)

    def add_below(word: str) -> Callable[[], bool]:
        (vault / word).mkdir()
        (vault / word / "note.md").write_text(f"# {word}\n", encoding="utf-8")
        return seen(word)

    def burst(word: str) -> Callable[[], bool]:
        for note in notes[:_BURST]:
            with note.open("a", encoding="utf-8") as file:
                file.write(f"\n{word}\n")
        return lambda: len(counted.found(word)) == min(_BURST, len(notes))

    bench.measure("a save", saves, save)
    bench.measure("a save by a file beside it and a rename", saves, save_atomically)
    bench.measure("a new note", saves, add)
    bench.measure("a new note in a new folder", max(saves // 4, 1), add_below)
    bench.measure(f"{_BURST:,} notes at once, until all are seen", 1, burst)
    before = watch.cpu()
    time.sleep(_IDLE_SECONDS)
    idle = (watch.cpu() - before) * 60 / _IDLE_SECONDS
    asked.end()
    counted.end()
    peak = watch.end()
    bench.rows.append(["a minute of nothing", "", "", _ms(idle)])
    bench.rows.append([f"peak memory: {peak:.0f} MiB", "", "", ""])
    return bench.rows


def main() -> None:
    """Generate, index, watch, measure, print, write."""
    parser = argparse.ArgumentParser(description="From a save to a query that sees it")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--write", type=Path, help="the page to write the table to")
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="kb-watch-"))
    try:
        vault = work / "vault"
        write_vault(vault, given.notes, 1_700, 1)
        env = private_environment(work)
        if (first := run([*kb_command(), "index", str(vault), "-q"], env)).status:
            raise SystemExit(first.err)
        rows = measure(vault, env, given.saves)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    page = (
        "# Watching a vault\n\n"
        f"From a change to a query that sees it, with `kb watch` at work: {given.notes:,} notes of"
        f" about 1.7 kB, {given.saves} times each, {machine()}. Repeat it with"
        f" `python -m benchmarks.watch`.\n\n{table(_HEAD, rows)}"
    )
    sys.stdout.write(page)
    if given.write:
        given.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
