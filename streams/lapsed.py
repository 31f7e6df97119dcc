"""Which notes say of themselves that they hold no more: superseded, archived, expired.

A note has lapsed where its `status` (or `state`) begins with one of WORDS, as `superseded by
ADR-7` does; where a property of such a name is true; where it names a successor (`superseded_by`,
`replaced_by`); and where the last day of `expires`, `valid_until` and the like has passed. A month
or a year ends with its last day. The day to decide against is given, never read from a clock.
"""

from __future__ import annotations

import json
import re

import apsw

from kb.store.records import LAPSING, Lapse
from kb.store.rows import read_rows

WORDS = ("superseded", "deprecated", "archived", "obsolete")
_STATUS = ("status", "state")
_SUCCESSOR = ("supersededby", "replacedby")
_LAST_DAY = ("expires", "expireson", "expirydate", "expirationdate", "validuntil")
_BEGINS = re.compile(rf"\W*({'|'.join(WORDS)})\b")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?(?=$|[t ])", re.ASCII)

_NAMES = json.dumps(LAPSING)
_OF_NOTE = """
SELECT name, name_key, value, value_key FROM properties
WHERE note_id = ?1 AND kind != 'empty' AND name_key IN (SELECT value FROM json_each(?2))
ORDER BY ordinal
"""
_OF_ALL = """
SELECT DISTINCT p.name_key, p.value_key FROM json_each(?1) AS w
CROSS JOIN properties AS p ON p.name_key = w.value WHERE p.kind != 'empty'
ORDER BY p.name_key, p.value_key
"""


def read_lapses(connection: apsw.Connection, note_id: int, day: str) -> tuple[Lapse, ...]:
    """Why a note holds no more on an ISO day, in the order of its properties; "": on any day."""
    rows = read_rows(connection, _OF_NOTE, (note_id, _NAMES))
    found = ((lapse_of(name_key, key, day), name, value) for name, name_key, value, key in rows)
    return tuple(Lapse(label, f"{name}: {value}") for label, name, value in found if label)


def lapsing_values(connection: apsw.Connection, day: str) -> list[tuple[str, str]]:
    """Every (name, value) of a property, both as compared, by which a note has lapsed."""
    rows = read_rows(connection, _OF_ALL, (_NAMES,))
    return [(name, value) for name, value in rows if lapse_of(name, value, day)]


def lapse_of(name: str, value: str, day: str) -> str:
    """What a property (folded) says of its note on a day: a word of WORDS, `expired`, or ""."""
    plain = re.sub(r"[-_ ]", "", name)
    if plain in _STATUS:
        begins = _BEGINS.match(value)
        return begins[1] if begins else ""
    if plain in WORDS:
        return plain if value == "true" else ""
    if plain in _SUCCESSOR:
        return "superseded"
    if plain in _LAST_DAY:
        return "expired" if day and _is_past(value, day) else ""
    return ""


def _is_past(value: str, day: str) -> bool:
    """Whether the last day of a date, or of one that is linked to (a daily note), is over."""
    from kb.streams.where import link_names

    dates = (_DATE.match(text) for text in (value, *sorted(link_names(value))))
    last = next((match[0] for match in dates if match), "")
    return bool(last) and last < day[: len(last)]
