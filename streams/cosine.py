"""cosine: passages whose vectors are nearest to the query's, exact search over all of them.

A note's score is the cosine of its best passage (-1 to 1). Only notes in a language that the
model was trained on are ranked, and only for queries in one: elsewhere its nearness means
nothing.
"""

from __future__ import annotations

from time import perf_counter

from kb.store.meta import Meta
from kb.store.records import Ranking, StreamStatus, StreamWhy
from kb.store.rows import read_rows
from kb.streams.identifiers import AFTER_THE_OTHERS, held_identifier, vault_holds
from kb.streams.languages import foreign_language
from kb.streams.nearest import known_languages, nearest_notes, why_off
from kb.streams.query_vector import model_knows, read_query_vector
from kb.streams.request import Request, best_first, find_hit

NAME = "cosine"

# A nearest neighbour always exists. Where the best cosine is below this, nothing is near: what
# there is came near by chance.
_NEAR = 0.25
# The same for a query of words that neither the vault holds nor the model has learnt: nineteen in
# twenty queries of invented words stay below it.
_NEAR_UNKNOWN = 0.42
# A note below this, or below that part of the best cosine, trails along (dropping such notes
# changes no figure on the tuning halves).
_TRAILING = 0.15
_TRAILING_PART = 0.4

_OF_NOTE = """
SELECT max(1.0 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?1)))
FROM passages AS p CROSS JOIN vectors AS v ON v.embed_key = p.embed_key WHERE p.note_id = ?2
"""


def rank(request: Request) -> Ranking:
    """Notes by the cosine of their best passage."""
    started = perf_counter()
    if reason := why_off(request):
        return Ranking(NAME, StreamStatus.OFF, reason=reason)
    if reason := _why_skipped(request):
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    vector = read_query_vector(request.index, request.meta, request.query.text)
    if vector.data is None:
        return Ranking(NAME, StreamStatus.OFF, reason=vector.reason)
    found = best_first(nearest_notes(request, vector.data), request.depth)
    least, why = _least_cosine(request)
    if not found:
        reason = "no note that may be listed is embedded"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    best = found[0].score
    if best < least:
        reason = f"nothing is near: the best cosine is {best:.2f}, below {least}{why}"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    hits = tuple(hit for hit in found if hit.score >= trailing(best))
    identifier = held_identifier(request.connection, request.query)
    return Ranking(
        NAME,
        StreamStatus.OK,
        hits,
        candidates=len(hits),
        factor=AFTER_THE_OTHERS if identifier else 1.0,
        reason=f"{identifier} is a name to be found as it stands" if identifier else "",
        milliseconds=(perf_counter() - started) * 1000,
    )


def is_near(best: float) -> bool:
    """Whether the best cosine says that anything is near, and is not that of chance."""
    return best >= _NEAR


def trailing(best: float) -> float:
    """What a note must reach to be listed behind the nearest one."""
    return max(_TRAILING, _TRAILING_PART * best)


def _least_cosine(request: Request) -> tuple[float, str]:
    """Below what a note is near by chance only, and a word on why it is that much."""
    terms = request.query.terms
    if vault_holds(request.connection, terms):
        return _NEAR, ""
    if model_knows(request.meta, [term.surface for term in terms]):
        return _NEAR, ""
    return _NEAR_UNKNOWN, " for words that neither the vault nor the model knows"


def _why_skipped(request: Request) -> str:
    """Why the model cannot judge this query, "" where it can."""
    if not request.query.terms:
        return "the query has no word to compare"
    known = known_languages(request)
    language = request.query.language
    model = request.meta.get(Meta.MODEL, "the model")
    if known and language and language not in known:
        return f"the query is in `{language}`, which {model} was not trained on"
    if language:
        return ""
    # Two words are too few to tell their language by; the notes that hold them are enough.
    foreign = foreign_language(request.connection, request.query, known)
    if not foreign:
        return ""
    return f"the notes with its words are in `{foreign}`, which {model} was not trained on"


def explain(request: Request, ranking: Ranking, note_id: int) -> StreamWhy:
    """How near the note is, or why it was not compared."""
    position, hit = find_hit(ranking, note_id)
    reason, needs = ranking.reason, ""
    if hit:
        reason = f"its best passage has a cosine of {hit.score:.3f} to the query"
    elif ranking.status == StreamStatus.OK:
        reason, needs = _why_not_ranked(request, ranking, note_id)
    return StreamWhy(
        status=ranking.status,
        rank=position,
        score=hit.score if hit else None,
        contribution=0.0,
        weight=0.0,
        reason=reason,
        needs=needs,
    )


def _why_not_ranked(request: Request, ranking: Ranking, note_id: int) -> tuple[str, str]:
    ((language,),) = read_rows(
        request.connection, "SELECT language FROM notes WHERE id = ?", (note_id,)
    )
    known = known_languages(request)
    if known and language and language not in known:
        model = request.meta.get(Meta.MODEL, "the model")
        return f"it is in `{language}`, which {model} was not trained on", "a multilingual model"
    vector = read_query_vector(request.index, request.meta, request.query.text)
    rows = read_rows(request.connection, _OF_NOTE, (vector.data or b"", note_id))
    if rows[0][0] is None:
        return "it is not embedded yet", "`kb index --embed`"
    best, own = ranking.hits[0].score, rows[0][0]
    reason = (
        f"its best passage has a cosine of {own:.3f} to the query, below {trailing(best):.3f}:"
        f" too far behind the nearest ({best:.3f})"
    )
    return reason, "a passage that says what the query says"
