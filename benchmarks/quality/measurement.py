"""One collection, with the model or without: index it, ask it, keep what each query scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path

from benchmarks.quality.material import ALL, REPORT, TUNING, Collection, prepare
from benchmarks.quality.nonsense import nonsense_queries
from kb.embedding import query_cache
from kb.evaluation.evaluate import FUSED, QueryScores, differences, measure_queries
from kb.evaluation.judgements import Judgements, read_judgements
from kb.evaluation.metrics import MAIN_METRIC
from kb.evaluation.significance import randomisation_test
from kb.fusion.options import SearchOptions
from kb.fusion.run import run_streams
from kb.fusion.search import asked, weigh
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.streams.registry import STREAM_NAMES

_FAST = 150  # queries of each half that a fast run takes


@dataclass(frozen=True, slots=True)
class Task:
    """What to measure. `model`: with embeddings. `weights` and `k` (0: default) as set."""

    name: str
    model: bool
    work: Path
    weights: dict[str, float]
    k: int
    halves: tuple[str, ...]
    fast: bool
    nonsense: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one half. `fused_less_best`: nDCG@10 against the best single stream.

    `p_without` is the p-value of leaving out each stream; `found` the share of queries that found
    anything.
    """

    queries: int
    means: dict[str, dict[str, float]]
    p_without: dict[str, float]
    found: float

    @property
    def best_stream(self) -> float:
        """nDCG@10 of the best single stream."""
        return max(self.means[name][MAIN_METRIC] for name in STREAM_NAMES)

    @property
    def fused(self) -> float:
        """nDCG@10 of the fusion."""
        return self.means[FUSED][MAIN_METRIC]

    def gain_of(self, stream: str) -> float:
        """What a stream adds to the fusion's nDCG@10: the fusion less it without the stream."""
        return self.fused - self.means[f"without-{stream}"][MAIN_METRIC]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one task found: scores by half, the share of nonsense that found nothing by kind."""

    name: str
    model: bool
    halves: dict[str, Scores]
    nothing: dict[str, float]


class Quiet:
    """Progress that shows nothing."""

    def begin(self, stage: str, total: int) -> None: ...

    def advance(self, count: int = 1) -> None: ...

    def end(self) -> None: ...

    def notice(self, message: str) -> None: ...


def keep_query_vectors() -> None:
    """Let an index keep the vectors of all queries of a collection, so that the next run is fast.

    A user's index keeps a thousand, fewer than some collections ask.
    """
    query_cache._KEPT = 100_000


def measure_task(task: Task) -> Outcome:
    """Build, index and ask one collection."""
    keep_query_vectors()
    collection = prepare(task.name, task.work)
    index = collection.index(task.model)
    index_vault(collection.vault, index, IndexOptions(embed=task.model), Quiet())
    options = SearchOptions(weights=task.weights)
    if task.k:
        options = options._replace(k=task.k)
    judgements = chosen_judgements(
        read_judgements(collection.queries, collection.qrels), collection, task
    )
    measured = measure_queries(index, judgements, options)
    halves = {}
    for half in (*task.halves, ALL) if len(task.halves) > 1 else task.halves:
        queries = [one for one in measured.queries if collection.belongs(one.query.id, half)]
        halves[half] = sum_up(queries)
    nothing = _nothing_found(index, collection, options) if task.nonsense else {}
    return Outcome(task.name, task.model, halves, nothing)


def chosen_judgements(judgements: Judgements, collection: Collection, task: Task) -> Judgements:
    """The queries of the halves that are wanted, thinned out evenly in a fast run."""
    kept = []
    for half in (TUNING, REPORT):
        if half not in task.halves:
            continue
        queries = [one for one in judgements.queries if collection.belongs(one.id, half)]
        step = max(1, len(queries) // _FAST) if task.fast else 1
        kept += queries[::step]
    return replace(judgements, queries=tuple(kept))


def sum_up(queries: list[QueryScores]) -> Scores:
    """Means of every system and metric, and the tests of the ablation."""
    means = {
        system: {
            metric: fsum(query.scores[system][metric] for query in queries) / len(queries)
            for metric in metrics
        }
        for system, metrics in queries[0].scores.items()
    }
    p_without = {
        name: randomisation_test(differences(queries, f"without-{name}", FUSED, MAIN_METRIC))
        for name in STREAM_NAMES
    }
    found = sum(query.listed[FUSED] > 0 for query in queries) / len(queries)
    return Scores(len(queries), means, p_without, found)


def _nothing_found(index: Path, collection: Collection, options: SearchOptions) -> dict[str, float]:
    connection = open_reader(index)
    shares = {}
    try:
        for kind, texts in nonsense_queries(collection.vault).items():
            empty = 0
            for text in texts:
                with asked(index, text, options, connection) as question:
                    run = run_streams(question.request, options)
                    empty += not weigh(question, run, options)
            shares[kind] = empty / len(texts)
    finally:
        connection.close()
    return shares
