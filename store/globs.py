"""Globs with gitignore's rules, in time that grows with the length of a path and no faster.

Globs come with vaults from strangers, and the expressions that pathspec makes of them go back over
every way to share a path out among their wildcards: `*a*a*a*a*a*b` alone could take for ever.
A wildcard that another one follows can settle for the first place that fits, since what is left
over is for the next (the argument by which globs are matched without going back). So each of them
becomes an atomic group, and only the last wildcard of a name, and of a path, tries further.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LONGEST_GLOB = 1_000  # characters
MOST_GLOBS = 5_000

# A path or a name without anything that means more: each would cost a pattern of its own.
_PLAIN = re.compile(
    r"(?![!# ])(?:[^\\*?\[\]/\x00-\x1f]+/)*[^\\*?\[\]/\x00-\x1f]*[^\\*?\[\]/\x00-\x20]"
)
_STAR = re.escape("[^/]*")
# What stands between two wildcards of one name: letters, `?`, classes.
_BETWEEN = r"(?:\\.|\[\^/\](?![*+])|\[(?!\^/\])\^?(?:\\.|[^\]\\])+\]|[^\[\]\\()*+?/|^$.])+"
_STARS = re.compile(rf"(?:{_STAR})+")
_INNER_STAR = re.compile(rf"{_STAR}({_BETWEEN})(?={_STAR}|\[\^/\]\+)")
_ANY_FOLDERS = "(?:/.+)?"
_ANY_FOLDERS_FIRST = "^(?:.+/)?"


def parse_globs(lines: Iterable[str]) -> GitIgnoreSpec:
    """What lines of globs leave out. Raises ValueError for a line that is none."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec([_parse_glob(line) for line in lines])


class Globs:
    """Globs that are all asked for alike, however many of them are plain paths or names."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Raises ValueError for a line that is none."""
        self._places: set[str] = set()
        self._names: set[str] = set()
        others = []
        for line in lines:
            plain = line.removeprefix("/")
            if not _PLAIN.fullmatch(plain):
                others.append(line)
            elif plain == line and "/" not in plain:
                self._names.add(plain)
            else:
                self._places.add(plain)
        self._spec = parse_globs(others) if others else None

    def fit(self, path: str) -> bool:
        """Whether one of the globs fits a path, or a folder above it."""
        if not self._names.isdisjoint(path.split("/")):
            return True
        place = path
        while place and self._places:
            if place in self._places:
                return True
            place = place.rpartition("/")[0]
        return self._spec is not None and bool(self._spec.match_file(path))


def parse_ignore_lines(lines: Iterable[str]) -> tuple[GitIgnoreSpec, list[str]]:
    """What an ignore file leaves out, and a sentence for each line that is not followed."""
    from pathspec import GitIgnoreSpec

    problems: list[str] = []
    written = [line for line in lines if line.strip() and not line.startswith("#")]
    if len(written) > MOST_GLOBS:
        problems.append(f"only the first {MOST_GLOBS:,} of {len(written):,} patterns are followed")
    patterns = []
    for line in written[:MOST_GLOBS]:
        try:
            patterns.append(_parse_glob(line))
        except ValueError:
            shown = line if len(line) <= 80 else f"{line[:80]}…"
            problems.append(f"`{shown}` is no pattern and is not followed")
    return GitIgnoreSpec(patterns), problems


def _parse_glob(line: str) -> Any:
    if len(line) > LONGEST_GLOB:
        raise ValueError("too long")
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):
            return _pattern_class()(line)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError("no pattern") from error


@cache
def _pattern_class() -> type[Any]:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    class SwiftPattern(GitIgnoreSpecPattern):
        """A pattern whose expression does not go back over wildcards that are settled."""

        @classmethod
        def pattern_to_regex(cls, pattern: Any) -> tuple[Any, bool | None]:
            """The expression, None for a line that is no pattern, and whether it leaves out."""
            expression, include = super().pattern_to_regex(pattern)
            if isinstance(expression, str):
                expression = settle_wildcards(expression)
            return expression, include

    return SwiftPattern


def settle_wildcards(expression: str) -> str:
    """The same expression, of those that pathspec makes, with all but the last wildcards atomic."""
    expression = _STARS.sub("[^/]*", expression)
    before = ""
    while before != expression:
        before, expression = expression, _INNER_STAR.sub(r"(?>[^/]*?\1)", expression, count=1)
    return _settle_folders(expression.split(_ANY_FOLDERS))


def _settle_folders(parts: Sequence[str]) -> str:
    """`parts` stood between wildcards for folders; the last of those may go back."""
    *settled, last = parts
    if not settled:
        return last
    first = settled[0]
    if first.startswith(_ANY_FOLDERS_FIRST):
        name = first.removeprefix(_ANY_FOLDERS_FIRST)
        first = rf"^(?>(?:.+?/)??{name}(?=/))"
    middle = "".join(rf"(?>(?:/.+?)??{part}(?=/))" for part in settled[1:])
    return f"{first}{middle}{_ANY_FOLDERS}{last}"
