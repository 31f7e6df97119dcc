"""Run whole processes and take the operating system's own account of each."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

MATERIAL = Path(
    os.environ.get("KB_TEST_MATERIAL") or Path(__file__).resolve().parents[2] / "shared"
)


# argv: file number for the account, command. A process starts with the peak of the one that starts
# it, so that must be a small one.
_LAUNCH = """
import json, os, sys, time
started = time.perf_counter()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
account = (time.perf_counter() - started, usage.ru_maxrss, status)
os.write(int(sys.argv[1]), json.dumps(account).encode())
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One finished process. Seconds are wall clock; `peak` is resident memory in MiB."""

    seconds: float
    peak: float
    status: int
    out: str
    err: str


def kb_command() -> list[str]:
    """The installed command of this environment."""
    return [str(Path(sys.executable).with_name("kb"))]


def run(command: Sequence[str], env: Mapping[str, str] | None = None) -> Measured:
    """Run a command to its end. Only on systems with `wait4`."""
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as account,
    ):
        number = account.fileno()
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", _LAUNCH, str(number), *command],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=dict(env or os.environ),
            pass_fds=[number],
        )
        for file in (out, err, account):
            file.seek(0)
        seconds, peak, status = json.load(account)
        unit = 1 if sys.platform == "darwin" else 1024
        return Measured(
            seconds,
            peak * unit / 2**20,
            os.waitstatus_to_exitcode(status),
            out.read().decode("utf-8", "replace"),
            err.read().decode("utf-8", "replace"),
        )


def median_seconds(
    commands: Mapping[str, Sequence[str]], runs: int, env: Mapping[str, str] | None = None
) -> dict[str, float]:
    """The median of each command, run in turn so that a change of the machine's pace hits all."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for name, command in commands.items():
        warmed = run(command, env)
        if warmed.status not in (0, 1):
            raise SystemExit(f"{name} failed ({warmed.status}): {warmed.err}")
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(run(command, env).seconds)
    return {name: statistics.median(values) for name, values in times.items()}


def private_environment(folder: Path) -> dict[str, str]:
    """An environment in which kb keeps its data below `folder` and sees no user settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("KB_")}
    return kept | {
        "KB_DATA": str(folder / "data"),
        "KB_CONFIG": str(folder / "config.toml"),
        "NO_COLOR": "1",
    }


def machine() -> str:
    """One line that says where and when a figure was taken."""
    day = datetime.now(UTC).date().isoformat()
    return (
        f"{day}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores,"
        f" Python {platform.python_version()}"
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines.extend(f"| {' | '.join(row)} |" for row in rows)
    return "\n".join(lines) + "\n"
