"""Find, verify and run a model.

Importing this costs next to nothing: each name is loaded when it is first used, and numpy,
onnxruntime, tokenizers and fastembed only inside the functions that need them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from kb.embedding.errors import ModelError

if TYPE_CHECKING:
    from kb.embedding.fetch import fetch_model
    from kb.embedding.find import find_model, find_reranker
    from kb.embedding.listing import ListedModel, ModelState, list_models
    from kb.embedding.model import Model, ModelKind, Pooling
    from kb.embedding.passages import embed_passages
    from kb.embedding.query import QueryEmbedder
    from kb.embedding.query_cache import QueryVectorCache
    from kb.embedding.reranker import Reranker
    from kb.embedding.rewritten import keep_graph
    from kb.embedding.tokens import count_tokens, pieces_per_word
    from kb.embedding.vectors import dequantise, quantise

_HOMES = {
    "ListedModel": "listing",
    "Model": "model",
    "ModelKind": "model",
    "ModelState": "listing",
    "Pooling": "model",
    "QueryEmbedder": "query",
    "QueryVectorCache": "query_cache",
    "Reranker": "reranker",
    "count_tokens": "tokens",
    "dequantise": "vectors",
    "embed_passages": "passages",
    "fetch_model": "fetch",
    "find_model": "find",
    "find_reranker": "find",
    "keep_graph": "rewritten",
    "list_models": "listing",
    "pieces_per_word": "tokens",
    "quantise": "vectors",
}

__all__ = [
    "ListedModel",
    "Model",
    "ModelError",
    "ModelKind",
    "ModelState",
    "Pooling",
    "QueryEmbedder",
    "QueryVectorCache",
    "Reranker",
    "count_tokens",
    "dequantise",
    "embed_passages",
    "fetch_model",
    "find_model",
    "find_reranker",
    "keep_graph",
    "list_models",
    "pieces_per_word",
    "quantise",
]


def __getattr__(name: str) -> object:
    """Load a public name from its module when it is first asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
