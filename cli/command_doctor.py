"""`kb doctor`: what is to be mended in an index and in the vault that it was made from."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.options import (
    IndexOption,
    JsonOption,
    QuietOption,
    VaultOption,
    environment_of,
)


def command(
    context: typer.Context,
    vault: VaultOption = "",
    index: IndexOption = "",
    *,
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check",
            metavar="NAME",
            help="Make this check alone, remarks counted as faults (may be repeated).",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            "-n",
            metavar="N",
            min=0,
            help="Show N findings of each check, 0 for all; 5 in the list, all elsewhere.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all/--no-all", help="Show every finding.", show_default=False)
    ] = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find what is to be mended: in the index, in notes, links, tags and names. Writes nothing."""
    from kb.cli.doctor_run import DoctorArguments, run_doctor

    arguments = DoctorArguments(
        vault=vault,
        index=index,
        checks=tuple(check or ()),
        limit=0 if every else limit,
        json=json,
        quiet=quiet,
    )
    return run_doctor(environment_of(context), arguments)
