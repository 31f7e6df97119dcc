"""`kb index`: what may be typed after it."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.index_options import EmbedOption, FolderArgument, IgnoreOption, ModelOption
from kb.cli.options import (
    IndexOption,
    JsonOption,
    QuietOption,
    VaultOption,
    environment_of,
)


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    folder: FolderArgument = "",
    *,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild/--no-rebuild", help="Make the index anew.", show_default=False),
    ] = False,
    ignore: IgnoreOption = None,
    embed: EmbedOption = None,
    model: ModelOption = "",
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
