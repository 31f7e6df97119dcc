"""A passage of Markdown as plain text, for a snippet that is to be read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from kb.text.marking import mark, snippet
from kb.text.markup import plain_words

if TYPE_CHECKING:
    from kb.text.query import Query

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_RULE = re.compile(r"[-=*_:|+ \t]*")  # of a table, between sections, below a heading
_HEADING = re.compile(r"#{1,6}(?=[ \t]|$)")
_QUOTE = re.compile(r"(?:>[ \t]?)+(?:\[![^\]\n]+\][-+]?[ \t]*)?")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+")
_CELL = re.compile(r"(?<!\\)\|")
_ENDS = tuple(".,:;!?…。、：；！？")
# Markdown in a longer line than this is taken off piece by piece.
_LONGEST_LINE = 1_000


class _Block(NamedTuple):
    text: str
    kind: str = ""  # heading or row, where it matters


def plain_snippet(
    text: str, above: Collection[str], query: Query, language: str, width: int
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """As `snippet`, of the passage as plain text, without the headings that are shown `above` it.

    Where what matches stands only in such a heading, or in what plain text leaves out (the address
    of a link), that is shown all the same.
    """
    best = snippet(plain_passage(text, above), query, language, width)
    if not best[1] and mark(text, query, language):
        for other in (plain_passage(text), text):
            found = snippet(other, query, language, width)
            if found[1]:
                return found
    return best if best[0] else snippet(plain_passage(text) or text, query, language, width)


def plain_passage(text: str, shown: Collection[str] = ()) -> str:
    """The text of a passage without its Markdown, a line each; code stays as it is written.

    A heading ends with a colon, a row of a table with a semicolon, so that they are told from what
    follows once lines are joined. Headings at the start that are one of `shown` are left out.
    """
    known = {one.casefold() for one in shown}
    lines: list[str] = []
    before = _Block("")
    for block in _blocks(text):
        if block.kind == "heading" and not lines and block.text.casefold() in known:
            continue
        if lines:
            lines[-1] += _separator(before, block)
        lines.append(block.text)
        before = block
    return "\n".join(lines)


def _separator(before: _Block, after: _Block) -> str:
    if before.kind == "heading" and not before.text.endswith(_ENDS):
        return ":"
    return ";" if before.kind == after.kind == "row" else ""


def _blocks(text: str) -> Iterator[_Block]:
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line[found.end() :].strip():
            fence = ""
        elif fence:
            yield _Block(line.strip())
        elif (block := _block(line.strip())).text:
            yield block


def _block(line: str) -> _Block:
    line = _QUOTE.sub("", line, count=1) if line.startswith(">") else line
    if _RULE.fullmatch(line) or _BLOCK_ID.fullmatch(line):
        return _Block("")
    if heading := _HEADING.match(line):
        return _Block(_words(_without_closing(line[heading.end() :])), "heading")
    if line.startswith("|"):
        cells = (_words(cell.replace("\\|", "|")) for cell in _CELL.split(line))
        return _Block(" | ".join(filter(None, cells)), "row")
    return _Block(_words(line))


def _without_closing(heading: str) -> str:
    """A heading's text without the signs that may stand behind it too."""
    bare = heading.rstrip("#")
    return bare if bare != heading and bare[-1:] in (" ", "\t", "") else heading


def _words(text: str) -> str:
    if len(text) <= _LONGEST_LINE:
        return plain_words(text)
    pieces = []
    while len(text) > _LONGEST_LINE:
        cut = text.rfind(" ", 0, _LONGEST_LINE) + 1 or _LONGEST_LINE
        pieces.append(plain_words(text[:cut]) + " " * text[:cut].endswith(" "))
        text = text[cut:]
    return "".join([*pieces, plain_words(text)])
