"""Scores of passages for a query from a cross-encoder, by onnxruntime and tokenizers alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kb.embedding.errors import ModelError
from kb.embedding.model import Model
from kb.embedding.tokens import clean, load_tokenizer

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Tokenizer


class Reranker:
    """Scores passages with one cross-encoder; nothing is loaded before the first query."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return a score for each passage, in their order; higher is better, no fixed range.

        Each pair runs alone, so a score never depends on the company. Raises ModelError.
        """
        return list(self.scores(query, passages))

    def scores(self, query: str, passages: Sequence[str]) -> Iterator[float]:
        """Yield the score of each passage when it is there, so that one may stop in between."""
        if not passages:
            return
        from kb.embedding.session import open_session, run

        if self._tokenizer is None or self._session is None:
            self._tokenizer = load_tokenizer(self.model)
            self._session = open_session(self.model, optimise=True)
        for passage in passages:
            encoding = self._tokenizer.encode(clean(query), clean(passage))
            output = run(self._session, self.model, encoding)
            if output.ndim != 2 or output.shape[1] != 1:
                raise ModelError(f"the model `{self.model.name}` gives no single score for a pair")
            yield float(output[0, 0])
