"""lexical: BM25 of the query's words over passages, with weighted columns.

BM25 is FTS5's own (k1 1.2, b 0.75; Robertson and Zaragoza, 2009), one phrase for each form of
each word. A passage that has two neighbouring words of the query near each other gets a part of
that pair's idf on top (the ordered and unordered windows of Metzler and Croft's sequential
dependence model, SIGIR 2005). A note's score is that of its best passage.
"""

from __future__ import annotations

import heapq
import json
import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from time import perf_counter

from kb.store.records import Ranking, StreamHit, StreamStatus, StreamWhy
from kb.store.rows import read_rows
from kb.store.schema import FTS_COLUMNS
from kb.streams.leading import Scored, read_best
from kb.streams.match import (
    doubled_forms,
    match_alternative,
    match_any,
    match_near,
    match_phrases,
)
from kb.streams.note_paths import read_paths
from kb.streams.request import Request, best_first, find_hit
from kb.streams.scope import PASSAGES
from kb.streams.totals import count_passages
from kb.text import Alternative

NAME = "lexical"

_Best = tuple[float, int]  # the score of a note, and the passage that it is the score of

# Several passages of one note may come up before the next note does.
_PASSAGES_A_NOTE = 4
# How many times more is read where that was not enough.
_MORE = 8
# What a pair of words near each other adds, as a part of its idf.
_PAIR = 0.2
_MOST_PAIRS = 12
_WEIGHTS = ", ".join(str(weight) for weight in FTS_COLUMNS.values())

# The full-text index leads and each of its rows is looked up in the scope: the other way round,
# SQLite would run the whole match once for each note of the scope.
_IN_SCOPE = f" CROSS JOIN {PASSAGES} AS s ON s.passage_id = f.rowid"
_AMONG = " AND +f.rowid IN (SELECT value FROM json_each(?3))"


def rank_statement(*, in_scope: bool, among: bool = False) -> str:
    """The ?2 best passages for the expression ?1; `among`: of those in the JSON list ?3."""
    return f"""
    SELECT f.rowid AS passage_id, -bm25(passages_fts, {_WEIGHTS}) AS score
    FROM passages_fts AS f{_IN_SCOPE if in_scope else ""}
    WHERE f.passages_fts MATCH ?1{_AMONG if among else ""}
    ORDER BY score DESC, f.rowid LIMIT ?2
    """


NOTES_OF = """
SELECT p.id, p.note_id FROM json_each(?1) AS w CROSS JOIN passages AS p ON p.id = w.value
"""


_HOLDS = "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1"
_NEAR = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?"

HAS = """
SELECT 1 FROM passages_fts WHERE passages_fts MATCH ?1
  AND rowid >= (SELECT min(id) FROM passages WHERE note_id = ?2)
  AND rowid <= (SELECT max(id) FROM passages WHERE note_id = ?2)
  AND +rowid IN (SELECT id FROM passages WHERE note_id = ?2) LIMIT 1
"""


def rank(request: Request) -> Ranking:
    """Notes by the BM25 score of their best passage (no unit, higher is better)."""
    started = perf_counter()
    phrases = match_phrases(request.query.terms, _held_forms(request))
    if not phrases:
        return Ranking(NAME, StreamStatus.SKIPPED, reason="the query has no word to look for")
    hits = best_first(_hits(request, _best_notes(request, phrases)), request.depth)
    return Ranking(
        NAME,
        StreamStatus.OK,
        hits,
        candidates=len(hits),
        milliseconds=(perf_counter() - started) * 1000,
    )


def _held_forms(request: Request) -> list[Alternative]:
    """The doubled whole forms that some passage has; to look takes a part of what BM25 takes."""
    return [
        form
        for term in request.query.terms
        for form in doubled_forms(term)
        if read_rows(request.connection, _HOLDS, (match_alternative(form),))
    ]


def _best_notes(request: Request, phrases: list[str]) -> dict[int, _Best]:
    """The best passage of each note by its id, for at least `depth` notes where so many match.

    More is read until no passage that was not read can be among them: what is found to one
    depth is the beginning of what is found to any other.
    """
    sql = rank_statement(in_scope=request.scope.active)
    total = count_passages(request.meta)
    pairs = _pair_scores(request)
    limit = request.depth * _PASSAGES_A_NOTE or -1
    while True:
        rows = read_best(request.connection, sql, phrases, limit, total)
        best: dict[int, _Best] = {}
        _add(request, best, rows, pairs)
        if limit < 0 or len(rows) < limit:
            return best
        if len(best) >= request.depth:
            last, least = min(score for _, score in rows), _least(best, request.depth)
            if least > last:
                risers = _risers(rows, pairs, last, least)
                _add(request, best, _score(request, phrases, risers), pairs)
                return best
        limit *= _MORE


def _least(best: Mapping[int, _Best], depth: int) -> float:
    """The score of the last of the `depth` best notes."""
    return heapq.nlargest(depth, (score for score, _ in best.values()))[-1]


def _risers(rows: list[Scored], pairs: dict[int, float], last: float, least: float) -> list[int]:
    """The passages that were not read, and that pairs of words may lift from `last` to `least`."""
    read = {passage_id for passage_id, _ in rows}
    return [one for one, pair in pairs.items() if last + pair >= least and one not in read]


def _score(request: Request, phrases: list[str], passages: list[int]) -> list[Scored]:
    if not passages:
        return []
    sql = rank_statement(in_scope=request.scope.active, among=True)
    values = (" OR ".join(phrases), -1, json.dumps(passages))
    return read_rows(request.connection, sql, values)


def _add(
    request: Request, best: dict[int, _Best], rows: list[Scored], pairs: dict[int, float]
) -> None:
    """Take scored passages, of which the first of several equal ones counts for its note."""
    ids = json.dumps([passage_id for passage_id, _ in rows])
    notes = dict(read_rows(request.connection, NOTES_OF, (ids,)))
    for passage_id, bm25 in rows:
        score = bm25 + pairs.get(passage_id, 0.0)
        known = best.get(notes[passage_id])
        if known is None or score > known[0]:
            best[notes[passage_id]] = (score, passage_id)


def _hits(request: Request, best: Mapping[int, _Best]) -> list[StreamHit]:
    """The notes that may be among the first `depth`, with their paths."""
    depth = request.depth
    least = _least(best, depth) if 0 < depth < len(best) else -math.inf
    kept = {note_id: one for note_id, one in best.items() if one[0] >= least}
    paths = read_paths(request.connection, kept)
    return [
        StreamHit(note_id, paths[note_id], score, passage_id)
        for note_id, (score, passage_id) in kept.items()
    ]


def _pair_scores(request: Request) -> dict[int, float]:
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
