"""The argument and options of every command that indexes."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.options import refuse_empty

FolderArgument = Annotated[
    str,
    typer.Argument(
        metavar="[VAULT]",
        help="The folder of notes.",
        show_default=False,
        callback=refuse_empty,
    ),
]
IgnoreOption = Annotated[
    bool | None,
    typer.Option("--ignore/--no-ignore", help="Honour ignore files (kept for later runs)."),
]
EmbedOption = Annotated[
    bool | None,
    typer.Option("--embed/--no-embed", help="Embed passages (kept for later runs)."),
]
ModelOption = Annotated[
    str, typer.Option("--model", metavar="NAME|FOLDER", help="The model that embeds.")
]
