"""The blocks of a note: headings, code, and where paragraphs part. By markdown-it-py.

Only its block rules run; what stands inside a line is read elsewhere. Lines are 0-based here and
count from the start of the note's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it.token import Token

# Quotes and lists deeper than this are read as plain text from there on.
_MAX_NESTING = 60
# A note has no more headings than this; later ones are text.
MAX_HEADINGS = 20_000
# Lines parsed at a time: a line of a list costs some 3 kB of tokens, and 15 microseconds.
_WINDOW = 20_000
MAX_LINES = 200_000
# What stands further along a line is no mark of a block, and is looked at once for each level.
_LONG_LINE = re.compile(r"^([^\n]{5000})[^\n]+", re.MULTILINE)
# Lines that take a parser to understand: indented ones, fences, HTML, underlines, and quotes or
# list items that start with one more block. Without any, only headings at the margin are left.
_NEEDS_PARSER = re.compile(
    r"""^(?: [ \t]+\S | < | ``` | ~~~ | [=-]+[ \t]*$
        | (?: >[ ]?+ | [-*+][ ] | [0-9]{1,9}[.)][ ] )(?: [ \t#><=*+0-9-] | ``` | ~~~ )
        | (?: [-*+] | [0-9]{1,9}[.)] )\t )""",
    re.MULTILINE | re.VERBOSE,
)
_MARGIN_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
# HTML whose content is no Markdown, whatever stands in it.
_RAW_HTML = re.compile(r"<(?:script|style|pre|textarea)\b", re.IGNORECASE)


class Heading(NamedTuple):
    """A heading: its level (1 to 6), its text as written, and its lines (the last excluded)."""

    level: int
    text: str
    line: int
    end_line: int


class Structure(NamedTuple):
    """`code` are the line ranges of code blocks, `starts` the lines that start a block of the
    outermost level, `problems` what could not be read. Ranges exclude their last line."""

    headings: tuple[Heading, ...]
    code: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]
    problems: tuple[str, ...]


def parse_structure(text: str) -> Structure:
    """The blocks of a text. Never raises: what cannot be read is plain text, and a problem."""
    found = _Collector()
    if not _NEEDS_PARSER.search(text):
        found.read_plain(text)
        return found.structure()
    if text.count("\n") < _WINDOW:
        found.read(text, 0)
        return found.structure()
    lines = found.first_lines(text)
    first = 0
    while first < len(lines):
        last = min(first + _WINDOW, len(lines))
        found.read("\n".join(lines[first:last]), first)
        first = found.resume(lines, first, last)
    return found.structure()


@cache
def _parser() -> Callable[[str], list[Token]]:
    """markdown-it, set up once. Its import costs 50 ms, which a query never pays."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    # Link definitions are read by us; the rule is slow on long addresses.
    parser.disable("reference")

    def parse(text: str) -> list[Token]:
        tokens: list[Token] = []
        parser.block.parse(text, parser, {}, tokens)
        return tokens

    return parse


class _Collector:
    """Gathers the blocks of a text that is parsed in one or more windows of lines."""

    def __init__(self) -> None:
        self._headings: list[Heading] = []
        self._code: list[tuple[int, int]] = []
        self._starts: list[int] = []
        self._problems: list[str] = []
        self._fence = ""

    def problem(self, sentence: str) -> None:
        """Note that something was not read."""
        self._problems.append(sentence)

    def structure(self) -> Structure:
        """All that was read."""
        problems = tuple(dict.fromkeys(self._problems))
        return Structure(tuple(self._headings), tuple(self._code), tuple(self._starts), problems)

    def first_lines(self, text: str) -> list[str]:
        """The lines of a text, as many as are looked at; that there are more is a problem."""
        lines = text.split("\n", MAX_LINES)
        if len(lines) > MAX_LINES:
            self.problem(f"headings and code were looked for in the first {MAX_LINES:,} lines only")
            lines.pop()
        return lines

    def read(self, text: str, first: int) -> None:
        """Add the blocks of a text whose first line is line `first`."""
        try:
            tokens = _parser()(_LONG_LINE.sub(r"\1", text))
        except (RecursionError, IndexError, RuntimeError, ValueError) as error:
            self.problem(f"the Markdown structure could not be read: {error}"[:200])
            return
        self._fence = ""
        for position, token in enumerate(tokens):
            if token.map is None or token.type == "inline":
                continue
            start, end = token.map[0] + first, token.map[1] + first
            if token.level == 0:
                self._starts.append(start)
                self._fence = token.markup if token.type == "fence" else ""
            if token.type in ("fence", "code_block") or (
                token.type == "html_block" and _RAW_HTML.match(token.content)
            ):
                self._code.append((start, end))
            elif token.type == "heading_open":
                self._add_heading(
                    Heading(int(token.tag[1]), tokens[position + 1].content, start, end)
                )

    def read_plain(self, text: str) -> None:
        """Add the blocks of a text that needs no parser: a third of the time is saved."""
        in_block = False
        for number, line in enumerate(self.first_lines(text)):
            if not line or line.isspace():
                in_block = False
            elif line[0] == "#" and (found := _MARGIN_HEADING.match(line)):
                level = len(found[1])
                self._add_heading(
                    Heading(level, _without_closing(line[level:]), number, number + 1)
                )
                self._starts.append(number)
                in_block = False
            elif not in_block:
                self._starts.append(number)
                in_block = True

    def _add_heading(self, heading: Heading) -> None:
        if len(self._headings) < MAX_HEADINGS:
            self._headings.append(heading)
        else:
            self.problem(f"only the first {MAX_HEADINGS:,} headings were read")

    def resume(self, lines: list[str], first: int, last: int) -> int:
        """The line to parse on from, after a window from `first` to `last`.

        That is the start of the window's last block, which may go on, unless it fills most of
        the window: then it is cut, or, if it is code, followed to its end.
        """
        start = self._starts[-1] if self._starts else first
        if last == len(lines) or start < first:
            return last
        if start - first >= _WINDOW // 2:
            self._starts.pop()
            self._code = [part for part in self._code if part[0] < start]
            while self._headings and self._headings[-1].line >= start:
                self._headings.pop()
            return start
        if not self._fence:
            return last
        closing = re.compile(rf" {{0,3}}{re.escape(self._fence)}+[ \t]*$")
        end = next((n for n in range(last, len(lines)) if closing.match(lines[n])), len(lines))
        self._code.append((last, min(end + 1, len(lines))))
        return min(end + 1, len(lines))


def _without_closing(text: str) -> str:
    """A heading's text without the `#` signs that may close it."""
    text = text.strip()
    opened = text.rstrip("#")
    return opened.rstrip() if not opened or opened[-1] in " \t" else text
