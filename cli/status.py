"""Exit statuses, the same for every command."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What a script can tell from `$?`."""

    FOUND = 0  # something found, or done what was asked
    NOTHING = 1  # nothing found
    WRONG = 2  # anything wrong
    INTERRUPTED = 130
