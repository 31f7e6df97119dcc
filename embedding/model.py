"""What is known of one model: where it lies, how its output becomes a vector, what it reads."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

ANY_LANGUAGE = ("*",)


class Pooling(StrEnum):
    """How the vectors of a text's tokens become one vector."""

    MEAN = "mean"
    CLS = "cls"
    LAST = "last"
    NONE = "none"  # an output of the graph is the text's vector already
    LIBRARY = "library"  # fastembed alone knows: no plain graph, or more inputs than the tokens


class ModelKind(StrEnum):
    """What a model gives: one vector for a text, or one score for a query and a passage."""

    EMBEDDING = "embedding"
    RERANKER = "reranker"


@dataclass(frozen=True, slots=True)
class Model:
    """A model on this machine, ready to be loaded.

    `folder` holds `tokenizer.json` and its companions, `weights` is the file that is run.
    `normalise` is the model's own recipe; vectors leave this room at unit length either way.
    `languages` are ISO 639-1 codes, `("*",)` for any. Longer texts are cut at `max_tokens`.
    Two models whose `fingerprint` differs give vectors that must never be compared.
    `output_name` is the output of the graph that is read, "" for its first. `rewritten` is where
    the weights are kept as a graph that runs faster, None where they run as they are.
    """

    name: str
    folder: Path
    weights: Path
    dimension: int
    pooling: str
    normalise: bool
    query_prefix: str
    passage_prefix: str
    languages: tuple[str, ...]
    max_tokens: int
    fingerprint: str
    output_name: str = ""
    kind: ModelKind = ModelKind.EMBEDDING
    rewritten: Path | None = None


class FileHashes(NamedTuple):
    """SHA-256, in hexadecimal, of the files that decide what a model gives."""

    weights: str  # of the graph that runs, which may have been made from them
    data: tuple[str, ...]  # files beside the weights that hold parts of them
    tokenizer: str


def fingerprint(
    hashes: FileHashes,
    *,
    pooling: str,
    output_name: str,
    query_prefix: str,
    passage_prefix: str,
    max_tokens: int,
) -> str:
    """Return 32 hexadecimal digits that change whenever the model's vectors could."""
    parts = [
        hashes.weights,
        list(hashes.data),
        hashes.tokenizer,
        pooling,
        output_name,
        query_prefix,
        passage_prefix,
        max_tokens,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
