"""Files of settings: the user's own `config.toml`, and the `.kb.toml` of a vault.

A vault may come from a stranger, so that its file is read with care: what it may not set is left
out with a warning, and a broken one never stops a query. The user's own file is held to its word.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kb.cli.setting_kinds import FAMILIES, Value, find_setting, settings_table
from kb.store.errors import KbError, UsageError
from kb.store.files import (
    make_private_folder,
    plain_user_folder,
    user_path,
    write_private_text,
)

VAULT_FILE = ".kb.toml"
_LARGEST_FILE = 256 * 1024
# What reading TOML takes grows with the square of how deep a key is nested.
_LARGEST_VAULT_FILE = 16 * 1024
_DEEPEST = 8
_MOST_WARNINGS = 5


class SettingsFile(NamedTuple):
    """What a file sets, by key, and what it says that was left out, a sentence each."""

    path: Path
    values: Mapping[str, Value]
    warnings: tuple[str, ...] = ()


def user_file(variables: Mapping[str, str]) -> Path:
    """The user's own file: `KB_CONFIG`, else `config.toml` in the user's configuration folder."""
    if named := variables.get("KB_CONFIG"):
        return user_path(named)
    if plain := plain_user_folder("XDG_CONFIG_HOME", ".config"):
        return plain / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("kb-search", appauthor=False) / "config.toml"


def read_user_file(path: Path) -> SettingsFile:
    """The user's settings, none where there is no file. Raises KbError naming file and line."""
    document = _read_toml(path)
    values: dict[str, Value] = {}
    table = settings_table()
    for key, value in flatten_table(document).items():
        try:
            setting = table.get(key) or find_setting(key)
        except UsageError as error:
            message = f"sets `{key}`, which is no setting"
            if key.startswith(FAMILIES):
                message = f"sets `{key}`: {error.message}"
            raise KbError(f"{path} {message}{_line_of(path, key)}", error.hint) from error
        try:
            values[key] = setting.parse(value)
        except UsageError as error:
            place = f"{path}: `{key}`{_line_of(path, key)}"
            raise KbError(f"{place}: {error.message}", error.hint) from error
    return SettingsFile(path, values)


def read_vault_file(vault: Path) -> SettingsFile:
    """What a vault sets for itself, none where it has no file. Never raises."""
    path = vault / VAULT_FILE
    try:
        found = flatten_table(_parse_toml(path, _read_vault_text(path)))
    except KbError as error:
        return SettingsFile(path, {}, (f"{error.message}; it is left out",))
    values: dict[str, Value] = {}
    warnings = []
    table = settings_table()
    for key, value in found.items():
        try:
            setting = table.get(key) or find_setting(key)
            if not setting.in_vault:
                raise UsageError("a vault may not set this")
            values[key] = setting.parse(value)
        except UsageError as error:
            warnings.append(f"{path} sets `{key}`: {error.message}; it is left out")
    more = len(warnings) - _MOST_WARNINGS
    if more > 0:
        warnings[_MOST_WARNINGS:] = [f"{path} sets {more:,} more that are left out"]
    return SettingsFile(path, values, tuple(warnings))


def _read_vault_text(path: Path) -> str:
    """The text of a vault's own file, which is read like a note: no link, pipe or device."""
    if not os.path.lexists(path):  # most vaults have none, and nothing need be loaded to read it
        return ""
    if path.is_symlink():
        raise KbError(f"{path} is a symbolic link, which is not followed")
    from kb.store.read import NotRegularError, read_file

    try:
        return read_file(str(path), _LARGEST_VAULT_FILE).data.decode("utf-8-sig")
    except NotRegularError as error:
        raise KbError(f"{path} is {error}") from error
    except OSError as error:
        raise KbError(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise KbError(f"{path} is not UTF-8") from error


def _read_toml(path: Path) -> dict[str, object]:
    try:
        if not path.is_file():  # a device or a pipe would never end
            return {}
        if path.stat().st_size > _LARGEST_FILE:
            raise KbError(f"{path} is too large for a file of settings", f"look into {path}")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise KbError(f"cannot read {path} ({error.strerror})", "check its permissions") from error
    except UnicodeDecodeError as error:
        raise KbError(f"{path} is not UTF-8", "save it as UTF-8") from error
    return _parse_toml(path, text)


def _parse_toml(path: Path, text: str) -> dict[str, object]:
    if not text:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError as error:  # also for a number with thousands of digits
        problem = str(error)[:1].lower() + str(error)[1:]
        raise KbError(f"{path} is not valid TOML: {problem}", f"correct {path}") from error
    except RecursionError as error:
        raise KbError(f"{path} is nested too deeply", f"correct {path}") from error


def flatten_table(
    document: Mapping[str, object], prefix: str = "", deepest: int = _DEEPEST
) -> dict[str, object]:
    """Nested tables as dotted keys; what is nested deeper than any setting is one value."""
    flat: dict[str, object] = {}
    for key, value in document.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and deepest:
            flat |= flatten_table(value, f"{name}.", deepest - 1)
        else:
            flat[name] = value
    return flat


def _line_of(path: Path, key: str) -> str:
    """Where a key stands, as far as a look at the lines can tell."""
    last = key.rpartition(".")[2]
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        name = line.partition("=")[0].strip().strip("\"'")
        if name in (key, last):
            return f" (line {number})"
    return ""


def write_setting(path: Path, key: str, value: Value | None) -> None:
    """Set one key in the user's file, or take it out with None. The rest stays as it is."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        document = tomlkit.parse(text)
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise KbError(f"cannot change {path} ({error})", f"correct {path}") from error
    *parents, name = _split_key(key)
    tables: list[dict[str, object]] = [document]
    for parent in parents:
        table = tables[-1]
        inner = table.setdefault(parent, tomlkit.table())
        if not isinstance(inner, dict):
            raise KbError(f"{path} sets `{parent}`, which is a table", f"correct {path}")
        tables.append(inner)
    if value is None:
        tables[-1].pop(name, None)
        for table, parent in zip(tables[-2::-1], reversed(parents), strict=True):
            if not table[parent]:
                del table[parent]
    else:
        tables[-1][name] = list(value) if isinstance(value, tuple) else value
    _replace_file(path, tomlkit.dumps(document))


def _split_key(key: str) -> list[str]:
    if key.startswith(FAMILIES):
        from kb.cli.setting_families import split_key

        return split_key(key)
    return key.split(".")


def _replace_file(path: Path, text: str) -> None:
    target = path.resolve()  # a link to the file stays a link
    make_private_folder(target.parent, "set `KB_CONFIG` to a file that you can write to")
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        write_private_text(fresh, text)
        if target.exists():
            fresh.chmod(target.stat().st_mode & 0o777)
        fresh.replace(target)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        hint = "check its permissions and the disk; nothing was changed"
        raise KbError(f"cannot write {path} ({error.strerror})", hint) from error
