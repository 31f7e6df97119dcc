"""The models that fastembed lists, with what its list leaves out.

How a model pools and which prefixes it wants is written on its model card and nowhere in
fastembed's public list, so it stands here. A model that is not named here is run by fastembed
itself, at query time too: half a second slower, and right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import ModuleType

from kb.embedding.errors import INSTALL_RUNTIME, ModelError
from kb.embedding.model import ANY_LANGUAGE, ModelKind, Pooling
from kb.embedding.record import Record
from kb.embedding.telemetry import refuse_telemetry

_ENGLISH_QUERY = "Represent this sentence for searching relevant passages: "
_CHINESE_QUERY = "为这个句子生成表示以用于检索相关文章："
_QWEN_QUERY = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
)

# (names, pooling, prefix of queries, prefix of passages), from the model cards; first match counts
_RECIPES: tuple[tuple[str, Pooling, str, str], ...] = (
    ("sentence-transformers/*", Pooling.MEAN, "", ""),
    ("baai/bge-*-en*", Pooling.CLS, _ENGLISH_QUERY, ""),
    ("baai/bge-*-zh*", Pooling.CLS, _CHINESE_QUERY, ""),
    ("mixedbread-ai/mxbai-embed-large-v1", Pooling.CLS, _ENGLISH_QUERY, ""),
    ("snowflake/snowflake-arctic-embed-*", Pooling.CLS, _ENGLISH_QUERY, ""),
    ("intfloat/multilingual-e5-*", Pooling.MEAN, "query: ", "passage: "),
    ("jinaai/jina-embeddings-v2-*", Pooling.MEAN, "", ""),
    ("thenlper/gte-*", Pooling.MEAN, "", ""),
    ("nomic-ai/nomic-embed-text-*", Pooling.MEAN, "search_query: ", "search_document: "),
    (
        "google/embeddinggemma-*",
        Pooling.NONE,
        "task: search result | query: ",
        "title: none | text: ",
    ),
    ("ibm-granite/granite-embedding-*", Pooling.NONE, "", ""),
    ("qwen/qwen3-embedding-*", Pooling.LAST, _QWEN_QUERY, ""),
)
_POOLED_OUTPUT = "sentence_embedding"  # what the exports of `Pooling.NONE` call it

# fastembed lists these too; they are no use for finding notes
_UNFIT = (
    ("*clip*", "it is made for pictures"),
    ("*siglip*", "it is made for pictures"),
    ("qdrant/constella-*", "it embeds queries only"),
    ("qdrant/stella-*-doc-*", "it embeds passages only"),
)
_LANGUAGES = {"English": "en", "German": "de", "Spanish": "es", "Chinese": "zh"}
_TOKENIZER_FILES = (
    "config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the list. `files` are the ones it cannot run without; sizes are in 10⁶ bytes."""

    name: str
    kind: ModelKind
    dimension: int
    size_mb: int
    description: str
    languages: tuple[str, ...]
    repository: str
    weights: str
    files: tuple[str, ...]
    pooling: Pooling
    query_prefix: str
    passage_prefix: str

    @property
    def wanted_files(self) -> tuple[str, ...]:
        """All files that are fetched where the repository has them."""
        return tuple(sorted({*self.files, *_TOKENIZER_FILES}))

    def record(self, max_tokens: int | None = None) -> Record:
        """Return what a folder with this model's files should say of itself."""
        return Record(
            name=self.name,
            weights=self.weights,
            dimension=self.dimension,
            pooling=self.pooling,
            normalise=True,
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
            languages=self.languages,
            max_tokens=max_tokens,
            output_name=_POOLED_OUTPUT if self._has_pooled_output else None,
            kind=self.kind,
        )

    @property
    def _has_pooled_output(self) -> bool:
        return self.kind is ModelKind.EMBEDDING and self.pooling is Pooling.NONE


def import_fastembed() -> ModuleType:
    """Return fastembed, silenced, or raise ModelError. Takes half a second the first time."""
    import os

    refuse_telemetry()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        import fastembed
        import fastembed.rerank.cross_encoder
        from loguru import logger
    except ImportError as error:
        raise ModelError(f"fastembed cannot be loaded: {error}", INSTALL_RUNTIME) from error
    logger.disable("fastembed")
    return fastembed


def list_entries() -> tuple[Entry, ...]:
    """Return the models of fastembed's lists that can search notes, in their order."""
    fastembed = import_fastembed()
    embeddings = fastembed.TextEmbedding.list_supported_models()
    rerankers = fastembed.rerank.cross_encoder.TextCrossEncoder.list_supported_models()
    listed = [(row, ModelKind.EMBEDDING) for row in embeddings]
    listed += [(row, ModelKind.RERANKER) for row in rerankers]
    return tuple(
        _entry(row, kind)
        for row, kind in listed
        if row["sources"]["hf"] and "/" in row["model"] and not _unfit(row["model"])
    )


def find_entry(name: str) -> Entry | None:
    """Return the model that fastembed lists under a name (in any case), None where none is.

    Raises ModelError for a listed model that cannot search notes.
    """
    for entry in list_entries():
        if entry.name.casefold() == name.casefold():
            return entry
    fastembed = import_fastembed()
    listed = {row["model"].casefold() for row in fastembed.TextEmbedding.list_supported_models()}
    reason = _unfit(name)
    if reason and name.casefold() in listed:
        raise ModelError(f"`{name}` cannot search notes: {reason}", "`kb model list` names others")
    return None


def read_languages(description: str) -> tuple[str, ...]:
    """Return the languages that fastembed's description of a model names, `*` where none."""
    named = {code for word, code in _LANGUAGES.items() if re.search(rf"\b{word}\b", description)}
    return tuple(sorted(named)) or ANY_LANGUAGE


def _unfit(name: str) -> str:
    for pattern, reason in _UNFIT:
        if fnmatchcase(name.casefold(), pattern):
            return reason
    return ""


def _recipe(name: str) -> tuple[Pooling, str, str]:
    for pattern, pooling, query, passage in _RECIPES:
        if fnmatchcase(name.casefold(), pattern):
            return pooling, query, passage
    return Pooling.LIBRARY, "", ""


def _entry(row: dict, kind: ModelKind) -> Entry:  # type: ignore[type-arg]
    name, weights = row["model"], row["model_file"]
    reranks = kind is ModelKind.RERANKER
    pooling, query, passage = (Pooling.NONE, "", "") if reranks else _recipe(name)
    # cross-encoders are described without their languages
    english = reranks and not re.search("multilingual|v2-m3|bge-reranker-base", name)
    return Entry(
        name=name,
        kind=kind,
        dimension=1 if reranks else row["dim"],
        size_mb=round(row["size_in_GB"] * 1000),
        description=row["description"],
        languages=("en",) if english else read_languages(row["description"]),
        repository=row["sources"]["hf"],
        weights=weights,
        files=(weights, *row["additional_files"], "tokenizer.json"),
        pooling=pooling,
        query_prefix=query,
        passage_prefix=passage,
    )
