"""`kb vaults`: the vaults that are indexed, the one indexed last first."""

from __future__ import annotations

import datetime
import os

import typer

from kb.cli.escape import escape_path, flatten
from kb.cli.options import JsonOption, environment_of
from kb.cli.output import say_error, write_json, write_lines
from kb.cli.render_json import Document, path_keys
from kb.cli.status import ExitStatus
from kb.store.files import is_folder
from kb.store.locations import KnownVault, known_vaults
from kb.store.paths import decode_path, encode_path, show_path


def command(context: typer.Context, json: JsonOption = False) -> int:
    """List the vaults that are indexed, the one indexed last first.

    A line each: vault, time of the last run, index, with tabs between.
    """
    environment = environment_of(context)
    vaults = known_vaults()
    if json:
        document: Document = {
            "schema": "kb.vaults/1",
            "vaults": [_vault_document(known) for known in vaults],
        }
        write_json(environment, document, indent=True)
    else:
        write_lines(environment, [_line(known, environment.on_terminal) for known in vaults])
        if not vaults:
            say_error(environment, "no vault has been indexed yet", "run `kb index VAULT` first")
    return ExitStatus.FOUND if vaults else ExitStatus.NOTHING


def _line(known: KnownVault, terminal: bool) -> str:
    show = escape_path if terminal else decode_path
    fields = [
        flatten(show(encode_path(os.fspath(known.path)))),
        _time(known),
        flatten(show(encode_path(os.fspath(known.index)))),
    ]
    if not is_folder(known.path):
        fields.append("(not there)")
    return "\t".join(fields)


def _vault_document(known: KnownVault) -> Document:
    return {
        **path_keys(encode_path(os.fspath(known.path))),
        "index": show_path(encode_path(os.fspath(known.index))),
        "indexed_at": _time(known),
        "exists": is_folder(known.path),
    }


def _time(known: KnownVault) -> str:
    moment = datetime.datetime.fromtimestamp(known.indexed, datetime.UTC)
    return moment.isoformat(timespec="seconds")
