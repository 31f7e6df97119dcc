"""The commands there are. A new one is a module with a `command`, and one line here."""

from __future__ import annotations

from typing import NamedTuple


class CommandEntry(NamedTuple):
    """Where a command lives, imported when it is called, and what help says of it."""

    module: str
    help: str


COMMANDS: dict[str, CommandEntry] = {
    "index": CommandEntry("command_index", "Index a vault, or bring its index up to date."),
    "watch": CommandEntry("command_watch", "Keep an index fresh while files change."),
    "query": CommandEntry("command_query", "Search a vault."),
    "related": CommandEntry("command_related", "List the notes related to a note."),
    "context": CommandEntry("command_context", "Gather the passages that answer a question."),
    "status": CommandEntry(
        "command_status", "Show what an index holds and what has changed since."
    ),
    "doctor": CommandEntry("command_doctor", "Find what is to be mended in an index and a vault."),
    "vaults": CommandEntry("command_vaults", "List the vaults that are indexed."),
    "forget": CommandEntry("command_forget", "Remove the index of a vault; the vault stays."),
    "config": CommandEntry("command_config", "Show settings with their origin, or set one."),
    "model": CommandEntry("command_model", "List, fetch and describe embedding models."),
    "mcp": CommandEntry("command_mcp", "Serve vaults to agents (Model Context Protocol)."),
    "eval": CommandEntry("command_eval", "Measure the search on judged queries."),
    "tune": CommandEntry("command_tune", "Choose weights and k on judged queries."),
    "judge": CommandEntry("command_judge", "Record which notes are right for a query."),
}
