"""lexical: BM25 of the query's words over passages, with weighted columns.

BM25 is FTS5's own (k1 1.2, b 0.75; Robertson and Zaragoza, 2009), one phrase for each form of
each word. A passage that has two neighbouring words of the query near each other gets something
on top (`pairs.py`). A note's score is that of its best passage.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from time import perf_counter

from kb.store.records import Ranking, StreamHit, StreamStatus, StreamWhy
from kb.store.rows import read_rows
from kb.streams.best_passages import Best, read_best
from kb.streams.counted import is_held
from kb.streams.match import doubled_forms, match_alternative, match_any, match_phrases
from kb.streams.note_paths import read_paths
from kb.streams.pairs import find_pairs
from kb.streams.request import Request, best_first, find_hit
from kb.text import Alternative

NAME = "lexical"

HAS = """
SELECT 1 FROM passages_fts WHERE passages_fts MATCH ?1
  AND rowid >= (SELECT min(id) FROM passages WHERE note_id = ?2)
  AND rowid <= (SELECT max(id) FROM passages WHERE note_id = ?2)
  AND +rowid IN (SELECT id FROM passages WHERE note_id = ?2) LIMIT 1
"""


def rank(request: Request) -> Ranking:
    """Notes by the BM25 score of their best passage (no unit, higher is better)."""
    started = perf_counter()
    phrases = match_phrases(request.query.terms, held_forms(request))
    if not phrases:
        return Ranking(NAME, StreamStatus.SKIPPED, reason="the query has no word to look for")
    hits = best_first(
        _hits(request, read_best(request, phrases, find_pairs(request))), request.depth
    )
    return Ranking(
        NAME,
        StreamStatus.OK,
        hits,
        candidates=len(hits),
        milliseconds=(perf_counter() - started) * 1000,
    )


def held_forms(request: Request) -> list[Alternative]:
    """The doubled whole forms that some passage has; to look takes a part of what BM25 takes."""
    return [
        form
        for term in request.query.terms
        for form in doubled_forms(term)
        if is_held(request, match_alternative(form))
    ]


def _hits(request: Request, best: Mapping[int, Best]) -> list[StreamHit]:
    """The notes that may be among the first `depth`, with their paths."""
    depth = request.depth
    scores = (score for score, _ in best.values())
    least = heapq.nlargest(depth, scores)[-1] if 0 < depth < len(best) else -math.inf
    kept = {note_id: one for note_id, one in best.items() if one[0] >= least}
    paths = read_paths(request.connection, kept)
    return [
        StreamHit(note_id, paths[note_id], score, passage_id)
        for note_id, (score, passage_id) in kept.items()
    ]


def explain(request: Request, ranking: Ranking, note_id: int) -> StreamWhy:
    """Which words of the query the note has and lacks, and its rank among those that match."""
    position, hit = find_hit(ranking, note_id)
    has = tuple(
        term.surface
        for term in request.query.terms
        if read_rows(request.connection, HAS, (match_any((term,)), note_id))
    )
    lacks = tuple(term.surface for term in request.query.terms if term.surface not in has)
    if ranking.status != StreamStatus.OK:
        reason = ranking.reason
    elif not has:
        reason = "it has none of the query's words"
    elif lacks:
        reason = f"it has {len(has)} of the {len(has) + len(lacks)} words of the query"
    else:
        reason = "it has every word of the query"
    return StreamWhy(
        status=ranking.status,
        rank=position,
        score=hit.score if hit else None,
        contribution=0.0,
        weight=0.0,
        reason=reason,
        has=has,
        lacks=lacks,
        needs="" if has else "one of the query's words in its title, headings, tags or text",
    )
