"""Where indexes live: one private folder a vault, in the user's data folder.

A vault's folder is named after it and after a hash of its real path, so that the index of a
known vault is found without opening anything. `vault.json` beside the index names the vault,
for listings; its time of change is that of the last run.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kb.store.errors import IndexMissingError, KbError
from kb.store.files import (
    is_file,
    make_private_folder,
    plain_user_folder,
    user_path,
    write_private_text,
)
from kb.store.hashes import blake2b
from kb.store.paths import decode_path, encode_path

INDEX_NAME = "index.sqlite"
_RECORD_NAME = "vault.json"
_FIRST_RUN = "run `kb index VAULT` first"


class KnownVault(NamedTuple):
    """A vault that was indexed, and where its index is. `indexed` is seconds since the epoch."""

    path: Path
    index: Path  # type: ignore[assignment]  # in place of tuple's
    indexed: float


class Location(NamedTuple):
    """The index to use. `guessed` says that nothing named it: it is the vault indexed last."""

    index: Path  # type: ignore[assignment]  # in place of tuple's
    vault: Path | None
    guessed: bool = False


def data_folder() -> Path:
    """The folder of all indexes: `KB_DATA`, else the user's data folder of this system."""
    if named := os.environ.get("KB_DATA"):
        return user_path(named)
    if plain := plain_user_folder("XDG_DATA_HOME", ".local/share"):
        return plain
    from platformdirs import user_data_path

    return user_data_path("kb-search", appauthor=False)


def index_path(vault: Path) -> Path:
    """Where the index of a vault lives, whether or not there is one."""
    real = os.path.normcase(os.path.realpath(vault))
    digest = blake2b(os.fsencode(real), digest_size=6).hexdigest()
    name = re.sub(r"[^\w.-]+", "-", Path(real).name)[:40].strip("-.") or "vault"
    return data_folder() / "vaults" / f"{name}-{digest}" / INDEX_NAME


def known_vaults() -> list[KnownVault]:
    """Every vault that has an index in the data folder, the one indexed last first."""
    found = []
    for record in (data_folder() / "vaults").glob(f"*/{_RECORD_NAME}"):
        known = _read_record(record)
        if known is not None:
            found.append(known)
    return sorted(found, key=lambda known: (-known.indexed, str(known.path)))


def _read_record(record: Path) -> KnownVault | None:
    try:
        path = json.loads(record.read_text(encoding="utf-8"))["path"]
        indexed = record.stat().st_mtime
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not a record of ours, or one that is being removed
    return KnownVault(Path(decode_path(str(path))), record.with_name(INDEX_NAME), indexed)


def remember_vault(vault: Path, index: Path) -> None:
    """Note that `vault` was indexed into its place in the data folder, just now.

    An index that the user named with `--index` is the user's to remember.
    """
    if index != index_path(vault):
        return
    record = index.with_name(_RECORD_NAME)
    make_private_folder(record.parent)
    document = {"path": encode_path(os.path.realpath(vault))}
    fresh = record.with_name(f"{_RECORD_NAME}.{os.getpid()}")
    try:
        write_private_text(fresh, json.dumps(document) + "\n")
        fresh.replace(record)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise KbError(
            f"cannot write {record} ({error.strerror}), so `kb vaults` may not list this vault",
            "check the disk and run `kb index` again; the index itself is written",
        ) from error


def forget_vault(known: KnownVault) -> None:
    """Remove a vault's index and its folder. The vault itself is not touched."""
    import shutil

    folder = known.index.parent
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise KbError(
            f"cannot remove {folder} ({error.strerror})", "check its permissions and try again"
        ) from error


def find_index(vault: str = "", index: str = "", folder: Path | None = None) -> Location:
    """The index that a command is about.

    In this order: `index` (a file), `vault` (a folder), `KB_INDEX`, `KB_VAULT`, the nearest
    folder at or above `folder` (the current one) that has been indexed, the vault indexed last.
    Raises IndexMissingError where there is none.
    """
    if not index and not vault:
        index, vault = os.environ.get("KB_INDEX", ""), os.environ.get("KB_VAULT", "")
    if index:
        file = user_path(index)
        if not is_file(file):
            raise IndexMissingError(f"no index at {file}", _FIRST_RUN)
        return Location(file, None)
    if vault:
        root = user_path(vault)
        file = index_path(root)
        if not is_file(file):
            raise IndexMissingError(f"{root} has not been indexed", f"run `kb index {root}` first")
        return Location(file, Path(os.path.realpath(root)))
    return _find_from(folder or current_folder())


def current_folder() -> Path | None:
    """The folder that the process is in, None where it has been removed or may not be seen."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _find_from(folder: Path | None) -> Location:
    real = Path(os.path.realpath(folder)) if folder is not None else None
    for root in (real, *real.parents) if real is not None else ():
        file = index_path(root)
        if is_file(file):
            return Location(file, root)
    for known in known_vaults():
        if is_file(known.index):
            return Location(known.index, known.path, guessed=True)
    raise IndexMissingError("no vault has been indexed yet", _FIRST_RUN)
