"""What it is worth that two neighbouring words of a query stand near each other in a passage.

A part of the pair's idf (the ordered and unordered windows of Metzler and Croft's sequential
dependence model, SIGIR 2005).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from kb.store.rows import read_rows
from kb.streams.match import match_near
from kb.streams.request import Request
from kb.streams.totals import count_passages

# What a pair of words near each other adds, as a part of its idf.
_PAIR = 0.2
_MOST_PAIRS = 12
# A pair in more passages than this, and than this part of them, adds little to many.
_MANY = 1_000
_MANY_PART = 0.02

_NEAR = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?"


class Pairs(NamedTuple):
    """What pairs add to passages: rare pairs by passage, common ones as a set of passages each.

    To add up what common pairs give to every passage takes longer than to find them.
    """

    scores: Mapping[int, float]
    common: Sequence[tuple[frozenset[int], float]] = ()

    @property
    def most_by_common(self) -> float:
        """The most that common pairs can add to a passage."""
        return sum(score for _, score in self.common)

    def lift(self, passage_id: int) -> float:
        """What pairs add to a passage."""
        lift = self.scores.get(passage_id, 0.0)
        for passages, score in self.common:
            if passage_id in passages:
                lift += score
        return lift

    def lifted(self, least: float) -> Iterator[int]:
        """The passages to which pairs add that much."""
        commonly = chain.from_iterable(
            passages for passages, _ in self.common if least <= self.most_by_common
        )
        for passage_id in dict.fromkeys(chain(self.scores, commonly)):
            if self.lift(passage_id) >= least:
                yield passage_id


def find_pairs(request: Request) -> Pairs:
    """The pairs of neighbouring words of the query, with what they add."""
    words = sorted(
        (term for term in request.query.terms if term.kind == "word"),
        key=lambda term: term.start,
    )
    expressions = [match_near(*pair) for pair in pairwise(words)]
    total = count_passages(request.meta)
    scores: dict[int, float] = {}
    common: list[tuple[frozenset[int], float]] = []
    for expression in filter(None, expressions[:_MOST_PAIRS]):
        rows = read_rows(request.connection, _NEAR, (expression,))
        worth = _PAIR * math.log(1 + (max(total, len(rows)) - len(rows) + 0.5) / (len(rows) + 0.5))
        if len(rows) > max(_MANY, _MANY_PART * total):
            common.append((frozenset(passage_id for (passage_id,) in rows), worth))
            continue
        for (passage_id,) in rows:
            scores[passage_id] = scores.get(passage_id, 0.0) + worth
    return Pairs(scores, common)
