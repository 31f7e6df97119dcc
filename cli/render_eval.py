"""What `kb eval` measured, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from kb.cli.render_json import Document
from kb.cli.render_table import TextTable
from kb.evaluation.evaluate import (
    FUSED,
    Evaluation,
    QueryScores,
    SystemKind,
    SystemScores,
    differences,
)
from kb.evaluation.metrics import MAIN_METRIC, METRICS
from kb.evaluation.significance import PERMUTATIONS
from kb.store.paths import encode_path, show_path

METRIC_NAMES: dict[str, str] = {
    "ndcg@10": "nDCG@10",
    "mrr@10": "MRR@10",
    "recall@10": "recall@10",
    "recall@100": "recall@100",
}


def eval_table(measured: Evaluation) -> TextTable:
    """A row a system: every metric, and how it differs from the fusion in nDCG@10."""
    fused = _fused(measured)
    columns = ("system", "answered", *METRIC_NAMES.values(), "less fused", "p")
    rows = tuple(_row(system, fused) for system in measured.systems)
    notes = [f"p: paired randomisation test of the difference in nDCG@10, {PERMUTATIONS} times"]
    notes += [
        f"{system.name} found nothing: {show_path(system.reason)}"
        for system in measured.systems
        if system.kind == SystemKind.STREAM and not system.answered and system.reason
    ]
    return TextTable(
        title=_title(measured),
        columns=columns,
        rows=rows,
        numeric=frozenset(range(1, len(columns))),
        notes=tuple(notes),
    )


def _title(measured: Evaluation) -> str:
    count = len(measured.queries)
    weights = ", ".join(f"{name} {weight:g}" for name, weight in measured.weights.items())
    noun = "query" if count == 1 else "queries"
    return f"{count} judged {noun}, mode {measured.mode}, k = {measured.k}, weights: {weights}"


def _row(system: SystemScores, fused: SystemScores) -> tuple[str, ...]:
    metrics = (f"{system.means[metric]:.4f}" for metric in METRICS)
    difference = system.means[MAIN_METRIC] - fused.means[MAIN_METRIC]
    tested = system.p is not None
    return (
        system.name,
        str(system.answered),
        *metrics,
        f"{difference:+.4f}" if tested else "-",
        render_p(system.p[MAIN_METRIC]) if system.p is not None else "-",
    )


def render_p(p: float) -> str:
    """A p-value, down to what the test can tell."""
    least = 2 / PERMUTATIONS
    return f"<{least:g}" if p < least else f"{p:.4f}"


def best_stream(measured: Evaluation) -> str:
    """The stream with the highest mean nDCG@10."""
    streams = [one for one in measured.systems if one.kind == SystemKind.STREAM]
    return max(streams, key=lambda one: one.means[MAIN_METRIC]).name


def by_query_table(measured: Evaluation, other: str) -> TextTable:
    """A row a query, what the fusion gains most on first, what it loses most on last."""
    streams = [one.name for one in measured.systems if one.kind == SystemKind.STREAM]
    shown = list(dict.fromkeys((other, *streams)))
    gains = differences(measured.queries, FUSED, other, MAIN_METRIC)
    ordered = sorted(zip(gains, measured.queries, strict=True), key=lambda one: -one[0])
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    columns = ("gain", FUSED, *shown, "right", "id", "query")
    return TextTable(
        title=f"nDCG@10 of the fusion less that of {other}: {better} better, {worse} worse,"
        f" {len(gains) - better - worse} the same",
        columns=columns,
        rows=tuple(_query_row(gain, query, shown) for gain, query in ordered),
        numeric=frozenset(range(len(columns) - 2)),
    )


def _query_row(gain: float, query: QueryScores, shown: list[str]) -> tuple[str, ...]:
    return (
        f"{gain:+.3f}" if gain else "0",
        *(f"{query.scores[name][MAIN_METRIC]:.3f}" for name in (FUSED, *shown)),
        str(query.query.relevant),
        query.query.id,
        query.query.text,
    )


def eval_document(measured: Evaluation, other: str, *, by_query: bool) -> Document:
    """The evaluation, schema `kb.eval/1`. `by_query` is there only where it was asked for."""
    judgements = measured.judgements
    document: Document = {
        "schema": "kb.eval/1",
        "vault": show_path(measured.vault),
        "index": show_path(encode_path(measured.index)),
        "mode": measured.mode,
        "k": measured.k,
        "weights": dict(measured.weights),
        "judged_queries": len(judgements.queries),
        "unjudged_queries": judgements.unjudged,
        "missing_notes": [show_path(path) for path in judgements.missing],
        "systems": [_system_document(system, _fused(measured)) for system in measured.systems],
    }
    if by_query:
        document["against"] = other
        gains = differences(measured.queries, FUSED, other, MAIN_METRIC)
        document["by_query"] = [
            _query_document(query, gain)
            for query, gain in zip(measured.queries, gains, strict=True)
        ]
    return document


def _system_document(system: SystemScores, fused: SystemScores) -> Document:
    document: Document = {
        "name": system.name,
        "kind": str(system.kind),
        "answered": system.answered,
        **system.means,
        "difference": None,
        "p": None,
    }
    if system.p is not None:
        document["difference"] = _less(system.means, fused.means)
        document["p"] = dict(system.p)
    if system.reason:
        document["reason"] = show_path(system.reason)
    return document


def _query_document(query: QueryScores, gain: float) -> Document:
    return {
        "id": query.query.id,
        "query": query.query.text,
        "relevant": query.query.relevant,
        "gain": gain,
        "weights": dict(query.weights),
        "systems": {
            name: {**scores, "listed": query.listed[name]} for name, scores in query.scores.items()
        },
    }


def _less(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {metric: one[metric] - other[metric] for metric in METRICS}


def _fused(measured: Evaluation) -> SystemScores:
    return next(one for one in measured.systems if one.kind == SystemKind.FUSED)
