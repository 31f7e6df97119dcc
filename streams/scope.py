"""Filters, resolved once for a query into the set of notes that may be ranked.

The set stands in a temporary table of the reading connection, so that every stream restricts
its own statement before it ranks, and a narrow filter still fills the list.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from kb.store.paths import show_path
from kb.store.records import Filters
from kb.store.rows import read_rows
from kb.streams.match import match_any
from kb.text import Query, Term, fold

NOTES = "temp.scope_notes"
PASSAGES = "temp.scope_passages"


@dataclass(frozen=True, slots=True)
class Scope:
    """Which notes may be ranked: all of them, or those in the temporary tables.

    `clauses` are the conditions that made it, each with its name for people, so that a note
    that is left out can be told why.
    """

    active: bool
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition on `notes AS n`, its bound values, and what the user wrote to ask for it."""

    sql: str
    values: tuple[str | float, ...]
    label: str


def open_scope(connection: apsw.Connection, filters: Filters, query: Query) -> Scope:
    """Resolve filters and excluded words. Fills the temporary tables where there is any."""
    clauses = tuple(filter_clauses(connection, filters, query))
    if not clauses:
        return Scope(active=False)
    connection.execute(
        "DROP TABLE IF EXISTS temp.scope_notes; DROP TABLE IF EXISTS temp.scope_passages;"
        "CREATE TEMP TABLE scope_notes (note_id INTEGER PRIMARY KEY);"
        "CREATE TEMP TABLE scope_passages (passage_id INTEGER PRIMARY KEY)"
    )
    where = " AND ".join(f"({clause.sql})" for clause in clauses)
    values = [value for clause in clauses for value in clause.values]
    connection.execute(f"INSERT INTO scope_notes SELECT n.id FROM notes AS n WHERE {where}", values)
    connection.execute(
        "INSERT INTO scope_passages"
        " SELECT p.id FROM scope_notes AS s CROSS JOIN passages AS p ON p.note_id = s.note_id"
    )
    return Scope(active=True, clauses=clauses)


def clauses_against(connection: apsw.Connection, scope: Scope, note_id: int) -> tuple[str, ...]:
    """The labels of the conditions that keep one note out, none where it may be ranked."""
    return tuple(
        clause.label
        for clause in scope.clauses
        if not read_rows(
            connection,
            f"SELECT 1 FROM notes AS n WHERE n.id = ? AND ({clause.sql})",
            (note_id, *clause.values),
        )
    )


def filter_clauses(connection: apsw.Connection, filters: Filters, query: Query) -> Iterable[Clause]:
    """Every condition that filters and excluded words put on a note."""
    yield from _ignored_clauses(connection, filters)
    yield from (_tag_clause(tag, wanted=True) for tag in filters.tags)
    yield from (_tag_clause(tag, wanted=False) for tag in filters.not_tags)
    if filters.types:
        marks = ", ".join("?" * len(filters.types))
        label = " or ".join(f"--type {value}" for value in filters.types)
        yield Clause(f"n.type IN ({marks})", tuple(map(fold, filters.types)), label)
    yield from (_where_clause(*condition) for condition in filters.where)
    if filters.since:
        yield Clause("substr(n.date, 1, 10) >= ?", (filters.since,), f"--since {filters.since}")
    if filters.until:
        yield Clause("substr(n.date, 1, 10) <= ?", (filters.until,), f"--until {filters.until}")
    if filters.paths:
        yield _glob_clause(connection, filters.paths, wanted=True)
    if filters.exclude:
        yield _glob_clause(connection, filters.exclude, wanted=False)
    yield from (_excluded_word_clause(term) for term in query.excluded)


def _ignored_clauses(connection: apsw.Connection, filters: Filters) -> Iterable[Clause]:
    if filters.include_ignored:
        return
    if read_rows(connection, "SELECT 1 FROM notes WHERE ignored = 1 LIMIT 1"):
        yield Clause("n.ignored = 0", (), "the vault's excluded files (see --include-ignored)")


def _tag_clause(tag: str, *, wanted: bool) -> Clause:
    key = fold(tag.strip().lstrip("#").rstrip("/"))
    exists = "EXISTS (SELECT 1 FROM tags AS t WHERE t.note_id = n.id AND t.key = ?)"
    if wanted:
        return Clause(exists, (key,), f"--tag {tag}")
    return Clause(f"NOT {exists}", (key,), f"--not-tag {tag}")


_OPERATORS = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


def _where_clause(name: str, operator: str, value: str) -> Clause:
    label = f"--where {name}{operator}{value}"
    some = "EXISTS (SELECT 1 FROM properties AS p WHERE p.note_id = n.id AND p.name_key = ?{})"
    key = fold(name.strip())
    if operator == "exists":
        return Clause(some.format(""), (key,), f"--where {name}")
    if operator == "missing":
        return Clause("NOT " + some.format(""), (key,), f"--where !{name}")
    wanted = value_key(value)
    number = _number(value)
    if operator in ("=", "!="):
        same = " AND p.value_key IN (?, ?)"
        values: tuple[str | float, ...] = (key, wanted, f"[[{wanted}]]")
        if number is not None:
            same = " AND (p.value_key IN (?, ?) OR p.number = ?)"
            values = (*values, number)
        negation = "NOT " if operator == "!=" else ""
        return Clause(negation + some.format(same), values, label)
    comparison = _OPERATORS[operator]
    if number is not None:
        return Clause(some.format(f" AND p.number {comparison} ?"), (key, number), label)
    text = f" AND p.kind != 'empty' AND p.value_key {comparison} ?"
    return Clause(some.format(text), (key, wanted), label)


def value_key(value: str) -> str:
    """A property's value as it is compared: NFC, case-folded, trimmed, without quotes."""
    text = value.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return fold(text.strip())


def _number(value: str) -> float | None:
    try:
        number = float(value.strip())
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _glob_clause(connection: apsw.Connection, globs: tuple[str, ...], *, wanted: bool) -> Clause:
    """Globs with gitignore's rules over the stored paths; their notes as a temporary table."""
    from pathspec import GitIgnoreSpec

    # A path that was typed or listed is a note, not a pattern, when it names one exactly.
    paths = {
        show_path(path): note_id
        for note_id, path in read_rows(connection, "SELECT id, path FROM notes")
    }
    exact = {paths[glob] for glob in globs if glob in paths}
    patterns = [_pattern(glob) for glob in globs if glob not in paths]
    spec = GitIgnoreSpec.from_lines(patterns)
    fitting = exact | {paths[path] for path in spec.match_files(paths)} if patterns else exact
    table = "scope_paths" if wanted else "scope_exclude"
    connection.execute(
        f"DROP TABLE IF EXISTS temp.{table};CREATE TEMP TABLE {table} (note_id INTEGER PRIMARY KEY)"
    )
    connection.executemany(
        f"INSERT INTO {table} VALUES (?)", [(note_id,) for note_id in sorted(fitting)]
    )
    option = "--path" if wanted else "--exclude"
    label = " or ".join(f"{option} {glob}" for glob in globs)
    within = "IN" if wanted else "NOT IN"
    return Clause(f"n.id {within} (SELECT note_id FROM temp.{table})", (), label)


def _pattern(glob: str) -> str:
    pattern = glob.strip().removeprefix("./")
    # A leading mark would turn a gitignore rule round or make it a comment.
    return f"\\{pattern}" if pattern.startswith(("!", "#")) else pattern


def _excluded_word_clause(term: Term) -> Clause:
    sql = (
        "n.id NOT IN (SELECT p.note_id FROM passages_fts AS f"
        " CROSS JOIN passages AS p ON p.id = f.rowid WHERE f.passages_fts MATCH ?)"
    )
    return Clause(sql, (match_any((term,)),), f"-{term.surface}")
