"""The best passages by BM25, without scoring those that have common words alone.

BM25 is the sum of what each phrase gives, and a phrase gives less than idf × (k1 + 1), however
often a passage has it. So where the rarer phrases alone give many passages more than the common
ones together can give, no passage with common ones alone is among the best (MaxScore: Turtle and
Flood, 1995). The rarer phrases lead, and the common ones add to what those find. The passages
and their scores are the same, and BM25 is worked out for a part of those that match.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import apsw

from kb.store.rows import read_rows

Scored = tuple[int, float]  # a passage and its BM25

# In a small vault there is little to save.
_MANY_PASSAGES = 4_000
# How many passages the leading phrases find, for each that is wanted: one may have several.
_FOUND_A_WANTED = 2

# FTS5's k1 of 1.2, plus 1, and the idf that it gives what more than half of the passages have.
_K1_PLUS_1 = 2.2
_LEAST_IDF = 1e-6

_COUNT = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"


def read_best(
    connection: apsw.Connection, statement: str, phrases: Sequence[str], limit: int, total: int
) -> list[Scored]:
    """The best `limit` passages (all where negative) that have any of the phrases.

    `statement` ranks by BM25; it takes an expression (?1) and a limit (?2). `total` is how many
    passages there are.
    """
    if limit > 0 and total >= _MANY_PASSAGES and len(phrases) > 1:
        counts = {one: int(read_rows(connection, _COUNT, (one,))[0][0]) for one in phrases}
        if (rows := _led(connection, statement, counts, limit, total)) is not None:
            return rows
    return read_rows(connection, statement, (" OR ".join(phrases), limit))


def _led(
    connection: apsw.Connection,
    statement: str,
    counts: Mapping[str, int],
    limit: int,
    total: int,
) -> list[Scored] | None:
    """The passages by way of the leading phrases, None where that saves nothing."""
    common = sorted(counts, key=lambda one: -counts[one])
    leading: list[str] = []
    while common and sum(counts[one] for one in leading) < _FOUND_A_WANTED * limit:
        leading.append(common.pop())
    if not _saves(counts, leading):
        return None
    by_leading = read_rows(connection, statement, (" OR ".join(leading), limit))
    if len(by_leading) < limit:
        return None
    least, lead_by = min(score for _, score in by_leading), len(leading)
    while sum(_most(counts[one], total) for one in common) >= least:
        leading.append(common.pop())
    if not _saves(counts, leading):
        return None
    if len(leading) > lead_by:
        by_leading = read_rows(connection, statement, (" OR ".join(leading), limit))
    both = f"({' OR '.join(leading)}) AND ({' OR '.join(common)})"
    # A passage without any common phrase has its whole score by the leading ones, and is among
    # the first of those if it is among the first at all.
    scores = dict(by_leading) | dict(read_rows(connection, statement, (both, limit)))
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:limit]


def _saves(counts: Mapping[str, int], leading: Sequence[str]) -> bool:
    return 2 * sum(counts[one] for one in leading) < sum(counts.values())


def _most(count: int, total: int) -> float:
    """More than a phrase that so many passages have can give to one of them."""
    share = (max(total, count) - count + 0.5) / (count + 0.5)
    return _K1_PLUS_1 * max(_LEAST_IDF, math.log(share))
