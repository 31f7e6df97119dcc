"""Answers that stay short: long texts cut, then lists, each with a word on how to get the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from kb.cli.render_json import Document

# In characters of JSON: some ten thousand tokens.
MOST_CHARACTERS = 40_000
_LENGTHS = (1_000, 300)
_LISTED = 20
# What is cut would name something else.
_WHOLE = frozenset(("schema", "vault", "path", "path_base64", "query"))


def fit(document: Document, lists: Sequence[str], most: int = MOST_CHARACTERS) -> Document:
    """The document, or a shorter one, with what was cut among its `notices`.

    `lists` are the keys of the lists that may lose their last entries.
    """
    if _size(document) <= most:
        return document
    for length in _LENGTHS:
        cut = {key: _cut(value, length, key) for key, value in document.items()}
        cut.update({key: [_cut(one, length) for one in _list(document, key)] for key in lists})
        notice = f"texts were cut to {length} characters; `get` reads a note in full"
        short = _noticed(cut, notice)
        if _size(short) <= most:
            return short
    counts = {key: len(_list(document, key)) for key in lists}
    while _size(short) > most and any(_list(short, key) for key in lists):
        longest = max(lists, key=lambda key: _size(_list(short, key)))
        short[longest] = _list(short, longest)[: len(_list(short, longest)) // 2]
    left = [
        f"only the first {len(_list(short, key))} of {counts[key]} {key} are given; ask for less"
        " at a time, by `limit` or a filter"
        for key in lists
        if len(_list(short, key)) < counts[key]
    ]
    return _noticed(short, *left)


def join_entries(head: str, entries: Iterable[str], most: int = MOST_CHARACTERS // 2) -> str:
    """The head and as many entries as fit, each on a line of its own, and how many are left."""
    lines, size, left = [head], len(head), 0
    for entry in entries:
        size += len(entry) + 1
        if left or (size > most and len(lines) > 1):
            left += 1
        else:
            lines.append(entry)
    if left:
        lines.append(f"… and {left} more, in the structured answer")
    return "\n".join(lines)


def one_line(text: str, most: int = 300) -> str:
    """The text in one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _cut(value: Any, length: int, key: str = "") -> Any:
    if isinstance(value, str):
        return value if len(value) <= length or key in _WHOLE else f"{value[: length - 1]}…"
    if isinstance(value, dict):
        return {name: _cut(one, length, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_cut(one, length) for one in value[:_LISTED]]
    return value


def _list(document: Document, key: str) -> list[Any]:
    value = document[key]
    assert isinstance(value, list)
    return value


def _noticed(document: Document, *notices: str) -> Document:
    return {**document, "notices": [*_list(document, "notices"), *notices]}


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False))
