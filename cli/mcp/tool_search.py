"""The tool `search`."""

from __future__ import annotations

from kb.cli.mcp.bounds import fit
from kb.cli.mcp.options import search_options
from kb.cli.mcp.parameters import EXPLAIN, FILTERS, QUERY, RANKING, UNTRUSTED
from kb.cli.mcp.texts import list_text
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_json import query_document


def run(call: Call) -> Answer:
    """Answer one query."""
    result = call.vault.search(call.text("query"), search_options(call))
    count = len(result.hits)
    found = f"{count} {'note' if count == 1 else 'notes'}, best first" if count else "no note found"
    return Answer(
        fit(query_document(result), ["results"]),
        list_text(f"{found} ({result.mode})", result, explain=call.switch("explain")),
    )


TOOL = Tool(
    name="search",
    title="Search the notes",
    description=(
        "Find notes of the user's vault by words and meaning, names and links, in one ranked list."
        " Use this first for any question about what the user has written down. Each result has the"
        " path, the lines of its best passage and what found it; read on with `get` (that path and"
        " those lines, or a section). Narrow with filters rather than with more words; pass paths"
        f" already seen as `exclude` to get others. {UNTRUSTED}"
    ),
    properties={"query": QUERY, **FILTERS, **RANKING, "explain": EXPLAIN},
    required=("query",),
    schema="kb.query-1",
    run=run,
)
