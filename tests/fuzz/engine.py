"""One target under libFuzzer: inputs that reach new code are kept and changed further.

A failed check does not end the run: its input is written down, once for each place that failed.
What takes too long or too much memory does end the process, and its input is written by libFuzzer.
"""

from __future__ import annotations

import atexit
import json
import sys
import time
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path

# Seconds of work for one input of at most `LONGEST` bytes, with every line watched.
_SLOW = 4.0
LONGEST = 4_096


@dataclass(slots=True)
class Tally:
    """What one process has done. `findings` are file names by the place that failed."""

    target: str
    inputs: int = 0
    seconds: float = 0.0
    findings: dict[str, str] = field(default_factory=dict)


class Harness:
    """Calls the check, and writes down what fails."""

    def __init__(self, target: str, folder: Path) -> None:
        from .targets import TARGETS

        self._check = TARGETS[target].check
        self._folder = folder
        self._began = time.monotonic()
        self._told = self._began
        self.tally = Tally(target)

    def run(self, data: bytes) -> None:
        """Check one input."""
        self.tally.inputs += 1
        began = time.thread_time()
        try:
            self._check(data)
        except Exception as error:
            self._found(data, error)
        took = time.thread_time() - began
        if took > _SLOW:
            self._keep(data, f"slow: {took:.0f} s for {len(data) // 512 * 512} bytes or more")
        now = time.monotonic()
        if now - self._told > 10:
            self._told = now
            self.write()

    def write(self) -> None:
        """Write the tally where the parent looks for it."""
        self.tally.seconds = time.monotonic() - self._began
        text = json.dumps(asdict(self.tally), indent=2)
        (self._folder / "tally.json").write_text(text)

    def _found(self, data: bytes, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        place = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in frames[:-4:-1])
        said = str(error).partition("\n")[0][:80] if isinstance(error, AssertionError) else ""
        self._keep(data, f"{type(error).__name__} {said} at {place}")

    def _keep(self, data: bytes, place: str) -> None:
        findings = self.tally.findings
        key = place.partition(" at ")[2] or place
        if any(known.endswith(key) for known in findings):
            return
        name = f"finding-{len(findings):03d}"
        (self._folder / name).write_bytes(data)
        findings[place] = name
        print(f"FINDING {self.tally.target} {name}: {place}", file=sys.stderr, flush=True)
        self.write()


def fuzz(target: str, folder: Path, seconds: int) -> None:
    """Fuzz in this process, which libFuzzer ends."""
    import atheris

    # Code that is imported before cannot be watched, so that nothing of ours is, above.
    with atheris.instrument_imports(include=["kb"]):
        harness = Harness(target, folder)
    arguments = [
        sys.argv[0],
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-timeout=60",
        "-rss_limit_mb=3000",
        "-print_final_stats=1",
        "-verbosity=1",
        f"-artifact_prefix={folder}/",
        f"-dict={Path(__file__).parent / 'words.dict'}",
        str(folder / "corpus"),
        str(folder / "seeds"),
    ]
    atexit.register(harness.write)
    atheris.Setup(arguments, harness.run)
    atheris.Fuzz()


if __name__ == "__main__":
    name, where, seconds = sys.argv[1:]
    fuzz(name, Path(where), int(seconds))
