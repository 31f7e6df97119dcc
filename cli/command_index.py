"""`kb index`: what may be typed after it."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.options import (
    IndexOption,
    JsonOption,
    QuietOption,
    VaultOption,
    environment_of,
    refuse_empty,
)


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    folder: Annotated[
        str,
        typer.Argument(
            metavar="[VAULT]",
            help="The folder of notes.",
            show_default=False,
            callback=refuse_empty,
        ),
    ] = "",
    *,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild/--no-rebuild", help="Make the index anew.", show_default=False),
    ] = False,
    ignore: Annotated[
        bool | None,
        typer.Option("--ignore/--no-ignore", help="Honour ignore files (kept for later runs)."),
    ] = None,
    embed: Annotated[
        bool | None,
        typer.Option("--embed/--no-embed", help="Embed passages (kept for later runs)."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME|FOLDER", help="The model that embeds.")
    ] = "",
    vault: VaultOption = "",
    index: IndexOption = "",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Index a vault, or bring its index up to date. Nothing is written into the vault."""
    from kb.cli.index_run import IndexArguments, run_index

    arguments = IndexArguments(
        folder=folder,
        vault=vault,
        index=index,
        rebuild=rebuild,
        ignore=ignore,
        embed=embed,
        model=model,
        json=json,
        quiet=quiet,
    )
    return run_index(environment_of(context), arguments)
