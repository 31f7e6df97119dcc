"""SHA-256 of model files, remembered by size and time so that a query need not read them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path

from kb.embedding.errors import ModelError
from kb.embedding.places import make_private_folder

_CACHE_NAME = "sha256.json"


def file_sha256(path: Path, root: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal.

    It is read again only when its size or its time of change differs from what `root` (our cache
    folder) remembers. Raises ModelError where the file cannot be read.
    """
    try:
        real = path.resolve()
        stat = real.stat()
        key, state = str(real), [stat.st_size, stat.st_mtime_ns]
        known = _read_cache(root).get(key)
        if known is not None and known[:2] == state:
            return str(known[2])
        with real.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"`{path}` cannot be read: {error.strerror or error}") from error
    _remember(root, key, [*state, digest])
    return digest


def _read_cache(root: Path) -> dict[str, list[int | str]]:
    """Return what is remembered; nothing where the file is missing or makes no sense."""
    try:
        content = json.loads((root / _CACHE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {
        key: value
        for key, value in content.items()
        if isinstance(value, list) and len(value) == 3 and isinstance(value[2], str)
    }


def _remember(root: Path, key: str, entry: list[int | str]) -> None:
    """Write one hash beside the others, dropping files that are gone.

    Where the folder cannot be written the file is hashed anew next time: slower, nothing else.
    """
    content = {path: known for path, known in _read_cache(root).items() if Path(path).exists()}
    content[key] = entry
    with contextlib.suppress(OSError):
        write_atomically(root / _CACHE_NAME, json.dumps(content, indent=1, sort_keys=True))


def write_atomically(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step, private to the user; text as UTF-8. Raises OSError."""
    import tempfile

    make_private_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
