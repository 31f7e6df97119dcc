"""Conditions on a property: which of the values that the notes have fulfil one.

A property of several values fulfils a condition where one of them does; `!=` holds where none is
equal, on notes without the property too. Text is compared without case, numbers as numbers. A
date is compared with as much of it as was asked for, so that `2024-05` is all of that month. A
link is called by what it leads to, by the name at the end of that path, or by what it displays.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import apsw

from kb.store.errors import UsageError
from kb.store.rows import read_rows
from kb.text import fold

EXISTS, MISSING = "exists", "missing"
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OPERATORS = ("=", "!=", *_COMPARISONS, EXISTS, MISSING)

_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:[t ]\S.*)?)?)?", re.ASCII)
_WHOLE_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[t ].*)?", re.ASCII)
_VALUES = "SELECT DISTINCT value_key, number FROM properties WHERE name_key = ? AND kind != 'empty'"


class Value(NamedTuple):
    """One value of a property: case-folded, and as a number where it is one."""

    key: str
    number: float | None = None


def compared(text: str) -> str:
    """A text as it is compared: case-folded NFC, trimmed, and such that SQLite can hold it."""
    return fold(text.strip().encode("utf-8", "replace").decode())


def matching_values(
    connection: apsw.Connection, name: str, comparison: str, wanted: str
) -> list[str]:
    """The values (folded) of the property of that name that fulfil `comparison wanted`.

    Raises UsageError where `comparison` is none of `=`, `<`, `<=`, `>`, `>=`.
    """
    if comparison != "=" and comparison not in _COMPARISONS:
        known = ", ".join(f"`{one}`" for one in OPERATORS)
        raise UsageError(f"a condition cannot have `{comparison}`", f"known are {known}")
    if comparison == "=" and not compared(wanted):
        return [""]
    rows = read_rows(connection, _VALUES, (compared(name),))
    fulfil = _is_equal if comparison == "=" else _orders(_COMPARISONS[comparison])
    return [key for key, number in rows if fulfil(Value(key, number), wanted)]


def _is_equal(value: Value, wanted: str) -> bool:
    key = _unquoted(wanted)
    number = _number(wanted)
    if key in (value.key, *link_names(value.key)):
        return True
    if number is not None and number == value.number:
        return True
    return any(
        _cut(date, key) == _spaced(key) for date in _dates(value.key) if _DATE.fullmatch(key)
    )


def _orders(comparison: Callable[[Any, Any], bool]) -> Callable[[Value, str], bool]:
    def fulfils(value: Value, wanted: str) -> bool:
        key, number = _unquoted(wanted), _number(wanted)
        if number is not None and value.number is not None:
            return comparison(value.number, number)
        if _DATE.fullmatch(key):
            dates = _dates(value.key)
            return any(comparison(_cut(date, key), _spaced(key)) for date in dates)
        if number is not None or value.number is not None:
            return False
        names = _LINK.findall(value.key)
        return any(comparison(name, key) for name in names or [value.key])

    return fulfils


def link_names(value: str) -> set[str]:
    """What the wikilinks in a value (folded) are called: target, its last part, what they show."""
    names = set()
    for inner in _LINK.findall(value):
        target, _, shown = inner.partition("|")
        note = target.partition("#")[0].strip().removesuffix(".md")
        names |= {f"[[{target}]]", target.strip(), note, note.rpartition("/")[2], shown.strip()}
    return names - {""}


def _dates(value: str) -> list[str]:
    """The value as a date, or what it links to where that is one (a daily note)."""
    texts = [value, *(name for name in link_names(value) if "[" not in name)]
    return sorted({_spaced(text) for text in texts if _WHOLE_DATE.fullmatch(text)})


def _cut(date: str, wanted: str) -> str:
    return date[: len(wanted)]


def _spaced(date: str) -> str:
    """Date and time parted by a space, however they were."""
    return f"{date[:10]} {date[11:]}" if len(date) > 10 else date


def _unquoted(wanted: str) -> str:
    text = wanted.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return compared(text)


def _number(wanted: str) -> float | None:
    try:
        number = float(wanted.strip())
    except ValueError:
        return None
    return number if math.isfinite(number) else None
