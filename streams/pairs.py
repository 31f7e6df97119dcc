"""What it is worth that two neighbouring words of a query stand near each other in a passage.

A part of the pair's idf (the ordered and unordered windows of Metzler and Croft's sequential
dependence model, SIGIR 2005).
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise

from kb.store.rows import read_rows
from kb.streams.match import match_near
from kb.streams.request import Request
from kb.streams.totals import count_passages

# What a pair of words near each other adds, as a part of its idf.
_PAIR = 0.2
_MOST_PAIRS = 12

_NEAR = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?"


def pair_scores(request: Request) -> dict[int, float]:
    """What the pairs of neighbouring words add to each passage that has them close together."""
    words = sorted(
        (term for term in request.query.terms if term.kind == "word"),
        key=lambda term: term.start,
    )
    expressions = [match_near(*pair) for pair in pairwise(words)]
    if not expressions:
        return {}
    total = count_passages(request.meta)
    scores: dict[int, float] = defaultdict(float)
    for expression in filter(None, expressions[:_MOST_PAIRS]):
        rows = read_rows(request.connection, _NEAR, (expression,))
        idf = math.log(1 + (max(total, len(rows)) - len(rows) + 0.5) / (len(rows) + 0.5))
        for (passage_id,) in rows:
            scores[passage_id] += _PAIR * idf
    return scores
