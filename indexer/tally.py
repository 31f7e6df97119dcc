"""The count of what a run did."""

from __future__ import annotations

from kb.store.index_records import SkippedFile


class Tally:
    """What was done, in notes. `written`: parsed and written, whether or not they had changed."""

    def __init__(self, unchanged: int = 0) -> None:
        self.added = 0
        self.changed = 0
        self.removed = 0
        self.unchanged = unchanged
        self.written = 0
        self.skipped: list[SkippedFile] = []
        self.problems: list[SkippedFile] = []
