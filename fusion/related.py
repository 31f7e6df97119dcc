"""Notes related to one note: by links, names, meaning and words, fused as a search is.

Each stream of a search has a counterpart that starts from a note instead of a query. They carry the
same names, so that weights, modes and explanations read the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.naming import NamedNote, resolve_note
from kb.fusion.options import Mode, SearchOptions
from kb.fusion.run import ONLY, Run, used_weight
from kb.fusion.search import answer, asked
from kb.store.errors import UsageError
from kb.store.paths import show_path
from kb.store.records import Ranking, SearchResult, StreamStatus
from kb.streams import related_links, related_names, related_vectors, related_words
from kb.streams.registry import STREAM_NAMES
from kb.streams.request import Request

# Links are the author's own word on what belongs together; shared names say less than shared text.
RELATED_WEIGHTS: dict[str, float] = {"lexical": 1.0, "entity": 0.5, "cosine": 1.0, "graph": 1.0}

_RANK: dict[str, Callable[[Request, int], Ranking]] = {
    "lexical": related_words.rank,
    "entity": related_names.rank,
    "cosine": related_vectors.rank,
    "graph": related_links.rank,
}
_DEFAULTS = SearchOptions()


class RelatedResult(NamedTuple):
    """The note that was asked about, and what is related to it; `result.query` is its title."""

    note: NamedNote
    result: SearchResult


def related(
    index: Path,
    name: str,
    options: SearchOptions = _DEFAULTS,
    *,
    connection: apsw.Connection | None = None,
) -> RelatedResult:
    """The notes related to the note that `name` stands for (see `resolve_note`), itself left out.

    `options.weights` override RELATED_WEIGHTS. Raises what `search` does, and UsageError where no
    note or several are called so.
    """
    with asked(index, "", options, connection) as question:
        connection = question.request.connection
        note = resolve_note(connection, question.vault_name, name, by_part=True)
        query = related_words.read_telling_query(question.request, note.note_id)
        request = question.request._replace(query=query)
        run = _run(request, note.note_id, options)
        about_note = question._replace(text=note.title, request=request)
        return RelatedResult(note, answer(about_note, run, options))


def _run(request: Request, note_id: int, options: SearchOptions) -> Run:
    base = _base_weights(options.weights)
    rankings = {
        name: _off(name, base, options.mode) or _RANK[name](request, note_id)
        for name in STREAM_NAMES
    }
    weights = {name: used_weight(ranking, base) for name, ranking in rankings.items()}
    return Run(rankings, rankings, base, weights, seeds=())


def _base_weights(weights: Mapping[str, float]) -> dict[str, float]:
    for name in weights:
        if name not in RELATED_WEIGHTS:
            known = ", ".join(f"`{one}`" for one in RELATED_WEIGHTS)
            raise UsageError(f"there is no stream `{show_path(name)}`", f"streams are {known}")
    return RELATED_WEIGHTS | dict(weights)


def _off(name: str, base: Mapping[str, float], mode: Mode) -> Ranking | None:
    """Why a stream is not run, None where it is."""
    if base[name] <= 0:
        return Ranking(name, StreamStatus.OFF, reason="its weight is 0")
    only = ONLY.get(mode)
    if only not in (None, name):
        return Ranking(name, StreamStatus.OFF, reason=f"only {only} was asked for")
    return None
