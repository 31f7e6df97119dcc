"""The packaged weights, rewritten once into a graph that loads and runs faster.

The graph is kept in our cache folder and checked against its hash before it is loaded. Where it
cannot be kept it is made anew for each process: a tenth of a second more, the same vectors.
"""

from __future__ import annotations

import os
from pathlib import Path

from kb.embedding.errors import ModelError
from kb.embedding.hashes import file_sha256, write_atomically
from kb.embedding.model import Model
from kb.embedding.places import REWRITTEN

SOURCE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
GRAPH_SHA256 = "480735e9d1be651c0fdf003e134339e71a9498c399516f12456ea5b6dfc241bf"


def rewritten_path(weights_sha256: str, root: Path) -> Path | None:
    """Return where the graph of these weights is kept, None where they run as they are."""
    return root / REWRITTEN / f"{GRAPH_SHA256}.onnx" if weights_sha256 == SOURCE_SHA256 else None


def graph_source(model: Model) -> str | bytes:
    """Return the file that onnxruntime loads, or its content where it cannot be kept.

    Raises ModelError where the weights cannot be read.
    """
    path = model.rewritten
    if path is None:
        return os.fspath(model.weights)
    if not _is_whole(path):
        graph = _render(model)
        try:
            write_atomically(path, graph)
        except OSError:
            return graph
    return os.fspath(path)


def keep_graph(model: Model) -> str:
    """Write the graph of a model where it is not there yet; return why it cannot be kept, or ""."""
    path = model.rewritten
    if path is None or _is_whole(path):
        return ""
    try:
        write_atomically(path, _render(model))
    except OSError as error:
        return (
            f"the model loads more slowly than it could: `{path.parent}` cannot be written"
            f" ({error.strerror or error})"
        )
    return ""


def _is_whole(path: Path) -> bool:
    return path.is_file() and file_sha256(path, path.parent.parent) == GRAPH_SHA256


def _render(model: Model) -> bytes:
    from kb.embedding.int8_graph import render_graph
    from kb.embedding.onnx_file import read_tensors

    try:
        tensors = read_tensors(model.weights)
    except OSError as error:
        raise ModelError(f"`{model.weights}` cannot be read: {error.strerror or error}") from error
    return render_graph(tensors)
