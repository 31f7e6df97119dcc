"""A table as data, to be drawn with lines on a terminal and with spaces elsewhere."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple


class TextTable(NamedTuple):
    """Cells as raw text; a cell may hold two lines, which plain text joins with a space.

    `numeric` columns are set right; `title` stands above, `notes` stand below, a line each.
    `wide` is the column of long text, not the first, that gets lines of its own where a terminal
    is too narrow to draw it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    wide: int | None = None


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
