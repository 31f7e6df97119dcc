"""Kill runs of `kb index` at random moments, and see what is left.

usage: python -m benchmarks.kills [--kills 200] [--notes 300] [--seed N]

Runs of every kind are killed in turn: a first one, one of changes, a rebuild, the rebuild of a
damaged index, the replacing of one of an older schema, one that embeds. Half are killed after a
random time, half at a random write. After each kill the index must be whole and answer as before
or after the run; after every fifth, the next run must give the index made from nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.measure import machine, private_environment, table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kill_support import KINDS, Victim

_FINISH_EVERY = 5
_HEAD = ("run", "kills", "ended first", "no answer yet", "as before", "as after", "lost")


def kill_many(kinds: list[str], seed: int, notes: int, folder: Path) -> tuple[Counter[str], int]:
    """Kill that many runs of one kind. How each ended, and how many finished runs were compared.

    Problems are printed as they are found.
    """
    kind = kinds[0]
    environment = private_environment(folder)
    victim = Victim(kind, seed, folder / kind, environment, notes)
    found: Counter[str] = Counter()
    for number, _ in enumerate(kinds, start=1):
        kill = victim.kill()
        problem = kill.problem
        if number % _FINISH_EVERY == 0 or number == len(kinds):
            problem = problem or victim.finish()
            found["compared"] += 1
        if problem:
            print(f"{kind}: killed at {kill.moment}: {problem}", file=sys.stderr)
        found["lost" if problem else kill.answered] += 1
        found["killed" if kill.killed else "ended"] += 1
    return found, found["compared"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--notes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    arguments = parser.parse_args()
    if sys.platform == "win32":
        sys.exit("processes end otherwise on Windows")
    print(f"{machine()}, {arguments.notes} notes, --seed {arguments.seed}", flush=True)
    began = time.monotonic()
    rows, compared, lost = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for position, kind in enumerate(KINDS):
            count = len(range(position, arguments.kills, len(KINDS)))
            if not count:
                continue
            found, finished = kill_many(
                [kind] * count, arguments.seed, arguments.notes, Path(folder)
            )
            compared += finished
            lost += found["lost"]
            columns = ("killed", "ended", "none", "before", "after", "lost")
            rows.append([kind, *(str(found[name]) for name in columns)])
            print(table(_HEAD, rows[-1:]).splitlines()[-1], flush=True)
    print()
    print(table(_HEAD, rows))
    print(f"{compared} indexes of a finished run compared with ones made from nothing")
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
