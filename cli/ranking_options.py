"""How to rank, for commands that ask many queries: options and settings to one record."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from kb.cli.setting_kinds import Value, parse_mode, parse_weight_option
from kb.cli.settings import Settings
from kb.fusion.options import SearchOptions
from kb.store.records import Filters


def ranking_flags(
    mode: str | None, weight: Sequence[str] | None, k: int | None
) -> dict[str, Value | None]:
    """The settings that were given as options. Raises UsageError for a malformed one."""
    flags: dict[str, Value | None] = {"mode": None if mode is None else parse_mode(mode), "k": k}
    for option in weight or ():
        name, value = parse_weight_option(option)
        flags[f"weights.{name}"] = value
    return flags


def ranking_options(settings: Settings) -> SearchOptions:
    """What the settings say of ranking, and of notes that the vault hides."""
    options = settings.search_options(datetime.date.today().isoformat())
    filters = Filters(include_ignored=settings.switch("include_ignored"))
    return options._replace(filters=filters)
