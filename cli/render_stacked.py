"""A table for a terminal that is too narrow for it: one column gets lines of its own."""

from __future__ import annotations

from typing import NamedTuple

from kb.cli.render_table import TextTable, text_width

# A column of paths that is narrower than this breaks most of them.
_ENOUGH = 40
_GAP = "  "


class StackedTable(NamedTuple):
    """Lines to print: the head, then for each row what stands above its cells, and those."""

    head: list[str]
    rows: list[tuple[str, list[str]]]


def is_too_narrow(table: TextTable, width: int) -> bool:
    """Whether a table drawn with lines at this width would break its wide column often."""
    if table.wide is None:
        return False
    widths = _widths(table)
    taken = sum(one + 3 for place, one in enumerate(widths) if place != table.wide) + 1
    return width - taken - 3 < min(widths[table.wide], _ENOUGH)


def stack_table(table: TextTable, width: int) -> StackedTable:
    """The wide column above the others, which share a line where the terminal has room."""
    rows = [table.columns, *table.rows]
    rest = [[cell for place, cell in enumerate(row) if place != table.wide] for row in rows]
    first = max(len(row[0]) for row in rest)
    joined = [[cell.replace("\n", " ") for cell in row] for row in rest]
    if (
        sum(max(map(text_width, column)) + len(_GAP) for column in zip(*joined, strict=True))
        <= width
    ):
        rest = joined
    blocks = _align(rest)
    indent = " " * first
    above = [f"{row[0]:>{first}}{_GAP}{row[table.wide or 0]}" for row in table.rows]
    below = [[indent + line[first:] for line in block] for block in blocks[1:]]
    return StackedTable(blocks[0], list(zip(above, below, strict=True)))


def _align(rows: list[list[str]]) -> list[list[str]]:
    """Each row as lines of equal columns, set right."""
    widths = [max(map(_cell_width, column)) for column in zip(*rows, strict=True)]
    blocks = []
    for row in rows:
        split = [cell.split("\n") for cell in row]
        height = max(map(len, split))
        lines = []
        for number in range(height):
            cells = (cell[number] if number < len(cell) else "" for cell in split)
            parts = (" " * (w - text_width(c)) + c for c, w in zip(cells, widths, strict=True))
            lines.append(_GAP.join(parts).rstrip())
        blocks.append(lines)
    return blocks


def _widths(table: TextTable) -> list[int]:
    rows = [table.columns, *table.rows]
    return [max(map(_cell_width, column)) for column in zip(*rows, strict=True)]


def _cell_width(cell: str) -> int:
    return max(map(text_width, cell.split("\n")))
