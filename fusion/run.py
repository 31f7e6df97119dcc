"""Run the streams for one query: those that stand alone first, then those that follow them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import NamedTuple

from kb.fusion.options import MAXIMUM_WEIGHT, Mode, SearchOptions
from kb.fusion.rrf import fuse_best
from kb.fusion.surety import compare_sureness
from kb.store.errors import UsageError
from kb.store.records import Ranking, StreamReport, StreamStatus
from kb.streams.registry import STREAMS, Stream, default_weights
from kb.streams.request import Request

# How many of the best notes the graph starts from. Few: what is far down the list is not what
# was asked for, and neither are its neighbours.
SEEDS = 3

ONLY: dict[Mode, str] = {
    Mode.LEXICAL: "lexical",
    Mode.ENTITY: "entity",
    Mode.SEMANTIC: "cosine",
    Mode.GRAPH: "graph",
}


# A stream and the notes that the graph starts from, to what the stream ranks.
Rank = Callable[[Stream, tuple[tuple[int, float], ...]], Ranking]


class Run(NamedTuple):
    """Every stream's ranking, the base weights and the weights as used for this query.

    `alone` are the rankings of the streams that stand alone as each gave them, before they were
    compared with each other.
    """

    rankings: dict[str, Ranking]
    alone: dict[str, Ranking]
    base_weights: dict[str, float]
    weights: dict[str, float]
    seeds: tuple[tuple[int, float], ...]

    def reports(self) -> dict[str, StreamReport]:
        """How each stream took part, in the order of the registry."""
        return {
            name: StreamReport(
                ranking.status,
                self.weights[name],
                self.base_weights[name],
                ranking.candidates,
                ranking.milliseconds,
                ranking.reason,
            )
            for name, ranking in self.rankings.items()
        }


def run_streams(request: Request, options: SearchOptions) -> Run:
    """Rank with each stream whose weight is above 0; the graph starts from what the others found.

    In a mode of one stream the others are off; in graph mode they run for its seeds alone.
    Raises UsageError where a weight names no stream.
    """

    def rank(stream: Stream, seeds: tuple[tuple[int, float], ...]) -> Ranking:
        return stream.load().rank(request._replace(seeds=seeds))

    return run_ranked(rank, options)


def run_ranked(rank: Rank, options: SearchOptions) -> Run:
    """What `run_streams` does, with `rank` for what one stream makes of some starting notes."""
    base = default_weights() | dict(options.weights)
    if unknown := sorted(base.keys() - default_weights().keys()):
        known = ", ".join(f"`{stream.name}`" for stream in STREAMS)
        raise UsageError(f"there is no stream `{unknown[0]}`", f"streams are {known}")
    only = ONLY.get(options.mode)
    rankings: dict[str, Ranking] = {}
    for stream in STREAMS:
        if not stream.follows:
            rankings[stream.name] = _off(stream, base, only) or rank(stream, ())
    alone, rankings = rankings, compare_sureness(rankings)
    weights = {name: used_weight(ranking, base) for name, ranking in rankings.items()}
    seeds = find_seeds(rankings, weights, options.k, options.depth)
    for stream in STREAMS:
        if stream.follows:
            ranking = _off(stream, base, only) or rank(stream, seeds)
            rankings[stream.name] = ranking
            weights[stream.name] = used_weight(ranking, base)
    if only is not None and _stream(only).follows:
        rankings = {
            name: ranking if name == only else _as_seed(ranking, only)
            for name, ranking in rankings.items()
        }
    ordered = {stream.name: rankings[stream.name] for stream in STREAMS}
    return Run(ordered, alone, base, weights, seeds)


def find_seeds(
    rankings: Mapping[str, Ranking], weights: Mapping[str, float], k: int, depth: int
) -> tuple[tuple[int, float], ...]:
    """The best notes of what was ranked so far, with shares that add up to 1.

    Of each ranking its first `depth` notes count, however many were asked for, so that a longer
    list starts the graph from the same notes as a short one.
    """
    cut = (ranking._replace(hits=ranking.hits[:depth]) for ranking in rankings.values())
    best = list(islice(fuse_best(cut, weights, k), SEEDS))
    total = sum(note.rrf for note in best)
    if not total:
        return ()  # nothing was found, or with weights too small for a number to hold
    return tuple((note.note_id, note.rrf / total) for note in best)


def _off(stream: Stream, base: Mapping[str, float], only: str | None) -> Ranking | None:
    """Why a stream is not run, None where it is."""
    if base[stream.name] <= 0:
        return Ranking(stream.name, StreamStatus.OFF, reason="its weight is 0")
    if only not in (None, stream.name) and not _stream(only).follows:
        return Ranking(stream.name, StreamStatus.OFF, reason=f"only {only} was asked for")
    return None


def _stream(name: str | None) -> Stream:
    return next(stream for stream in STREAMS if stream.name == name)


def used_weight(ranking: Ranking, base: Mapping[str, float]) -> float:
    """The weight of a stream for this query: as set, times the factor of its ranking."""
    if ranking.status == StreamStatus.OK:
        return min(MAXIMUM_WEIGHT, base[ranking.stream] * ranking.factor)
    return base[ranking.stream]


def _as_seed(ranking: Ranking, only: str) -> Ranking:
    if ranking.status != StreamStatus.OK:
        return ranking
    reason = f"run for the starting notes of {only} alone"
    return ranking._replace(status=StreamStatus.SEED, reason=reason)
