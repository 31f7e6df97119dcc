"""Choose weights and k on judged queries, and say honestly how much that gains.

The gain is that of cross-validation: each fifth of the queries is measured with the setting that
was chosen on the other four, so no query vouches for a setting that it helped to choose. What is
proposed is chosen on all of them. Every stream ranks once a query; each candidate fuses those
rankings anew, and the graph starts from what that candidate puts first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from random import Random

from kb.evaluation.candidates import Candidate, candidate, climb
from kb.evaluation.judgements import Judgements, resolve_judgements
from kb.evaluation.metrics import MAIN_METRIC, METRICS
from kb.evaluation.refuse import base_weights, fused_list, rank_alone, refuse
from kb.evaluation.significance import SEED, bootstrap_interval, randomisation_test
from kb.fusion.options import SearchOptions
from kb.fusion.search import asked
from kb.store.connection import open_reader
from kb.store.errors import UsageError
from kb.store.records import Ranking, StreamStatus
from kb.streams.registry import STREAMS

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
    with _Table(index, judgements, options, advance) as table:
        return _tune(table, candidate(base_weights(options), options.k))


def _tune(table: _Table, current: Candidate) -> Tuning:
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


def _choose(table: _Table, start: Candidate, training: Sequence[int]) -> Candidate:
    streams = [stream.name for stream in STREAMS if stream.name not in table.unused]
    return climb(
        start,
        streams,
        lambda candidates: [_mean(scores, training) for scores in table.scores(candidates)],
    )


def _parts(count: int) -> list[list[int]]:
    """The queries dealt into folds at random, with a fixed seed."""
    order = list(range(count))
    Random(SEED).shuffle(order)
    return [sorted(order[first::FOLDS]) for first in range(FOLDS)]


def _mean(scores: Sequence[float], which: Sequence[int]) -> float:
    return fsum(scores[one] for one in which) / len(which)


class _Table:
    """The metric of every query under every candidate that was asked for, each worked out once."""

    def __init__(
        self,
        index: Path,
        judgements: Judgements,
        options: SearchOptions,
        advance: Callable[[], None] | None,
    ) -> None:
        self._index = index
        self._options = options
        self._connection = open_reader(index)
        self._known: dict[Candidate, list[float]] = {}
        try:
            self.judgements = resolve_judgements(self._connection, judgements)
            self._alone = [self._rank(query.text, advance) for query in self.judgements.queries]
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    @property
    def tried(self) -> int:
        """How many candidates were measured."""
        return len(self._known)

    @property
    def unused(self) -> tuple[str, ...]:
        """The streams that took part in no query. One that follows can, where others did."""
        took_part = {
            name
            for rankings in self._alone
            for name, ranking in rankings.items()
            if ranking.status == StreamStatus.OK
        }
        return tuple(
            stream.name for stream in STREAMS if not stream.follows and stream.name not in took_part
        )

    def scores(self, candidates: Sequence[Candidate]) -> list[list[float]]:
        """The metric of each query, a list for each candidate."""
        fresh = [one for one in dict.fromkeys(candidates) if one not in self._known]
        if fresh:
            rows = [self._measure(place, fresh) for place in range(len(self._alone))]
            for column, one in enumerate(fresh):
                self._known[one] = [row[column] for row in rows]
        return [self._known[one] for one in candidates]

    def _rank(self, text: str, advance: Callable[[], None] | None) -> dict[str, Ranking]:
        with asked(self._index, text, self._options, self._connection) as question:
            rankings = rank_alone(question, self._options)
        if advance is not None:
            advance()
        return rankings

    def _measure(self, place: int, candidates: Sequence[Candidate]) -> list[float]:
        query = self.judgements.queries[place]
        found = []
        with asked(self._index, query.text, self._options, self._connection) as question:
            for one in candidates:
                options = replace(self._options, weights=dict(one.weights), k=one.k)
                run = refuse(question, self._alone[place], options)
                paths = [note.path for note in fused_list(question, run, options)]
                found.append(METRICS[MAIN_METRIC](paths, query.grades))
        return found
