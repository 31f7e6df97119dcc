"""Whole processes: start-up, a query with and without vectors, an index run without news."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.measure import kb_command, median_seconds, run
from benchmarks.performance import floors
from benchmarks.performance.floors import script
from benchmarks.performance.material import (
    Material,
    ensure_built,
    ensure_embedded,
    index_command,
)
from benchmarks.performance.rows import Row, count, timed
from benchmarks.questions import questions


def start_up(material: Material, runs: int) -> Iterator[Row]:
    """`kb --version`, `kb --help` and a query without vectors, against imports and `rg`."""
    ensure_built(material)
    words = questions(material.vault, 1, seed=7)[0].split()[:3]
    asked = [*kb_command(), "query", " ".join(words), "--index", str(material.plain)]
    commands = {
        "typer": script(floors.TYPER),
        "rich": script(floors.RICH),
        "version": [*kb_command(), "--version"],
        "help": [*kb_command(), "--help"],
        "json": [*asked, "--json"],
        "explain": [*asked, "--explain", "--pretty"],
    }
    if ripgrep := shutil.which("rg"):
        patterns = [part for word in words for part in ("-e", word)]
        commands["rg"] = [ripgrep, "--count", "--ignore-case", *patterns, str(material.vault)]
    taken = median_seconds(commands, runs, material.env)
    size = f"{count(material.notes)} notes"
    yield timed("`kb --version`", taken["version"], "`import typer`", taken["typer"], 1.3)
    yield timed("`kb --help`", taken["help"], "`import typer`", taken["typer"], 1.3)
    query = f"`kb query --json`, {size}, no vectors"
    yield timed(query, taken["json"], "`import typer`", taken["typer"], 1.5)
    if "rg" in taken:
        yield timed(query, taken["json"], "`rg --count`, same words", taken["rg"], 3)
    yield timed(
        f"the same with `--explain`, as on a terminal, {size}",
        taken["explain"],
        "`import typer, rich`",
        taken["rich"],
        1.4,
    )


def with_vectors(material: Material, runs: int) -> Iterator[Row]:
    """A query that was never asked, and one that was, against the model alone."""
    from kb.embedding import find_model

    ensure_embedded(material)
    model = find_model()
    matrix = _matrix(material)
    asked = questions(material.vault, runs + 1, seed=11)
    base = [*kb_command(), "query", "--index", str(material.embedded), "--json", "--"]
    tokenizer = model.folder / "tokenizer.json"
    times: dict[str, list[float]] = {key: [] for key in ("new", "again", "model", "fast", "typer")}
    for question in asked:  # the first one warms up
        arguments = (model.weights, tokenizer, matrix, question)
        for name, command in {
            "typer": script(floors.TYPER),
            "model": script(floors.MODEL_AS_IT_COMES, *arguments),
            "fast": script(floors.MODEL_LOADED_FAST, *arguments),
            "new": [*base, question],
            "again": [*base, question],
        }.items():
            measured = run(command, material.env)
            if measured.status not in (0, 1):
                raise SystemExit(f"{name} failed: {measured.err}")
            times[name].append(measured.seconds)
    taken = {name: statistics.median(values[1:]) for name, values in times.items()}
    size = f"{count(material.notes)} notes with vectors"
    new, again = f"`kb query --json`, {size}, first asked", f"the same, asked before, {size}"
    yield timed(new, taken["new"], "the model alone, as onnxruntime loads it", taken["model"], 1.3)
    yield timed(new, taken["new"], "the model alone, loaded unoptimised", taken["fast"], 1.3)
    yield timed(again, taken["again"], "`import typer`", taken["typer"], 2.5)


def unchanged(material: Material, runs: int, target: float) -> Iterator[Row]:
    """An index run with nothing changed, and one with one note changed."""
    ensure_built(material)
    walk, same = script(floors.WALK, material.vault), index_command(material, material.plain)
    taken = median_seconds({"walk": walk, "same": same}, runs, material.env)
    size = f"{count(material.notes)} notes"
    yield timed(
        f"`kb index`, nothing changed, {size}",
        taken["same"],
        "scandir and stat",
        taken["walk"],
        target,
    )
    note = next(iter(sorted(material.vault.rglob("*.md"))))
    before = note.read_bytes()
    changed, between = [], []
    try:
        for number in range(runs):
            note.write_bytes(before + f"\nChange {number}.\n".encode())
            changed.append(run(same, material.env).seconds)
            between.append(run(same, material.env).seconds)
    finally:
        note.write_bytes(before)
        run(same, material.env)
    yield timed(
        f"`kb index`, one note changed, {size}",
        statistics.median(changed),
        "nothing changed",
        statistics.median(between),
        1.3,
    )


def _matrix(material: Material) -> Path:
    """The vectors of the index as a plain file of numpy's."""
    import numpy as np

    from kb.store.connection import open_reader

    path = material.work / "vectors.npy"
    if not path.exists():
        with closing(open_reader(material.embedded)) as connection:
            rows = connection.execute("SELECT vector FROM vectors ORDER BY id")
            np.save(path, np.stack([np.frombuffer(row[0], dtype=np.int8) for row in rows]))
    return path
