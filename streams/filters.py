"""Filters and excluded words as conditions on notes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

import apsw

from kb.store.errors import UsageError
from kb.store.globs import Globs
from kb.store.paths import show_path
from kb.store.records import Filters
from kb.store.rows import read_rows
from kb.streams.match import match_any
from kb.streams.where import EXISTS, MISSING, compared, matching_values
from kb.text import Query, Term, parse_query


class Clause(NamedTuple):
    """One condition on `notes AS n` and its bound values.

    `label` is what the user wrote to ask for it, `remedy` how to ask without it.
    """

    sql: str
    values: tuple[str | float, ...]
    label: str
    remedy: str = ""


def filter_clauses(
    connection: apsw.Connection, filters: Filters, query: Query, *, hides: bool
) -> Iterable[Clause]:
    """Every condition that filters and excluded words put on a note. `hides`: the vault has one.

    Raises UsageError for a filter that cannot be read.
    """
    if hides:
        label = "the vault's own list of excluded files"
        yield Clause("n.ignored = 0", (), label, "ask with `--include-ignored`")
    yield from (_tag_clause(tag, wanted=True) for tag in filters.tags)
    yield from (_tag_clause(tag, wanted=False) for tag in filters.not_tags)
    if filters.types:
        yield _type_clause(connection, filters.types)
    yield from (_where_clause(connection, *condition) for condition in filters.where)
    if filters.since:
        yield _date_clause(">=", filters.since, f"--since {filters.since}")
    if filters.until:
        yield _date_clause("<=", filters.until, f"--until {filters.until}")
    if filters.paths:
        yield _glob_clause(connection, filters.paths, wanted=True)
    if filters.exclude:
        yield _glob_clause(connection, filters.exclude, wanted=False)
    if filters.current:
        yield _current_clause(connection, filters.current)
    for scope in filters.within:
        for clause in filter_clauses(connection, scope, _no_words(), hides=False):
            label = f"{clause.label} (scope {scope.scope})" if scope.scope else clause.label
            yield clause._replace(label=label, remedy="ask with `--no-scope`")
    words = {term.alternatives: term for term in reversed(query.excluded)}
    yield from (_excluded_word_clause(term) for term in reversed(words.values()))


def _no_words() -> Query:
    return parse_query("", ())


def _tag_clause(tag: str, *, wanted: bool) -> Clause:
    key = compared(tag.strip().lstrip("#").strip("/"))
    tagged = "n.id {} (SELECT t.note_id FROM tags AS t WHERE t.key = ?)"
    if wanted:
        return Clause(tagged.format("IN"), (key,), f"--tag {tag}")
    return Clause(tagged.format("NOT IN"), (key,), f"--not-tag {tag}")


_HAS_VALUE = (
    "(SELECT p.note_id FROM properties AS p WHERE p.name_key = ?"
    " AND p.value_key IN (SELECT value FROM json_each(?)))"
)


def _type_clause(connection: apsw.Connection, types: tuple[str, ...]) -> Clause:
    """One of the types, which a note may have as a list."""
    listed = [key for one in types for key in matching_values(connection, "type", "=", one)]
    wanted = json.dumps([compared(one) for one in types])
    return Clause(
        f"n.type IN (SELECT value FROM json_each(?)) OR n.id IN {_HAS_VALUE}",
        (wanted, "type", json.dumps(listed)),
        " or ".join(f"--type {value}" for value in types),
    )


def _where_clause(connection: apsw.Connection, name: str, operator: str, value: str) -> Clause:
    key = compared(name)
    if operator in (EXISTS, MISSING):
        has = "(SELECT p.note_id FROM properties AS p WHERE p.name_key = ?)"
        if operator == EXISTS:
            return Clause(f"n.id IN {has}", (key,), f"--where {name}")
        return Clause(f"n.id NOT IN {has}", (key,), f"--where !{name}")
    comparison = "=" if operator == "!=" else operator
    fulfilling = json.dumps(matching_values(connection, name, comparison, value))
    within = "NOT IN" if operator == "!=" else "IN"
    label = f"--where {name}{operator}{value}"
    return Clause(f"n.id {within} {_HAS_VALUE}", (key, fulfilling), label)


def _date_clause(comparison: str, day: str, label: str) -> Clause:
    # The end of a month or of a year, where no more of a date was given, is its last day.
    sql = f"n.date != '' AND substr(n.date, 1, ?) {comparison} ?"
    day = compared(day)
    return Clause(sql, (len(day), day), label)


def _current_clause(connection: apsw.Connection, day: str) -> Clause:
    from kb.streams.lapsed import lapsing_values

    saying = (
        "SELECT p.note_id FROM json_each(?) AS w CROSS JOIN properties AS p"
        " ON p.name_key = w.value ->> 0 AND p.value_key = w.value ->> 1"
    )
    values = json.dumps(lapsing_values(connection, day))
    return Clause(f"n.id NOT IN ({saying})", (values,), "--current")


def _glob_clause(connection: apsw.Connection, globs: tuple[str, ...], *, wanted: bool) -> Clause:
    """Globs with gitignore's rules over the stored paths."""
    option = "--path" if wanted else "--exclude"
    ids = {path: note_id for note_id, path in read_rows(connection, "SELECT id, path FROM notes")}
    fitting = json.dumps(sorted(ids[path] for path in fitting_paths(ids, globs, option)))
    label = " or ".join(f"{option} {glob}" for glob in globs)
    within = "IN" if wanted else "NOT IN"
    return Clause(f"n.id {within} (SELECT value FROM json_each(?))", (fitting,), label)


def fitting_paths(stored: Iterable[str], globs: Sequence[str], option: str) -> set[str]:
    """Those of the stored paths that one of the globs fits. Raises UsageError naming the option."""
    shown: dict[str, list[str]] = defaultdict(list)
    for path in stored:
        shown[normalize("NFC", show_path(path))].append(path)
    fitting = _fitting_paths(shown, [normalize("NFC", show_path(glob)) for glob in globs], option)
    return {path for one in fitting for path in shown[one]}


def _fitting_paths(paths: Mapping[str, object], globs: list[str], option: str) -> set[str]:
    # A path that was typed or listed is a note, not a pattern, when it names one exactly.
    exact = {glob for glob in globs if glob in paths}
    lines = [_pattern(glob) for glob in globs if glob not in exact]
    if not lines:
        return exact
    try:
        wanted = Globs(lines)
    except ValueError as error:
        shown = ", ".join(f"`{line}`" for line in lines[:3])
        raise UsageError(
            f"`{option}` cannot read {shown}", "write a glob such as `folder/*` or `**/plan*.md`"
        ) from error
    return exact | {path for path in paths if wanted.fit(path)}


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
