"""The outline of a note's text: what stands under which heading, and which of it is prose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kb.text.inline import LineIndex, Span, blank, hidden_spans
from kb.text.sections import Sections
from kb.text.structure import Heading, parse_structure


class Outline(NamedTuple):
    """What a text is made of. `prose` is the text with code and comments blank, of the same length;
    `block_starts` are the lines (0-based) that start a block, `problems` what could not be read."""

    prose: str
    lines: LineIndex
    sections: Sections
    block_starts: tuple[int, ...]
    problems: tuple[str, ...]


def parse_outline(text: str) -> Outline:
    """The outline of a text without front matter. Never raises."""
    lines = LineIndex(text)
    structure = parse_structure(text)
    prose = blank(text, (lines.span(*code) for code in structure.code))
    code, comments = hidden_spans(prose)
    prose = blank(prose, sorted(code + comments))
    headings = _outside(structure.headings, lines, comments)
    return Outline(prose, lines, Sections(headings), structure.starts, structure.problems)


def _outside(
    headings: Iterable[Heading], lines: LineIndex, comments: list[Span]
) -> tuple[Heading, ...]:
    """The headings that stand in no `%%` comment, which Markdown itself does not know."""
    if not comments:
        return tuple(headings)
    kept: list[Heading] = []
    position = 0
    for heading in headings:
        offset = lines.starts[heading.line]
        while position < len(comments) and comments[position][1] <= offset:
            position += 1
        if position == len(comments) or comments[position][0] >= offset:
            kept.append(heading)
    return tuple(kept)
