"""Parts of a note's text: a section by its heading, a block by its id, a range of lines.

Lines are 1-based and inclusive. Headings are found as the index finds them (`kb.text.outline`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from kb.text.characters import fold
from kb.text.front_block import find_front_block
from kb.text.markup import plain_line
from kb.text.outline import Outline, parse_outline

_PROPERTY_LINE = {
    "yaml": re.compile(r"""^(?:["'\w][^:\n]*:(?:\s|$)|\{|\[|-\s)""", re.MULTILINE),
    "toml": re.compile(r"^\s*(?:\[|[\w\"'.-]+\s*=)", re.MULTILINE),
}
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^([\w-]+)[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")


class Part(NamedTuple):
    """A range of lines. `heading` is the trail that it stands under."""

    line: int
    end_line: int
    heading: tuple[str, ...] = ()


class Parts:
    """The parts of one note's text (lines ended by `\\n`, as `decode` gives it)."""

    def __init__(self, text: str) -> None:
        self.lines: list[str] = text.split("\n")
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()
        self._first = front_matter_lines(text)
        self._text = text
        self._outline: Outline | None = None

    @property
    def whole(self) -> Part:
        """All of it."""
        return Part(1, len(self.lines))

    def headings(self) -> tuple[tuple[str, ...], ...]:
        """The trail of each heading, in order."""
        return tuple(trail for trail in self._parsed().sections.trails[1:] if trail)

    def sections(self, wanted: Sequence[str]) -> tuple[Part, ...]:
        """The sections that a trail of headings fits, with what stands below them.

        `wanted` are the last headings of the trail, from the outermost, as written, as a link
        writes them or as an address does; those that differ least in spelling win.
        """
        sections = self._parsed().sections
        for key in (fold, heading_key):
            keys = [key(heading.strip()) for heading in wanted]
            found = [
                self._section(at)
                for at, trail in enumerate(sections.trails)
                if all(keys) and _ends_with([key(heading) for heading in trail], keys)
            ]
            if found:
                return tuple(found)
        return ()

    def block(self, block_id: str) -> Part | None:
        """The block that `^block_id` ends or follows, None where there is none."""
        outline = self._parsed()
        wanted = fold(block_id)
        for number, line in enumerate(outline.prose.split("\n")):
            found = _BLOCK_ID.search(line)
            if found and fold(found[1]) == wanted:
                first, last = self._block_at(number, alone=not line[: found.start()].strip())
                trail = outline.sections.trail(last)
                return Part(self._first + first + 1, self._first + last + 1, trail)
        return None

    def trail_of(self, line: int) -> tuple[str, ...]:
        """The headings above a line."""
        number = line - 1 - self._first
        return self._parsed().sections.trail(number) if number >= 0 else ()

    def _parsed(self) -> Outline:
        if self._outline is None:
            self._outline = parse_outline("\n".join(self.lines[self._first :]))
        return self._outline

    def _section(self, at: int) -> Part:
        sections = self._parsed().sections
        level = sections.levels[at]
        later = range(at + 1, len(sections.starts))
        end = next((sections.starts[n] for n in later if sections.levels[n] <= level), None)
        last = len(self.lines) if end is None else self._first + end
        first = self._first + sections.starts[at] + 1
        while last > first and not self.lines[last - 1].strip():
            last -= 1
        return Part(first, last, sections.trails[at])

    def _block_at(self, number: int, *, alone: bool) -> tuple[int, int]:
        """The lines (0-based below the front matter) of the block that an id names."""
        outline = self._parsed()
        starts = [start for start in outline.block_starts if start <= number]
        if alone:  # on a line of its own: the block before it
            before = [start for start in starts if start < number]
            return (before[-1] if before else number), number
        text = self.lines[self._first :]
        first = number
        floor = starts[-1] if starts else 0
        while first > floor and not _ITEM.match(text[first]) and text[first - 1].strip():
            first -= 1
        if not _ITEM.match(text[first]):
            return first, number
        last = number
        while last + 1 < len(text) and _is_below(text[last + 1], text[first]):
            last += 1
        return first, last


def front_matter_lines(text: str) -> int:
    """How many lines a note's front matter takes, with its two rules; 0 where it has none."""
    found = find_front_block(text)
    if found is None:
        return 0
    # Between two rules may stand text; what has no property is that.
    if found.source.strip() and not _PROPERTY_LINE[found.kind].search(found.source):
        return 0
    return found.lines


def heading_key(heading: str) -> str:
    """What is left of a heading in a link or an address: its letters, marks and digits.

    Obsidian leaves out `#`, `^`, `|`, `:` and brackets, an address writes `-` for a space and
    leaves out what is neither letter nor digit.
    """
    kept = [char for char in fold(plain_line(heading)) if unicodedata.category(char)[0] in "LMN"]
    return "".join(kept) or fold(heading.strip())


def _ends_with(trail: list[str], wanted: list[str]) -> bool:
    """Whether the trail ends with the last wanted heading and has the others above, in order."""
    if not trail or trail[-1] != wanted[-1]:
        return False
    above = iter(trail[:-1])
    return all(any(one == heading for heading in above) for one in wanted[:-1])


def _is_below(line: str, item: str) -> bool:
    """Whether a line belongs to a list item, being further in."""
    indent = len(line) - len(line.lstrip())
    return bool(line.strip()) and indent > len(item) - len(item.lstrip())
