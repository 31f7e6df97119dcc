"""`kb config`: show every setting with its origin, show one, set one, take one back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.escape import escape_line, flatten
from kb.cli.options import JsonOption, VaultOption, environment_of
from kb.cli.output import say, write_data, write_json, write_lines
from kb.cli.render_json import Document
from kb.cli.setting_kinds import Setting, Value, find_setting
from kb.cli.settings import Chosen, Origin, Settings, read_settings
from kb.cli.settings_file import user_file, write_setting
from kb.cli.status import ExitStatus
from kb.store.errors import IndexMissingError, UsageError
from kb.store.files import user_path
from kb.store.paths import encode_path, show_path


def command(
    context: typer.Context,
    key: Annotated[
        str, typer.Argument(metavar="[KEY]", help="Such as `weights.lexical`.", show_default=False)
    ] = "",
    value: Annotated[
        str | None,
        typer.Argument(metavar="[VALUE]", help="Set it to this.", show_default=False),
    ] = None,
    unset: Annotated[
        bool, typer.Option("--unset", help="Take the setting back.", show_default=False)
    ] = False,
    vault: VaultOption = "",
    json: JsonOption = False,
) -> int:
    """Show settings with their origin, or set one in your own file.

    Strongest first: option, environment variable, the vault's `.kb.toml`, your `config.toml`.
    """
    environment = environment_of(context)
    setting = find_setting(key) if key else None
    if unset or value is not None:
        if setting is None or (unset and value is not None):
            raise UsageError("`--unset` takes a key and no value", "write `kb config KEY --unset`")
        _change(environment, setting, value)
        return ExitStatus.FOUND
    settings = read_settings(environment.variables, _vault_folder(vault))
    for warning in settings.warnings:
        say(environment, f"kb: {warning}")
    if json:
        write_json(environment, config_document(settings, setting), indent=True)
    elif setting is not None:
        write_data(environment, f"{_clean(environment, _plain(settings, setting))}\n")
    else:
        write_lines(environment, _lines(environment, settings))
    return ExitStatus.FOUND


def _change(environment: Environment, setting: Setting, value: str | None) -> None:
    path = user_file(environment.variables)
    write_setting(path, setting.key, None if value is None else setting.parse(value))
    if setting.variable and environment.variables.get(setting.variable):
        say(environment, f"kb: {setting.variable} is set and wins over {path}")


def _vault_folder(named: str) -> Path | None:
    """The vault whose own file counts, if there is one at hand; nothing is guessed."""
    from kb.store.locations import find_index

    if named:
        return user_path(named)
    try:
        location = find_index()
    except IndexMissingError:
        return None
    return None if location.guessed else location.vault


def config_document(settings: Settings, only: Setting | None) -> Document:
    """The settings, schema `kb.config/1`, or one of them."""
    chosen = settings.chosen if only is None else {only.key: _chosen(settings, only)}
    return {
        "schema": "kb.config/1",
        "user_file": _shown(settings.user_path),
        "vault_file": _shown(settings.vault_path) if settings.vault_path else None,
        "settings": [_setting_document(find_setting(key), one) for key, one in chosen.items()],
    }


def _setting_document(setting: Setting, chosen: Chosen) -> Document:
    return {
        "key": setting.key,
        "value": list(chosen.value) if isinstance(chosen.value, tuple) else chosen.value,
        "origin": str(chosen.origin),
        "source": show_path(encode_path(chosen.source)),
        "default": list(setting.default) if isinstance(setting.default, tuple) else setting.default,
        "variable": setting.variable,
        "help": setting.help,
    }


def _lines(environment: Environment, settings: Settings) -> list[str]:
    rows = []
    for key, chosen in settings.chosen.items():
        origin = f"{chosen.origin} {chosen.source}".strip()
        rows.append((key, render_value(chosen.value), origin))
    if environment.on_terminal:
        widths = [max(len(row[place]) for row in rows) for place in (0, 1)]
        return [
            escape_line(f"{key:<{widths[0]}}  {value:<{widths[1]}}  {origin}")
            for key, value, origin in rows
        ]
    return ["\t".join(map(flatten, row)) for row in rows]


def _plain(settings: Settings, setting: Setting) -> str:
    return render_value(_chosen(settings, setting).value)


def _chosen(settings: Settings, setting: Setting) -> Chosen:
    """What a setting is set to; one that a user may name and has not is at its default."""
    return settings.chosen.get(setting.key) or Chosen(setting.default, Origin.DEFAULT)


def render_value(value: Value) -> str:
    """A value as it is typed after `kb config KEY`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _clean(environment: Environment, text: str) -> str:
    return escape_line(text) if environment.on_terminal else text


def _shown(path: Path) -> str:
    return show_path(encode_path(os.fspath(path)))
