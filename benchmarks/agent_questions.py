"""Questions to a running `kb mcp`.

`python -m benchmarks.agent_questions VAULT INDEX [--count 200]` asks words out of the notes.

Each goes over the pipe as an agent sends it. What is measured is the CPU time of the server process
(user and system, from the system's own account) from one answer to the next, and the time on the
clock, which says more on a machine that is idle. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.questions import questions

_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
_WARM = 5  # questions that load what is loaded once


class _Server:
    """A server as a process, asked in lines."""

    def __init__(self, index: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kb.cli", "mcp", "--index", str(index)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(os.environ),
        )
        self._id = 0
        self.ask("initialize", _HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return dict(answer["result"])

    def cpu(self) -> float:
        """Seconds of CPU so far, of all its threads."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


def measure(vault: Path, index: Path, count: int) -> dict[str, list[float]]:
    """Seconds of CPU and of the clock for each question."""
    server = _Server(index)
    taken: dict[str, list[float]] = {"cpu": [], "clock": []}
    for number, question in enumerate(questions(vault, count + _WARM)):
        cpu, clock = server.cpu(), time.perf_counter()
        result = server.ask("tools/call", {"name": "search", "arguments": {"query": question}})
        if number >= _WARM:
            taken["clock"].append(time.perf_counter() - clock)
            taken["cpu"].append(server.cpu() - cpu)
        assert result["structuredContent"]["results"], question
    assert server.process.stdin is not None
    server.process.stdin.close()
    server.process.wait()
    return taken


def _told(name: str, seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    return f"{name}: median {statistics.median(ordered) * 1000:.1f} ms, p95 {p95 * 1000:.1f} ms"


def main() -> None:
    """Print a line for each way of measuring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("index", type=Path)
    parser.add_argument("--count", type=int, default=200)
    arguments = parser.parse_args()
    for name, seconds in measure(arguments.vault, arguments.index, arguments.count).items():
        print(_told(name, seconds))


if __name__ == "__main__":
    main()
