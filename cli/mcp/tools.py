"""The tools there are. A new one is a module with a `TOOL`, and one line here."""

from __future__ import annotations

from kb.cli.mcp import (
    tool_get,
    tool_links,
    tool_related,
    tool_search,
    tool_status,
    tool_tags,
    tool_why,
)
from kb.cli.mcp.tool import Tool

TOOLS: dict[str, Tool] = {
    module.TOOL.name: module.TOOL
    for module in (
        tool_search,
        tool_get,
        tool_related,
        tool_links,
        tool_tags,
        tool_why,
        tool_status,
    )
}
