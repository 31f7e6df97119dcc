"""Filters, resolved once for a query into the set of notes that may be ranked.

The set stands in a temporary table of the reading connection, so that every stream restricts
its own statement before it ranks, and a narrow filter still fills the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import apsw

from kb.store.records import Filters
from kb.store.rows import read_rows
from kb.text import Query

if TYPE_CHECKING:
    from kb.streams.filters import Clause

NOTES = "temp.scope_notes"
PASSAGES = "temp.scope_passages"

# Conditions in one statement: SQLite takes no expression deeper than a thousand.
_AT_ONCE = 200

_HIDDEN = "SELECT 1 FROM notes WHERE ignored = 1 LIMIT 1"
_ALL = Filters(include_ignored=True)


class Scope(NamedTuple):
    """Which notes may be ranked: all of them, or those in the temporary tables.

    `clauses` are the conditions that made it, each with its name for people, so that a note
    that is left out can be told why.
    """

    active: bool
    clauses: tuple[Clause, ...] = ()


def open_scope(connection: apsw.Connection, filters: Filters, query: Query) -> Scope:
    """Resolve filters and excluded words. Fills the temporary tables where there is any.

    Raises UsageError for a filter that cannot be read.
    """
    hides = not filters.include_ignored and bool(read_rows(connection, _HIDDEN))
    if not hides and not query.excluded and filters in (Filters(), _ALL):
        return Scope(active=False)
    from kb.streams.filters import filter_clauses  # what reads filters, where there are any

    clauses = tuple(filter_clauses(connection, filters, query, hides=hides))
    if not clauses:
        return Scope(active=False)
    connection.execute(
        "DROP TABLE IF EXISTS temp.scope_notes; DROP TABLE IF EXISTS temp.scope_passages;"
        "CREATE TEMP TABLE scope_notes (note_id INTEGER PRIMARY KEY);"
        "CREATE TEMP TABLE scope_passages (passage_id INTEGER PRIMARY KEY)"
    )
    first, *others = (clauses[at : at + _AT_ONCE] for at in range(0, len(clauses), _AT_ONCE))
    connection.execute(f"INSERT INTO scope_notes {_those_that_fulfil(first)}", _values(first))
    for some in others:
        connection.execute(
            f"DELETE FROM scope_notes WHERE note_id NOT IN ({_those_that_fulfil(some)})",
            _values(some),
        )
    connection.execute(
        "INSERT INTO scope_passages"
        " SELECT p.id FROM scope_notes AS s CROSS JOIN passages AS p ON p.note_id = s.note_id"
    )
    return Scope(active=True, clauses=clauses)


def _those_that_fulfil(clauses: tuple[Clause, ...]) -> str:
    where = " AND ".join(f"({clause.sql})" for clause in clauses)
    return f"SELECT n.id FROM notes AS n WHERE {where}"


def _values(clauses: tuple[Clause, ...]) -> list[str | float]:
    return [value for clause in clauses for value in clause.values]


def clauses_against(connection: apsw.Connection, scope: Scope, note_id: int) -> tuple[Clause, ...]:
    """The conditions that keep one note out, none where it may be ranked."""
    return tuple(
        clause
        for clause in scope.clauses
        if not read_rows(
            connection,
            f"SELECT 1 FROM notes AS n WHERE n.id = ? AND ({clause.sql})",
            (note_id, *clause.values),
        )
    )
