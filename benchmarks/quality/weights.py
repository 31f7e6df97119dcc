"""Weights and k for the defaults: one setting for every collection, chosen on tuning halves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import fsum

from benchmarks.quality.material import TUNING, prepare
from benchmarks.quality.measurement import Quiet, Task, chosen_judgements, keep_query_vectors
from benchmarks.quality.tables import arm, render_plain
from kb.evaluation.candidates import Candidate, candidate, climb
from kb.evaluation.judgements import read_judgements
from kb.evaluation.refuse import base_weights
from kb.evaluation.score_table import ScoreTable
from kb.fusion.options import DEFAULT_K, SearchOptions
from kb.indexer.sync import IndexOptions, index_vault
from kb.streams.registry import STREAM_NAMES


def tune_weights(tasks: Sequence[Task], say: Callable[[str], None]) -> str:
    """Climb from the weights of the tasks to those with the best mean over the tasks.

    Each collection counts the same, and each way of indexing. Returns a table of nDCG@10 before
    and after.
    """
    keep_query_vectors()
    with ExitStack() as stack:
        tables = [stack.enter_context(_table(task)) for task in tasks]
        options = SearchOptions(weights=tasks[0].weights, k=tasks[0].k or DEFAULT_K)
        start = candidate(base_weights(options), options.k)

        def means(candidates: Sequence[Candidate]) -> list[float]:
            columns = [_collection_means(table, candidates) for table in tables]
            found = [fsum(values) / len(values) for values in zip(*columns, strict=True)]
            for one, mean in zip(candidates, found, strict=True):
                say(f"{mean:.4f}  {describe(one)}")
            return found

        best = climb(start, STREAM_NAMES, means)
        rows = [
            [f"{task.name} {arm(task.model)}", *(f"{mean:.4f}" for mean in both)]
            for task, table in zip(tasks, tables, strict=True)
            for both in [_collection_means(table, [start, best])]
        ]
        rows.append(["mean", *(f"{mean:.4f}" for mean in means([start, best]))])
    head = ["tuning half", "before", "after"]
    return f"before: {describe(start)}\nafter:  {describe(best)}\n{render_plain(head, rows)}"


def describe(one: Candidate) -> str:
    """A setting in one line."""
    return " ".join(f"{name}={weight:g}" for name, weight in one.weights) + f" k={one.k}"


def _collection_means(table: ScoreTable, candidates: Sequence[Candidate]) -> list[float]:
    return [fsum(scores) / len(scores) for scores in table.scores(candidates)]


def _table(task: Task) -> ScoreTable:
    collection = prepare(task.name, task.work)
    index = collection.index(task.model)
    index_vault(collection.vault, index, IndexOptions(embed=task.model), Quiet())
    judgements = read_judgements(collection.queries, collection.qrels)
    tuning = replace(task, halves=(TUNING,))
    return ScoreTable(index, chosen_judgements(judgements, collection, tuning), SearchOptions())
