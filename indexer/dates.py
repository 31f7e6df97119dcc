"""A note's own date: from its properties, else from its file name."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from kb.indexer.properties import Known
from kb.indexer.values import is_day

# The day a note is about, before the day it was made, before the day it was touched.
DATE_PROPERTIES = (
    *("date", "day", "created", "created_at", "createdat", "date created", "date_created"),
    *("creation date", "datecreated", "published", "pubdate", "publish_date", "published_at"),
    *("updated", "updated_at", "modified", "date modified", "date_modified", "lastmod"),
    *("last_modified", "last modified"),
)

_NUMERIC = re.compile(r"([0-9]{4})([-/._])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])")
_COMPACT = re.compile(r"((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})(?:T?[0-9]{4,6}Z?)?")
_NAME_NUMERIC = re.compile(r"(?<![0-9])([0-9]{4})([-._])([0-9]{2})\2([0-9]{2})(?![0-9])")
_NAME_COMPACT = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})(?:[0-9]{4,6})?(?![0-9])"
)
_EPOCH = re.compile(r"[0-9]{10}(?:[0-9]{3})?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORDS_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+([0-9]{4})")
_WORDS_DAY_FIRST = re.compile(
    r"([0-9]{1,2})(?:st|nd|rd|th)?\.?\s+([A-Za-z]{3,9})\.?,?\s+([0-9]{4})"
)
_PARTED = re.compile(r"([0-9]{1,2})[/.]([0-9]{1,2})[/.]([0-9]{4})")
_LONGEST = 100


def note_date(known: Known, stem: str) -> str:
    """The note's date as `YYYY-MM-DD`, "" where neither property nor file name gives one."""
    for name in DATE_PROPERTIES:
        value = known.first(name)
        if value and (found := parse_date(value)):
            return found
    return _date_in_name(stem)


def parse_date(text: str) -> str:
    """The day a text stands for as `YYYY-MM-DD`, "" where it stands for none.

    Takes ISO dates and times, other separators, eight digits, seconds or milliseconds since 1970
    (in UTC), English month names, and day and month in either order where only one order is
    possible.
    """
    text = text[:_LONGEST].strip().strip("[]\"'").strip()
    if not text:
        return ""
    if found := _NUMERIC.match(text):
        return _iso(found[1], found[3], found[4])
    if (found := _COMPACT.fullmatch(text)) and (day := _iso(found[1], found[2], found[3])):
        return day
    if _EPOCH.fullmatch(text):
        seconds = int(text[:10])
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).date().isoformat()
    return _in_words(text) or _either_order(text)


def _iso(year: str, month: str, day: str) -> str:
    """The ISO date, "" for a day that no calendar has."""
    if not is_day(int(year), int(month), int(day)):
        return ""
    return f"{int(year):04}-{int(month):02}-{int(day):02}"


def _in_words(text: str) -> str:
    if found := _WORDS_MONTH_FIRST.search(text):
        month, day, year = found.groups()
    elif found := _WORDS_DAY_FIRST.search(text):
        day, month, year = found.groups()
    else:
        return ""
    short = month[:3].lower()
    return _iso(year, str(_MONTHS.index(short) + 1), day) if short in _MONTHS else ""


def _either_order(text: str) -> str:
    found = _PARTED.match(text)
    if not found:
        return ""
    first, second, year = int(found[1]), int(found[2]), found[3]
    if first > 12 or first == second:
        return _iso(year, str(second), str(first))
    return _iso(year, str(first), str(second)) if second > 12 else ""


def _date_in_name(stem: str) -> str:
    if found := _NAME_NUMERIC.search(stem):
        return _iso(found[1], found[3], found[4])
    if found := _NAME_COMPACT.search(stem):
        return _iso(found[1], found[2], found[3])
    return ""
