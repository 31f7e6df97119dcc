"""What stands inside lines and is no text of the note's own: code spans and comments.

Such spans are blanked by characters of the same count, so that whatever is found in the blanked
text stands at the same place in the note.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice

# A note's text never holds it: decoding replaces it.
FILLER = "\0"

Span = tuple[int, int]

_MARK = re.compile(r"\\[\\`<%]|`+|<!--|%%")
# Marks beyond this are text: a run of backticks costs 200 bytes while its partner is looked for.
_MOST_MARKS = 200_000
# The starts of more lines than this are kept in a quarter of the room, a little slower to read.
_MANY_LINES = 100_000
# Further in, a mark does not start a line.
_DEEPEST_INDENT = 100
_BACKTICKS = re.compile(r"`+")
# Where a paragraph, a list item, a heading or a table row ends, no span goes on.
_BLOCK_END = re.compile(r"\n(?=[ \t>]*(?:\n|\Z|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|#{1,6}[ \t]|\|))")


class LineIndex:
    """Which line an offset of a text stands on, 0-based."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        self.count = len(lines)
        # The last start is one past the text's end: it ends the last line.
        starts = accumulate((len(line) + 1 for line in lines), initial=0)
        few = self.count <= _MANY_LINES
        self.starts: Sequence[int] = list(starts) if few else array("q", starts)

    def line(self, offset: int) -> int:
        """The line that holds the character at `offset`."""
        return min(bisect_right(self.starts, offset), self.count) - 1

    def span(self, first: int, last: int) -> Span:
        """The offsets of the lines from `first` up to `last`, which is left out."""
        return self.starts[min(first, self.count)], self.starts[min(last, self.count)]


def blank(text: str, spans: Iterable[Span], filler: str = " ") -> str:
    """The text with the characters of `spans` (in order, apart) replaced; line ends stay."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts.append(text[done:start])
        hidden = text[start:end]
        if "\n" in hidden:
            parts.append("\n".join(filler * len(line) for line in hidden.split("\n")))
        else:
            parts.append(filler * len(hidden))
        done = end
    if not parts:
        return text
    parts.append(text[done:])
    return "".join(parts)


def hidden_spans(text: str) -> tuple[list[Span], list[Span]]:
    """The code spans and the comments (`%%…%%`, HTML) of a text whose code blocks are blank.

    Leftmost first, as they are read: a comment in a code span is code. A code span ends with its
    block, and so does a comment, unless its mark starts a line. Unclosed, a mark is plain text,
    but for an HTML comment that starts a line and hides all that follows.
    """
    if "`" not in text and "%%" not in text and "<!--" not in text:
        return [], []
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._closing = _closing_runs(text)
        self._block_end = -1
        self._unclosed: set[str] = set()
        self._unclosed_in_block: dict[str, int] = {}

    def scan(self) -> tuple[list[Span], list[Span]]:
        code: list[Span] = []
        comments: list[Span] = []
        position = 0
        for _ in range(_MOST_MARKS):
            found = _MARK.search(self._text, position)
            if found is None:
                break
            mark, start = found[0], found.start()
            position = found.end()
            if mark[0] == "\\":
                continue
            end = self._end_of_code(start) if mark[0] == "`" else self._end_of_comment(start, mark)
            if end > position:
                (code if mark[0] == "`" else comments).append((start, end))
                position = end
        return code, comments

    def _end_of_code(self, start: int) -> int:
        closing = self._closing.get(start)
        return closing[1] if closing and closing[0] < self._end_of_block(start) else -1

    def _end_of_comment(self, start: int, mark: str) -> int:
        closing = "-->" if mark == "<!--" else mark
        before = self._text[max(0, start - _DEEPEST_INDENT) : start].rpartition("\n")[2]
        if before.strip(" \t>") or len(before) == _DEEPEST_INDENT:
            return self._in_block(start, mark, closing)
        if mark not in self._unclosed:
            end = self._text.find(closing, start + len(mark))
            if end >= 0:
                return end + len(closing)
            self._unclosed.add(mark)
        return len(self._text) if mark == "<!--" else -1

    def _in_block(self, start: int, mark: str, closing: str) -> int:
        block_end = self._end_of_block(start)
        # Looked for in vain once, it is not looked for again in the same block.
        if self._unclosed_in_block.get(mark) == block_end:
            return -1
        end = self._text.find(closing, start + len(mark), block_end)
        if end >= 0:
            return end + len(closing)
        self._unclosed_in_block[mark] = block_end
        return -1

    def _end_of_block(self, start: int) -> int:
        if start >= self._block_end:
            found = _BLOCK_END.search(self._text, start)
            self._block_end = found.start() if found else len(self._text)
        return self._block_end


def _closing_runs(text: str) -> dict[int, Span]:
    """For each run of backticks, by its offset, the next run of the same length."""
    closing: dict[int, Span] = {}
    next_of_length: dict[int, Span] = {}
    runs = (found.span() for found in islice(_BACKTICKS.finditer(text), _MOST_MARKS))
    for run in reversed(list(runs)):
        length = run[1] - run[0]
        if length in next_of_length:
            closing[run[0]] = next_of_length[length]
        next_of_length[length] = run
    return closing
