"""The command line as Typer sees it: a group whose commands are imported when called."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from kb.cli.commands import COMMANDS
from kb.store.errors import UsageError

if TYPE_CHECKING:
    from typer import _click

_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,  # rich would be loaded for help, and eat brackets
    "pretty_exceptions_enable": False,
}
# What other programs call it.
_SEARCHING = ("search", "find", "ask", "q", "s", "grep")
_HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class LazyGroup(TyperGroup):
    """Commands by name from the table; only the one that is called is imported."""

    def list_commands(self, ctx: _click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: _click.Context, cmd_name: str) -> _click.Command | None:  # noqa: ARG002
        """The command of that name, None where there is none."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: _click.Context, formatter: _click.HelpFormatter) -> None:  # noqa: ARG002
        """Help's list of commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: _click.Context, args: list[str]
    ) -> tuple[str | None, _click.Command | None, list[str]]:
        """The command that is called. A word that is none is most likely meant as a query."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, n=1)
            meant = args[1:] if name in _SEARCHING and args[1:] else args
            words = " ".join(meant).replace('"', "'")
            hint = f"did you mean `kb {close[0]}`?" if close else f'to search: `kb query "{words}"`'
            raise UsageError(f"`{name}` is no command", hint)
        return super().resolve_command(ctx, args)


def load_command(name: str) -> _click.Command:
    """Import a command's module and build what Typer runs.

    The module's `command` is a function, or a Typer application where it has commands of its own.
    """
    command = import_module(f"kb.cli.{COMMANDS[name].module}").command
    if isinstance(command, typer.Typer):
        group = get_command(command)
        group.name = name
        return group
    app = typer.Typer(**_SETTINGS)
    app.command(name, context_settings=_HELP_NAMES)(command)
    return get_command(app)


def make_group(help_text: str) -> typer.Typer:
    """An application for a command that has commands of its own."""
    app = typer.Typer(**_SETTINGS, context_settings=_HELP_NAMES, help=help_text)
    app.callback()(lambda: None)
    return app


def build_app() -> _click.Command:
    """The whole command line."""
    app = typer.Typer(**_SETTINGS, cls=LazyGroup, context_settings=_HELP_NAMES)

    @app.callback()
    def kb(
        version: Annotated[
            bool,
            typer.Option("--version", "-V", help="Show the version and exit.", show_default=False),
        ] = False,
    ) -> None:
        """Search your Markdown notes, and see why each one came up."""
        del version  # answered before Typer is loaded

    return get_command(app)
