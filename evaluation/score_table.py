"""The scores that a tuner chooses by: rank each query once, fuse it under many settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from kb.evaluation.candidates import Candidate
from kb.evaluation.judgements import Judgements, resolve_judgements
from kb.evaluation.metrics import MAIN_METRIC, METRICS
from kb.evaluation.refuse import fused_list, rank_alone, refuse
from kb.fusion.options import SearchOptions
from kb.fusion.search import asked
from kb.store.connection import open_reader
from kb.store.records import Ranking, StreamStatus
from kb.streams.registry import STREAMS


class ScoreTable:
    """nDCG@10 of every query under every candidate that was asked for, each worked out once.

    `advance` is called each time that a query has been ranked by all streams. Close it, or use it
    as a context.
    """

    def __init__(
        self,
        index: Path,
        judgements: Judgements,
        options: SearchOptions,
        advance: Callable[[], None] | None = None,
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

    def __enter__(self) -> Self:
        """The table itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the index."""
        self._connection.close()

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams whose weight can make a difference."""
        return tuple(stream.name for stream in STREAMS if stream.name not in self.unused)

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
            rankings = rank_alone(question)
        if advance is not None:
            advance()
        return rankings

    def _measure(self, place: int, candidates: Sequence[Candidate]) -> list[float]:
        query = self.judgements.queries[place]
        found = []
        with asked(self._index, query.text, self._options, self._connection) as question:
            for one in candidates:
                options = self._options._replace(weights=dict(one.weights), k=one.k)
                run = refuse(question, self._alone[place], options)
                paths = [note.path for note in fused_list(question, run, options)]
                found.append(METRICS[MAIN_METRIC](paths, query.grades))
        return found
