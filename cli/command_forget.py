"""`kb forget`: remove the index of a vault. The vault itself is never touched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.environment import Environment, is_terminal
from kb.cli.escape import escape_path
from kb.cli.options import JsonOption, environment_of
from kb.cli.output import write_data, write_json
from kb.cli.render_json import Document
from kb.cli.status import ExitStatus
from kb.store.errors import IndexMissingError, KbError, UsageError
from kb.store.files import user_path
from kb.store.locations import KnownVault, forget_vault, index_path, known_vaults
from kb.store.lock import writer_lock
from kb.store.paths import encode_path, show_path


def command(
    context: typer.Context,
    vault: Annotated[str, typer.Argument(metavar="VAULT", help="The vault to forget.")],
    yes: Annotated[
        bool, typer.Option("--yes/--no-yes", "-y", help="Do not ask.", show_default=False)
    ] = False,
    json: JsonOption = False,
) -> int:
    """Remove the index of a vault, vectors included; the vault itself is not touched."""
    environment = environment_of(context)
    known = find_known(vault)
    shown = escape_path(encode_path(os.fspath(known.path)))
    if not yes and not _confirm(environment, shown):
        raise KbError("nothing was removed")
    with writer_lock(known.index, wait=0.0):
        pass  # somebody who writes it now is named, and nothing is removed
    forget_vault(known)
    if json:
        document: Document = {
            "schema": "kb.forget/1",
            "vault": show_path(encode_path(os.fspath(known.path))),
            "index": show_path(encode_path(os.fspath(known.index))),
            "forgotten": True,
        }
        write_json(environment, document, indent=True)
    else:
        write_data(environment, f"forgot {shown}\n")
    return ExitStatus.FOUND


def find_known(vault: str) -> KnownVault:
    """The indexed vault at a path, whether or not the folder is still there."""
    root = user_path(vault)
    index = index_path(root)
    for known in known_vaults():
        if known.index == index or known.path == root:
            return known
    if index.exists():
        return KnownVault(Path(os.path.realpath(root)), index, 0.0)
    raise IndexMissingError(f"{root} has not been indexed", "`kb vaults` lists those that are")


def _confirm(environment: Environment, shown: str) -> bool:
    if not (is_terminal(environment.stdin) and environment.errors_on_terminal):
        raise UsageError("removing an index needs a yes", "add `--yes`")
    environment.stderr.write(f"Remove the index of {shown}? The vault stays. [y/N] ")
    environment.stderr.flush()
    return environment.stdin.readline().strip().lower() in ("y", "yes")
