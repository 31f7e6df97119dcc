"""The heading trail above each line of a note."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from kb.text.markup import plain_line
from kb.text.structure import Heading

Trail = tuple[str, ...]


class Sections:
    """The sections of a note: where each starts (line, 0-based) and the trail it stands under.

    The first section is what precedes every heading; its trail is empty.
    """

    def __init__(self, headings: Sequence[Heading]) -> None:
        self.starts: list[int] = [0]
        self.trails: list[Trail] = [()]
        self.levels: list[int] = [0]
        above: list[tuple[int, str]] = []
        for heading in headings:
            while above and above[-1][0] >= heading.level:
                above.pop()
            above.append((heading.level, plain_line(heading.text)))
            self.starts.append(heading.line)
            self.trails.append(tuple(text for _, text in above if text))
            self.levels.append(heading.level)

    def trail(self, line: int) -> Trail:
        """The headings above a line; a heading stands under itself."""
        return self.trails[bisect_right(self.starts, line) - 1]

    def title(self) -> str:
        """The text of the first heading of level 1 that has any, "" where there is none."""
        for level, trail in zip(self.levels, self.trails, strict=True):
            if level == 1 and trail:
                return trail[0]
        return ""
