"""Settings put together: flag, environment, the vault's file, the user's file, default."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from kb.cli.setting_kinds import FAMILIES, Setting, Value, find_setting, settings_table
from kb.cli.settings_file import SettingsFile, read_user_file, read_vault_file, user_file
from kb.fusion.options import Mode, Rule, SearchOptions
from kb.store.errors import UsageError


class Origin(StrEnum):
    """Who set a value, strongest first."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    VAULT = "vault"
    USER = "user"
    DEFAULT = "default"


class Chosen(NamedTuple):
    """The value of a setting, and who set it: an origin and its name (a variable, a file)."""

    value: Value
    origin: Origin
    source: str = ""


class Settings(NamedTuple):
    """Every setting by its key. `warnings` are about the vault's file."""

    chosen: Mapping[str, Chosen]
    user_path: Path
    vault_path: Path | None
    warnings: tuple[str, ...] = ()

    def number(self, key: str) -> int:
        """The value of a setting that is a whole number."""
        value = self.chosen[key].value
        assert isinstance(value, int)
        return value

    def real(self, key: str) -> float:
        """The value of a setting that is a number, whole or not."""
        value = self.chosen[key].value
        assert isinstance(value, float)
        return value

    def text(self, key: str) -> str:
        """The value of a setting that is text."""
        return str(self.chosen[key].value)

    def switch(self, key: str) -> bool:
        """The value of a setting that is on or off."""
        return bool(self.chosen[key].value)

    def texts(self, key: str) -> tuple[str, ...]:
        """The value of a setting that is a list."""
        value = self.chosen[key].value
        assert isinstance(value, tuple)
        return value

    def named(self, family: str) -> dict[str, Value]:
        """The values whose keys begin with `family.`, under names of the user's own."""
        return {
            key: chosen.value for key, chosen in self.chosen.items() if key.startswith(f"{family}.")
        }

    def rules(self) -> tuple[Rule, ...]:
        """The factors that the user gives to notes after fusion."""
        factors = self.named("factors")
        if not factors:
            return ()
        from kb.cli.setting_families import read_rules

        return read_rules(factors)

    def search_options(self, today: str) -> SearchOptions:
        """What the settings say of ranking, for every command that ranks; `today`: an ISO date."""
        return SearchOptions(
            mode=Mode(self.text("mode")),
            weights=self.weights(),
            k=self.number("k"),
            limit=self.number("limit"),
            depth=self.number("depth"),
            hops=self.number("hops"),
            authority=self.switch("authority"),
            recent=self.switch("recent"),
            half_life=self.number("half_life"),
            rules=self.rules(),
            rerank=self.switch("rerank"),
            rerank_top=self.number("rerank_top"),
            rerank_model=self.text("rerank_model"),
            rerank_seconds=self.real("rerank_seconds"),
            today=today,
        )

    def weights(self) -> dict[str, float]:
        """The weights that somebody set, by stream; defaults are left to the search."""
        found = {}
        for key, chosen in self.chosen.items():
            if key.startswith("weights.") and chosen.origin is not Origin.DEFAULT:
                assert isinstance(chosen.value, float | int)
                found[key.removeprefix("weights.")] = float(chosen.value)
        return found


def read_settings(
    variables: Mapping[str, str],
    vault: Path | None,
    flags: Mapping[str, Value | None] | None = None,
) -> Settings:
    """Every setting, from the strongest that sets it. None among the flags was not given.

    Raises KbError for the user's own file and variables; a vault's file only warns.
    """
    user = read_user_file(user_file(variables))
    own = read_vault_file(vault) if vault is not None else None
    chosen = {
        setting.key: _choose(setting, variables, user, own, (flags or {}).get(setting.key))
        for setting in settings_table().values()
    }
    named = [*user.values, *(own.values if own is not None else ())]
    for key in named:
        if key.startswith(FAMILIES):
            chosen.setdefault(key, _choose(find_setting(key), variables, user, own, None))
    return Settings(
        chosen, user.path, own.path if own else None, own.warnings if own is not None else ()
    )


def _choose(
    setting: Setting,
    variables: Mapping[str, str],
    user: SettingsFile,
    vault: SettingsFile | None,
    flag: Value | None,
) -> Chosen:
    if flag is not None:
        return Chosen(flag, Origin.FLAG)
    if setting.variable and (text := variables.get(setting.variable)):
        return Chosen(_parse_variable(setting, text), Origin.ENVIRONMENT, setting.variable)
    if vault is not None and setting.key in vault.values:
        return Chosen(vault.values[setting.key], Origin.VAULT, str(vault.path))
    if setting.key in user.values:
        return Chosen(user.values[setting.key], Origin.USER, str(user.path))
    return Chosen(setting.default, Origin.DEFAULT)


def _parse_variable(setting: Setting, text: str) -> Value:
    try:
        return setting.parse(text)
    except UsageError as error:
        raise UsageError(f"{setting.variable}: {error.message}", error.hint) from error
