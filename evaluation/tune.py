"""Choose weights and k on judged queries, and say honestly how much that gains.

The gain is that of cross-validation: each fifth of the queries is measured with the setting that
was chosen on the other four, so no query vouches for a setting that it helped to choose. What is
proposed is chosen on all of them. Every stream ranks once a query; each candidate fuses those
rankings anew, and the graph starts from what that candidate puts first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from random import Random

from kb.evaluation.candidates import Candidate, candidate, climb
from kb.evaluation.judgements import Judgements
from kb.evaluation.refuse import base_weights
from kb.evaluation.score_table import ScoreTable
from kb.evaluation.significance import SEED, bootstrap_interval, randomisation_test
from kb.fusion.options import SearchOptions
from kb.store.errors import UsageError

FOLDS = 5
FEWEST_QUERIES = 10


@dataclass(frozen=True, slots=True)
class Fold:
    """One part of the queries: what was chosen on the others, and the means on this part."""

    queries: int
    chosen: Candidate
    current: float
    held_out: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tuning found. Scores are means of nDCG@10 over the judged queries.

    `score` is that of the proposed setting on the queries it was chosen on, and so flatters it;
    `held_out` is the cross-validated one, `gain` what it adds to the current setting, between
    `low` and `high` with 95 % confidence; `p` is the p-value of the gain. `unused` are streams
    that never took part, whose weight stays.
    """

    current: Candidate
    current_score: float
    proposed: Candidate
    score: float
    held_out: float
    gain: float
    low: float
    high: float
    p: float
    folds: tuple[Fold, ...]
    tried: int
    judgements: Judgements
    unused: tuple[str, ...]


def tune(
    index: Path,
    judgements: Judgements,
    options: SearchOptions,
    advance: Callable[[], None] | None = None,
) -> Tuning:
    """Search for weights and k that do better than those of `options`.

    `advance` is called each time that a query has been ranked by all streams. Raises UsageError
    where there are too few judged queries to tell.
    """
    if len(judgements.queries) < FEWEST_QUERIES:
        raise UsageError(
            f"{len(judgements.queries)} judged queries are too few to tune on",
            f"judge at least {FEWEST_QUERIES}, better 50; `kb judge FILE` records them",
        )
    with ScoreTable(index, judgements, options, advance) as table:
        return _tune(table, candidate(base_weights(options), options.k))


def _tune(table: ScoreTable, current: Candidate) -> Tuning:
    everything = range(len(table.judgements.queries))
    held_out: dict[int, float] = {}
    folds = []
    for part in _parts(len(everything)):
        rest = [one for one in everything if one not in set(part)]
        chosen = _choose(table, current, rest)
        scores = table.scores([chosen])[0]
        held_out |= {one: scores[one] for one in part}
        folds.append(
            Fold(len(part), chosen, _mean(table.scores([current])[0], part), _mean(scores, part))
        )
    proposed = _choose(table, current, everything)
    before, after = table.scores([current, proposed])
    gains = [held_out[one] - before[one] for one in everything]
    low, high = bootstrap_interval(gains)
    return Tuning(
        current=current,
        current_score=_mean(before, everything),
        proposed=proposed,
        score=_mean(after, everything),
        held_out=fsum(held_out.values()) / len(held_out),
        gain=fsum(gains) / len(gains),
        low=low,
        high=high,
        p=randomisation_test(gains),
        folds=tuple(folds),
        tried=table.tried,
        judgements=table.judgements,
        unused=table.unused,
    )


def _choose(table: ScoreTable, start: Candidate, training: Sequence[int]) -> Candidate:
    return climb(
        start,
        table.streams,
        lambda candidates: [_mean(scores, training) for scores in table.scores(candidates)],
    )


def _parts(count: int) -> list[list[int]]:
    """The queries dealt into folds at random, with a fixed seed."""
    order = list(range(count))
    Random(SEED).shuffle(order)
    return [sorted(order[first::FOLDS]) for first in range(FOLDS)]


def _mean(scores: Sequence[float], which: Sequence[int]) -> float:
    return fsum(scores[one] for one in which) / len(which)
