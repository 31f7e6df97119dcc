"""Every command on every kind of broken index: a sentence and what to do, never a traceback."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from command_lines import FETCH, command_lines, seconds_for, write_queries
from conftest import RunKb
from index_support import dump, write

from kb.cli.commands import COMMANDS
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_writer
from kb.store.meta import Meta, write_meta

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="alarms, pipes")
PAGE = 8192
NOTES = {
    "a.md": "---\ntags: [bird]\nstatus: open\nid: N-1\n---\n# A heron\n\n[[b]] by the water.\n",
    "b.md": "# B heron\n\n[gone](gone.md) #birds\n" + "word " * 2000,
    "c.md": "---\ntitle: [\n---\n# C\n\n[[a]]",
}


class Quiet:
    def begin(self, stage: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...
    def end(self) -> None: ...
    def notice(self, message: str) -> None: ...


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("every") / "vault", NOTES)


@pytest.fixture(scope="module")
def sound(vault: Path) -> Path:
    """An index with a vector for each passage, in one file."""
    index = vault.parent / "sound.sqlite"
    index_vault(vault, index, IndexOptions(), Quiet())
    with closing(open_writer(index)) as connection:
        connection.execute(
            "INSERT INTO vectors(embed_key, vector)"
            " SELECT DISTINCT embed_key, x'0708' FROM passages"
        )
        write_meta(connection, Meta.MODEL_FINGERPRINT, "f")
        write_meta(connection, Meta.MODEL_DIMENSION, "2")
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    return index


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """A command that goes on until it is told to stop is told so."""

    def enough(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, enough)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def overwrite(index: Path, change: Callable[[bytes], bytes]) -> None:
    index.write_bytes(change(index.read_bytes()))


def execute(index: Path, sql: str) -> None:
    with closing(apsw.Connection(str(index))) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(sql)


def make_folder(index: Path) -> None:
    index.unlink()
    index.mkdir()


def make_pipe(index: Path) -> None:
    index.unlink()
    os.mkfifo(index)


def make_loop(index: Path) -> None:
    index.unlink()
    index.symlink_to(index.name)


def leave_journal(index: Path) -> None:
    """The journal of another, larger file."""
    other = index.with_name("other.sqlite")
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("PRAGMA page_size = 8192")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("CREATE TABLE notes(x)")
        connection.execute("INSERT INTO notes VALUES (zeroblob(99999))")
        shutil.copy(f"{other}-wal", f"{index}-wal")


def noise(file: str, size: int) -> Callable[[Path], None]:
    def spoil(index: Path) -> None:
        Path(f"{index}{file}").write_bytes(random.Random(file).randbytes(size))

    return spoil


BROKEN: dict[str, Callable[[Path], None]] = {
    **{
        f"cut to {size} bytes": lambda index, size=size: overwrite(index, lambda data: data[:size])
        for size in (0, 1, 100, PAGE - 1, 3 * PAGE)
    },
    "text": lambda index: overwrite(index, lambda _: b"no database at all\n" * 999),
    "zeros": lambda index: overwrite(index, lambda data: bytes(len(data))),
    "another program's": lambda index: (index.unlink(), execute(index, "CREATE TABLE t(x)"))[1],
    **{
        f"no table {name}": lambda index, name=name: execute(index, f"DROP TABLE {name}")
        for name in ("meta", "notes", "passages", "passages_fts", "links", "vectors", "entities")
    },
    "newer": lambda index: execute(
        index, "UPDATE meta SET value = '999' WHERE key = 'schema_version'"
    ),
    "older": lambda index: execute(
        index, "UPDATE meta SET value = '1' WHERE key = 'schema_version'"
    ),
    "the journal of another": leave_journal,
    "a journal of noise": noise("-wal", 50_000),
    "a short journal": noise("-wal", 10),
    "shared memory of noise": noise("-shm", 32_768),
    "a rollback journal of noise": noise("-journal", 5_000),
    "a journal that is a folder": lambda index: Path(f"{index}-wal").mkdir(),
    "a folder": make_folder,
    "a pipe": make_pipe,
    "a link to itself": make_loop,
}
# In the way of the file itself, which `kb` does not remove; or not its own to replace.
IN_THE_WAY = ("newer", "a folder", "a pipe", "a link to itself", "a journal that is a folder")


def clear(folder: Path) -> None:
    for file in folder.iterdir():
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        else:
            file.unlink()


@pytest.mark.parametrize("kind", BROKEN)
def test_every_command_on_a_broken_index(
    kind: str, vault: Path, sound: Path, kb: RunKb, tmp_path: Path
) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    queries = write_queries(tmp_path)
    index = folder / "i.sqlite"
    named = set()
    for name, line in command_lines(vault, queries, index):
        if str(index) not in line or name == FETCH:
            continue
        named.add(name)
        shutil.copy(sound, index)
        BROKEN[kind](index)
        signal.alarm(seconds_for(name))
        result = kb(*line)
        signal.alarm(0)
        assert "unexpected" not in result.err, (line, result.err)
        assert "Traceback" not in result.err
        assert "apsw" not in result.err
        if result.status == 2:
            assert "hint: " in result.err, (line, result.err)
        assert result.status in (0, 1, 2, 130), line
        clear(folder)
    assert {"index", "query", "related", "status", "doctor"} <= named <= {*COMMANDS}


@pytest.mark.parametrize("kind", [kind for kind in BROKEN if kind not in IN_THE_WAY])
def test_a_rebuild_mends_it_and_keeps_the_vectors(
    kind: str, vault: Path, sound: Path, kb: RunKb, tmp_path: Path
) -> None:
    index = tmp_path / "i.sqlite"
    shutil.copy(sound, index)
    BROKEN[kind](index)
    result = kb("index", vault, "--index", index, "--rebuild")
    assert result.status == 0, result.err
    assert kb("doctor", "--index", index, "--check", "index").out == ""
    said, whole = dump(index), dump(sound)
    assert [name for name in whole if said[name] != whole[name]] == []
    if kind.startswith("no table") and not kind.endswith(("meta", "vectors")):
        with closing(apsw.Connection(str(index))) as connection:
            assert connection.execute("SELECT DISTINCT vector FROM vectors").fetchall() == [
                (b"\x07\x08",)
            ]


@pytest.mark.parametrize("seed", range(4))
def test_bytes_flipped_in_fifty_places(seed: int, sound: Path, kb: RunKb, tmp_path: Path) -> None:
    """Two hundred in all, each alone."""
    index = tmp_path / "i.sqlite"
    whole = sound.read_bytes()
    chance = random.Random(f"flip {seed}")
    for _ in range(50):
        place = chance.randrange(len(whole))
        flipped = whole[place] ^ chance.randrange(1, 256)
        index.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
        for line in (["query", "heron", "--json"], ["status"], ["doctor", "--check", "index"]):
            result = kb(*line, "--index", index)
            assert "unexpected" not in result.err, (place, flipped, line, result.err)
            if result.status == 2:
                assert "hint: " in result.err, (place, flipped, line, result.err)


@pytest.mark.parametrize("error", [apsw.IOError, apsw.CantOpenError, apsw.InterruptError])
def test_whatever_sqlite_says_where_nobody_expects_it_is_a_sentence(
    error: type[apsw.Error], kb: RunKb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("disk I/O error")

    monkeypatch.setattr("kb.cli.command_vaults.known_vaults", fail)
    result = kb("vaults")
    assert result.status == 2
    assert result.err == (
        "kb: cannot read or write the index (disk I/O error)\n"
        "hint: `kb doctor` says what is wrong with it\n"
    )
