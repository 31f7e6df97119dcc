"""`kb watch`: what may be typed after it."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.index_options import EmbedOption, FolderArgument, IgnoreOption, ModelOption
from kb.cli.options import (
    IndexOption,
    QuietOption,
    VaultOption,
    environment_of,
)


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    folder: FolderArgument = "",
    *,
    poll: Annotated[
        float | None,
        typer.Option(
            "--poll",
            metavar="SECONDS",
            min=0.05,
            max=86_400,
            help="Look at the vault every so often, where the system tells nothing.",
            show_default=False,
        ),
    ] = None,
    ignore: IgnoreOption = None,
    embed: EmbedOption = None,
    model: ModelOption = "",
    vault: VaultOption = "",
    index: IndexOption = "",
    json: Annotated[
        bool,
        typer.Option(
            "--json/--no-json", "--jsonl/--no-jsonl", help="A JSON line a run.", show_default=False
        ),
    ] = False,
    quiet: QuietOption = False,
) -> int:
    """Keep the index of a vault fresh while its files change, until it is interrupted."""
    from kb.cli.watch_run import WatchArguments, run_watch

    arguments = WatchArguments(
        folder=folder,
        poll=poll,
        ignore=ignore,
        embed=embed,
        model=model,
        vault=vault,
        index=index,
        json=json,
        quiet=quiet,
    )
    return run_watch(environment_of(context), arguments)
