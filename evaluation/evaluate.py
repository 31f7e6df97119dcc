"""Measure every stream, the fusion, and the fusion less each stream on judged queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from pathlib import Path

from kb.evaluation.judgements import JudgedQuery, Judgements, resolve_judgements
from kb.evaluation.metrics import METRICS, measure
from kb.evaluation.refuse import (
    Listed,
    base_weights,
    fused_list,
    refuse,
    stream_list,
)
from kb.evaluation.significance import randomisation_test
from kb.fusion.options import Mode, SearchOptions
from kb.fusion.run import Run, run_streams
from kb.fusion.search import Question, asked
from kb.store.connection import open_reader
from kb.store.records import StreamStatus
from kb.streams.registry import STREAM_NAMES

FUSED = "fused"
_WITHOUT = "without-"

# Called for each list that was measured: the system's name, the query, the notes best first.
Sink = Callable[[str, JudgedQuery, Sequence[Listed]], None]


class SystemKind(StrEnum):
    """What gave a list."""

    STREAM = "stream"
    FUSED = "fused"
    WITHOUT = "without"  # the fusion less one stream, which gives no seeds either


@dataclass(frozen=True, slots=True)
class QueryScores:
    """One query: by system, every metric, and how many notes it listed.

    `weights` are those used for this query; absent is a stream that took no part.
    """

    query: JudgedQuery
    scores: dict[str, dict[str, float]]
    listed: dict[str, int]
    weights: dict[str, float]


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system: the mean of every metric over all judged queries.

    `answered` counts the queries for which it listed anything; `reason` says why a stream never
    took part. `p` is the p-value of the paired difference to the fusion, by metric; None for the
    fusion itself and for a stream that never took part.
    """

    name: str
    kind: SystemKind
    answered: int
    means: dict[str, float]
    p: dict[str, float] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured. `weights` and `k` are as set; `queries` in the order of their file."""

    vault: str
    index: str
    mode: str
    k: int
    weights: dict[str, float]
    judgements: Judgements
    systems: tuple[SystemScores, ...]
    queries: tuple[QueryScores, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """The scores of every judged query, and what each stream said most often of taking no part."""

    vault: str
    judgements: Judgements
    queries: tuple[QueryScores, ...]
    reasons: dict[str, str]


def evaluate(
    index: Path,
    judgements: Judgements,
    options: SearchOptions,
    *,
    sink: Sink | None = None,
    advance: Callable[[], None] | None = None,
) -> Evaluation:
    """Ask every judged query once, measure every system on it, and test the differences.

    `sink` is given each list as it comes; `advance` is called after each query.
    """
    measured = measure_queries(index, judgements, options, sink=sink, advance=advance)
    return Evaluation(
        vault=measured.vault,
        index=str(index),
        mode=str(options.mode),
        k=options.k,
        weights=base_weights(options),
        judgements=measured.judgements,
        systems=summarise(measured.queries, options.mode, measured.reasons),
        queries=measured.queries,
    )


def measure_queries(
    index: Path,
    judgements: Judgements,
    options: SearchOptions,
    *,
    sink: Sink | None = None,
    advance: Callable[[], None] | None = None,
) -> Measured:
    """The first half of `evaluate`: the scores, nothing summed up."""
    connection = open_reader(index)
    found: list[QueryScores] = []
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    vault = ""
    try:
        judgements = resolve_judgements(connection, judgements)
        for query in judgements.queries:
            with asked(index, query.text, options, connection) as question:
                vault = question.vault_name
                found.append(_measure_query(question, query, options, sink, reasons))
            if advance is not None:
                advance()
    finally:
        connection.close()
    most = {name: counted.most_common(1)[0][0] for name, counted in reasons.items()}
    return Measured(vault, judgements, tuple(found), most)


def system_names(mode: Mode) -> dict[str, SystemKind]:
    """The systems that are measured in a mode, in the order in which they are shown."""
    names = dict.fromkeys(STREAM_NAMES, SystemKind.STREAM)
    names[FUSED] = SystemKind.FUSED
    if mode == Mode.HYBRID:
        names |= dict.fromkeys((_WITHOUT + name for name in STREAM_NAMES), SystemKind.WITHOUT)
    return names


def _measure_query(
    question: Question,
    query: JudgedQuery,
    options: SearchOptions,
    sink: Sink | None,
    reasons: dict[str, Counter[str]],
) -> QueryScores:
    run = run_streams(question.request, options)
    scores: dict[str, dict[str, float]] = {}
    listed: dict[str, int] = {}
    for system, notes in _lists(question, run, options):
        scores[system] = measure([note.path for note in notes], query.grades)
        listed[system] = len(notes)
        if sink is not None:
            sink(system, query, notes)
    for name, ranking in run.rankings.items():
        if ranking.status != StreamStatus.OK:
            reasons[name][ranking.reason] += 1
    took_part = {
        name: run.weights[name]
        for name, ranking in run.rankings.items()
        if ranking.status == StreamStatus.OK
    }
    return QueryScores(query, scores, listed, took_part)


def _lists(
    question: Question, run: Run, options: SearchOptions
) -> Iterator[tuple[str, list[Listed]]]:
    """Every system's list for one query."""
    for name, ranking in run.rankings.items():
        yield name, stream_list(ranking)
    yield FUSED, fused_list(question, run, options)
    if options.mode != Mode.HYBRID:
        return
    for name in STREAM_NAMES:
        weights = base_weights(options) | {name: 0.0}
        less = options._replace(weights=weights)
        yield _WITHOUT + name, fused_list(question, refuse(question, run.alone, less), less)


def summarise(
    queries: Sequence[QueryScores], mode: Mode, reasons: Mapping[str, str]
) -> tuple[SystemScores, ...]:
    """Means and tests over some queries, so that halves of a collection can be told apart."""
    return tuple(
        _summarise_system(name, kind, queries, reasons.get(name, ""))
        for name, kind in system_names(mode).items()
    )


def _summarise_system(
    name: str, kind: SystemKind, queries: Sequence[QueryScores], reason: str
) -> SystemScores:
    answered = sum(query.listed[name] > 0 for query in queries)
    means = {
        metric: fsum(query.scores[name][metric] for query in queries) / len(queries)
        for metric in METRICS
    }
    p = None
    if kind != SystemKind.FUSED and (answered or kind == SystemKind.WITHOUT):
        p = {
            metric: randomisation_test(differences(queries, name, FUSED, metric))
            for metric in METRICS
        }
    return SystemScores(name, kind, answered, means, p, "" if answered else reason)


def differences(queries: Sequence[QueryScores], one: str, other: str, metric: str) -> list[float]:
    """How much better `one` did than `other`, query by query."""
    return [query.scores[one][metric] - query.scores[other][metric] for query in queries]
