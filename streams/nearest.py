"""Exact search for the vectors nearest to one: every vector of the index is compared."""

from __future__ import annotations

from kb.store.meta import Meta
from kb.store.records import StreamHit
from kb.store.rows import read_rows
from kb.streams.request import Request
from kb.streams.scope import NOTES
from kb.streams.vector_functions import add_vector_functions

_PASSAGES_A_NOTE = 4
_ANY_LANGUAGE = "*"

# A vector of zeros, which has no direction, gives NULL.
_RANK = """
SELECT p.note_id, n.path, p.id, n.language, 1.0 - near.distance FROM (
  SELECT v.embed_key, vec_distance_cosine(vec_int8(v.vector), vec_int8(?1)) AS distance
  FROM vectors AS v ORDER BY distance NULLS LAST LIMIT ?2
) AS near
CROSS JOIN passages AS p ON p.embed_key = near.embed_key
CROSS JOIN notes AS n ON n.id = p.note_id
WHERE near.distance IS NOT NULL
ORDER BY near.distance, p.id
"""

_RANK_IN_SCOPE = f"""
SELECT p.note_id, n.path, p.id, n.language,
  1.0 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?1)) AS cosine
FROM {NOTES} AS s
CROSS JOIN passages AS p ON p.note_id = s.note_id
CROSS JOIN vectors AS v ON v.embed_key = p.embed_key
CROSS JOIN notes AS n ON n.id = p.note_id
ORDER BY cosine DESC NULLS LAST, p.id LIMIT ?2
"""


def why_off(request: Request) -> str:
    """Why vectors cannot be compared here, "" where they can."""
    if not read_rows(request.connection, "SELECT 1 FROM vectors LIMIT 1"):
        return "the index holds no embeddings; run `kb index --embed`"
    try:
        add_vector_functions(request.connection)
    except ImportError as error:
        return f"vectors cannot be compared: {error}"
    return ""


def known_languages(request: Request) -> frozenset[str]:
    """The languages of the model; empty where it takes any."""
    languages = frozenset(request.meta.get(Meta.MODEL_LANGUAGES, "").split(",")) - {""}
    return frozenset() if _ANY_LANGUAGE in languages else languages


def nearest_notes(request: Request, vector: bytes) -> list[StreamHit]:
    """The best passage of each note, for at least `depth` notes where there are so many.

    More is read until what was not read cannot be among them: what is found to one depth is the
    beginning of what is found to any other.
    """
    known = known_languages(request)
    sql = _RANK_IN_SCOPE if request.scope.active else _RANK
    limit = request.depth * _PASSAGES_A_NOTE or -1
    while True:
        rows = read_rows(request.connection, sql, (vector, limit))
        best: dict[int, StreamHit] = {}
        for note_id, path, passage_id, language, cosine in rows:
            if cosine is None or (known and language and language not in known):
                continue
            if note_id not in best:
                best[note_id] = StreamHit(note_id, path, cosine, passage_id)
        if (
            limit < 0
            or _is_enough(list(best.values()), rows[-1][-1] if rows else None, request)
            or _is_all(request, len(rows), limit)
        ):
            return list(best.values())
        limit *= _PASSAGES_A_NOTE


def _is_all(request: Request, rows: int, limit: int) -> bool:
    """Whether so many rows are all there are, or the limit left some out."""
    if request.scope.active:
        return rows < limit
    # A vector may belong to many passages, or to none: the rows do not tell.
    return limit >= int(read_rows(request.connection, "SELECT count(*) FROM vectors")[0][0])


def _is_enough(best: list[StreamHit], last: float | None, request: Request) -> bool:
    """Whether `depth` notes are nearer than the last row that was read (they are in order)."""
    if last is None or len(best) < request.depth:
        return False
    return best[request.depth - 1].score > last
