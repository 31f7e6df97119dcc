"""Reading the best passages by way of the rarer words: the same ones, with the same scores."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from search_support import Library, make_library

from kb.store.connection import open_reader
from kb.store.rows import read_rows
from kb.streams import leading
from kb.streams.leading import read_best
from kb.streams.lexical import rank_statement

NOTES = 160
# The first is in nearly every note, the last in a few.
WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    rng = random.Random(7)
    weights = [1 / (rank + 1) ** 2 for rank in range(len(WORDS))]
    notes = {
        f"{number:03}.md": " ".join(rng.choices(WORDS, weights, k=rng.randrange(3, 40)))
        for number in range(NOTES)
    }
    return make_library(tmp_path_factory.mktemp("trees"), notes)


@pytest.fixture(scope="module")
def connection(library: Library) -> Iterator[apsw.Connection]:
    with closing(open_reader(library.index)) as opened:
        yield opened


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leading, "_MANY_PASSAGES", 1)


@pytest.mark.usefixtures("any_size")
@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200
)
@given(
    words=st.lists(st.sampled_from((*WORDS, "willow")), min_size=1, unique=True),
    limit=st.one_of(st.just(-1), st.integers(1, 30)),
)
def test_the_best_are_those_of_the_plain_statement(
    words: list[str], limit: int, connection: apsw.Connection
) -> None:
    statement = rank_statement(in_scope=False)
    phrases = [f'"{word}"' for word in words]
    plain = dict(read_rows(connection, statement, (" OR ".join(phrases), -1)))
    found = read_best(connection, statement, phrases, limit, NOTES)
    assert len(found) == (min(limit, len(plain)) if limit > 0 else len(plain))
    assert {one: plain[one] for one, _ in found} == pytest.approx(dict(found))
    # Of passages that score the same, either may come first.
    best = sorted(plain.values(), reverse=True)[: len(found)]
    assert [score for _, score in found] == pytest.approx(best)


@pytest.mark.usefixtures("any_size")
def test_a_common_word_does_not_lead(connection: apsw.Connection) -> None:
    asked: list[str] = []

    def trace(_: apsw.Cursor, sql: str, values: object) -> bool:
        asked.extend([str(values)] if "bm25" in sql else [])
        return True

    connection.exec_trace = trace
    try:
        phrases = ['"ash"', '"birch"', '"pine"', '"oak"', '"maple"']
        read_best(connection, rank_statement(in_scope=False), phrases, 2, NOTES)
    finally:
        connection.exec_trace = None
    assert len(asked) >= 2
    assert not any('OR "ash" OR' in one or '\'"ash" OR' in one for one in asked)


def test_a_small_vault_is_read_by_one_statement(connection: apsw.Connection) -> None:
    asked: list[str] = []
    connection.exec_trace = lambda _, sql, __: asked.append(sql) or True
    try:
        read_best(connection, rank_statement(in_scope=False), ['"ash"', '"pine"'], 5, NOTES)
    finally:
        connection.exec_trace = None
    assert len(asked) == 1
