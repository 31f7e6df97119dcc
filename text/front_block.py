"""Where a note's front matter begins and ends: two lines of dashes or plusses at its very start."""

from __future__ import annotations

import re
from typing import NamedTuple

_KINDS = {
    "---": ("yaml", re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)),
    "+++": ("toml", re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)),
}


class FrontBlock(NamedTuple):
    """What stands between the two lines, in `yaml` or `toml`, and where the note's text starts."""

    kind: str
    source: str
    body_start: int

    @property
    def lines(self) -> int:
        """How many lines it takes, with the two around it."""
        return self.source.count("\n") + 2


def find_front_block(text: str) -> FrontBlock | None:
    """The block that opens a text, None where the pair of lines is incomplete."""
    if text[:3] not in _KINDS:
        return None
    kind, end = _KINDS[text[:3]]
    opening = text.find("\n")
    if opening < 0 or text[3:opening].strip(" \t"):
        return None
    closing = end.search(text, opening + 1)
    if closing is None:
        return None
    source = text[opening + 1 : closing.start()]
    return FrontBlock(kind, source, min(closing.end() + 1, len(text)))
