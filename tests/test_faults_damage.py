"""A damaged index is known for one, explained, and made anew with the vectors it still gives."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from conftest import MakeVault, RunKb
from index_support import Watch, assert_same, rows

from kb.indexer.open import start_anew
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_writer
from kb.store.damage import find_damage
from kb.store.lock import side_file
from kb.store.meta import Meta, write_meta

PAGE = 8192
NOTES = {
    f"{number}.md": f"---\ntags: [bird, t{number}]\nstatus: open\n---\n# Heron {number}\n\n"
    f"A heron by the water, with [[{(number + 1) % 12}]] and [[away]].\n" + "word " * 300
    for number in range(12)
}


@pytest.fixture
def vault(make_vault: MakeVault) -> Path:
    return make_vault(NOTES)


@pytest.fixture
def index(vault: Path, kb: RunKb, tmp_path: Path) -> Path:
    """An index with a vector for every passage, its journal written back."""
    file = tmp_path / "index.sqlite"
    assert kb("index", vault, "--index", file).status == 0
    with closing(open_writer(file)) as connection:
        connection.execute(
            "INSERT INTO vectors(embed_key, vector)"
            " SELECT DISTINCT embed_key, x'0708' FROM passages"
        )
        write_meta(connection, Meta.MODEL_FINGERPRINT, "f")
        write_meta(connection, Meta.MODEL_DIMENSION, "2")
    return file


def execute(index: Path, sql: str) -> None:
    with closing(apsw.Connection(str(index))) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(sql)


QUERIES = (
    ("query", "heron", "--json"),
    ("query", "#bird open", "--tag", "bird", "--explain"),
    ("query", "water", "--where", "status=open", "--mode", "graph", "--pretty"),
    ("query", "heron", "--why", "3.md"),
    ("query", "heron", "--authority", "-l"),
    ("status",),
)


def ask_everything(kb: RunKb, index: Path) -> set[int]:
    """Every way to read an index gives an answer or says what is wrong and what to do."""
    statuses = set()
    for arguments in QUERIES:
        result = kb(*arguments, "--index", index)
        assert "unexpected" not in result.err, (arguments, result.err)
        if result.status == 2:
            assert "hint: run `kb index" in result.err, (arguments, result.err)
        statuses.add(result.status)
    return statuses


def mend(kb: RunKb, vault: Path, index: Path, tmp_path: Path) -> None:
    """`--rebuild` gives an index that says what one from scratch says."""
    plain = kb("index", vault, "--index", index)
    assert plain.status in (0, 2)
    assert "unexpected" not in plain.err
    result = kb("index", vault, "--index", index, "--rebuild")
    assert result.status == 0, result.err
    assert find_damage(index) == ""
    fresh = tmp_path / "fresh.sqlite"
    if not fresh.exists():
        assert kb("index", vault, "--index", fresh).status == 0
    assert_same(index, fresh)


ROWS = [
    "DROP TABLE notes",
    "DROP TABLE passages",
    "DROP TABLE passages_fts",
    "DROP TABLE passages_fts_data",
    "DROP TABLE passages_fts_config",
    "DROP TABLE tags",
    "DROP TABLE properties",
    "DROP TABLE entities",
    "DROP TABLE note_entities",
    "DROP TABLE edges",
    "DROP TABLE links",
    "DROP TABLE attachments",
    "ALTER TABLE notes RENAME COLUMN title TO heading",
    "DELETE FROM passages",
    "DELETE FROM meta",
    "UPDATE meta SET value = '²' WHERE key = 'schema_version'",
    "UPDATE meta SET value = '[[' WHERE key = 'languages'",
    "UPDATE meta SET value = '[1]' WHERE key = 'languages'",
    "UPDATE meta SET value = 'x' WHERE key = 'averages'",
    "UPDATE meta SET value = 'x' WHERE key = 'run_started_ns'",
    "UPDATE passages SET heading = 'x'",
    "UPDATE notes SET title = cast(x'ff41' AS TEXT)",
    "UPDATE notes SET path = 'x' || char(0) || 'y' WHERE id = 1",
    "UPDATE notes SET path = '../../etc/passwd' WHERE id = 1",
    "UPDATE entities SET notes = -1",
    "UPDATE vectors SET vector = x'00'",
]


@pytest.mark.parametrize("sql", ROWS)
def test_rows_that_no_run_wrote(
    sql: str, vault: Path, index: Path, kb: RunKb, tmp_path: Path
) -> None:
    execute(index, sql)
    ask_everything(kb, index)
    mend(kb, vault, index, tmp_path)


FILES: dict[str, Callable[[bytes], bytes]] = {
    "text": lambda data: b"Not a database, whatever its name says.\n" * (len(data) // 40),
    "zeros": lambda data: bytes(len(data)),
    "only the header": lambda data: data[:100],
    "half a header": lambda data: data[:50],
    "one page": lambda data: data[:PAGE],
    "half": lambda data: data[: len(data) // 2],
    "all but a byte": lambda data: data[:-1],
    "a first page of zeros": lambda data: bytes(PAGE) + data[PAGE:],
    "a second page of zeros": lambda data: data[:PAGE] + bytes(PAGE) + data[2 * PAGE :],
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_was_cut_or_overwritten(
    kind: str, vault: Path, index: Path, kb: RunKb, tmp_path: Path
) -> None:
    index.write_bytes(FILES[kind](index.read_bytes()))
    ask_everything(kb, index)
    mend(kb, vault, index, tmp_path)


@pytest.mark.parametrize("seed", range(12))
def test_a_page_of_noise_anywhere(
    seed: int, vault: Path, index: Path, kb: RunKb, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    data = bytearray(index.read_bytes())
    page = chance.randrange(len(data) // PAGE)
    data[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
    index.write_bytes(data)
    ask_everything(kb, index)
    mend(kb, vault, index, tmp_path)


@pytest.mark.parametrize("seed", range(8))
def test_bytes_of_noise_anywhere(
    seed: int, vault: Path, index: Path, kb: RunKb, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    data = bytearray(index.read_bytes())
    for _ in range(10 ** (seed % 4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    index.write_bytes(data)
    ask_everything(kb, index)
    mend(kb, vault, index, tmp_path)


def test_what_is_whole_has_no_damage(index: Path) -> None:
    assert find_damage(index) == ""


def test_an_empty_file_is_no_index_yet(vault: Path, index: Path, kb: RunKb) -> None:
    index.write_bytes(b"")
    result = kb("query", "heron", "--index", index)
    assert result.status == 2
    assert "first run has not finished" in result.err
    assert kb("index", vault, "--index", index).status == 0
    assert kb("query", "heron", "-c", "--index", index).out == "12\n"


def test_an_index_whose_first_run_was_cut_short_is_not_an_empty_vault(
    tmp_path: Path, kb: RunKb
) -> None:
    index = tmp_path / "new.sqlite"
    open_writer(index).close()
    for arguments in QUERIES:
        result = kb(*arguments, "--index", index)
        assert result.status == 2
        assert "first run has not finished" in result.err


@pytest.mark.parametrize("lost", ["the first page of vectors", "the last"])
def test_vectors_are_read_from_both_ends(lost: str, vault: Path, tmp_path: Path, kb: RunKb) -> None:
    index = tmp_path / "index.sqlite"
    assert kb("index", vault, "--index", index).status == 0
    with closing(open_writer(index)) as connection:
        connection.executemany(
            "INSERT INTO vectors(embed_key, vector) VALUES (?, ?)",
            ((number.to_bytes(16, "big"), b"v" * 384) for number in range(500)),
        )
        write_meta(connection, Meta.MODEL_FINGERPRINT, "f")
        write_meta(connection, Meta.MODEL_DIMENSION, "384")
        pages = [
            page
            for (page,) in connection.execute(
                "SELECT pageno FROM dbstat WHERE name = 'vectors'"
                " AND pagetype = 'leaf' ORDER BY path"
            )
        ]
    data = bytearray(index.read_bytes())
    start = (pages[0 if "first" in lost else -1] - 1) * PAGE
    data[start : start + PAGE] = b"\xff" * PAGE
    index.write_bytes(data)
    start_anew(index)
    kept = rows_unfinished(index, "SELECT count(*) FROM vectors")
    assert 400 < kept < 500  # a page holds some twenty


def rows_unfinished(index: Path, sql: str) -> int:
    with closing(apsw.Connection(str(index))) as connection:
        return int(connection.execute(sql).fetchall()[0][0])


def test_vectors_survive_a_rebuild_that_is_cut_between_its_two_files(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(index, "DROP TABLE links")
    moves: list[str] = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        moves.append(self.name)
        if self.name.endswith(".new"):
            raise KeyboardInterrupt  # as a kill between the two would leave it
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            index_vault(vault, index, IndexOptions(rebuild=True), Watch())
    assert not index.exists()
    index_vault(vault, index, IndexOptions(), Watch())
    assert rows(index, "SELECT DISTINCT vector FROM vectors") == [(b"\x07\x08",)]
    assert not side_file(index, "new").exists()


def test_a_newer_index_is_left_alone_whatever_is_asked(vault: Path, index: Path, kb: RunKb) -> None:
    execute(index, "UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    before = index.read_bytes()
    for arguments in (*QUERIES, ("index", str(vault)), ("index", str(vault), "--rebuild")):
        result = kb(*arguments, "--index", index)
        assert result.status == 2
        assert "newer kb" in result.err
    assert index.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_never_opened(vault: Path, tmp_path: Path, kb: RunKb) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place, said in ((pipe, "no regular file"), (tmp_path, "is a folder")):
        for arguments in (*QUERIES, ("index", str(vault)), ("index", str(vault), "--rebuild")):
            result = kb(*arguments, "--index", place)
            assert result.status == 2
            assert said in result.err


def test_a_lock_that_is_none_of_ours_is_named(vault: Path, index: Path, kb: RunKb) -> None:
    side_file(index, "lock").write_bytes(b"something else entirely\n" * 100)
    result = kb("index", vault, "--index", index)
    assert result.status == 2
    assert "is no lock of ours" in result.err
    assert kb("query", "heron", "-c", "--index", index).out == "12\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_what_is_made_is_private(vault: Path, tmp_path: Path, kb: RunKb) -> None:
    index = tmp_path / "a" / "b" / "index.sqlite"
    assert kb("index", vault, "--index", index).status == 0
    for folder in (index.parent, index.parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in index.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file
    shutil.rmtree(index.parent)
