"""Notes that the vault's owner hid from results: Obsidian's `userIgnoreFilters`.

A filter `/…/` is a regular expression found anywhere in the path, anything else a prefix of it,
both without case. Vaults come from strangers, so an expression that could take forever is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kb.indexer.read import NotRegularError, read_file, reason_of

_MOST_BYTES = 1024 * 1024
_MOST_LENGTH = 255  # of a path that an expression is tried on, and of an expression
_MOST_REPEATS = 3
_REPEAT = re.compile(r"[*+]|\{\d+(?:,\d*)?\}")


@dataclass(frozen=True, slots=True)
class HiddenFilters:
    """The filters of one vault."""

    prefixes: tuple[str, ...] = ()
    expressions: tuple[re.Pattern[str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.prefixes or self.expressions)

    def hides(self, path: str) -> bool:
        """Whether a note is left out of results unless it is asked for."""
        if self.prefixes and path.casefold().startswith(self.prefixes):
            return True
        return any(pattern.search(path[:_MOST_LENGTH]) for pattern in self.expressions)


def read_hidden_filters(root: str, notices: list[str]) -> HiddenFilters:
    """The filters in `.obsidian/app.json`; none where there is no such file."""
    file = Path(root) / ".obsidian" / "app.json"
    try:
        settings = json.loads(read_file(str(file), _MOST_BYTES).data)
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
    return HiddenFilters(tuple(prefixes), tuple(expressions))


def _parse_expression(text: str) -> re.Pattern[str] | str:
    """The expression, or why it is refused."""
    if len(text) > _MOST_LENGTH:
        return "too long"
    plain = _without_escapes(text)
    if len(_REPEAT.findall(plain)) > _MOST_REPEATS or _has_nested_repeats(plain):
        return "it could take too long"
    if re.search(r"\\[1-9]|\(\?P=", text):
        return "it refers back to a group"
    try:
        return re.compile(text, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        return f"no regular expression ({error})"


def _without_escapes(text: str) -> str:
    """The expression with every escaped character and every character class as one letter."""
    plain = re.sub(r"\\.", "a", text, flags=re.DOTALL)
    return re.sub(r"\[\^?\]?[^\]]*\]", "a", plain)


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
        elif open_groups and (repeat or char == "|"):
            open_groups[-1] = True
        position = repeat.end() if repeat else position + 1
    return False
