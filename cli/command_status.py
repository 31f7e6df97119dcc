"""`kb status`: what an index holds, and what has changed since it was made."""

from __future__ import annotations

import datetime
from typing import Annotated

import typer

from kb.cli.options import IndexOption, JsonOption, VaultOption, environment_of
from kb.cli.output import write_json, write_lines
from kb.cli.place import opened_place
from kb.cli.problems import NAMED, problem_documents, show_problems
from kb.cli.render_status import render_status, status_document
from kb.cli.status import ExitStatus
from kb.indexer.status import read_status


def command(
    context: typer.Context,
    vault: VaultOption = "",
    index: IndexOption = "",
    json: JsonOption = False,
    *,
    problems: Annotated[
        bool,
        typer.Option(
            "--problems/--no-problems",
            help="List the notes that could not be read in full, and why.",
            show_default=False,
        ),
    ] = False,
) -> int:
    """Show what an index holds and what has changed since."""
    environment = environment_of(context)
    with opened_place(environment, vault, index, quiet=False) as place:
        now = datetime.datetime.now(datetime.UTC)
        number = 0 if problems else NAMED
        status = read_status(place.index, now, problems=number, connection=place.connection)
    if json:
        document = status_document(status)
        if problems:
            document["problem_notes"] = problem_documents(status.problems)
        write_json(environment, document, indent=True)
    elif problems:
        show_problems(environment, status.problems)
    else:
        write_lines(environment, render_status(status, environment))
    return ExitStatus.FOUND
