"""Which folders of a vault matter to whoever watches it, and which changes in them.

`.git`, `node_modules` and what symbolic links lead to are no part of a vault, and watching them
would cost more than the vault.
"""

# Paths are plain text here: that is what tells of changes takes and gives.
# ruff: noqa: PTH112, PTH114, PTH118

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence

from kb.indexer.ignore import IGNORE_NAMES
from kb.indexer.walk import is_note

_GIT = ".git"  # whether `.gitignore` counts
_OBSIDIAN, _ITS_SETTINGS = ".obsidian", "app.json"  # which notes are hidden


def list_folders(vault: str) -> list[str]:
    """Every folder in which a change can matter and be told, the vault itself first."""
    found = []
    waiting = deque([vault])
    while waiting:
        folder = waiting.popleft()
        try:
            waiting += sorted(_folders_in(folder))
        except OSError:
            continue  # gone meanwhile, or not to be read
        found.append(folder)
    own = os.path.join(vault, _OBSIDIAN)
    if _is_own_folder(own) and os.access(own, os.R_OK):
        found.append(own)
    return found


def _folders_in(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if _holds_notes([entry.name]) and entry.is_dir(follow_symlinks=False):
                yield entry.path


def is_watched_folder(vault: str, path: str) -> bool:
    """Whether something at a path inside the vault, with `/` between names, is such a folder."""
    return (path == _OBSIDIAN or _holds_notes(path.split("/"))) and _is_own_folder(
        os.path.join(vault, path)
    )


def _is_own_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _holds_notes(names: Sequence[str]) -> bool:
    """Whether folders of these names, each in the one before it, are part of a vault."""
    return all(name[:1] != "." and name != "node_modules" for name in names)


def matters(path: str, *, content_only: bool, deciding: Sequence[str] = ()) -> bool:
    """Whether the index may differ once something has come, gone or changed at a path.

    `path` is inside the vault, with `/` between names; "" is the vault itself. `deciding` are files
    of the vault's own folder that say how it is indexed. Of a file that is no note nothing but the
    name is indexed, so with `content_only` it does not matter.
    """
    *folders, name = path.split("/")
    if not folders and (name in ("", _OBSIDIAN) or name in deciding):
        return True
    if folders == [_OBSIDIAN]:
        return name == _ITS_SETTINGS
    if not _holds_notes(folders):
        return False
    if name == _GIT:
        return not content_only
    if name in IGNORE_NAMES:
        return True
    return _holds_notes([name]) and (is_note(name) or not content_only)
