"""Dataview's inline fields: `Key:: value` alone on a line, `[key:: value]`, `(key:: value)`.

Lines of `key:: value` that open a note without front matter are a Logseq page's properties, which
are written the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_FIELDS = 1_000
# Colons that are looked at; code that was not marked as such may hold any number.
_MAX_TRIES = 20_000
_MAX_KEY = 60
_MAX_VALUE = 1_000

_KEY = r"(?P<key>[^\W_](?:[^\n:*`\[\](){}|<>!?.,;\"'\\]{0,58}[^\s:*`\[\](){}|<>!?.,;\"'\\])?)"
_LIST_MARK = r"(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?"
_LINE_KEY = re.compile(rf"(?:^|\n)[ \t>]*{_LIST_MARK}[*_]{{0,3}}{_KEY}[*_]{{0,3}}\Z")
_BRACKET_KEY = re.compile(rf"(?P<bracket>[\[(])[ \t]*{_KEY}[ \t]*\Z")
_CLOSING = {"[": "]", "(": ")"}
_OPENING_LINES = re.compile(r"(?:[ \t]*(?:-[ \t]+)?[\w./-]{1,60}::(?:[ \t][^\n]*)?\n)++")


class Field(NamedTuple):
    """An inline field; its value is from `start` to `end` of the text, as written there."""

    key: str
    start: int
    end: int


def find_fields(text: str) -> Iterator[Field]:
    """The inline fields of a text whose code and comments are blank, at most MAX_FIELDS."""
    position = text.find("::")
    taken = tries = 0
    while position >= 0 and taken < MAX_FIELDS and tries < _MAX_TRIES:
        tries += 1
        field = _field_at(text, position)
        if field:
            yield field
            taken += 1
        position = text.find("::", max(position + 2, field.end if field else 0))


def _field_at(text: str, colons: int) -> Field | None:
    """The field whose `::` stands at that offset, None where it is no field."""
    before = text[max(0, colons - 2 * _MAX_KEY) : colons]
    after = colons + 2
    if found := _BRACKET_KEY.search(before[-_MAX_KEY - 4 :]):
        end = _closing(text, after, found["bracket"])
        return Field(found["key"], after, end) if end >= 0 else None
    if text[after : after + 1] not in ("", " ", "\t", "\n"):
        return None
    line_start = before.rfind("\n")
    if line_start < 0 and len(before) == 2 * _MAX_KEY:
        return None
    if found := _LINE_KEY.fullmatch(before[max(0, line_start) :]):
        end = text.find("\n", after)
        end = len(text) if end < 0 else end
        return Field(found["key"], after, min(end, after + _MAX_VALUE))
    return None


def _closing(text: str, start: int, bracket: str) -> int:
    """The offset of the bracket that closes, on the same line; -1 where none does."""
    depth = 1
    if text.find(_CLOSING[bracket], start, start + _MAX_VALUE) < 0:
        return -1
    for position in range(start, min(len(text), start + _MAX_VALUE)):
        character = text[position]
        if character == "\n":
            return -1
        if character == bracket:
            depth += 1
        elif character == _CLOSING[bracket]:
            depth -= 1
            if not depth:
                return position
    return -1


def opening_fields_end(text: str) -> int:
    """The offset where a Logseq page's own properties end; 0 where the text opens otherwise."""
    found = _OPENING_LINES.match(text)
    return found.end() if found else 0
