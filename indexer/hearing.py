"""Hearing of changes to a vault: told by the system, or by looking every so often."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Protocol

from kb.indexer.watched import is_watched_folder, list_folders, matters

if TYPE_CHECKING:
    from watchfiles import Change
    from watchfiles.main import FileChange

# Milliseconds: how long nothing must change for a burst to be over, how long one may last before
# it is answered all the same, and how often the caller is let go where nothing changes.
_SETTLED, _LONGEST_BURST, _SILENCE = 50, 1_600, 250
# Seconds after which the vault is looked at although nothing was heard: what another machine
# changes is never told, nor what changes while the system's queue is full.
_MISTRUST = 60.0
# A look may take one part of the time in so many, unless the user says how often to look.
_SHARE = 20
_TRIES = 5
# Elsewhere the system watches a whole tree at the price of a folder, and follows no links.
_FOLDER_BY_FOLDER = sys.platform not in ("darwin", "win32")

Look = Callable[[], bool]
_Told = Generator["set[FileChange]", None, None]


class VaultGoneError(Exception):
    """The vault has gone since it was looked for."""


class Ear(Protocol):
    """Hears of changes. `wait` says whether something may have changed, and false after a moment
    in which nothing did."""

    def wait(self) -> bool: ...

    def close(self) -> None: ...


class LookingEar:
    """Looks at the vault every so many seconds; `sparing`: less often, the longer a look takes."""

    def __init__(self, look: Look, seconds: float, *, sparing: bool) -> None:
        self._look = look
        self._pause = self._seconds = seconds
        self._sparing = sparing

    def wait(self) -> bool:
        """Sleep, and look."""
        time.sleep(self._pause)
        began = time.monotonic()
        changed = self._look()
        if self._sparing:
            self._pause = max(self._seconds, _SHARE * (time.monotonic() - began))
        return changed

    def close(self) -> None:
        """Nothing is held."""


class ToldEar:
    """Is told by the system, from the moment it is made on.

    Raises ImportError without the library, VaultGoneError where there is nothing to listen to, and
    OSError or RuntimeError where the system does not tell.
    """

    def __init__(self, vault: str, deciding: tuple[str, ...], look: Look) -> None:
        self._vault = vault
        self._deciding = deciding
        self._look = look
        self._looked = time.monotonic()
        self._is_sure = False  # that all folders are listened to
        self._told = self._listen()

    def wait(self) -> bool:
        """Wait for changes to settle, or for a moment. Raises as when it was made."""
        changes = next(self._told)
        if not self._is_sure or (_FOLDER_BY_FOLDER and self._holds_new_folder(changes)):
            self._told.close()
            self._told = self._listen()
            return True
        if not changes:
            return self._is_due() and self._look()
        return any(self._matters(change, path) for change, path in changes)

    def close(self) -> None:
        """Listen no more."""
        self._told.close()

    def _is_due(self) -> bool:
        now = time.monotonic()
        due = now - self._looked >= _MISTRUST
        if due:
            self._looked = now
        return due

    def _listen(self) -> _Told:
        """Listen to the folders there are, and make sure that none has come meanwhile.

        While folders come and go too fast for that, it is tried again after the next run.
        """
        self._is_sure = False
        for _ in range(_TRIES):
            folders = self._folders()
            told = _listen_to(folders)
            try:
                next(told)  # once this comes back, all of them are listened to
            except FileNotFoundError:
                continue  # one went meanwhile
            self._is_sure = self._folders() == folders
            if self._is_sure:
                return told
            told.close()
        told = _listen_to([self._vault])
        try:
            next(told)
        except FileNotFoundError as error:
            raise VaultGoneError from error
        return told

    def _folders(self) -> list[str]:
        return list_folders(self._vault) if _FOLDER_BY_FOLDER else [self._vault]

    def _holds_new_folder(self, changes: set[FileChange]) -> bool:
        from watchfiles import Change

        return any(
            change is Change.added and is_watched_folder(self._vault, self._inside(path))
            for change, path in changes
        )

    def _matters(self, change: Change, path: str) -> bool:
        from watchfiles import Change

        content_only = change is Change.modified
        return matters(self._inside(path), content_only=content_only, deciding=self._deciding)

    def _inside(self, path: str) -> str:
        """A path as the vault knows it; what lies elsewhere stands for the vault itself."""
        inside = path.removeprefix(self._vault)
        return inside.replace(os.sep, "/").strip("/") if inside != path else ""


def _listen_to(folders: list[str]) -> _Told:
    from watchfiles import watch

    return watch(
        *folders,
        watch_filter=None,
        debounce=_LONGEST_BURST,
        step=_SETTLED,
        rust_timeout=_SILENCE,
        yield_on_timeout=True,
        recursive=not _FOLDER_BY_FOLDER,
        force_polling=False,
        # what it would pass over in silence is more than that: a limit that is reached, too
        ignore_permission_denied=not _FOLDER_BY_FOLDER,
    )
