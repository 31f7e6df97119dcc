"""Find, verify and run a model.

Importing this loads no model runtime: numpy, onnxruntime, tokenizers and fastembed are imported
inside the functions that need them.
"""

from kb.embedding.errors import ModelError
from kb.embedding.fetch import fetch_model
from kb.embedding.find import find_model, find_reranker
from kb.embedding.listing import ListedModel, ModelState, list_models
from kb.embedding.model import Model, ModelKind, Pooling
from kb.embedding.passages import embed_passages
from kb.embedding.query import QueryEmbedder
from kb.embedding.query_cache import QueryVectorCache
from kb.embedding.reranker import Reranker
from kb.embedding.vectors import dequantise, quantise

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
    "dequantise",
    "embed_passages",
    "fetch_model",
    "find_model",
    "find_reranker",
    "list_models",
    "quantise",
]
