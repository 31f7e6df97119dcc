"""Settings under names that a user chooses: factors of authority, and saved filters.

    [factors.where]             [scopes.boats]
    "status=draft" = 0.8        tag = ["boat"]
    [factors.tag]               path = ["projects/"]
    canonical = 1.2             since = "1y"
    [factors.path]
    "archive/" = 0.7

What stands in them is written as after the options of those names.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from kb.cli.dates import parse_day
from kb.cli.filters import build_filters, parse_glob, parse_named, parse_where
from kb.cli.setting_kinds import Setting, Value, parse_switch, parse_text, parse_texts
from kb.fusion.options import LEAST_AUTHORITY, MOST_AUTHORITY, Rule
from kb.store.errors import UsageError
from kb.store.records import Filters

# A day to read others by: whether `7d` is one does not depend on it.
_SOME_DAY = datetime.date(2000, 1, 1)


def _parse_factor(value: object) -> float:
    number = None
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = None
    if number is None or not LEAST_AUTHORITY <= number <= MOST_AUTHORITY:
        bounds = f"from {LEAST_AUTHORITY:g} to {MOST_AUTHORITY:g}, 1 changes nothing"
        raise UsageError(f"`{value}` is no factor", f"factors go {bounds}")
    return number


def _each(check: Callable[[str], object]) -> Callable[[object], Value]:
    """Texts of which each has to pass a check that raises UsageError."""

    def parse(value: object) -> Value:
        texts = parse_texts(value)
        for text in texts:
            check(text)
        return texts

    return parse


def _day(option: str) -> Callable[[object], Value]:
    def parse(value: object) -> Value:
        parse_day(text := parse_text(value), _SOME_DAY, option)
        return text

    return parse


_CONDITIONS: dict[str, Callable[[str], object]] = {
    "where": parse_where,
    "tag": lambda text: parse_named((text,), "--tag"),
    "type": lambda text: parse_named((text,), "--type"),
    "path": lambda text: parse_glob(text, "--path"),
}
_SCOPE: dict[str, tuple[Value, Callable[[object], Value]]] = {
    "tag": ((), _each(lambda text: parse_named((text,), "--tag"))),
    "not_tag": ((), _each(lambda text: parse_named((text,), "--not-tag"))),
    "path": ((), _each(lambda text: parse_glob(text, "--path"))),
    "exclude": ((), _each(lambda text: parse_glob(text, "--exclude"))),
    "type": ((), _each(lambda text: parse_named((text,), "--type"))),
    "where": ((), _each(parse_where)),
    "since": ("", _day("--since")),
    "until": ("", _day("--until")),
    "current": (False, parse_switch),
    "include_ignored": (False, parse_switch),
}


def family_setting(key: str) -> Setting:
    """The setting of a key that begins as one of FAMILIES. Raises UsageError, naming the nearest.

    A vault's own file may set all of them: they rank, or leave notes out.
    """
    family, *rest = split_key(key)
    if family == "factors":
        option = rest[0] if rest else ""
        if option not in _CONDITIONS:
            raise _unknown(key, f"factors.{option}", [f"factors.{one}" for one in _CONDITIONS])
        if len(rest) < 2:
            raise UsageError(f"`{key}` names no notes", f"write `{key}.SOMETHING`")
        _CONDITIONS[option](rest[1])
        return Setting(key, 1.0, _parse_factor, f"factor of notes with this {option}", True)
    option = rest[-1] if len(rest) == 2 else ""
    if option not in _SCOPE:
        start = f"scopes.{rest[0]}" if rest else "scopes.NAME"
        raise _unknown(key, f"{start}.{option}", [f"{start}.{one}" for one in _SCOPE])
    default, parse = _SCOPE[option]
    return Setting(key, default, parse, f"`{option}` of the scope {rest[0]}", True)


def split_key(key: str) -> list[str]:
    """The parts of a key that stand for tables; what a user names may hold dots of its own."""
    if key.startswith("factors."):
        return key.split(".", 2)
    if key.startswith("scopes."):
        family, rest = key.split(".", 1)
        name, dot, option = rest.rpartition(".")
        return [family, name, option] if dot else [family, option]
    return key.split(".")


def _unknown(key: str, meant: str, known: list[str]) -> UsageError:
    near = get_close_matches(meant, known, n=1, cutoff=0.6)
    options = ", ".join(f"`{one}`" for one in known)
    hint = f"did you mean `{near[0]}`?" if near else f"known are {options}"
    return UsageError(f"there is no setting `{key}`", hint)


def read_rules(values: Mapping[str, Value]) -> tuple[Rule, ...]:
    """The rules of authority that the settings hold, in their order."""
    rules = []
    for key, value in values.items():
        if key.startswith("factors."):
            _, option, text = split_key(key)
            assert isinstance(value, float)
            rules.append(Rule(f"{option} {text}", _condition(option, text), value))
    return tuple(rules)


def _condition(option: str, text: str) -> Filters:
    if option == "where":
        return Filters(where=(parse_where(text),))
    if option == "path":
        return Filters(paths=(parse_glob(text, "--path"),))
    names = parse_named((text,), f"--{option}")
    return Filters(tags=names) if option == "tag" else Filters(types=names)


def scope_names(values: Mapping[str, Value]) -> list[str]:
    """The saved filters that there are, by name."""
    return sorted({split_key(key)[1] for key in values if key.startswith("scopes.")})


def read_scope(values: Mapping[str, Value], name: str, today: datetime.date) -> Filters:
    """A saved filter by its name. Raises UsageError where there is none of that name."""
    names = scope_names(values)
    if name not in names:
        near = get_close_matches(name, names, n=1, cutoff=0.6)
        listed = ", ".join(f"`{one}`" for one in names)
        hint = (
            f"scopes are {listed}" if names else f"make it with `kb config scopes.{name}.tag TAG`"
        )
        raise UsageError(
            f"there is no scope `{name}`", f"did you mean `{near[0]}`? {hint}" if near else hint
        )
    texts, words, switches = {}, {}, {}
    for option, (default, _) in _SCOPE.items():
        value = values.get(f"scopes.{name}.{option}", default)
        if isinstance(value, tuple):
            texts[option] = value
        elif isinstance(value, bool):
            switches[option] = value
        else:
            words[option] = str(value)
    return build_filters(
        tags=texts["tag"],
        not_tags=texts["not_tag"],
        paths=texts["path"],
        exclude=texts["exclude"],
        types=texts["type"],
        where=texts["where"],
        since=words["since"],
        until=words["until"],
        include_ignored=switches["include_ignored"],
        current=switches["current"],
        today=today,
    )._replace(scope=name)
