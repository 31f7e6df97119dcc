"""How SQLite runs the statements of a run: where little has changed, by keys, row by row."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from index_support import run, write
from plan_support import plan

from kb.indexer import open as opening
from kb.store.connection import open_writer

# What a run compares with the disk is one pass over paths and times; the rest holds few rows.
COMPARED = {
    "SELECT key, value FROM meta",
    "SELECT path, size, mtime_ns FROM notes",
    "SELECT path FROM attachments",
    "SELECT path FROM notes WHERE ignored = 1",
}
# What a run has in hand itself.
GIVEN = ("SCAN json_each", "SCAN t", "SCAN found", "SCAN passages_fts VIRTUAL")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    head = "---\ntags: [bird, a/b]\naliases: [name {n}]\nstatus: open\n---\n"
    notes = {f"n{n}.md": f"{head}# T{n}\n[[n{n + 1}]] [[gone]]".format(n=n) for n in range(12)}
    return write(tmp_path / "vault", {**notes, "pic.png": ""})


def statements_of(vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The text of every statement of one run, each once."""
    seen: dict[str, None] = {}

    def traced(file: Path, **named: Any) -> apsw.Connection:
        connection = open_writer(file, **named)

        def note(_: apsw.Cursor, sql: str, __: object) -> bool:
            seen[" ".join(sql.split())] = None
            return True

        connection.exec_trace = note
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(opening, "open_writer", traced)
        run(vault, index)
    return list(seen)


CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "a changed note": lambda vault: write(vault, {"n3.md": "# New\n[[n5]] [[n8]] #z"}),
    "a new note": lambda vault: write(vault, {"gone.md": "---\naliases: [x]\n---\n[[n5]] #bird"}),
    "a note that goes": lambda vault: (vault / "n7.md").unlink(),
    "a touched note": lambda vault: (vault / "n2.md").touch(),
    "a new picture": lambda vault: write(vault, {"gone.png": ""}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_small_change_reads_no_table_from_end_to_end(
    change: str, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index.sqlite"
    run(vault, index)
    CHANGES[change](vault)
    seen = statements_of(vault, index, monkeypatch)
    assert set(seen) >= COMPARED
    with closing(open_writer(index)) as connection:
        connection.execute("CREATE TEMP TABLE touched_entities (id INTEGER PRIMARY KEY)")
        for sql in seen:
            if sql in COMPARED or not sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
                continue
            assert "count(*) FROM notes" not in sql
            scanned = [step for step in plan(connection, sql) if step.startswith("SCAN")]
            assert not [step for step in scanned if not step.startswith(GIVEN)], sql
            assert "SCAN passages_fts VIRTUAL TABLE INDEX 0:=" in scanned or not any(
                "passages_fts" in step for step in scanned
            ), sql


def test_a_note_written_anew_is_counted_without_counting_all(vault: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    run(vault, index)
    write(vault, {"n3.md": "# Neu\n" + "Der Hund und die Katze sind nicht in dem Haus. " * 60})
    run(vault, index)
    with closing(open_writer(index)) as connection:
        languages, passages = (
            connection.execute(sql).fetchall()
            for sql in (
                "SELECT language, count(*) FROM notes GROUP BY 1 ORDER BY 2 DESC, 1",
                "SELECT count(*) FROM passages",
            )
        )
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    assert list(json.loads(meta["languages"]).items()) == languages
    assert json.loads(meta["averages"]) == {"notes": 12, "passages": passages[0][0]}
