"""What a property can hold, in every front matter format: leaves, lists and maps.

A leaf keeps the text its author wrote; what that text means (a number, a date, a link) is said
beside it and never changes it.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple, TypeAlias

from kb.store.note_records import PropertyKind


class Leaf(NamedTuple):
    """One value as written, and its type."""

    text: str
    kind: PropertyKind


# What a reader of front matter makes; lists and maps may share parts, never hold themselves.
FrontValue: TypeAlias = "Leaf | list[FrontValue] | dict[str, FrontValue]"

EMPTY = Leaf("", PropertyKind.EMPTY)

# YAML 1.2's core schema, which Obsidian reads: `yes`, `on` and `19:20` are text.
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
# No leading zero: `01234` is an identifier.
_NUMBER = re.compile(
    r"[-+]?(?:(?:0|[1-9][0-9]{0,30})(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"
)
_DATE = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]+([0-9]{1,2}):([0-9]{2})\S*(?: ?\S+)?)?"
)
_LINK = re.compile(r"!?\[\[[^\[\]\n]+\]\]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has that day (2021-02-30 is none)."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def leaf(text: str, *, quoted: bool = False) -> Leaf:
    """The leaf for a scalar. Quotes make text of what would be null, a number or a checkbox."""
    if not text.isascii() or "\0" in text:
        text = _UNSTORABLE.sub("\ufffd", text)
    text = text.strip()
    if not quoted:
        if text in _NULLS:
            return EMPTY
        if text in _BOOLEANS:
            return Leaf(text, PropertyKind.CHECKBOX)
    if not text:
        return EMPTY
    first = text[0]
    if first.isdigit() or first in "+-.":
        return _numeric(text, quoted)
    is_link = first in "[!" and _LINK.fullmatch(text)
    return Leaf(text, PropertyKind.LINK if is_link else PropertyKind.TEXT)


def _numeric(text: str, quoted: bool) -> Leaf:
    """The leaf for what begins as a number or a date does."""
    if not quoted and _NUMBER.fullmatch(text):
        return Leaf(text, PropertyKind.NUMBER)
    found = _DATE.fullmatch(text)
    if found and is_day(int(found[1]), int(found[2]), int(found[3])):
        return Leaf(text, PropertyKind.DATETIME if found[4] else PropertyKind.DATE)
    return Leaf(text, PropertyKind.TEXT)
