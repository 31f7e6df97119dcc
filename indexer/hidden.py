"""Notes that the vault's owner hid from results: Obsidian's `userIgnoreFilters`.

A filter `/…/` is a regular expression found anywhere in the path, anything else a prefix of it,
both without case. Vaults come from strangers, so an expression that could take forever is refused,
and all of them are dropped once they have taken too long together.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from kb.store.read import NotRegularError, read_file, reason_of

_MOST_BYTES = 1024 * 1024
_MOST_LENGTH = 255  # of a path that an expression is tried on, and of an expression
_MOST_EXPRESSIONS = 100
_MOST_REPEATS = 2
# Ways to match that each multiply the work: what may be absent, and what is one of several.
_MOST_CHOICES = 6
_MOST_SECONDS = 5.0  # for all expressions over all notes of one run
_REPEAT = re.compile(r"[*+]|\{\d+(?:,\d*)?\}")
_OPTIONAL = re.compile(r"(?<![*+?}(])\?")


@dataclass(slots=True)
class HiddenFilters:
    """The filters of one vault. `seconds` is how long their expressions have taken so far."""

    prefixes: tuple[str, ...] = ()
    expressions: tuple[re.Pattern[str], ...] = ()
    notices: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.prefixes or self.expressions)

    def hides(self, path: str) -> bool:
        """Whether a note is left out of results unless it is asked for."""
        if self.prefixes and path.casefold().startswith(self.prefixes):
            return True
        return bool(self.expressions) and self._is_found(path[:_MOST_LENGTH])

    def _is_found(self, path: str) -> bool:
        began = perf_counter()
        found = any(pattern.search(path) for pattern in self.expressions)
        self.seconds += perf_counter() - began
        if self.seconds > _MOST_SECONDS:
            self.expressions = ()
            self.notices.append("userIgnoreFilters: its expressions take too long; not followed")
        return found


def read_hidden_filters(root: str, notices: list[str]) -> HiddenFilters:
    """The filters in `.obsidian/app.json`; none where there is no such file."""
    file = Path(root) / ".obsidian" / "app.json"
    try:
        settings = json.loads(read_file(str(file), _MOST_BYTES, within=root).data)
    except (FileNotFoundError, NotADirectoryError):
        return HiddenFilters()
    except (OSError, NotRegularError, ValueError, RecursionError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        notices.append(f"cannot read .obsidian/app.json ({reason}); no note counts as hidden")
        return HiddenFilters()
    filters = settings.get("userIgnoreFilters") if isinstance(settings, dict) else None
    if not isinstance(filters, list):
        return HiddenFilters()
    return parse_hidden_filters((item for item in filters if isinstance(item, str)), notices)


def parse_hidden_filters(filters: Iterable[str], notices: list[str]) -> HiddenFilters:
    """Filters from their text. What cannot be used is told to `notices`."""
    prefixes, expressions = [], []
    for written in filters:
        if len(written) > 2 and written.startswith("/") and written.endswith("/"):
            pattern = _parse_expression(written[1:-1])
            if isinstance(pattern, str):
                notices.append(f"userIgnoreFilters: `{written}` is not followed: {pattern}")
            else:
                expressions.append(pattern)
        elif written:
            prefixes.append(written.casefold())
    if len(expressions) > _MOST_EXPRESSIONS:
        notices.append(f"userIgnoreFilters: only {_MOST_EXPRESSIONS} expressions are followed")
    return HiddenFilters(tuple(prefixes), tuple(expressions[:_MOST_EXPRESSIONS]), notices)


def _parse_expression(text: str) -> re.Pattern[str] | str:
    """The expression, or why it is refused."""
    if len(text) > _MOST_LENGTH:
        return "too long"
    plain = _without_escapes(text)
    repeats, choices = len(_REPEAT.findall(plain)), _count_choices(plain)
    if repeats > _MOST_REPEATS or choices > _MOST_CHOICES or _has_nested_repeats(plain):
        return "it could take too long"
    if re.search(r"\\[1-9]|\(\?P=", text):
        return "it refers back to a group"
    try:
        with warnings.catch_warnings(action="ignore"):  # what Python thinks of somebody's `[[`
            return re.compile(text, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        return f"no regular expression ({error})"


def _without_escapes(text: str) -> str:
    """The expression with every escaped character and every character class as one letter."""
    plain = re.sub(r"\\.", "a", text, flags=re.DOTALL)
    return re.sub(r"\[\^?\]?[^\]]*\]", "a", plain)


def _count_choices(plain: str) -> int:
    """How often the expression may go one way or another, inside groups and by a `?`."""
    depth = choices = 0
    for char in plain:
        depth += (char == "(") - (char == ")")
        choices += char == "|" and depth > 0
    return choices + len(_OPTIONAL.findall(plain))


def _has_nested_repeats(plain: str) -> bool:
    """Whether a group that repeats or offers a choice is itself repeated: `(a+)+`, `(a|b)*`."""
    open_groups: list[bool] = []
    closed = False  # whether the group that has just closed held a repeat or a choice
    position = 0
    while position < len(plain):
        char = plain[position]
        repeat = _REPEAT.match(plain, position)
        if repeat and closed:
            return True
        closed = False
        if char == "(":
            open_groups.append(False)
        elif char == ")" and open_groups:
            closed = open_groups.pop()
            if open_groups:
                open_groups[-1] = open_groups[-1] or closed
        elif open_groups and (repeat or char == "|" or _OPTIONAL.match(plain, position)):
            open_groups[-1] = True
        position = repeat.end() if repeat else position + 1
    return False
