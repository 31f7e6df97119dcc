"""How well each passage of some notes fits a query, by words and by meaning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from kb.store.rows import read_rows
from kb.streams.best_passages import among_statement
from kb.streams.lexical import held_forms
from kb.streams.match import match_phrases
from kb.streams.pairs import find_pairs
from kb.streams.query_vector import read_query_vector
from kb.streams.request import Request
from kb.streams.vector_functions import add_vector_functions

_COSINES = """
SELECT p.id, 1.0 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?2)) AS cosine
FROM json_each(?1) AS w CROSS JOIN passages AS p ON p.id = w.value
CROSS JOIN vectors AS v ON v.embed_key = p.embed_key
"""


class PassageScores(NamedTuple):
    """By passage: `bm25` of those with a word of the query, `cosine` of those with a vector."""

    bm25: dict[int, float]
    cosine: dict[int, float]


def read_passage_scores(
    request: Request, passages: Sequence[int], *, words: bool, meaning: bool
) -> PassageScores:
    """The scores of some passages, each as its stream gives it to a note.

    `words` and `meaning` say which of lexical and cosine took part.
    """
    ids = json.dumps(list(passages))
    return PassageScores(
        _word_scores(request, ids) if words else {},
        _cosines(request, ids) if meaning else {},
    )


def _word_scores(request: Request, ids: str) -> dict[int, float]:
    phrases = match_phrases(request.query.terms, held_forms(request))
    if not phrases:
        return {}
    sql = among_statement(in_scope=request.scope.active)
    pairs = find_pairs(request)
    rows = read_rows(request.connection, sql, (" OR ".join(phrases), ids))
    return {passage_id: bm25 + pairs.lift(passage_id) for passage_id, bm25 in rows}


def _cosines(request: Request, ids: str) -> dict[int, float]:
    vector = read_query_vector(request.index, request.meta, request.query.text).data
    if vector is None:
        return {}
    add_vector_functions(request.connection)
    rows = read_rows(request.connection, _COSINES, (ids, vector))
    return {passage_id: cosine for passage_id, cosine in rows if cosine is not None}
