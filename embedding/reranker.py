"""Scores of passages for a query from a cross-encoder, by onnxruntime and tokenizers alone."""

from __future__ import annotations

from collections.abc import Sequence

from kb.embedding.errors import ModelError
from kb.embedding.model import Model
from kb.embedding.tokens import clean, load_tokenizer


class Reranker:
    """Scores passages with one cross-encoder; nothing is loaded before the first query."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return a score for each passage, in their order; higher is better, no fixed range.

        Each pair runs alone, so a score never depends on the company. Raises ModelError.
        """
        if not passages:
            return []
        from kb.embedding.session import open_session, run

        tokenizer = load_tokenizer(self.model)
        session = open_session(self.model, optimise=True)
        scores = []
        for passage in passages:
            output = run(session, self.model, tokenizer.encode(clean(query), clean(passage)))
            if output.ndim != 2 or output.shape[1] != 1:
                raise ModelError(f"the model `{self.model.name}` gives no single score for a pair")
            scores.append(float(output[0, 0]))
        return scores
