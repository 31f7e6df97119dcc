"""Where models lie on this machine: our own cache folder, and the caches of fastembed."""

from __future__ import annotations

import os
from pathlib import Path

FETCHED = "fetched"  # one folder for each model that `kb model fetch` brought
REWRITTEN = "rewritten"  # graphs that run faster than the files they were made from
KNOWN = "known"  # where models were found in fastembed's caches


def cache_root(override: Path | None = None) -> Path:
    """Return the folder that holds our models and what is known of them; it may not exist."""
    if override is not None:
        return override
    from platformdirs import user_cache_path

    return user_cache_path("kb-search", appauthor=False) / "models"


def slug(name: str) -> str:
    """Return a model's name as the name of a folder."""
    return "".join("--" if char in "/\\" else char for char in name).casefold()


def make_private_folder(folder: Path) -> None:
    """Create a folder and the missing ones above it, each for the user alone.

    A folder that is there keeps its mode. Raises OSError.
    """
    missing = [folder, *folder.parents]
    for path in reversed([path for path in missing if not path.exists()]):
        path.mkdir(mode=0o700, exist_ok=True)


def fastembed_caches() -> tuple[Path, ...]:
    """Return the folders where fastembed keeps models, those that exist, its own order."""
    import tempfile

    chosen = os.environ.get("FASTEMBED_CACHE_PATH", "")
    folders = [Path(chosen).expanduser()] if chosen else []
    default = Path(tempfile.gettempdir()) / "fastembed_cache"
    if _is_ours(default):
        folders.append(default)
    readable = os.R_OK | os.X_OK
    return tuple(path for path in folders if path.is_dir() and os.access(path, readable))


def _is_ours(folder: Path) -> bool:
    """Return whether a folder belongs to this user.

    Anyone may have put one into the temporary folder of a shared machine.
    """
    if not hasattr(os, "getuid"):
        return True  # Windows gives each user a temporary folder of their own
    try:
        return folder.stat().st_uid == os.getuid()
    except OSError:
        return False
