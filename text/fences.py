"""Fenced blocks of code in a piece of Markdown: which one is open where the piece ends."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})(.*)$", re.MULTILINE)


def open_fence(text: str, before: str = "") -> str:
    """The fence that is open at the end of a text, such as "```", "" for none.

    `before` is the one that is open where it begins. A fence closes with one of the same sign that
    is at least as long and stands alone (CommonMark 0.31, 4.5).
    """
    fence = before
    for marker, rest in _FENCE.findall(text):
        if not fence:
            # Behind back-ticks no more of them may follow: that is code within a line.
            fence = "" if marker[0] == "`" and "`" in rest else marker
        elif marker[0] == fence[0] and len(marker) >= len(fence) and not rest.strip():
            fence = ""
    return fence


def fenced(text: str, before: str = "") -> str:
    """The text with a fence opened above it and closed below it where its blocks lack one."""
    after = open_fence(text, before)
    return (f"{before}\n" if before else "") + text + (f"\n{after}" if after else "")
