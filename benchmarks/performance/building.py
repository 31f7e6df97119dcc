"""An index from nothing: synthetic and real vaults, time and memory."""

from __future__ import annotations

import cProfile
import json
import pstats
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import MATERIAL, kb_command, private_environment, run
from benchmarks.performance import floors
from benchmarks.performance.floors import script
from benchmarks.performance.material import Material, build, drop
from benchmarks.performance.rows import Row, count, shown, timed

_REAL = ("kepano", "foam", "powershell-7.5")  # small, middle, large: by the name of the archive


def from_nothing(material: Material) -> Iterator[Row]:
    """The vault of a size, against its text put into FTS5 by a plain script. Best of three."""
    ours, plain = [], []
    for _ in range(3):
        database = material.work / "script.sqlite"
        drop(database)
        command = script(floors.PLAIN_INDEX, material.vault, database)
        plain.append(run(command, material.env).seconds)
        drop(database)
        ours.append(build(material).seconds)
    yield timed(
        f"`kb index` from nothing, {count(material.notes)} notes of 1.7 kB",
        min(ours),
        "a plain script into FTS5",
        min(plain),
        5,
    )


REAL_HEAD = (
    "vault",
    "notes",
    "MB",
    "plain script",
    "`kb index`",
    "ratio",
    "parsing Markdown",
    "peak",
)


def real_vaults() -> Iterator[tuple[str, ...]]:
    """Rows for real vaults, where they are at hand: times, and the share that is parsing."""
    for archive in sorted((MATERIAL / "vaults").glob("*.tar.gz")):
        if not any(name in archive.name for name in _REAL):
            continue
        with tempfile.TemporaryDirectory(prefix="kb-real-") as folder:
            work = Path(folder)
            vault = work / "vault"
            with tarfile.open(archive) as opened:
                opened.extractall(vault, filter="data")
            yield _real(archive.name.removesuffix(".tar.gz"), vault, work)


def _real(name: str, vault: Path, work: Path) -> tuple[str, ...]:
    env = private_environment(work)
    index = work / "index.sqlite"
    plain = run(script(floors.PLAIN_INDEX, vault, work / "script.sqlite"), env)
    ours = run([*kb_command(), "index", str(vault), "--index", str(index), "--json"], env)
    if ours.status:
        raise SystemExit(ours.err)
    size = sum(path.stat().st_size for path in vault.rglob("*.md") if path.is_file())
    ratio = f"{ours.seconds / plain.seconds:.1f}" if plain.status == 0 else ""
    return (
        name,
        count(int(json.loads(ours.out)["notes"])),
        f"{size / 1e6:.1f}",
        shown(plain.seconds) if plain.status == 0 else "stops at a note",
        shown(ours.seconds),
        ratio,
        f"{parsing_share(vault):.0%}",
        f"{ours.peak:.0f} MiB",
    )


def parsing_share(vault: Path) -> float:
    """The share of the work on a note (read, parse, cut, analyse) that markdown-it takes."""
    from kb.indexer.parse import parse_note

    profile = cProfile.Profile()
    notes = sorted(path for path in vault.rglob("*.md") if path.is_file())[:400]
    profile.enable()
    for path in notes:
        parse_note(path.relative_to(vault).as_posix(), path.read_bytes())
    profile.disable()
    stats = pstats.Stats(profile)
    whole = parsing = 0.0
    for (file, _, _), (_, _, own, _, _) in stats.stats.items():  # type: ignore[attr-defined]
        whole += own
        parsing += own if "markdown_it" in file else 0.0
    return parsing / whole if whole else 0.0
