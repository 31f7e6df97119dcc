"""`kb vaults`: the vaults that are indexed, the one indexed last first."""

from __future__ import annotations

import datetime
import os

import typer

from kb.cli.escape import escape_breaks, escape_path
from kb.cli.options import JsonOption, environment_of
from kb.cli.output import say_error, write_json, write_lines
from kb.cli.render_json import Document, path_keys
from kb.cli.status import ExitStatus
from kb.store.files import is_folder
from kb.store.locations import KnownVault, known_vaults
from kb.store.paths import encode_path, show_path

_AWAY = "(not there)"


def command(context: typer.Context, json: JsonOption = False) -> int:
    """List the vaults that are indexed, the one indexed last first.

    A line each: vault, time of the last run, index, with tabs between. On a terminal: vault, age.
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
        lines = _aligned(vaults) if environment.on_terminal else map(_line, vaults)
        write_lines(environment, list(lines))
        if not vaults:
            say_error(environment, "no vault has been indexed yet", "run `kb index VAULT` first")
    return ExitStatus.FOUND if vaults else ExitStatus.NOTHING


def _line(known: KnownVault) -> str:
    fields = [escape_breaks(os.fspath(known.path)), _time(known)]
    fields.append(escape_breaks(os.fspath(known.index)))
    if not is_folder(known.path):
        fields.append(_AWAY)
    return "\t".join(fields)


def _aligned(vaults: list[KnownVault]) -> list[str]:
    from kb.cli.render_status import render_age
    from kb.cli.render_table import text_width

    paths = [escape_path(encode_path(os.fspath(known.path))) for known in vaults]
    widest = max(map(text_width, paths), default=0)
    now = datetime.datetime.now(datetime.UTC).timestamp()
    lines = []
    for known, path in zip(vaults, paths, strict=True):
        age = render_age(max(now - known.indexed, 0.0))
        away = "" if is_folder(known.path) else f"  {_AWAY}"
        lines.append(f"{path}{' ' * (widest - text_width(path))}  {age}{away}")
    return lines


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
