"""The tool `related`."""

from __future__ import annotations

from kb.cli.mcp.bounds import fit
from kb.cli.mcp.options import search_options
from kb.cli.mcp.parameters import (
    EXPLAIN,
    FILTERS,
    NOTE,
    RANKING,
    UNTRUSTED,
    as_in_search,
)
from kb.cli.mcp.texts import list_text
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_json import related_document
from kb.store.paths import show_path

_OWN = as_in_search({name: one for name, one in (FILTERS | RANKING).items() if name != "hops"})


def run(call: Call) -> Answer:
    """List what is related to a note."""
    note, result = call.vault.related(call.text("note"), search_options(call, related=True))
    count = len(result.hits)
    noun = "note" if count == 1 else "notes"
    head = f"{count} {noun} related to {show_path(note.path)}" if count else "no related note"
    return Answer(
        fit(related_document(note, result), ["results"]),
        list_text(head, result, explain=call.switch("explain")),
    )


TOOL = Tool(
    name="related",
    title="Find related notes",
    description=(
        "List the notes that belong with a note: by links, by shared tags and names, by meaning and"
        " by its telling words. Use it to widen from a note that is known to be right; to ask a"
        " question use `search`, and for the links alone `links`."
        f" {UNTRUSTED}"
    ),
    properties={"note": NOTE, **_OWN, "explain": EXPLAIN},
    required=("note",),
    schema="kb.related-1",
    run=run,
)
