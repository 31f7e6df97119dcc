"""Progress of an index run: a bar on a terminal, silence elsewhere, notices always."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from kb.cli.environment import Environment
from kb.cli.output import say
from kb.store.paths import show_path

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

# Below this many steps a bar would be gone before it is read, and loading it would take as long.
_WORTH_A_BAR = 50
_WORTH_A_BAR_EMBEDDING = 4
_BETWEEN_MOVES = 0.1  # seconds
# What the steps of a stage are, where they are told one by one; else their share is.
_STEPS = {"read": "notes", "embed": "passages"}


class SilentProgress:
    """Shows nothing but notices, and those not if quiet."""

    def __init__(self, environment: Environment, *, quiet: bool) -> None:
        self._environment = environment
        self._quiet = quiet

    def begin(self, stage: str, total: int) -> None:
        """A stage of so many steps starts."""

    def advance(self, count: int = 1) -> None:
        """So many steps are done."""

    def end(self) -> None:
        """The stage is over."""

    def notice(self, message: str) -> None:
        """Tell the user something now."""
        if not self._quiet:
            say(self._environment, f"kb: {show_path(message)}")


class BarProgress(SilentProgress):
    """A bar a stage, where there is enough to do."""

    _bar: RichProgress | None = None
    _held = 0  # steps done since the bar was moved
    _moved = 0.0  # when that was

    def begin(self, stage: str, total: int) -> None:
        """Draw a bar for a stage of some size."""
        if total < (_WORTH_A_BAR_EMBEDDING if stage == "embed" else _WORTH_A_BAR):
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            ProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(
            file=self._environment.stderr,
            force_terminal=True,
            width=self._environment.width,
            color_system=None,
            markup=False,
            highlight=False,
            emoji=False,
        )
        columns: list[ProgressColumn] = [TextColumn("{task.description}"), BarColumn()]
        if stage in _STEPS:
            # No time that is left: long passages are embedded first, so that it would be untrue.
            done = "{task.completed:,}/{task.total:,} {task.fields[steps]}{task.fields[rate]}"
            columns.append(TextColumn(done))
        else:
            columns += [TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn()]
        self._bar = Progress(*columns, console=console, transient=True)
        self._bar.add_task(stage, total=total, steps=_STEPS.get(stage, ""), rate="")
        self._bar.start()

    def advance(self, count: int = 1) -> None:
        """Move the bar, ten times a second at most: to move it takes as long as a small note."""
        if self._bar is None:
            return
        self._held += count
        now = monotonic()
        if now - self._moved >= _BETWEEN_MOVES:
            self._moved = now
            self._move(self._bar)

    def _move(self, bar: RichProgress) -> None:
        task = bar.tasks[0]
        bar.update(task.id, advance=self._held, rate=_rate(task.speed))
        self._held = 0

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._move(self._bar)
            self._bar.stop()
            self._bar = None

    def notice(self, message: str) -> None:
        """Print above the bar, which is drawn again below."""
        if self._bar is None:
            super().notice(message)
            return
        from kb.cli.escape import escape_line

        self._bar.console.print(f"kb: {escape_line(show_path(message))}")


def _rate(speed: float | None) -> str:
    """So many steps a second, where that can be told yet."""
    if not speed:
        return ""
    return f", {speed:,.0f}/s" if speed >= 10 else f", {speed:.1f}/s"


def make_progress(environment: Environment, *, quiet: bool) -> SilentProgress:
    """The progress that fits: a bar on a terminal unless the user wants none."""
    if environment.shows_progress and not quiet:
        return BarProgress(environment, quiet=quiet)
    return SilentProgress(environment, quiet=quiet)
