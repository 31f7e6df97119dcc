"""`kb context`, from what was typed to what is printed."""

from __future__ import annotations

from contextlib import ExitStack

from kb.cli.environment import Environment
from kb.cli.escape import escape_block
from kb.cli.output import say, write_data, write_json
from kb.cli.query_arguments import QueryArguments
from kb.cli.query_run import query_text, say_notices
from kb.cli.query_vaults import opened_vaults
from kb.cli.status import ExitStatus
from kb.fusion.budget import parse_budget
from kb.fusion.context import NOTES, context_of_vaults


def run_context(environment: Environment, arguments: QueryArguments, budget: str, unit: str) -> int:
    """Gather what answers a question. Returns the exit status; raises KbError."""
    arguments.check()
    text = query_text(environment, arguments)
    with ExitStack() as stack:
        vaults, options, settings = opened_vaults(stack, environment, arguments)
        amount = budget or settings.text("budget")
        limit = NOTES if arguments.limit is None else arguments.limit
        pack = context_of_vaults(
            vaults, text, parse_budget(amount, unit), options._replace(limit=limit)
        )
    say_notices(environment, arguments, pack.notices)
    if arguments.json:
        from kb.cli.render_context import context_document

        write_json(environment, context_document(pack), indent=True)
    elif pack.items:
        markdown = pack.markdown
        write_data(environment, escape_block(markdown) if environment.on_terminal else markdown)
    elif not arguments.quiet:
        say(environment, "kb: no note found" if not pack.found else "kb: nothing fits")
    return ExitStatus.FOUND if pack.items else ExitStatus.NOTHING
