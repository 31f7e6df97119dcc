"""Whether a vault looks otherwise than when it was looked at last, without opening its index."""

from __future__ import annotations

from pathlib import Path

from kb.indexer.options import IndexOptions
from kb.indexer.walk import walk_vault
from kb.store.files import change_time

_Stat = tuple[int, int] | None


class DiskState:
    """Remembers one look at a vault, as one number, however large the vault is.

    `deciding` are files at its root that are no notes and say how it is indexed.
    """

    def __init__(self, vault: Path, deciding: tuple[str, ...]) -> None:
        self._vault = vault
        self._deciding = deciding
        self._last: int | None = None

    def moved(self, options: IndexOptions) -> bool:
        """Look again: whether anything differs from the last look that was not forgotten.

        Raises VaultError where there is nothing to look at.
        """
        now = self._look(options)
        moved, self._last = now != self._last, now
        return moved

    def forget(self) -> None:
        """The next look differs from whatever was seen."""
        self._last = None

    def _look(self, options: IndexOptions) -> int:
        walk = walk_vault(
            str(self._vault), no_ignore=bool(options.no_ignore), exclude=options.exclude
        )
        hidden = walk.hidden
        return hash(
            (
                frozenset(walk.notes.items()),
                frozenset(walk.attachments),
                frozenset(walk.unread),
                tuple(walk.skipped),
                tuple(walk.unseen),
                tuple(walk.notices),
                hidden.prefixes,
                tuple(expression.pattern for expression in hidden.expressions),
                tuple(map(self._stat, self._deciding)),
            )
        )

    def _stat(self, name: str) -> _Stat:
        try:
            status = (self._vault / name).stat()
        except OSError:
            return None
        return status.st_size, change_time(status)
