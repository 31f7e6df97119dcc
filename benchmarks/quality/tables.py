"""What was measured as tables: compact for a terminal, Markdown for the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

from benchmarks.quality.measurement import Outcome, Scores
from benchmarks.quality.reference import BASELINES, BELOW_BEST, FLOORS, NOTHING_FOUND
from kb.evaluation.evaluate import FUSED
from kb.streams.registry import STREAM_NAMES

Row = list[str]


def arm(model: bool) -> str:
    """What stands for one of the two ways to index."""
    return "with the model" if model else "without a model"


def quality_head(model: bool) -> Row:
    """The columns of `quality_row`."""
    streams = shown_streams(model)
    measures = ["less best", "MRR@10", "recall@10", "recall@100", "plain", "floor"]
    return ["collection", "queries", *streams, "fused", *measures]


def quality_row(outcome: Outcome, half: str) -> Row:
    """One collection: nDCG@10 of each stream and the fusion, what else the fusion reaches."""
    scores = outcome.halves[half]
    means = scores.means
    streams = shown_streams(outcome.model)
    fused = means[FUSED]
    return [
        outcome.name,
        str(scores.queries),
        *(f"{means[name]['ndcg@10']:.3f}" for name in streams),
        f"{scores.fused:.3f}",
        _marked(f"{scores.fused - scores.best_stream:+.3f}", _near_best(scores)),
        *(f"{fused[metric]:.3f}" for metric in ("mrr@10", "recall@10", "recall@100")),
        _baseline(outcome),
        _floor(outcome, scores),
    ]


def mean_row(outcomes: Sequence[Outcome], half: str) -> Row:
    """The mean over the collections."""
    scores = [outcome.halves[half] for outcome in outcomes]
    model = outcomes[0].model
    streams = shown_streams(model)
    metrics = ("mrr@10", "recall@10", "recall@100")
    return [
        "mean",
        str(sum(one.queries for one in scores)),
        *(f"{_mean(one.means[name]['ndcg@10'] for one in scores):.3f}" for name in streams),
        f"{mean_fused(outcomes, half):.3f}",
        f"{_mean(one.fused - one.best_stream for one in scores):+.3f}",
        *(f"{_mean(one.means[FUSED][metric] for one in scores):.3f}" for metric in metrics),
        "",
        "",
    ]


def mean_fused(outcomes: Sequence[Outcome], half: str) -> float:
    """The fusion's nDCG@10, each collection counting the same."""
    return _mean(outcome.halves[half].fused for outcome in outcomes)


def shown_streams(model: bool) -> list[str]:
    """The streams that there is anything to show of."""
    return [name for name in STREAM_NAMES if model or name != "cosine"]


def ablation_head(model: bool) -> Row:
    """The columns of `ablation_rows`."""
    return ["collection", *shown_streams(model)]


def ablation_rows(outcomes: Sequence[Outcome], half: str) -> list[Row]:
    """What each stream adds to the fusion's nDCG@10, `*` where p < 0.05, and the mean."""
    streams = shown_streams(outcomes[0].model)
    rows = [
        [outcome.name, *(_gain(outcome.halves[half], name) for name in streams)]
        for outcome in outcomes
    ]
    means = [_mean(outcome.halves[half].gain_of(name) for outcome in outcomes) for name in streams]
    rows.append(["mean", *(_marked(f"{mean:+.4f}", mean >= -0.00005) for mean in means)])
    return rows


NOTHING_HEAD = ["collection", "invented words", "keyboard noise", "judged queries that find"]


def nothing_row(outcome: Outcome, half: str) -> Row:
    """The share of nonsense that finds nothing, and of judged queries that find anything."""
    shares = [_marked(f"{share:.1%}", share >= NOTHING_FOUND) for share in outcome.nothing.values()]
    return [outcome.name, *shares, f"{outcome.halves[half].found:.1%}"]


def render_plain(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with aligned columns, the first set left, the others right."""
    cells = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in cells
    )


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fsum(found) / len(found)


def _marked(text: str, good: bool) -> str:
    return text if good else f"{text} !"


def _near_best(scores: Scores) -> bool:
    return scores.fused >= scores.best_stream - BELOW_BEST


def _gain(scores: Scores, name: str) -> str:
    star = "*" if scores.p_without[name] < 0.05 else ""
    return f"{scores.gain_of(name):+.4f}{star}"


def _baseline(outcome: Outcome) -> str:
    baseline = BASELINES[outcome.name]
    value = baseline.fused if outcome.model else baseline.lexical
    return "-" if value is None else f"{value:.3f}"


def _floor(outcome: Outcome, scores: Scores) -> str:
    floor = FLOORS[outcome.model].get(outcome.name)
    return "-" if floor is None else _marked(f"{floor:g}", scores.fused >= floor)
