"""Passages: a note cut at its headings, then by size.

A short note stays whole. Otherwise each section is cut at its paragraphs, a long paragraph at its
lines, a long line at its sentences, into parts of about equal size; then neighbours too small to
say anything alone are joined where they share a parent. Together the passages hold every character
of the note's text that is not white space.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from kb.indexer.graphemes import cut_position, weight
from kb.store.note_records import Passage
from kb.text.inline import LineIndex
from kb.text.markup import plain_line, without_links
from kb.text.sections import Sections, Trail

# In characters of Latin script: about 250 word pieces, which is what small models read.
AIM = 1_100.0
MOST = 1_600.0
# A note up to this size stays whole: what it says in two places belongs together.
WHOLE = 2_400.0
# A smaller section is joined to its neighbour, where both fit one passage.
TINY = 300.0
MAX_PASSAGES = 5_000


class Piece(NamedTuple):
    """A part of the text, from `start` to `end`, and what it stands under."""

    start: int
    end: int
    weight: float
    trail: Trail


def cut_passages(
    text: str,
    lines: LineIndex,
    sections: Sections,
    block_starts: Sequence[int],
    first_line: int,
    problems: list[str],
) -> tuple[Passage, ...]:
    """The passages of a note's text, in order; one without text where the note has none.

    `first_line` is the number of the text's first line in the file; `block_starts` are the lines
    (0-based in the text) between which blocks stand whole.
    """
    pieces = _pieces(text, lines, sections, block_starts)
    passages: list[Passage] = []
    for piece in pieces:
        if text[piece.start : piece.end].isspace():
            continue
        if len(passages) == MAX_PASSAGES:
            problems.append(f"only the first {MAX_PASSAGES:,} passages were kept")
            break
        passages.append(_passage(text, lines, piece, first_line))
    return tuple(passages) or (Passage((), 1, 1, ""),)


def _passage(text: str, lines: LineIndex, piece: Piece, first_line: int) -> Passage:
    source = text[piece.start : piece.end]
    shown = source.strip()
    start = piece.start + len(source) - len(source.lstrip())
    line = lines.line(start)
    return Passage(piece.trail, first_line + line, first_line + line + shown.count("\n"), shown)


def _pieces(
    text: str, lines: LineIndex, sections: Sections, block_starts: Sequence[int]
) -> Iterator[Piece]:
    """The pieces that hold more than white space."""
    filled = _sections(text, lines, sections)
    whole = weight(text) if len(text) <= WHOLE else WHOLE + 1
    if whole <= WHOLE:
        yield from _whole(list(filled), whole)
        return
    yield from _join_tiny(
        piece for section in filled for piece in _cut_section(text, lines, section, block_starts)
    )


def _whole(sections: Sequence[Piece], whole: float) -> Iterator[Piece]:
    """All sections as one piece, under the headings they share."""
    if sections:
        trail = reduce(_common, (section.trail for section in sections))
        yield Piece(sections[0].start, sections[-1].end, whole, trail)


def _sections(text: str, lines: LineIndex, sections: Sections) -> Iterator[Piece]:
    offsets = [lines.starts[line] for line in sections.starts]
    offsets.append(len(text))
    for position, trail in enumerate(sections.trails):
        start, end = offsets[position], offsets[position + 1]
        source = text[start:end]
        if source and not source.isspace():
            yield Piece(start, end, weight(source), trail)


def _common(one: Trail, other: Trail) -> Trail:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return one[:length]


def _cut_section(
    text: str, lines: LineIndex, section: Piece, block_starts: Sequence[int]
) -> Iterator[Piece]:
    """The section in parts of nearly equal size, each of at most MOST, most of about AIM."""
    if section.weight <= MOST:
        yield section
        return
    goal = section.weight / max(2, round(section.weight / AIM))
    start, size, end = section.start, 0.0, section.start
    for atom in _atoms(text, lines, section, block_starts):
        # Cut where that comes nearer to the goal than going on.
        if size and (size + atom.weight > MOST or size + atom.weight / 2 > goal):
            yield Piece(start, end, size, section.trail)
            start, size = end, 0.0
        size += atom.weight
        end = atom.end
    if end > start:
        yield Piece(start, end, size, section.trail)


def _atoms(
    text: str, lines: LineIndex, section: Piece, block_starts: Sequence[int]
) -> Iterator[Piece]:
    """What stays whole in a section: blocks, else lines, else sentences or what fits."""
    first, last = lines.line(section.start), lines.line(section.end - 1)
    inner = block_starts[bisect_right(block_starts, first) : bisect_left(block_starts, last + 1)]
    for block in _split(text, section, [lines.starts[line] for line in inner]):
        if block.weight <= AIM:
            yield block
            continue
        first, last = lines.line(block.start), lines.line(block.end - 1)
        for line in _split(text, block, lines.starts[first + 1 : last + 1]):
            yield from _cut_line(text, line)


def _split(text: str, piece: Piece, offsets: Sequence[int]) -> Iterator[Piece]:
    start = piece.start
    for end in (*offsets, piece.end):
        if end > start:
            yield Piece(start, end, weight(text[start:end]), piece.trail)
            start = end


def _cut_line(text: str, line: Piece) -> Iterator[Piece]:
    if line.weight <= MOST:
        yield line
        return
    start = line.start
    while start < line.end:
        end = cut_position(text, start, line.end, AIM)
        yield Piece(start, end, weight(text[start:end]), line.trail)
        start = end


def _join_tiny(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces, with tiny ones joined to a neighbour under the same parent."""
    held: Piece | None = None
    for piece in pieces:
        if held is None:
            held = piece
            continue
        joined = _joined(held, piece)
        if joined is None:
            yield held
        held = joined or piece
    if held is not None:
        yield held


def _joined(one: Piece, other: Piece) -> Piece | None:
    """Both as one piece, None where they are better kept apart."""
    together = one.weight + other.weight
    room = MOST if one.trail == other.trail else AIM
    if min(one.weight, other.weight) >= TINY or together > room:
        return None
    trail = _common(one.trail, other.trail)
    if len(trail) < min(len(one.trail), len(other.trail)) - 1:
        return None
    return Piece(one.start, other.end, together, trail)


def embed_text(note_title: str, passage: Passage) -> str:
    """What is embedded for a passage: the note's title and the heading trail, then the text.

    A heading that repeats the title, or opens the text, is said once; links are what they show,
    since addresses would crowd out the words.
    """
    trail = [heading for heading in passage.heading if heading != note_title]
    text = passage.text
    first, _, rest = text.partition("\n")
    if passage.heading and first.startswith("#"):
        opening = plain_line(first.lstrip("#"))
        if opening in (note_title, passage.heading[-1]):
            text = rest.lstrip("\n")
    parts = [" › ".join(part for part in (note_title, *trail) if part), without_links(text)]
    return "\n".join(part for part in parts if part)
