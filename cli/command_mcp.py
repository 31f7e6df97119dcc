"""`kb mcp`: serve vaults to agents over the Model Context Protocol."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.options import IndexOption, environment_of
from kb.cli.output import say
from kb.cli.status import ExitStatus
from kb.store.errors import KbError, UsageError


def command(
    context: typer.Context,
    vault: Annotated[
        list[str] | None,
        typer.Option("--vault", metavar="FOLDER", help="A vault to serve; may be given again."),
    ] = None,
    index: IndexOption = "",
) -> int:
    """Serve vaults to agents over the Model Context Protocol, on stdin and stdout.

    It is started by the agent's program: docs/agents.md says how. Nothing is ever changed.
    """
    environment = environment_of(context)
    if vault and index:
        raise UsageError("`--vault` and `--index` cannot be joined", "leave one of them out")
    if vault and not all(vault):
        raise UsageError("`--vault` is empty", "name a folder, or leave it out")
    _require_sdk()
    from kb.cli.mcp.served import make_served

    vaults, notices = make_served(vault or (), index)
    for notice in notices:
        say(environment, f"kb: {notice}")
    if environment.on_terminal:
        say(environment, "kb: waiting for messages of the protocol; end with Ctrl+D")
    from kb.cli.mcp.server import serve

    with _interruptible(environment):
        serve(vaults, environment)
    return ExitStatus.FOUND


def _require_sdk() -> None:
    if find_spec("mcp") is None:
        raise KbError(
            "`kb mcp` needs the extra `mcp`",
            'run `pip install "kb-search[mcp]"`',
        )


@contextmanager
def _interruptible(environment: Environment) -> Iterator[None]:
    """End at once when interrupted: a thread waits for stdin, and nothing can wake it."""

    def leave(*_: object) -> None:
        say(environment, "kb: interrupted")
        os._exit(ExitStatus.INTERRUPTED)

    before = signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
