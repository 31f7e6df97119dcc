"""The tool `status`."""

from __future__ import annotations

import datetime

from kb.cli.mcp.bounds import fit
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_status import status_document, status_lines
from kb.indexer.status import read_status


def run(call: Call) -> Answer:
    """Tell what the index holds and what has changed since."""
    status = read_status(call.vault.index, datetime.datetime.now(datetime.UTC))
    document = fit({**status_document(status), "notices": []}, [])
    return Answer(document, "\n".join(f"{name}: {value}" for name, value in status_lines(status)))


TOOL = Tool(
    name="status",
    title="Look at the index",
    description=(
        "Tell how many notes, links and embeddings the index of the vault holds, when it was made,"
        " and how many notes have changed since. Use it when results seem old or too few, or to"
        " see whether a search by meaning is possible. It never changes anything: `kb index`, run"
        " by the user, brings the index up to date."
    ),
    properties={},
    required=(),
    schema="kb.status-1",
    run=run,
)
