"""The vector of a query: from the cache of queries asked before, else from the model.

What finds and runs models is imported only where a model is needed.
"""

from __future__ import annotations

from _thread import allocate_lock  # all that is needed of `threading`, which takes long to load
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kb.store.meta import Meta

if TYPE_CHECKING:
    from kb.embedding import Model, QueryEmbedder

_ONE_AT_A_TIME = allocate_lock()


class QueryVector(NamedTuple):
    """A vector as the index stores them (int8), or None and the reason why there is none."""

    data: bytes | None
    reason: str = ""


def read_query_vector(index: Path, meta: Mapping[str, str], text: str) -> QueryVector:
    """The query's vector by the model that made the vectors of this index.

    A query asked before costs no model. Never a download.
    """
    from kb.embedding import QueryVectorCache
    from kb.store.lock import side_file

    fingerprint = meta.get(Meta.MODEL_FINGERPRINT, "")
    cache = QueryVectorCache(side_file(index, "queries"))
    known = cache.get(fingerprint, text)
    if known is not None:
        return QueryVector(known)
    vector = _embed(fingerprint, meta, text)
    if vector.data is not None:
        cache.put(fingerprint, text, vector.data)
    return vector


def _embed(fingerprint: str, meta: Mapping[str, str], text: str) -> QueryVector:
    """The query's vector by the model found, if that is the one with this fingerprint."""
    from kb.embedding import ModelError, find_model, quantise

    try:
        model = find_model(meta.get(Meta.MODEL_SETTING, ""))
    except ModelError as error:
        return QueryVector(None, f"{error.message}; {error.hint}" if error.hint else error.message)
    if model.fingerprint != fingerprint:
        made_with = meta.get(Meta.MODEL, "another model")
        return QueryVector(
            None,
            f"the embeddings were made with {made_with}, and the model found is {model.name};"
            " run `kb index --embed` to embed again",
        )
    try:
        with _ONE_AT_A_TIME:  # threads that ask at once load one model, once
            data = quantise(_embedder(model).embed(text))
    except (ModelError, ImportError) as error:
        return QueryVector(None, f"the model cannot be run: {error}")
    return QueryVector(data)


@lru_cache(maxsize=1)
def _embedder(model: Model) -> QueryEmbedder:
    """One loaded model for a process that asks several queries."""
    from kb.embedding import QueryEmbedder

    return QueryEmbedder(model)


# Words that a model has learnt are hardly ever cut; invented ones come to three pieces and more.
_LEARNT_PIECES = 2.0


def model_knows(meta: Mapping[str, str], words: Sequence[str]) -> bool:
    """Whether the index's model has learnt words like these, or only their letters."""
    from kb.embedding import ModelError, find_model, pieces_per_word

    try:
        pieces = pieces_per_word(find_model(meta.get(Meta.MODEL_SETTING, "")), words)
    except (ModelError, ImportError):
        return False  # nothing to judge them by
    return 0 < pieces < _LEARNT_PIECES
