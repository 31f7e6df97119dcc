"""How SQLite runs the statements of a query: by the full-text index and by keys, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import apsw
import apsw.ext
import pytest
from plan_support import plan
from search_support import Library, make_library, make_options

from kb.fusion.search import asked, search
from kb.store.connection import open_reader
from kb.streams import cosine
from kb.streams.query_vector import QueryVector

FILTERS: dict[str, Any] = {
    "none": {},
    "tag": {"tags": ("bird",)},
    "not tag": {"not_tags": ("fish",)},
    "type": {"types": ("species",)},
    "property": {"where": (("rating", ">", "3"),)},
    "date": {"since": "2020-01-01"},
    "path": {"paths": ("birds/",)},
}
# Filters about what a note is not, or is only known of by its path or its day, look at each note.
LOOKS_AT_NOTES = {"not tag", "date", "path", "type"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    notes = {
        f"birds/{number}.md": f"---\ntags: [bird]\ntype: species\nrating: {number}\n---\n"
        f"# Heron {number}\n\nIt stands in the marsh. [[{number + 1}]]\n"
        for number in range(12)
    }
    library = make_library(tmp_path_factory.mktemp("plans"), notes)
    library.set_vectors(dict.fromkeys(notes, bytes([100, 20])))
    return library


@contextmanager
def statements(connection: apsw.Connection) -> Iterator[list[str]]:
    """The text of every statement that is run meanwhile."""
    seen: list[str] = []

    def trace(_: apsw.Cursor, sql: str, __: object) -> bool:
        seen.append(sql)
        return True

    connection.exec_trace = trace
    try:
        yield seen
    finally:
        connection.exec_trace = None


def scans(connection: apsw.Connection, sql: str) -> set[str]:
    """The tables that a statement reads all of."""
    details = plan(connection, sql)
    return {
        ALIASES.get(detail.split()[1], detail.split()[1])
        for detail in details
        # The index of hidden notes holds those alone.
        if detail.startswith("SCAN ") and "notes_ignored" not in detail
    }


ALIASES = {"n": "notes", "p": "passages", "v": "vectors", "c": "note_entities", "e": "entities"}
# All but the vectors: exact search compares the query with every one.
STORED = {"notes", "passages", "links", "edges", "entities", "note_entities", "tags", "properties"}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("mode", ["hybrid", "graph"])
def test_no_statement_reads_all_of_a_table(
    name: str, mode: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cosine, "read_query_vector", lambda *_: QueryVector(bytes([100, 20])))
    options = make_options(FILTERS[name], mode=mode, hops=2)
    with closing(open_reader(library.index)) as connection:
        with statements(connection) as seen:
            result = search(library.index, "heron 3 marsh", options, connection=connection)
        assert result.hits
        assert any("MATCH" in sql for sql in seen)
        with asked(library.index, "heron 3 marsh", options, connection):  # its temporary tables
            for sql in seen:
                if not sql.lstrip().startswith(("SELECT", "INSERT")):
                    continue
                read = scans(connection, sql)
                fills_scope = "INSERT INTO scope" in sql or "path FROM notes" in sql
                allowed = {"notes"} if fills_scope and name in LOOKS_AT_NOTES else set()
                assert not (read & STORED) - allowed, sql


def test_the_hot_statements_start_at_the_full_text_index(library: Library) -> None:
    from kb.streams.best_passages import (
        NOTES_OF,
        among_statement,
        likely_statement,
        rank_statement,
    )

    with (
        closing(open_reader(library.index)) as connection,
        asked(library.index, "heron", make_options({"tags": ("bird",)}), connection),
    ):
        for in_scope in (False, True):
            for make in (rank_statement, among_statement, likely_statement):
                sql = make(in_scope=in_scope)
                steps = plan(connection, sql)
                tables = [step for step in steps if step.startswith(("SCAN", "SEARCH"))]
                assert tables[0].startswith("SCAN f VIRTUAL TABLE INDEX"), steps
                assert ("USE TEMP B-TREE FOR ORDER BY" in steps) == (make is rank_statement)
                if in_scope:
                    assert any("SEARCH s USING INTEGER PRIMARY KEY" in step for step in steps)
        steps = plan(connection, NOTES_OF)
        assert any("SEARCH p USING INTEGER PRIMARY KEY" in step for step in steps)


def test_what_is_said_of_a_note_starts_at_its_passages(library: Library) -> None:
    from kb.streams.lexical import HAS

    with closing(open_reader(library.index)) as connection:
        first = next(step for step in plan(connection, HAS) if "passages_fts" in step)
    # The bounds of the rowid go into the full-text index: `<` and `>` stand in its plan.
    assert "<" in first
    assert ">" in first
