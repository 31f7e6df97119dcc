"""Vectors of queries, by onnxruntime and tokenizers alone: fastembed takes longer to import
than all the rest of a query together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kb.embedding.errors import ModelError
from kb.embedding.model import Model, Pooling
from kb.embedding.tokens import clean, load_tokenizer
from kb.embedding.vectors import unit

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Tokenizer

    from kb.embedding.vectors import Vector

# From this many texts on, the time an optimised graph takes to load is won back.
_WORTH_OPTIMISING = 4


class QueryEmbedder:
    """Embeds queries with one model; nothing is loaded before the first one."""

    def __init__(self, model: Model, *, cache_folder: Path | None = None) -> None:
        self.model = model
        self._cache_folder = cache_folder
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None
        self._library: TextEmbedding | None = None
        self._optimised = False
        self._seen = 0

    def embed(self, text: str) -> Vector:
        """Return the vector of a query, unit length, float32. Raises ModelError."""
        return self.embed_many([text])[0]

    def embed_many(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of queries, in their order, each as if it were alone."""
        prefixed = [self.model.query_prefix + clean(text) for text in texts]
        if self.model.pooling == Pooling.LIBRARY:
            return self._embed_by_library(prefixed)
        return [self._embed(text) for text in self._prepare(prefixed)]

    def _embed_by_library(self, texts: list[str]) -> list[Vector]:
        from kb.embedding.library import load_embedding, silently

        if self._library is None:
            self._library = load_embedding(self.model, self._cache_folder)
        vectors = [unit(raw) for raw in silently(self._library.query_embed(texts))]
        for vector in vectors:
            check_dimension(self.model, vector)
        return vectors

    def _prepare(self, texts: list[str]) -> list[str]:
        """Load what these texts need: a plain graph for few, an optimised one for many."""
        from kb.embedding.session import open_session

        if self._tokenizer is None:
            self._tokenizer = load_tokenizer(self.model)
        self._seen += len(texts)
        # a rewritten graph is opened once: it cannot get faster
        optimise = self._seen >= _WORTH_OPTIMISING or self.model.rewritten is not None
        if self._session is None or (optimise and not self._optimised):
            self._session = open_session(self.model, optimise=optimise)
            self._optimised = optimise
        return texts

    def _embed(self, text: str) -> Vector:
        from kb.embedding.session import pool, run

        assert self._tokenizer is not None
        assert self._session is not None
        encoding = self._tokenizer.encode(text)
        vector = unit(pool(run(self._session, self.model, encoding), self.model.pooling))
        check_dimension(self.model, vector)
        return vector


def check_dimension(model: Model, vector: Vector) -> None:
    """Raise ModelError where a vector is not what the model's record promises."""
    if vector.shape != (model.dimension,):
        raise ModelError(
            f"the model `{model.name}` gives {vector.size} dimensions, its record says "
            f"{model.dimension}",
            "correct `dimension` in its `kb-model.json`",
        )
