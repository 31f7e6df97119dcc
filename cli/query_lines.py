"""The lines of `kb query --queries`: queries as plain text, or as JSON objects with an id."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, NamedTuple

# A longer line is passed over without being held: input may have no end and no line feed.
LONGEST_LINE = 1_000_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OBJECT = re.compile(rb'\s*\{\s*["}]')
_HINT = 'write `{"id": "1", "query": "some words"}` a line'


class Asked(NamedTuple):
    """What one line asks. `id` is its own, else the number of the line, which starts at 1.

    `problem` says why a line cannot be read, `hint` how it should look; then `query` is empty.
    """

    id: str | int
    query: str
    problem: str = ""
    hint: str = ""


def read_queries(stream: BinaryIO) -> Iterator[Asked]:
    """One record a line, as soon as the line is there, empty ones included.

    The first line that is not empty decides for all: where it starts an object, every line is one;
    else every line is the text of a query, whatever it holds.
    """
    are_objects: bool | None = None
    for number in count(1):
        line = stream.readline(LONGEST_LINE + 1)
        if not line:
            return
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if are_objects is None and line.strip():
            are_objects = _OBJECT.match(line) is not None
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _pass_over(stream)
            problem = f"line {number} is longer than {LONGEST_LINE:,} bytes"
            yield Asked(number, "", problem, "write one query a line")
        elif are_objects and line.strip():
            yield parse_object(line, number)
        else:
            yield Asked(number, _text(line.decode("utf-8", "replace")))


def parse_object(line: bytes, number: int) -> Asked:
    """The query of a line that should be an object with `query` (or `text`) and `id` (or `_id`)."""
    try:
        read = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        return Asked(number, "", f"line {number} is no JSON object", _HINT)
    name = _first(read, "id", "_id")
    if name is None:
        name = number
    elif isinstance(name, bool) or not isinstance(name, str | int):
        problem = f"the `id` of line {number} is neither text nor a whole number"
        return Asked(number, "", problem, _HINT)
    query = _first(read, "query", "text")
    if not isinstance(query, str):
        missing = "has no `query`" if query is None else "has a `query` that is no text"
        return Asked(name, "", f"line {number} {missing}", _HINT)
    return Asked(name, _text(query))


def _first(read: dict[str, object], *keys: str) -> object:
    return next((read[key] for key in keys if read.get(key) is not None), None)


def _text(query: str) -> str:
    """The text without line feeds around it, and without what is no character."""
    return query.strip("\r\n").encode("utf-8", "replace").decode("utf-8")


def _pass_over(stream: BinaryIO) -> None:
    """Read up to the end of a line, a piece at a time."""
    while (piece := stream.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
        pass
