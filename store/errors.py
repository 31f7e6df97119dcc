"""The errors a user can meet. Each composes its own sentence and says what to do next."""

from __future__ import annotations


class KbError(Exception):
    """Something a user can act on: `message` says what is wrong, `hint` what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(KbError):
    """What was asked for makes no sense as it stands."""


class VaultError(KbError):
    """The vault is missing, unreadable, or not the one that was indexed."""


class IndexMissingError(KbError):
    """There is no index where one was looked for."""


class IndexDamagedError(KbError):
    """The index file is there and cannot be used: not a database, damaged, or incomplete."""


class IndexVersionError(KbError):
    """The index was written by a newer program."""


class IndexBusyError(KbError):
    """Another process is writing this index."""
