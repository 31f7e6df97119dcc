"""The tool `why`."""

from __future__ import annotations

from kb.cli.mcp.bounds import fit
from kb.cli.mcp.options import search_options
from kb.cli.mcp.parameters import FILTERS, NOTE, QUERY, RANKING, as_in_search
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_json import why_document
from kb.cli.render_why import render_why


def run(call: Call) -> Answer:
    """Explain one note against one query."""
    report = call.vault.why(call.text("query"), call.text("note"), search_options(call))
    document = fit(why_document(report), [])
    return Answer(document, "\n".join(render_why(report, terminal=False)))


TOOL = Tool(
    name="why",
    title="Explain a rank",
    description=(
        "Explain why a note stands where it does in the answer to a query, or is not in it: what"
        " each stream says of it, which words of the query it lacks, which filter keeps it out, and"
        " what would bring it in. Use it when a `search` misses a note that should be there, to"
        " ask better; pass the same arguments."
    ),
    properties={**as_in_search({"query": QUERY}), "note": NOTE, **as_in_search(FILTERS | RANKING)},
    required=("query", "note"),
    schema="kb.why-1",
    run=run,
)
