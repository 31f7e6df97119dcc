"""A `kb` of its own process, to be spoken with while it runs."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from conftest import clean_environment

GUARD = 60  # seconds after which it is taken for dead


@contextmanager
def running(
    arguments: Sequence[str | Path],
    variables: Mapping[str, str],
    *,
    stdin: int = subprocess.DEVNULL,
    under: Sequence[str] = (),
) -> Iterator[subprocess.Popen[bytes]]:
    """Start `kb` with these arguments, and end it with the block. `under`: what starts it."""
    command = [*under, sys.executable, "-m", "kb.cli", *map(str, arguments)]
    with subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(variables),
    ) as process:
        guard = threading.Timer(GUARD, process.kill)
        guard.start()
        try:
            yield process
        finally:
            guard.cancel()
            process.kill()
