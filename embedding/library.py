"""Load a model into fastembed: from a folder, in silence, and never from the network."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.embedding.assemble import assembled_folder
from kb.embedding.catalogue import import_fastembed
from kb.embedding.errors import INSTALL_RUNTIME, ModelError
from kb.embedding.model import Model, Pooling
from kb.embedding.places import cache_root, make_private_folder

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_POOLING_TYPES = {
    Pooling.MEAN: "MEAN",
    Pooling.CLS: "CLS",
    Pooling.LAST: "LAST_TOKEN",
    Pooling.NONE: "DISABLED",
}
# fastembed's list is one for the process, and naming a model twice is an error there
_registered: set[str] = set()
_registering = threading.Lock()


def load_embedding(model: Model, cache_folder: Path | None = None) -> TextEmbedding:
    """Return fastembed's model. Raises ModelError where it cannot be loaded."""
    from kb.embedding.session import usable_cores

    fastembed = import_fastembed()
    root = cache_root(cache_folder)
    if model.pooling == Pooling.LIBRARY:
        name, folder = model.name, model.folder
    else:
        folder = assembled_folder(model, root)
        inside = model.weights.relative_to(folder) if folder == model.folder else None
        name = _register(model, (inside or Path(model.weights.name)).as_posix())
    try:
        # fastembed creates its cache folder even when it is told where the model lies
        make_private_folder(root)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            embedding: TextEmbedding = fastembed.TextEmbedding(
                name,
                cache_dir=str(root),
                threads=usable_cores(),
                providers=["CPUExecutionProvider"],
                specific_model_path=str(folder),
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


def _register(model: Model, weights: str) -> str:
    """Make a model known to fastembed, once in a process, and return its name there."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"kb/{model.fingerprint}"
    pooling = getattr(PoolingType, _POOLING_TYPES[Pooling(model.pooling)], None)
    if pooling is None:
        raise ModelError(
            f"this fastembed is too old for the model `{model.name}`",
            f"{INSTALL_RUNTIME} --upgrade",
        )
    more: dict[str, Any] = {"output_name": model.output_name} if model.output_name else {}
    with _registering:
        if name not in _registered:
            TextEmbedding.add_custom_model(
                model=name,
                pooling=pooling,
                normalization=model.normalise,
                sources=ModelSource(hf=name),
                dim=model.dimension,
                model_file=weights,
                **more,
            )
            _registered.add(name)
    return name
