"""Fetch a model: the only place that uses the network, and only when the user asked for it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.embedding.catalogue import Entry, find_entry
from kb.embedding.errors import INSTALL_RUNTIME, ModelError
from kb.embedding.find import fetched_folder, find_fetched
from kb.embedding.folder import read_folder
from kb.embedding.hashes import file_sha256
from kb.embedding.model import Model
from kb.embedding.packaged import PACKAGED_NAME, find_packaged, require_runtime
from kb.embedding.places import cache_root, make_private_folder
from kb.embedding.record import write_record

# (bytes that have arrived, bytes in all)
Progress = Callable[[int, int], None]

_ANSWER_SECONDS = 4.0  # how long the hub may take to answer
_PATIENCE_SECONDS = 5.0  # and how long we wait in all, names being looked up without a limit
_PROGRESS_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class _Offer:
    """What the hub has of a model: its revision, and for each wanted file its size and hash."""

    revision: str
    sizes: Mapping[str, int]
    sha256: Mapping[str, str]


def fetch_model(
    name: str, progress: Progress | None = None, *, cache_folder: Path | None = None
) -> Model:
    """Fetch a model that fastembed lists, embedding model or cross-encoder, and return it.

    One that is there already is returned as it is. An interrupted fetch goes on where it
    stopped. Raises ModelError, within seconds where the hub cannot be reached.
    """
    from filelock import FileLock, Timeout

    require_runtime()
    root = cache_root(cache_folder)
    name = name.strip()
    if name.casefold() == PACKAGED_NAME.casefold():
        return _packaged(root)
    entry = find_entry(name)
    if entry is None:
        raise ModelError(f"no model is called `{name}`", "`kb model list` names the known ones")
    target = fetched_folder(root, entry.name)
    try:
        make_private_folder(target.parent)
        with FileLock(target.with_name(f".{target.name}.lock"), timeout=0):
            return find_fetched(root, entry.name) or _fetch(entry, target, root, progress)
    except Timeout as error:
        raise ModelError(
            f"another process is fetching `{entry.name}`", "wait until it is done"
        ) from error
    except OSError as error:
        raise ModelError(
            f"`{target.parent}` cannot be written: {error.strerror or error}"
        ) from error


def _packaged(root: Path) -> Model:
    model = find_packaged(root)
    if model is None:
        raise ModelError(f"`{PACKAGED_NAME}` comes as a package, not from the hub", INSTALL_RUNTIME)
    return model


def _fetch(entry: Entry, target: Path, root: Path, progress: Progress | None) -> Model:
    """Fetch into a folder aside, check it, and rename it to its name."""
    offer = _ask_hub(entry)
    aside = target.with_name(f".{target.name}.part")
    make_private_folder(aside)
    with _Watch(aside, sum(offer.sizes.values()), progress):
        _download(entry, offer, aside)
    _check(entry, offer, aside, root)
    shutil.rmtree(aside / ".cache", ignore_errors=True)  # the hub client's notes
    if target.exists():
        shutil.rmtree(target)  # without a record: not complete
    # the record comes last: with it, the folder counts as a model
    write_record(aside, entry.record())
    aside.rename(target)
    return read_folder(target, root)


def _ask_hub(entry: Entry) -> _Offer:
    """Return what the hub offers, or raise ModelError after a few seconds.

    The question is asked in a thread of its own: no limit on a connection covers the time that
    looking up a name can take.
    """
    answers: list[Any] = []
    failures: list[Exception] = []

    def ask() -> None:
        try:
            from huggingface_hub import HfApi

            api = HfApi(token=False)
            answers.append(
                api.model_info(entry.repository, timeout=_ANSWER_SECONDS, files_metadata=True)
            )
        except Exception as error:  # handed over to the caller's thread, whatever it is
            failures.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(_PATIENCE_SECONDS)
    if not answers:
        failure = failures[0] if failures else None
        raise _unreachable(failure) from failure
    return _read_offer(entry, answers[0])


def _unreachable(error: Exception | None) -> ModelError:
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    if os.environ.get("HF_HUB_OFFLINE"):
        return ModelError(
            "nothing can be fetched while `HF_HUB_OFFLINE` is set", "unset it and try again"
        )
    reason = f"no answer within {_PATIENCE_SECONDS:.0f} seconds" if error is None else _said(error)
    return ModelError(
        f"the model hub at {endpoint} cannot be reached: {reason}",
        'check the connection, or use the packaged model: `pip install "kb-search[model]"`',
    )


def _said(error: Exception) -> str:
    """Return the first line of what an error says."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def _read_offer(entry: Entry, info: Any) -> _Offer:
    files = {file.rfilename: file for file in info.siblings or ()}
    missing = [name for name in entry.files if name not in files]
    if missing:
        raise ModelError(
            f"the hub's `{entry.repository}` no longer holds {', '.join(missing)}",
            "upgrade fastembed: `pip install --upgrade fastembed`",
        )
    wanted = [files[name] for name in entry.wanted_files if name in files]
    return _Offer(
        revision=info.sha,
        sizes={file.rfilename: file.size or 0 for file in wanted},
        sha256={file.rfilename: file.lfs.sha256 for file in wanted if file.lfs},
    )


def _download(entry: Entry, offer: _Offer, folder: Path) -> None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.utils.tqdm import disable_progress_bars, enable_progress_bars

    disable_progress_bars()
    try:
        snapshot_download(
            entry.repository,
            revision=offer.revision,
            local_dir=folder,
            allow_patterns=list(offer.sizes),
            etag_timeout=_ANSWER_SECONDS,
            max_workers=2,
            token=False,
        )
    except Exception as error:  # the hub client passes on whatever its parts raise
        raise ModelError(
            f"fetching `{entry.name}` failed: {_said(error)}",
            "run the command again; what has arrived is kept",
        ) from error
    finally:
        enable_progress_bars()


def _check(entry: Entry, offer: _Offer, folder: Path, root: Path) -> None:
    """Raise ModelError, and drop what was fetched, unless every file is what the hub promised."""
    for name, size in offer.sizes.items():
        path = folder / name
        wanted = offer.sha256.get(name)
        intact = path.is_file() and path.stat().st_size == size
        if not intact or (wanted and file_sha256(path, root) != wanted):
            shutil.rmtree(folder, ignore_errors=True)
            raise ModelError(f"`{name}` of `{entry.name}` arrived damaged", "run the command again")


class _Watch:
    """Reports how much of a download has arrived, by the size of its folder."""

    def __init__(self, folder: Path, total: int, progress: Progress | None) -> None:
        self._folder = folder
        self._total = total
        self._progress = progress
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._report, daemon=True)

    def __enter__(self) -> None:
        if self._progress is not None:
            self._thread.start()

    def __exit__(self, kind: object, *rest: object) -> None:
        self._done.set()
        if self._progress is not None:
            self._thread.join()
            if kind is None:
                self._progress(self._total, self._total)

    def _report(self) -> None:
        assert self._progress is not None
        while not self._done.wait(_PROGRESS_SECONDS):
            self._progress(min(self._arrived(), self._total), self._total)

    def _arrived(self) -> int:
        total = 0
        for path in self._folder.rglob("*"):
            try:
                total += path.stat().st_size if path.is_file() else 0
            except OSError:  # renamed since it was listed
                continue
        return total
