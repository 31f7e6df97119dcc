"""Options that several commands share, so that they read and behave the same."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.environment import Environment

VaultOption = Annotated[
    str, typer.Option("--vault", metavar="FOLDER", help="The vault to use.", show_default=False)
]
IndexOption = Annotated[
    str,
    typer.Option("--index", metavar="FILE", help="The index file itself.", show_default=False),
]
JsonOption = Annotated[
    bool, typer.Option("--json/--no-json", help="One JSON document.", show_default=False)
]
QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet/--no-quiet", "-q", help="Print nothing that is not an error.", show_default=False
    ),
]


def environment_of(context: typer.Context) -> Environment:
    """The environment that `main` was given."""
    environment = context.find_object(Environment)
    assert environment is not None
    return environment
