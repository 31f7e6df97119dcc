"""What a person answers when asked which notes are right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from kb.cli.filters import relative_path
from kb.store.errors import UsageError
from kb.store.paths import show_path

if TYPE_CHECKING:
    import apsw

_NUMBERS = re.compile(r"\d+(?:\s*-\s*\d+)?(?:[\s,]+\d+(?:\s*-\s*\d+)?)*")
_RANGE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?")


def parse_numbers(answer: str, most: int) -> tuple[int, ...] | None:
    """The numbers of an answer such as `1 3-4`, each once; None where it is something else.

    Raises UsageError for a number that is not in the list of `most`.
    """
    if not _NUMBERS.fullmatch(answer.strip()):
        return None
    numbers: dict[int, None] = {}
    for match in _RANGE.finditer(answer):
        first, last = int(match[1][:9]), int((match[2] or match[1])[:9])
        if not 1 <= first <= last <= most:
            raise UsageError(f"`{match[0]}` is not in the list", f"numbers go from 1 to {most}")
        numbers |= dict.fromkeys(range(first, last + 1))
    return tuple(numbers)


def find_notes(connection: apsw.Connection, vault: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """The notes of the index at these paths, each once. Raises UsageError for one that is none."""
    stored = [str(row[0]) for row in connection.execute("SELECT path FROM notes ORDER BY path")]
    by_form = {normalize("NFC", path): path for path in reversed(stored)}
    found: dict[str, None] = {}
    for path in paths:
        wanted = relative_path(path.strip(), vault)
        note = wanted if wanted in by_form.values() else by_form.get(normalize("NFC", wanted))
        if note is None:
            raise UsageError(
                f"`{show_path(wanted)}` is no note of this index", _near(wanted, stored)
            )
        found[note] = None
    return tuple(found)


def _near(wanted: str, stored: list[str]) -> str:
    name = wanted.rpartition("/")[2].removesuffix(".md")
    same_name = [path for path in stored if path.rpartition("/")[2].removesuffix(".md") == name]
    close = same_name[:1] or get_close_matches(wanted, stored, n=1)
    if close:
        return f"did you mean `{show_path(close[0])}`?"
    return "paths are those that `kb query -l` prints"
