"""What can be saved from front matter that is malformed: its plain `key: value` lines."""

from __future__ import annotations

import re

from kb.indexer.values import EMPTY, FrontValue, Leaf, leaf

_KEY = re.compile(
    r"""(?P<quote>["']?)(?P<key>[^\s"'#:=\[\]{}&*!|>%@`-][^:=\n]{0,79}?)(?P=quote)[ \t]*
        (?P<mark>[:=])(?:[ \t]+|$)(?P<value>.*)$""",
    re.VERBOSE,
)
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(?P<value>.*))?$")
_COMMENT = re.compile(r"(?:^|[ \t])#(?:[ \t].*)?$")
# Joining line after line costs the square of the length.
_MAX_CONTINUED = 2_000
_BLOCK_SCALAR = re.compile(r"[|>][-+0-9]*")


def recover_lines(block: str, mark: str) -> dict[str, FrontValue]:
    """The properties of the lines `key: value` (or `key = value`), with `- item` lines below.

    An indented line carries its key's text on. Lines that fit none of these are left out; where
    they are the greater part the block is prose between two rules, and nothing comes back.
    """
    values: dict[str, FrontValue] = {}
    key = ""
    taken = left = 0
    for line in block.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        indented = line[0] in " \t"
        item = _ITEM.match(line) if key else None
        found = None if item else _KEY.match(line.strip() if key else line)
        taken += 1
        if item:
            _append(values, key, _value(item["value"] or ""))
        elif found and found["mark"] == mark:
            name = found["key"].strip()
            if indented:
                values[f"{key}.{name}"] = _value(found["value"])
            else:
                key = name
                values[key] = _value(found["value"])
        elif key and indented:
            values[key] = _continued(values[key], line.strip())
        else:
            taken, left = taken - 1, left + 1
    return values if taken >= left else {}


def _value(written: str) -> FrontValue:
    """One value: a list in brackets, text in quotes, or the text as it stands."""
    text = written.strip()
    if _BLOCK_SCALAR.fullmatch(text):
        return EMPTY
    for quote in ('"', "'"):
        closing = text.rfind(quote)
        if text.startswith(quote) and closing > 0 and not _COMMENT.sub("", text[closing + 1 :]):
            return leaf(text[1:closing], quoted=True)
    if text.startswith("[") and not text.startswith("[[") and text.endswith("]"):
        return [_value(part) for part in text[1:-1].split(",")]
    if text.startswith("#"):
        return EMPTY
    return leaf(_COMMENT.sub("", text))


def _append(values: dict[str, FrontValue], key: str, item: FrontValue) -> None:
    known = values[key]
    if isinstance(known, list):
        known.append(item)
    else:
        values[key] = [item] if known == EMPTY else [known, item]


def _continued(value: FrontValue, line: str) -> FrontValue:
    if isinstance(value, Leaf) and len(value.text) < _MAX_CONTINUED:
        return leaf(f"{value.text} {line}" if value.text else line)
    return value
