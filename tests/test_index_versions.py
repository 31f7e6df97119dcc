"""An index of an older version is made anew by the next run, with a word, its vectors kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest
from index_support import Watch, assert_same, rows, run, write

from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.damage import find_damage
from kb.store.errors import IndexVersionError, VaultError
from kb.store.schema import SCHEMA, SCHEMA_VERSION, TABLES


def set_version(index: Path, version: int) -> None:
    connection = apsw.Connection(str(index))
    connection.execute("INSERT INTO vectors(embed_key, vector) VALUES (x'00', x'01')")
    connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(version),))
    connection.close()


def test_an_older_index_is_refused_to_readers_and_mended_by_a_run(tmp_path: Path) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "one\n"})
    run(vault, index)
    set_version(index, SCHEMA_VERSION - 1)
    with pytest.raises(IndexVersionError) as refused:
        open_reader(index)
    assert "kb index" in refused.value.hint
    report = index_vault(vault, index, IndexOptions(), Watch())
    assert any("older kb" in notice for notice in report.notices)
    assert rows(index, "SELECT path FROM notes") == [("a.md",)]


def set_older(index: Path) -> None:
    """An index as an older version might have left it: other tables, an extra one, vectors."""
    connection = apsw.Connection(str(index))
    connection.execute(
        "INSERT INTO vectors(embed_key, vector) SELECT DISTINCT embed_key, x'0708' FROM passages;"
        "INSERT INTO vectors(embed_key, vector) VALUES (x'00', x'0708');"
        "INSERT INTO meta VALUES ('model_fingerprint', 'f'), ('model_dimension', '2');"
        "CREATE TABLE former(note_id INTEGER REFERENCES notes(id), text);"
        "INSERT INTO former SELECT id, path FROM notes;"
        "ALTER TABLE notes DROP COLUMN title;"
        "UPDATE meta SET value = '1' WHERE key = 'schema_version';"
    )
    connection.close()


@pytest.mark.parametrize("rebuild", [False, True])
def test_an_older_index_becomes_one_from_nothing_with_its_vectors(
    rebuild: bool, tmp_path: Path
) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "# A\n[[b]] #t\n", "b.md": "# B\n"})
    run(vault, index)
    set_older(index)
    (vault / "c.md").write_text("# C [[a]]\n")
    report = run(vault, index, rebuild=rebuild)
    assert (report.added, report.removed) == (3, 0)
    assert rows(index, "SELECT count(*), min(vector), max(vector) FROM vectors") == [
        (2, b"\x07\x08", b"\x07\x08")  # the one of no passage is gone
    ]
    assert find_damage(index) == ""
    run(vault, tmp_path / "fresh.sqlite")
    assert_same(index, tmp_path / "fresh.sqlite")
    assert sorted(file.name for file in tmp_path.glob("index.*")) == [
        "index.sqlite",
        "index.sqlite.lock",
    ]


def test_an_older_index_of_a_vault_that_is_away_stays_as_it_is(tmp_path: Path) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "# A\n"})
    run(vault, index)
    set_older(index)
    (vault / "a.md").unlink()  # as where a drive would be mounted
    with pytest.raises(VaultError, match="is empty"):
        run(vault, index)
    (vault / "a.md").write_text("# A\n")
    run(vault, index)
    assert rows(index, "SELECT vector FROM vectors") == [(b"\x07\x08",)]


@contextmanager
def unlisted(folder: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder that may not be listed."""
    real = os.scandir

    def refuse(path: str) -> object:
        if str(path).rstrip("/").endswith(folder):
            raise PermissionError(13, "Permission denied")
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        yield


def test_vectors_of_what_cannot_be_read_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "# A\n", "sub/b.md": "# B\n"})
    run(vault, index)
    set_older(index)
    with unlisted("sub", monkeypatch):
        assert run(vault, index).unseen == ("sub",)
    run(vault, index)
    assert rows(index, "SELECT count(*) FROM vectors") == [(2,)]
    assert len(rows(index, "SELECT path FROM notes")) == 2


def test_vectors_that_waited_in_vain_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "# A\n", "sub/b.md": "# B\n"})
    run(vault, index)
    set_older(index)
    with unlisted("sub", monkeypatch):
        run(vault, index)
    (vault / "sub" / "b.md").unlink()
    write(vault, {"c.md": "# C\n"})
    run(vault, index)
    assert rows(index, "SELECT count(*) FROM vectors") == [(1,)]


def test_an_older_index_that_cannot_be_filled_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "# A\n"})
    run(vault, index)
    set_older(index)

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("kb.indexer.sync.write_finished", stop)
        run(vault, index)
    with closing(apsw.Connection(str(index))) as connection:
        assert connection.execute("SELECT text FROM former").fetchall() == [("a.md",)]
        assert connection.execute("SELECT count(*) FROM vectors").fetchall() == [(2,)]
    run(vault, index)
    assert rows(index, "SELECT path FROM notes") == [("a.md",)]


def test_a_journal_without_its_index_is_not_taken_for_that_of_a_new_one(tmp_path: Path) -> None:
    vault, index = write(tmp_path / "vault", {"a.md": "# A\n"}), tmp_path / "index.sqlite"
    run(vault, index)
    held = apsw.Connection(str(index))  # keeps the journal from being written back
    held.execute("SELECT * FROM notes").fetchone()
    write(vault, {"b.md": "# B\n"})
    run(vault, index)
    journal = Path(f"{index}-wal").read_bytes()
    held.close()
    index.unlink()
    Path(f"{index}-wal").write_bytes(journal)
    (vault / "a.md").unlink()
    run(vault, index)
    assert rows(index, "SELECT path FROM notes") == [("b.md",)]
    assert find_damage(index) == ""


def test_a_newer_index_is_left_alone(tmp_path: Path) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "one\n"})
    run(vault, index)
    set_version(index, SCHEMA_VERSION + 1)
    before = index.read_bytes()
    for rebuild in (False, True):
        with pytest.raises(IndexVersionError):
            run(vault, index, rebuild=rebuild)
    assert index.read_bytes() == before


def test_every_table_of_the_schema_is_looked_for() -> None:
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute(SCHEMA)
        made = {
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("passages_fts_")
        }
    assert made == set(TABLES)
