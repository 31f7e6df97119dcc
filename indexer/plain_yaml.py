"""Front matter as most people write it, without a YAML parser: nine tenths of the time are saved.

One line a property: plain text, text in quotes, or a list of such, in brackets or line by line.
Whatever might mean something else in YAML is left to the parser; no doubtful case is decided here.
"""

from __future__ import annotations

import re

from kb.indexer.values import EMPTY, FrontValue, Leaf, leaf

# Control characters, line separators, and what a parser might not take as text.
_ODD = re.compile("[^\n -~\u00a1-\u1fff\u2010-\u2027\u3001-\ud7ff]")
_KEY = re.compile(r"\w(?:[\w -]{0,60}\w)?")
_OPENING = frozenset("_./($")
_LISTED = re.compile(r"\w[\w ./+-]*")
_NESTED = re.compile(r"[\[\]{}]")


def parse_plain_yaml(block: str) -> dict[str, FrontValue] | None:
    """The properties of a YAML block, as the parser gives them; None where only it can tell."""
    if _ODD.search(block):
        return None
    values: dict[str, FrontValue] = {}
    key, indent = "", -1  # of the list that may go on
    for line in block.split("\n"):
        if not line:
            continue
        if line[0] in " -":
            found = _item(line) if key else None
            if found is None or indent not in (-1, found[0]):
                return None
            indent = found[0]
            held = values[key]
            if isinstance(held, list):
                held.append(found[1])
            else:
                values[key] = [found[1]]
            continue
        name, colon, written = line.partition(":")
        if not colon or name in values or not _KEY.fullmatch(name) or written[:1] not in ("", " "):
            return None
        written = written.strip(" ")
        key, indent = ("" if written else name), -1
        value = _value(written) if written else EMPTY
        if value is None:
            return None
        values[name] = value
    return values


def _item(line: str) -> tuple[int, Leaf] | None:
    """The indent and the value of a line `- value`."""
    item = line.lstrip(" ")
    written = item[2:].strip(" ")
    value = _scalar(written) if written and item.startswith("- ") else None
    return None if value is None else (len(line) - len(item), value)


def _value(written: str) -> Leaf | list[FrontValue] | None:
    return _list(written) if written[0] == "[" else _scalar(written)


def _scalar(written: str) -> Leaf | None:
    first = written[0]
    if first in "\"'":
        return _quoted(written)
    if not first.isalnum() and first not in _OPENING:
        return None
    if ": " in written or " #" in written or written[-1] == ":":
        return None
    return leaf(written)


def _quoted(written: str) -> Leaf | None:
    quote, inner = written[0], written[1:-1]
    if len(written) < 2 or written[-1] != quote or quote in inner or "\\" in inner:
        return None
    return leaf(inner, quoted=True)


def _list(written: str) -> list[FrontValue] | None:
    inner = written[1:-1].strip(" ")
    if written[-1] != "]" or _NESTED.search(inner):
        return None
    items: list[FrontValue] = []
    for part in inner.split(",") if inner else ():
        item = part.strip(" ")
        if _LISTED.fullmatch(item):
            items.append(leaf(item))
        elif item[:1] in ('"', "'") and (quoted := _quoted(item)) is not None:
            items.append(quoted)
        else:
            return None
    return items
