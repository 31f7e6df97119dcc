"""Index real vaults and ask each a question.

usage: python -m benchmarks.vaults [--write docs/vaults.md] [NAME ...]

Every archive of the material's `vaults` folder: notes on disk (by this module's own count, with
the same rules), indexed, skipped and why, notes with a problem, seconds, index size, peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.measure import (
    MATERIAL,
    Measured,
    kb_command,
    machine,
    private_environment,
    run,
    table,
)

_HEAD = (
    "vault",
    "notes on disk",
    "indexed",
    "skipped",
    "with a problem",
    "MB of notes",
    "index s",
    "unchanged s",
    "query s",
    "index MB",
    "peak MiB",
)


def count_notes(vault: Path) -> tuple[int, int]:
    """Files that are notes by their name, and their bytes: nothing hidden, no node_modules."""
    notes = size = 0
    for folder, folders, files in os.walk(vault):
        folders[:] = [name for name in folders if name[0] != "." and name != "node_modules"]
        for name in files:
            if name[0] != "." and name.lower().endswith((".md", ".markdown")):
                notes += 1
                size += (Path(folder) / name).lstat().st_size
    return notes, size


def measure_vault(vault: Path, env: dict[str, str]) -> tuple[list[str], list[str]]:
    """One row of the table, and what was skipped, a line each."""
    notes, size = count_notes(vault)
    first = checked(run([*kb_command(), "index", str(vault), "--json"], env), vault)
    again = checked(run([*kb_command(), "index", str(vault), "--json"], env), vault)
    status = run([*kb_command(), "status", "--vault", str(vault), "--json"], env)
    query = run([*kb_command(), "query", "how to", "--vault", str(vault), "--json"], env)
    if query.status not in (0, 1):
        raise SystemExit(f"{vault.name}: query failed ({query.status}): {query.err}")
    report, found = json.loads(first.out), json.loads(status.out)
    repeat = json.loads(again.out)
    if repeat["unchanged"] != found["notes"]:
        raise SystemExit(f"{vault.name}: a second run saw changes: {again.out}")
    reasons = Counter(one["reason"] for one in report["skipped"])
    row = [
        vault.name,
        str(notes),
        str(found["notes"]),
        ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())) or "0",
        str(len(report["problems"])),
        f"{size / 1e6:.1f}",
        f"{first.seconds:.1f}",
        f"{again.seconds:.2f}",
        f"{query.seconds:.2f}",
        f"{Path(found['index']).stat().st_size / 1e6:.1f}",
        f"{first.peak:.0f}",
    ]
    return row, [f"{vault.name}: {one['path']}: {one['reason']}" for one in report["skipped"]]


def checked(measured: Measured, vault: Path) -> Measured:
    """The measurement, unless the command failed."""
    if measured.status != 0:
        raise SystemExit(f"{vault.name}: failed ({measured.status}): {measured.err}")
    return measured


def main() -> None:
    """Unpack, index, print, write."""
    parser = argparse.ArgumentParser(description="Index real vaults and ask each a question")
    parser.add_argument("names", nargs="*", help="archives to take, all by default")
    parser.add_argument("--write", type=Path, help="the page to write the table to")
    given = parser.parse_args()
    archives = sorted((MATERIAL / "vaults").glob("*.tar.gz"))
    if not archives:
        raise SystemExit(f"no vaults in {MATERIAL}; name their folder with KB_TEST_MATERIAL")
    rows = []
    for archive in archives:
        name = archive.name.removesuffix(".tar.gz")
        if given.names and name not in given.names:
            continue
        work = Path(tempfile.mkdtemp(prefix="kb-vaults-"))
        try:
            with tarfile.open(archive) as packed:
                packed.extractall(work / name, filter="data")
            row, skipped = measure_vault(work / name, private_environment(work))
        finally:
            shutil.rmtree(work, ignore_errors=True)
        rows.append(row)
        sys.stderr.write(f"{' '.join(row)}\n" + "".join(f"  {line}\n" for line in skipped[:20]))
    page = (
        "# Real vaults\n\n"
        "Public vaults and documentation sites, indexed from nothing, indexed again unchanged, and"
        f" asked one question. Measured {machine()}; repeat it with"
        " `python -m benchmarks.vaults --write docs/vaults.md`.\n\n" + table(_HEAD, rows)
    )
    sys.stdout.write(page)
    if given.write:
        given.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
