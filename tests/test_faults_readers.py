"""Queries while an index is written, made anew or replaced: whole answers, of one state each."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import apsw
from index_support import Watch, write

from kb.fusion.options import SearchOptions
from kb.fusion.search import search
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader, snapshot, translated_errors
from kb.store.errors import IndexVersionError, KbError

NOTES = 30


def notes(state: int) -> dict[str, str]:
    """A vault of which every note says which state it is in."""
    return {
        f"n{number}.md": f"# Heron {number}\n\nstate {state} [[n{(number + state) % NOTES}]]\n"
        for number in range(NOTES)
    }


class Reader(threading.Thread):
    """Asks again and again, and keeps what it was told that no reader may be."""

    def __init__(self, index: Path) -> None:
        super().__init__()
        self.index = index
        self.enough = threading.Event()
        self.seen: set[str] = set()
        self.refused: list[KbError] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self.enough.is_set():
            try:
                with translated_errors(self.index):
                    found = search(self.index, "heron", SearchOptions(limit=0))
            except KbError as error:
                self.refused.append(error)
            except Exception as error:
                self.wrong.append(repr(error))
            else:
                states = {hit.passage.text.split("state ")[1].split()[0] for hit in found.hits}
                self.seen |= states
                if len(found.hits) != NOTES or len(states) != 1:
                    self.wrong.append(f"{len(found.hits)} notes of the states {states}")


def test_a_query_sees_one_whole_state_across_runs_and_rebuilds(tmp_path: Path) -> None:
    vault, index = write(tmp_path / "vault", notes(0)), tmp_path / "index.sqlite"
    index_vault(vault, index, IndexOptions(), Watch())
    readers = [Reader(index) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for state in range(1, 25):
            write(vault, notes(state))
            index_vault(vault, index, IndexOptions(rebuild=state % 4 == 0), Watch())
    finally:
        for reader in readers:
            reader.enough.set()
            reader.join()
    for reader in readers:
        assert reader.wrong == []
        assert reader.refused == []
        assert len(reader.seen) > 1


def test_while_an_older_index_is_replaced_a_query_says_what_to_do(tmp_path: Path) -> None:
    vault, index = write(tmp_path / "vault", notes(0)), tmp_path / "index.sqlite"
    index_vault(vault, index, IndexOptions(), Watch())
    reader = Reader(index)
    reader.start()
    try:
        for state in range(1, 9):
            with closing(apsw.Connection(str(index))) as connection:
                connection.set_busy_timeout(5000)
                connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
            write(vault, notes(state))
            index_vault(vault, index, IndexOptions(), Watch())
    finally:
        reader.enough.set()
        reader.join()
    assert reader.wrong == []
    assert {type(error) for error in reader.refused} <= {IndexVersionError}
    assert all("kb index" in error.hint for error in reader.refused)
    assert "8" in {*reader.seen, last_state(index)}


def last_state(index: Path) -> str:
    return search(index, "heron", SearchOptions(limit=1)).hits[0].passage.text.split()[-2]


def test_a_reader_that_is_open_keeps_its_state_while_the_tables_are_replaced(
    tmp_path: Path,
) -> None:
    vault, index = write(tmp_path / "vault", notes(1)), tmp_path / "index.sqlite"
    index_vault(vault, index, IndexOptions(), Watch())
    with closing(open_reader(index)) as held, snapshot(held):
        assert held.execute("SELECT count(*) FROM notes").fetchall() == [(NOTES,)]
        connection = apsw.Connection(str(index))
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
        connection.close()
        write(vault, notes(2))
        index_vault(vault, index, IndexOptions(), Watch())
        texts = [text for (text,) in held.execute("SELECT text FROM passages")]
        assert len(texts) == NOTES
        assert all("state 1" in text for text in texts)
    assert last_state(index) == "2"
