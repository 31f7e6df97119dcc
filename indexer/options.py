"""What a run can be asked for, and what it tells while it goes on."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class IndexOptions(NamedTuple):
    """How to index. None and "" mean: as in the last run, else the default.

    `embed` True makes vectors now and in later runs, False stops that. `exclude` are globs with
    gitignore's rules, `model` a name or folder, `default_language` an ISO 639-1 code for notes
    whose language cannot be told.
    """

    rebuild: bool = False
    no_ignore: bool | None = None
    embed: bool | None = None
    model: str = ""
    default_language: str = ""
    exclude: tuple[str, ...] = ()


class Progress(Protocol):
    """Whoever watches a run."""

    def begin(self, stage: str, total: int) -> None:
        """A stage of `total` steps begins: `read` or `embed`."""

    def advance(self, count: int = 1) -> None:
        """So many steps are done."""

    def end(self) -> None:
        """The stage is over."""

    def notice(self, message: str) -> None:
        """Something that should be known at once."""


class Unwatched:
    """Progress that nobody watches. The report has the notices, too."""

    def begin(self, stage: str, total: int) -> None:
        """Nothing is shown."""

    def advance(self, count: int = 1) -> None:
        """Nothing is shown."""

    def end(self) -> None:
        """Nothing is shown."""

    def notice(self, message: str) -> None:
        """Nothing is shown."""
