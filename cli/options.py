"""Options that several commands share, so that they read and behave the same."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.store.errors import UsageError


def refuse_empty(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """The value of an option or argument that names something.

    Raises UsageError for an empty one that was typed: most likely a variable that is not set, and
    what would be done instead is not what was meant.
    """
    source = context.get_parameter_source(parameter.name or "")
    if value == "" and source is not None and source.name == "COMMANDLINE":
        raise UsageError(
            f"`{parameter.opts[0] if parameter.opts[0][0] == '-' else parameter.metavar}` is empty",
            "name something, or leave it out",
        )
    return value


VaultOption = Annotated[
    str,
    typer.Option(
        "--vault",
        metavar="FOLDER",
        help="The vault to use.",
        show_default=False,
        callback=refuse_empty,
    ),
]


def refuse_empties(
    context: typer.Context, parameter: typer.CallbackParam, value: list[str] | None
) -> list[str] | None:
    """As refuse_empty, for an option that may be given several times."""
    for one in value or ():
        refuse_empty(context, parameter, one)
    return value


VaultsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--vault",
        metavar="FOLDER",
        help="The vault to use; given again: that one too.",
        show_default=False,
        callback=refuse_empties,
    ),
]
IndexOption = Annotated[
    str,
    typer.Option(
        "--index",
        metavar="FILE",
        help="The index file itself.",
        show_default=False,
        callback=refuse_empty,
    ),
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
