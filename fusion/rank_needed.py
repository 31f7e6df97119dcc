"""Where a note stands in a fused list, and which rank in one stream would bring it in."""

from __future__ import annotations

import math
from typing import NamedTuple

from kb.fusion.hydrate import Weighed
from kb.store.records import Factor
from kb.streams.registry import STREAMS


class Standing(NamedTuple):
    """Where one note stands in the whole fused list. `rank` is None where it is not in it.

    `authority` is the note's multiplier and `factors` what it is made of, `limit` how many notes
    are listed (0: all), `depth` how many each stream contributes (0: all).
    """

    weighed: list[Weighed]
    rank: int | None
    path: str
    authority: float
    limit: int
    k: int
    depth: int
    factors: tuple[Factor, ...] = ()

    @property
    def own(self) -> Weighed | None:
        """The note's own entry."""
        return self.weighed[self.rank - 1] if self.rank else None

    @property
    def score(self) -> float:
        """The note's score, 0.0 where it has none."""
        return self.own.score if self.own else 0.0

    @property
    def listed(self) -> bool:
        """Whether the note is within the limit."""
        return self.rank is not None and (not self.limit or self.rank <= self.limit)

    @property
    def last(self) -> Weighed | None:
        """The last note within the limit, None where there is room for more."""
        full = self.limit and len(self.weighed) >= self.limit
        return self.weighed[self.limit - 1] if full else None

    def score_with(self, stream: str, amount: float) -> float:
        """The note's score if that stream gave it `amount`, the others what they give now."""
        given = dict(self.own.note.contributions) if self.own else {}
        amounts = [
            amount if name == stream else given[name].amount
            for name in (one.name for one in STREAMS)
            if name == stream or name in given
        ]
        return sum(amounts) * self.authority


def rank_needed(standing: Standing, stream: str, weight: float) -> int | None:
    """The lowest rank in one stream that lists the note, the others as they are; None for none.

    From (weight / (k + rank) + what the others give) * authority > the last listed score. Equal
    scores are ordered by path.
    """
    if standing.last is None or weight <= 0:
        return None
    missing = standing.last.score / standing.authority - standing.score_with(stream, 0.0) / (
        standing.authority
    )
    deepest = standing.depth or len(standing.weighed) + 1
    # One more than the formula says, since a tie may be enough; then down to what is enough.
    rank = min(math.floor(weight / missing - standing.k) + 1, deepest) if missing > 0 else deepest
    while rank >= 1 and not _lists(standing, stream, weight, rank):
        rank -= 1
    return rank if rank >= 1 else None


def _lists(standing: Standing, stream: str, weight: float, rank: int) -> bool:
    last = standing.last
    score = standing.score_with(stream, weight / (standing.k + rank))
    return last is None or (-score, standing.path) < (-last.score, last.note.path)
