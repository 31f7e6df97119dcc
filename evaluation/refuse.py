"""Rank once, fuse many times: the answer to a query under other weights, without asking anew.

What a stream that stands alone ranks does not depend on any weight, so its ranking is kept. A
stream that follows the others (the graph) starts from what the given weights put first, so it is
run again for each set of weights: that way a stream left out gives no seeds either, and every
list is the one that `kb query` would give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kb.fusion.options import MAXIMUM_WEIGHT, SearchOptions
from kb.fusion.run import Run, find_seeds
from kb.fusion.search import Question, weigh
from kb.fusion.surety import compare_sureness
from kb.store.records import Ranking, StreamStatus
from kb.streams.registry import STREAMS, default_weights

_LEFT_OUT = "its weight is 0"


@dataclass(frozen=True, slots=True)
class Listed:
    """One note of a list: its path in stored form, and the score that it is ordered by."""

    path: str
    score: float


def base_weights(options: SearchOptions) -> dict[str, float]:
    """The weight of every stream, as set or by default."""
    return default_weights() | dict(options.weights)


def rank_alone(question: Question) -> dict[str, Ranking]:
    """The rankings of the streams that stand alone, as each gives it, whatever its weight."""
    return {
        stream.name: stream.load().rank(question.request)
        for stream in STREAMS
        if not stream.follows
    }


def refuse(question: Question, alone: Mapping[str, Ranking], options: SearchOptions) -> Run:
    """What `run_streams` gives for these weights and k, from rankings that are at hand."""
    base = base_weights(options)
    rankings = compare_sureness({name: _kept(one, base) for name, one in alone.items()})
    weights = {name: _used_weight(ranking, base) for name, ranking in rankings.items()}
    seeds = find_seeds(rankings, weights, options.k, options.depth)
    following = question.request._replace(seeds=seeds)
    for stream in STREAMS:
        if stream.follows:
            off = Ranking(stream.name, StreamStatus.OFF, reason=_LEFT_OUT)
            ranking = stream.load().rank(following) if base[stream.name] > 0 else off
            rankings[stream.name] = ranking
            weights[stream.name] = _used_weight(ranking, base)
    ordered = {stream.name: rankings[stream.name] for stream in STREAMS}
    return Run(ordered, dict(alone), base, weights, seeds)


def _kept(ranking: Ranking, base: Mapping[str, float]) -> Ranking:
    if base[ranking.stream] > 0:
        return ranking
    return Ranking(ranking.stream, StreamStatus.OFF, reason=_LEFT_OUT)


def _used_weight(ranking: Ranking, base: Mapping[str, float]) -> float:
    if ranking.status == StreamStatus.OK:
        return min(MAXIMUM_WEIGHT, base[ranking.stream] * ranking.factor)
    return base[ranking.stream]


def fused_list(question: Question, run: Run, options: SearchOptions) -> list[Listed]:
    """The fused list in its final order."""
    return [Listed(one.note.path, one.score) for one in weigh(question, run, options)]


def stream_list(ranking: Ranking) -> list[Listed]:
    """The list of one stream; empty where it did not take part."""
    if ranking.status != StreamStatus.OK:
        return []
    return [Listed(hit.path, hit.score) for hit in ranking.hits]
