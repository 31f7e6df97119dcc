"""Find a model on this machine. Nothing here uses the network.

Order: what was asked for, the packaged model, a model that `kb model fetch` brought, a model in
fastembed's own cache. fastembed, slow to import, is asked only when the rest has no answer, and
its answer is remembered.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from kb.embedding.errors import GET_A_MODEL, GET_A_RERANKER, INSTALL_RUNTIME, ModelError
from kb.embedding.folder import read_folder
from kb.embedding.hashes import write_atomically
from kb.embedding.model import Model, ModelKind
from kb.embedding.packaged import PACKAGED_NAME, find_packaged, require_runtime
from kb.embedding.places import FETCHED, KNOWN, cache_root, fastembed_caches, slug
from kb.embedding.record import RECORD_NAME, parse_record, read_json

if TYPE_CHECKING:
    from kb.embedding.catalogue import Entry


def find_model(setting: str = "", *, cache_folder: Path | None = None) -> Model:
    """Return the embedding model to use.

    `setting` is a name that fastembed lists, the packaged model's name, or a folder; empty means
    the best one at hand. `cache_folder` stands for our folder in the user's cache.
    Raises ModelError where there is none, where it is damaged, or where it cannot run.
    """
    require_runtime()
    root = cache_root(cache_folder)
    setting = setting.strip()
    model = _find_named(setting, root, ModelKind.EMBEDDING) if setting else _find_any(root)
    if model is None:
        raise ModelError("there is no embedding model on this machine", GET_A_MODEL)
    return model


def find_reranker(setting: str = "", *, cache_folder: Path | None = None) -> Model:
    """Return a cross-encoder by the name that fastembed lists, or in a folder.

    Empty means the one that was fetched last. Raises ModelError where it is not on this machine.
    """
    require_runtime()
    root = cache_root(cache_folder)
    if setting.strip():
        return _find_named(setting.strip(), root, ModelKind.RERANKER)
    model = _find_latest_fetched(root, ModelKind.RERANKER)
    if model is None:
        raise ModelError("there is no reranker on this machine", GET_A_RERANKER)
    return model


def fetched_folder(root: Path, name: str) -> Path:
    """Return the folder where a fetched model lies or would lie."""
    return root / FETCHED / slug(name)


def find_fetched(root: Path, name: str) -> Model | None:
    """Return a model that `kb model fetch` brought; its record is written last."""
    folder = fetched_folder(root, name)
    return read_folder(folder, root) if (folder / RECORD_NAME).is_file() else None


def find_snapshot(entry: Entry) -> Path | None:
    """Return the folder of a listed model in fastembed's caches, None where it is not complete.

    A cache holds `models--ORG--NAME/snapshots/REVISION` as huggingface_hub lays it out, or
    `fast-NAME` from an older fastembed.
    """
    wanted = f"models--{entry.repository.replace('/', '--')}".casefold()
    legacy = f"fast-{entry.name.rpartition('/')[2]}".casefold()
    for cache in fastembed_caches():
        for folder in sorted(cache.iterdir()):
            name = folder.name.casefold()
            candidates = _snapshots(folder) if name == wanted else []
            candidates += [folder] if name == legacy else []
            for candidate in candidates:
                if all((candidate / file).is_file() for file in entry.files):
                    return candidate
    return None


def _snapshots(repository: Path) -> list[Path]:
    """Return the snapshots of one repository, the one that `main` points to first."""
    folders = sorted((repository / "snapshots").glob("*"))
    with contextlib.suppress(OSError):  # without the pointer their order does not matter
        main = (repository / "refs" / "main").read_text(encoding="utf-8").strip()
        folders.sort(key=lambda folder: folder.name != main)
    return folders


def _find_any(root: Path) -> Model | None:
    return (
        find_packaged(root)
        or _find_latest_fetched(root, ModelKind.EMBEDDING)
        or _find_in_caches(root)
    )


def _find_named(setting: str, root: Path, kind: ModelKind) -> Model:
    if setting.casefold() == PACKAGED_NAME.casefold():
        model = find_packaged(root)
        if model is None:
            raise ModelError(f"the weights of `{PACKAGED_NAME}` are missing", INSTALL_RUNTIME)
    elif _is_written_as_path(setting):
        folder = Path(setting).expanduser()
        if not folder.is_dir():
            raise ModelError(f"there is no folder `{setting}`", GET_A_MODEL)
        model = read_folder(folder, root)
    else:
        known = find_fetched(root, setting) or _recall(root, setting)
        model = known or _find_listed(setting, root)
    if model.kind is not kind:
        wanted = "an embedding model" if kind is ModelKind.EMBEDDING else "a reranker"
        raise ModelError(f"`{setting}` is not {wanted}", "`kb model list` says what each one is")
    return model


def _is_written_as_path(setting: str) -> bool:
    """Return whether a setting can only be a folder.

    A plain `org/name` is a name first: a folder of that name below the current folder, which may
    have come from a stranger, must not stand in for a model.
    """
    return setting.startswith((".", "~", "/", "\\")) or Path(setting).is_absolute()


def _find_listed(setting: str, root: Path) -> Model:
    """Return a model of fastembed's list from its caches, or a folder that was named plainly."""
    from kb.embedding.catalogue import find_entry

    entry: Entry | None = None
    try:
        entry = find_entry(setting)
    except ModelError:
        if not Path(setting).is_dir():
            raise
    if entry is not None:
        folder = find_snapshot(entry)
        if folder is None:
            raise ModelError(
                f"the model `{entry.name}` is not on this machine",
                f"fetch it with `kb model fetch {entry.name}`",
            )
        return _read_snapshot(entry, folder, root)
    if Path(setting).is_dir():
        return read_folder(Path(setting), root)
    raise ModelError(f"no model is called `{setting}`", "`kb model list` names the known ones")


def _find_latest_fetched(root: Path, kind: ModelKind) -> Model | None:
    records = (root / FETCHED).glob(f"*/{RECORD_NAME}")
    complete = [path for path in records if not path.parent.name.startswith(".")]
    newest = sorted(complete, key=lambda path: (-path.stat().st_mtime_ns, path.parent.name))
    models = (read_folder(path.parent, root) for path in newest)
    return next((model for model in models if model.kind is kind), None)


def _find_in_caches(root: Path) -> Model | None:
    """Return the first listed model that fastembed's caches hold."""
    if not any(True for cache in fastembed_caches() for _ in cache.iterdir()):
        return None  # nothing there: not worth importing fastembed
    from kb.embedding.catalogue import list_entries

    for entry in list_entries():
        folder = find_snapshot(entry) if entry.kind is ModelKind.EMBEDDING else None
        if folder is not None:
            return _read_snapshot(entry, folder, root)
    return None


def _read_snapshot(entry: Entry, folder: Path, root: Path) -> Model:
    """Read a model from fastembed's cache, and note where it lies."""
    model = read_folder(folder, root, weights=folder / entry.weights, record=entry.record())
    said = {key: value for key, value in asdict(entry.record()).items() if value is not None}
    note = {"folder": os.fspath(folder.absolute()), "record": said}
    with contextlib.suppress(OSError):  # it will be looked for again: slower, nothing else
        write_atomically(root / KNOWN / f"{slug(entry.name)}.json", json.dumps(note, indent=2))
    return model


def _recall(root: Path, name: str) -> Model | None:
    """Return a model found in fastembed's caches before, if it still lies there."""
    path = root / KNOWN / f"{slug(name)}.json"
    note = read_json(path)
    folder, said = note.get("folder"), note.get("record")
    if not isinstance(folder, str) or not isinstance(said, dict):
        return None
    record = parse_record(said, str(path))
    if not (Path(folder) / (record.weights or "")).is_file():
        return None
    return read_folder(Path(folder), root, record=record)
