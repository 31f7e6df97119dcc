"""The arguments of a call as the record of how to search, settings included."""

from __future__ import annotations

import datetime

from kb.cli.filters import build_filters
from kb.cli.mcp.parameters import MOST_NOTES
from kb.cli.mcp.tool import Call
from kb.cli.ranking_options import ranking_options
from kb.cli.setting_kinds import Value
from kb.cli.settings import read_settings
from kb.fusion.options import Mode, SearchOptions

_PLAIN = ("mode", "k", "limit", "depth", "hops", "authority", "include_ignored")


def search_options(call: Call, *, related: bool = False) -> SearchOptions:
    """How to search: arguments before the settings that `kb query` would use.

    `related`: mode and weights of the settings are those of queries, and are left out. Raises
    UsageError for a malformed value, KbError for the user's own settings.
    """
    weights = call.arguments.get("weights", {})
    flags: dict[str, Value | None] = {name: call.arguments.get(name) for name in _PLAIN}
    flags |= {f"weights.{name}": weight for name, weight in weights.items()}
    settings = read_settings(call.variables, call.vault.folder(), flags)
    options = ranking_options(settings)
    filters = build_filters(
        tags=call.texts("tags"),
        not_tags=call.texts("not_tags"),
        paths=call.texts("paths"),
        exclude=call.texts("exclude"),
        types=call.texts("types"),
        where=call.texts("where"),
        since=call.text("since"),
        until=call.text("until"),
        include_ignored=options.filters.include_ignored,
        today=datetime.date.today(),
    )
    limit = min(options.limit, MOST_NOTES) or MOST_NOTES
    options = options._replace(filters=filters, limit=limit)
    if related:
        mode = Mode(call.text("mode") or Mode.HYBRID)
        options = options._replace(mode=mode, weights=weights)
    return options
