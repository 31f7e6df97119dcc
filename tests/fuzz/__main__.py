"""Fuzz kb, guided by what code each input reaches.

usage: python -m tests.fuzz TARGET... [--minutes N] [--folder FOLDER]
       python -m tests.fuzz TARGET --try FILE...

A target is one of those in `targets.py`, or `all`, which share the minutes. Findings and the inputs
that reached new code stay in FOLDER/TARGET, and the next run goes on from there. `--try` runs a
target on files, such as a finding. Needs `atheris` (`pip install --group fuzz`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from .seeds import write_seeds
from .targets import TARGETS


def main() -> int:
    """Run, report, and say by the status whether anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="+", choices=[*TARGETS, "all"])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--try", dest="files", nargs="+", type=Path)
    arguments = parser.parse_args()
    names = list(TARGETS) if "all" in arguments.targets else arguments.targets
    if arguments.files:
        for file in arguments.files:
            TARGETS[names[0]].check(file.read_bytes())
        return 0
    if find_spec("atheris") is None:
        print("fuzzing needs atheris: pip install atheris", file=sys.stderr)
        return 2
    found = 0
    for name in names:
        found += _run(name, arguments.folder / name, 60 * arguments.minutes / len(names))
    return 1 if found else 0


def _run(name: str, folder: Path, seconds: float) -> int:
    """Fuzz one target in processes of its own; the number of findings."""
    for part in ("seeds", "corpus"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    seeds = write_seeds(TARGETS[name], folder / "seeds")
    inputs, findings = 0, set()
    end = time.monotonic() + seconds
    while (left := int(end - time.monotonic())) > 0:
        command = [sys.executable, "-m", "tests.fuzz.engine", name, str(folder), str(left)]
        with (folder / "log").open("ab") as log:
            subprocess.run(command, stderr=log, stdout=log, check=False)
        tally = folder / "tally.json"
        if not tally.exists():
            print(f"{name}: it did not start; see {folder / 'log'}", file=sys.stderr)
            return 1
        told = json.loads(tally.read_text())
        inputs += told["inputs"]
        findings |= set(told["findings"].items())
    findings |= {("ended the process", file.name) for file in folder.glob("[toc]*-*[0-9a-f]")}
    kept = sum(1 for _ in (folder / "corpus").iterdir())
    print(
        f"{name}: {inputs:,} inputs in {seconds / 60:.0f} minutes from {seeds:,} seeds,"
        f" {kept:,} of them new ways through, {len(findings)} findings"
    )
    for place, file in sorted(findings, key=lambda one: one[1]):
        print(f"  {folder / file}: {place}")
    return len(findings)


if __name__ == "__main__":
    sys.exit(main())
