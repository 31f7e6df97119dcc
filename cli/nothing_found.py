"""What to tell a person whose query found nothing: most often one thing is why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.cli.environment import Environment
from kb.cli.output import say
from kb.store.records import Filters, SearchResult, StreamStatus
from kb.store.rows import read_rows
from kb.streams.filters import filter_clauses
from kb.text import parse_query

if TYPE_CHECKING:
    import apsw

_WHY = "`--why PATH` tells why a note that you expected is not there"
# Reasons that a person who asked for this knows.
_ASKED_FOR = ("only ", "its weight is 0")


def say_nothing_found(
    environment: Environment, connection: apsw.Connection, filters: Filters, result: SearchResult
) -> None:
    """Say that nothing was found, and what alone would be enough to explain it."""
    if not result.query.strip():
        say(environment, "kb: the query is empty")
        return
    say(environment, "kb: no note found")
    reasons = [*_shut_out(connection, filters), *_silent_streams(result)]
    if result.scope:
        reasons.append(f"asked within the scope `{result.scope}` (`--no-scope` asks without it)")
    for reason in reasons:
        say(environment, f"kb: {reason}")
    for hint in [_path_hint(filters)] if reasons else [_WHY]:
        if hint:
            say(environment, f"hint: {hint}")


def _shut_out(connection: apsw.Connection, filters: Filters) -> Iterator[str]:
    """The conditions that no note at all fulfils."""
    no_words = parse_query("", ())
    clauses = list(filter_clauses(connection, filters, no_words, hides=False))
    for clause in clauses:
        sql = f"SELECT 1 FROM notes AS n WHERE {clause.sql} LIMIT 1"
        if not read_rows(connection, sql, clause.values):
            yield f"no note fulfils `{clause.label}`"


def _silent_streams(result: SearchResult) -> Iterator[str]:
    """Why each stream sat out, where all of them did."""
    if any(report.status is StreamStatus.OK for report in result.streams.values()):
        return
    for name, report in result.streams.items():
        if report.reason and not report.reason.startswith(_ASKED_FOR):
            yield f"{name} is {report.status}: {report.reason}"


def _path_hint(filters: Filters) -> str:
    """A glob with a slash starts at the top, which one from a subfolder does not expect."""
    for glob in filters.paths:
        if "/" in glob.strip("/") and not glob.startswith(("/", "**/")):
            return f"`--path` starts at the top of the vault; anywhere below: `--path '**/{glob}'`"
    return ""
