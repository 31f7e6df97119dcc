"""An index of an older version is made anew by the next run, with a word, its vectors kept."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from index_support import Watch, rows, run, write

from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.errors import IndexVersionError
from kb.store.schema import SCHEMA_VERSION


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
