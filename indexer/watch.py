"""Keeping an index fresh: run, wait until files change and settle, run again.

A run compares the whole vault with the index. That takes a twentieth of a second for ten thousand
notes, and makes the result independent of what was told of changes, in which order, and what not.
"""

from __future__ import annotations

import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NoReturn, Protocol

from kb.indexer.disk_state import DiskState
from kb.indexer.hearing import Ear, LookingEar, ToldEar, VaultGoneError
from kb.indexer.options import IndexOptions, Progress
from kb.indexer.sync import index_vault
from kb.store.connection import open_reader
from kb.store.errors import IndexMissingError, KbError, VaultError
from kb.store.files import identity_of, is_at_hand, is_file, is_folder
from kb.store.index_records import IndexReport
from kb.store.meta import Meta, read_meta

# Seconds between two looks for a vault that is away, and at least between two at one that cannot
# be listened to.
_AWAY, _POLL = 1.0, 2.0
# After a run, rest as long as it took, so that changes without end leave half of a core; at most
# so many seconds.
_LONGEST_REST = 2.0
_RETRY = 60.0  # seconds after which a run that failed is repeated, also without a change
_MOMENT = 0.5  # in which another process has put a new index in the place of one


class Audience(Protocol):
    """Whoever keeps an index fresh, and is told what happens."""

    def options(self, *, first: bool) -> IndexOptions:
        """How to index now; `first`: in the first run. Raises KbError."""

    def ran(self, report: IndexReport) -> None:
        """A run came to its end."""

    def failed(self, error: Exception) -> None:
        """A run did not; there will be another."""

    def away(self, vault: Path) -> None:
        """The vault is not there, or empty, and is waited for."""

    def back(self, vault: Path) -> None:
        """It is there again."""


def watch_vault(
    vault: Path,
    index: Path,
    audience: Audience,
    progress: Progress,
    *,
    poll: float = 0.0,
    deciding: tuple[str, ...] = (),
) -> NoReturn:
    """Keep an index fresh until an exception ends it, such as an interrupt.

    `vault` is a real path. `poll`: look at the vault every so many seconds, instead of being told.
    `deciding` are files of the vault's own folder that say how it is indexed. Raises what ends the
    first run, and IndexMissingError once somebody has removed the index; errors of later runs are
    told, and the next change makes another run.
    """
    _Keeper(vault, index, audience, progress, poll, deciding).keep()


class _Keeper:
    def __init__(
        self,
        vault: Path,
        index: Path,
        audience: Audience,
        progress: Progress,
        poll: float,
        deciding: tuple[str, ...],
    ) -> None:
        self._vault = vault
        self._index = index
        self._audience = audience
        self._progress = progress
        self._poll = poll
        self._deciding = deciding
        self._state = DiskState(vault, deciding)
        self._runs = 0
        self._failed_at: float | None = None
        self._holds_notes = is_file(index)  # as far as is known before the first run
        self._ear: Ear

    def keep(self) -> NoReturn:
        """One round for each time that the vault comes."""
        while True:
            self._wait_for_vault()
            with suppress(VaultGoneError):
                self._ear = self._open_ear()
                try:
                    self._watch(identity_of(self._vault))
                finally:
                    self._ear.close()

    def _watch(self, folder: tuple[int, int] | None) -> None:
        """Run after run, as long as the same folder is there."""
        self._look()
        there = self._run()
        while there and identity_of(self._vault) == folder:
            if self._hears() and identity_of(self._vault) == folder:
                there = self._run()

    def _wait_for_vault(self) -> None:
        if self._is_there():
            return
        self._audience.away(self._vault)
        while not self._is_there():
            time.sleep(_AWAY)
        self._audience.back(self._vault)

    def _is_there(self) -> bool:
        """Whether there is a vault. An empty folder is where a drive would be mounted."""
        return is_at_hand(self._vault) or (not self._holds_notes and is_folder(self._vault))

    def _run(self) -> bool:
        """Bring the index up to date, or tell why not. False where the vault is away."""
        self._check_index()
        began = time.monotonic()
        try:
            options = self._audience.options(first=not self._runs)
            report = index_vault(self._vault, self._index, options, self._progress)
        except Exception as error:  # whatever it is, the next change may be read again
            if isinstance(error, VaultError) and not self._is_there():
                return False
            if not self._runs:
                raise
            self._failed_at = time.monotonic()
            self._audience.failed(error)
        else:
            if not self._runs:
                import kb.indexer.apply  # noqa: F401 (what reads notes, loaded while nobody waits)
            self._runs += 1
            self._failed_at = None
            self._holds_notes = bool(report.added + report.changed + report.unchanged)
            self._audience.ran(report)
        time.sleep(min(time.monotonic() - began, _LONGEST_REST))
        return True

    def _check_index(self) -> None:
        """Raise IndexMissingError where the index was removed: that is not undone."""
        if not self._runs or is_file(self._index):
            return
        time.sleep(_MOMENT)
        if not is_file(self._index):
            raise IndexMissingError(
                f"{self._index} was removed, so {self._vault} is not watched any more",
                "run this again to index it anew",
            )

    def _hears(self) -> bool:
        try:
            heard = self._ear.wait()
        except (OSError, RuntimeError) as error:
            self._ear.close()
            self._ear = self._look_instead(
                f"the system tells of changes no more ({_reason_of(error)})"
            )
            heard = True
        failed = self._failed_at
        return heard or (failed is not None and time.monotonic() - failed >= _RETRY)

    def _open_ear(self) -> Ear:
        if self._poll:
            return LookingEar(self._look, self._poll, sparing=False)
        try:
            return ToldEar(str(self._vault), self._deciding, self._look)
        except ImportError:
            return self._look_instead("watchfiles is not installed (`pip install watchfiles`)")
        except (OSError, RuntimeError) as error:
            return self._look_instead(f"the system does not tell of changes ({_reason_of(error)})")

    def _look_instead(self, why: str) -> Ear:
        self._progress.notice(
            f"{why}; looking every {_POLL:g} seconds instead, or as `--poll` says"
        )
        return LookingEar(self._look, _POLL, sparing=True)

    def _look(self) -> bool:
        """Whether the vault looks otherwise than when it was looked at last."""
        try:
            options = self._audience.options(first=not self._runs)
            if options.no_ignore is None:
                options = options._replace(no_ignore=self._is_ignoring_off())
            return self._state.moved(options)
        except VaultError:
            return True  # a run will tell
        except KbError:
            return False  # as before: of what is wrong beside the vault, the next run tells

    def _is_ignoring_off(self) -> bool:
        """Whether ignore files were set aside in the last run."""
        if not is_file(self._index):
            return False
        with closing(open_reader(self._index)) as connection:
            return read_meta(connection).get(Meta.NO_IGNORE) == "1"


def _reason_of(error: Exception) -> str:
    """Why the system does not tell, in words that say what to do about it."""
    if "limit reached" not in str(error):
        return str(error)
    limit = "; raise `fs.inotify.max_user_watches`" if sys.platform == "linux" else ""
    return f"it watches no more folders for this user{limit}"
