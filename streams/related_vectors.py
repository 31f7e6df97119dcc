"""Notes related by meaning: their nearest passage to one of the note's own passages.

The vectors are those of the index, so that no model is needed. Of a long note, passages evenly
spread over it are compared.
"""

from __future__ import annotations

from time import perf_counter

from kb.store.meta import Meta
from kb.store.records import Ranking, StreamHit, StreamStatus
from kb.store.rows import read_rows
from kb.streams.cosine import NAME, is_near, trailing
from kb.streams.nearest import known_languages, nearest_notes, why_off
from kb.streams.request import Request, best_first

_MOST_PASSAGES = 6

_OWN = """
SELECT v.vector, n.language FROM notes AS n
CROSS JOIN passages AS p ON p.note_id = n.id
CROSS JOIN vectors AS v ON v.embed_key = p.embed_key
WHERE n.id = ? ORDER BY p.ordinal
"""


def rank(request: Request, note_id: int) -> Ranking:
    """Notes by the highest cosine between a passage of theirs and one of the note's."""
    started = perf_counter()
    if reason := why_off(request):
        return Ranking(NAME, StreamStatus.OFF, reason=reason)
    own = read_rows(request.connection, _OWN, (note_id,))
    if reason := _why_skipped(request, own):
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    found = best_first(_nearest(request, note_id, [vector for vector, _ in own]), request.depth)
    if not found:
        reason = "no other note that may be listed is embedded"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    best = found[0].score
    if not is_near(best):
        reason = f"nothing is near: the best cosine is {best:.2f}"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    hits = tuple(hit for hit in found if hit.score >= trailing(best))
    elapsed = (perf_counter() - started) * 1000
    return Ranking(NAME, StreamStatus.OK, hits, candidates=len(hits), milliseconds=elapsed)


def _why_skipped(request: Request, own: list[tuple[bytes, str]]) -> str:
    if not own:
        return "the note is not embedded yet; run `kb index --embed`"
    known, language = known_languages(request), own[0][1]
    if known and language and language not in known:
        model = request.meta.get(Meta.MODEL, "the model")
        return f"the note is in `{language}`, which {model} was not trained on"
    return ""


def _nearest(request: Request, note_id: int, vectors: list[bytes]) -> list[StreamHit]:
    depth = request.depth + 1 if request.depth else 0  # the note itself is the nearest of all
    best: dict[int, StreamHit] = {}
    for vector in _spread(vectors):
        for hit in nearest_notes(request._replace(depth=depth), vector):
            if hit.note_id != note_id and (
                hit.note_id not in best or hit.score > best[hit.note_id].score
            ):
                best[hit.note_id] = hit
    return list(best.values())


def _spread(vectors: list[bytes]) -> list[bytes]:
    """At most so many of the vectors, the first and the last among them."""
    if len(vectors) <= _MOST_PASSAGES:
        return vectors
    step = (len(vectors) - 1) / (_MOST_PASSAGES - 1)
    return [vectors[round(place * step)] for place in range(_MOST_PASSAGES)]
