"""Vectors of passages: one text a run, as many runs at a time as there are cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from kb.embedding.model import Model, Pooling
from kb.embedding.query import check_dimension
from kb.embedding.tokens import clean, load_tokenizer
from kb.embedding.vectors import unit

if TYPE_CHECKING:
    from concurrent.futures import Future

    from kb.embedding.vectors import Vector

_MOST_RUNS = 16  # at a time: each needs memory of its own
_WAITING = 2  # texts for each run that are read ahead, so that no core waits for the reader


def embed_passages(
    model: Model, texts: Iterable[str], *, cache_folder: Path | None = None
) -> Iterator[Vector]:
    """Yield the vector of each text, unit length, float32, in their order, as they are made.

    A vector depends on its text alone: not on the others, nor on the number of cores. Texts are
    taken a few ahead of the vectors. Raises ModelError.
    """
    prefixed = (model.passage_prefix + clean(text) for text in texts)
    if model.pooling == Pooling.LIBRARY:
        vectors = _embed_by_library(model, prefixed, cache_folder)
    else:
        vectors = _embed(model, prefixed)
    for vector in vectors:
        check_dimension(model, vector)
        yield vector


def _embed_by_library(
    model: Model, texts: Iterator[str], cache_folder: Path | None
) -> Iterator[Vector]:
    first = next(texts, None)
    if first is None:
        return  # fastembed is slow to load
    from kb.embedding.library import load_embedding, silently

    embedding = load_embedding(model, cache_folder)
    yield from map(unit, silently(embedding.passage_embed(chain([first], texts), batch_size=1)))


def _embed(model: Model, texts: Iterator[str]) -> Iterator[Vector]:
    from concurrent.futures import ThreadPoolExecutor

    from kb.embedding.session import usable_cores

    runs = min(usable_cores(), _MOST_RUNS)
    waiting: deque[Future[Vector]] = deque()
    pool = ThreadPoolExecutor(runs)
    try:
        embed_one = None
        for text in texts:
            embed_one = embed_one or _loaded(model)
            waiting.append(pool.submit(embed_one, text))
            if len(waiting) > runs * _WAITING:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # what runs at this moment ends in a few hundredths of a second
        pool.shutdown(cancel_futures=True)


def _loaded(model: Model) -> Callable[[str], Vector]:
    """Return what makes a text a vector, for many threads at a time."""
    from kb.embedding.session import open_session, pool, run

    tokenizer = load_tokenizer(model)
    session = open_session(model, optimise=True, threads=1)

    def embed_one(text: str) -> Vector:
        return unit(pool(run(session, model, tokenizer.encode(text)), model.pooling))

    return embed_one
