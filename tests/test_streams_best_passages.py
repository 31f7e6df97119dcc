"""The best passages, read by what can reach a score: the same ones, with the same scores."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager

import apsw
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from search_support import Library, make_library, make_options

from kb.fusion.search import asked
from kb.store.connection import open_reader
from kb.store.rows import read_rows
from kb.streams import best_passages
from kb.streams import pairs as pairs_module
from kb.streams.best_passages import rank_statement, read_best
from kb.streams.bounds import Group, make_groups, match_rarest, match_reaching, part_reaching
from kb.streams.pairs import Pairs, find_pairs
from kb.streams.request import Request

NOTES = 160
# The first is in nearly every note, the last in a few.
WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine")
ANY_WORDS = st.lists(st.sampled_from((*WORDS, "willow")), min_size=1, unique=True)
PATIENT = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    rng = random.Random(7)
    weights = [1 / (rank + 1) ** 2 for rank in range(len(WORDS))]

    def words() -> str:
        return " ".join(rng.choices(WORDS, weights, k=rng.randrange(3, 40)))

    notes = {
        f"{number:03}.md": f"# {words()[:20]}\n\n{words()}\n"
        + "\n\n## more\n\n".join(words() for _ in range(rng.randrange(1, 4)))
        for number in range(NOTES)
    }
    return make_library(tmp_path_factory.mktemp("trees"), notes)


@pytest.fixture(scope="module")
def connection(library: Library) -> Iterator[apsw.Connection]:
    with closing(open_reader(library.index)) as opened:
        yield opened


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_passages, "_MANY_PASSAGES", 1)
    monkeypatch.setattr(best_passages, "_LARGEST_PART", 2.0)
    monkeypatch.setattr(best_passages, "_LIFTED", 3)
    monkeypatch.setattr(pairs_module, "_MANY", 6)


@contextmanager
def request_for(
    words: list[str], depth: int, library: Library, connection: apsw.Connection
) -> Iterator[Request]:
    options = make_options(depth=max(1, depth), limit=1 if depth else 0)
    with asked(library.index, " ".join(words), options, connection) as question:
        yield question.request


@pytest.mark.usefixtures("any_size")
@PATIENT
@example(words=["willow", "yew"], depth=1)  # no passage has either
@given(words=ANY_WORDS, depth=st.integers(0, 30))
def test_the_best_are_those_of_the_plain_statement(
    words: list[str], depth: int, library: Library, connection: apsw.Connection
) -> None:
    with request_for(words, depth, library, connection) as request:
        phrases = [f'"{word}"' for word in words]
        pairs = find_pairs(request)
        found = read_best(request, phrases, pairs)
        plain = read_rows(connection, rank_statement(in_scope=False), (" OR ".join(phrases), -1))
        note_of = dict(read_rows(connection, "SELECT id, note_id FROM passages"))
    scores = {one: bm25 + pairs.lift(one) for one, bm25 in plain}
    best: dict[int, float] = {}
    for passage_id, score in scores.items():
        best[note_of[passage_id]] = max(score, best.get(note_of[passage_id], 0.0))
    wanted = sorted(best.values(), reverse=True)[: depth or None]
    # Of notes that score the same, any may stand at the end.
    assert sorted((score for score, _ in found.values()), reverse=True)[: depth or None] == wanted
    for note_id, (score, passage_id) in found.items():
        assert score == scores[passage_id]
        if wanted and score >= wanted[-1]:
            assert score == best[note_id]


def count(connection: apsw.Connection, expression: str) -> int:
    sql = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
    return int(read_rows(connection, sql, (expression,))[0][0])


@PATIENT
@given(words=ANY_WORDS, score=st.floats(0, 25))
def test_what_reaches_a_score_matches_the_condition_for_it(
    words: list[str], score: float, connection: apsw.Connection
) -> None:
    phrases = [f'"{word}"' for word in words]
    total = read_rows(connection, "SELECT count(*) FROM passages")[0][0]
    counts = {one: count(connection, one) for one in phrases}
    groups = make_groups(counts, total)
    expression = match_reaching(groups, score)
    matching = set()
    if expression:
        rows = read_rows(
            connection, "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?", (expression,)
        )
        matching = {one for (one,) in rows}
    plain = read_rows(connection, rank_statement(in_scope=False), (" OR ".join(phrases), -1))
    assert {one for one, bm25 in plain if bm25 >= score} <= matching


def test_a_condition_names_what_gives_most_alone_and_the_rest_together() -> None:
    groups = [(5.0, 0.1, "a"), (3.0, 0.2, "b"), (2.0, 0.5, "c"), (0.5, 0.5, "d")]
    made = [Group(*one) for one in groups]
    assert match_reaching(made, 4.9) == "a OR (b AND (c))"
    assert match_reaching(made, 2.5) == "a OR b OR (c AND (d))"
    assert match_reaching(made, 11.0) == ""
    assert match_rarest(made, 0.05) == "a"
    assert match_rarest(made, 0.25) == "a OR b"


def test_the_part_that_reaches_a_score_is_that_of_independent_words() -> None:
    made = [Group(5.0, 0.1, "a"), Group(3.0, 0.2, "b")]
    assert part_reaching(made, 4.0) == pytest.approx(0.1)
    assert part_reaching(made, 0.0) == pytest.approx(1 - 0.9 * 0.8)
    assert part_reaching(made, 8.0) == pytest.approx(0.1 * 0.2)


@pytest.mark.usefixtures("any_size")
def test_bm25_is_not_worked_out_for_a_common_word_alone(
    library: Library, connection: apsw.Connection
) -> None:
    asked_for: list[str] = []

    def trace(_: apsw.Cursor, sql: str, values: object) -> bool:
        asked_for.extend([str(values)] if "bm25" in sql else [])
        return True

    with request_for(["ash", "birch", "pine", "oak", "maple"], 2, library, connection) as request:
        connection.exec_trace = trace
        try:
            read_best(request, ['"ash"', '"birch"', '"pine"', '"oak"', '"maple"'], Pairs({}))
        finally:
            connection.exec_trace = None
    rarest, likely = asked_for
    assert '"ash"' not in rarest
    condition = likely.split("'[]'")[1]
    assert "oak" in condition
    assert '"ash"' not in condition


def test_a_small_vault_is_read_by_one_statement(
    library: Library, connection: apsw.Connection
) -> None:
    seen: list[str] = []
    with request_for(["ash", "pine"], 5, library, connection) as request:
        connection.exec_trace = lambda _, sql, __: seen.append(sql) or True
        try:
            read_best(request, ['"ash"', '"pine"'], Pairs({}))
        finally:
            connection.exec_trace = None
    assert len([sql for sql in seen if "bm25" in sql]) == 1
