"""Load a model that only fastembed can run: from a folder, silently, never from the network."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.embedding.catalogue import import_fastembed
from kb.embedding.errors import ModelError
from kb.embedding.model import Model
from kb.embedding.places import cache_root, make_private_folder

if TYPE_CHECKING:
    from fastembed import TextEmbedding


def load_embedding(model: Model, cache_folder: Path | None = None) -> TextEmbedding:
    """Return fastembed's model. Raises ModelError where it cannot be loaded."""
    from kb.embedding.session import usable_cores

    fastembed = import_fastembed()
    root = cache_root(cache_folder)
    try:
        # fastembed creates its cache folder even when it is told where the model lies
        make_private_folder(root)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            embedding: TextEmbedding = fastembed.TextEmbedding(
                model.name,
                cache_dir=str(root),
                threads=usable_cores(),
                providers=["CPUExecutionProvider"],
                specific_model_path=str(model.folder),
                local_files_only=True,
            )
    except Exception as error:  # fastembed passes on whatever its parts raise
        raise ModelError(f"fastembed cannot load `{model.name}`: {error}") from error
    return embedding


def silently(vectors: Any) -> Iterator[Any]:
    """Yield what fastembed yields, its failures as ModelError."""
    try:
        yield from vectors
    except Exception as error:  # as above
        raise ModelError(f"fastembed failed: {error}") from error
