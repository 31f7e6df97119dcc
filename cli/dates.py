"""Days as people write them on a command line."""

from __future__ import annotations

import calendar
import datetime
import re

from kb.store.errors import UsageError

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?")
_AGO = re.compile(r"(\d{1,4})([dwmy])")
_FORMS = (
    "write a date (`2026-03-01`, `2026-03`, `2026`), `today`, `yesterday`,"
    " or how long ago: `7d`, `2w`, `3m`, `1y`"
)


def parse_day(text: str, today: datetime.date, option: str, *, last: bool = False) -> str:
    """An ISO date. A month or a year stands for its first day, or with `last` for its last.

    `7d`, `2w`, `3m`, `1y` count back from today. Raises UsageError naming the option.
    """
    word = text.strip().lower()
    if word in ("today", "yesterday"):
        return (today - datetime.timedelta(days=word == "yesterday")).isoformat()
    try:
        if match := _AGO.fullmatch(word):
            return _days_ago(today, int(match[1]), match[2]).isoformat()
        if match := _ISO.fullmatch(text.strip()):
            return _day_of(match, last).isoformat()
    except (ValueError, OverflowError):
        pass  # the 30th of February, or before the year 1: said below
    raise UsageError(f"`{option} {text}` is no date", _FORMS)


def _days_ago(today: datetime.date, count: int, unit: str) -> datetime.date:
    if unit in "dw":
        return today - datetime.timedelta(days=count * (7 if unit == "w" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    day = min(today.day, _days_in(year, month + 1))
    return datetime.date(year, month + 1, day)


def _day_of(match: re.Match[str], last: bool) -> datetime.date:
    year = int(match[1])
    month = int(match[2]) if match[2] else (12 if last else 1)
    if match[3]:
        return datetime.date(year, month, int(match[3]))
    return datetime.date(year, month, _days_in(year, month) if last else 1)


def _days_in(year: int, month: int) -> int:
    first = datetime.date(year, month, 1)  # raises ValueError where calendar would not
    return calendar.monthrange(first.year, first.month)[1]
