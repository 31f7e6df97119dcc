"""Results as plain lines, for pipes: never wrapped, cut or coloured."""

from __future__ import annotations

from kb.cli.escape import escape_breaks, escape_line, escape_path, flatten
from kb.cli.render_table import TextTable, text_width
from kb.store.paths import decode_path
from kb.store.records import Hit


def render_hit(hit: Hit, terminal: bool) -> str:
    """One hit as `path<TAB>line<TAB>score<TAB>title`."""
    path, title = render_path_field(hit.path, terminal), flatten(hit.title)
    if terminal:
        title = escape_line(title)
    return f"{path}\t{hit.passage.line}\t{hit.score!r}\t{title}"


def render_path_field(stored: str, terminal: bool) -> str:
    r"""A path as one field of a line: as `render_path`, with `\x0a` for a line feed in its name."""
    return escape_breaks(render_path(stored, terminal))


def render_path(stored: str, terminal: bool) -> str:
    """A path: its own bytes, so that a script can open it, or escaped for a terminal."""
    return escape_path(stored) if terminal else decode_path(stored)


def render_table(table: TextTable, terminal: bool) -> list[str]:
    """The lines of a table, columns aligned by spaces, nothing cut."""
    cells = [table.columns, *table.rows]
    clean = [[_clean(cell, terminal) for cell in row] for row in cells]
    widths = [max(map(text_width, column)) for column in zip(*clean, strict=True)]
    lines = [_clean(table.title, terminal)] if table.title else []
    lines += [_aligned(row, widths, table.numeric) for row in clean]
    return lines + [_clean(note, terminal) for note in table.notes]


def _clean(text: str, terminal: bool) -> str:
    return escape_line(text) if terminal else flatten(text)


def _aligned(row: list[str], widths: list[int], numeric: frozenset[int]) -> str:
    parts = []
    for position, (cell, width) in enumerate(zip(row, widths, strict=True)):
        gap = " " * (width - text_width(cell))
        parts.append(gap + cell if position in numeric else cell + gap)
    return "  ".join(parts).rstrip()
