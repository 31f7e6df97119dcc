"""A row of the table: what was measured, its floor in the same run, the ratio and the target."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = ("work", "measured", "floor in the same run", "ratio", "at most")


@dataclass(frozen=True, slots=True)
class Row:
    """One measured ratio. `target` is the most it may be, None where there is none."""

    work: str
    measured: str
    floor: str
    ratio: float
    target: float | None

    def cells(self) -> tuple[str, ...]:
        """As a row of a Markdown table; a missed target is bold."""
        ratio = f"{self.ratio:.2f}"
        missed = self.target is not None and self.ratio > self.target
        target = "" if self.target is None else f"{self.target:g}"
        return (self.work, self.measured, self.floor, f"**{ratio}**" if missed else ratio, target)


def timed(
    work: str, seconds: float, floor_name: str, floor: float, target: float | None = None
) -> Row:
    """A row of times."""
    return Row(work, shown(seconds), f"{floor_name} {shown(floor)}", seconds / floor, target)


def shown(seconds: float) -> str:
    """A time in a readable unit."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.2f} ms"


def count(number: int) -> str:
    """A number with its thousands set apart."""
    return f"{number:,}"
