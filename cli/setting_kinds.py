"""The settings there are: what each means, which values it takes, who may set it.

Adding a setting is one line in `_plain_settings`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kb.cli.environment import COLOR_CHOICES
from kb.fusion.options import DEFAULT_K, MAXIMUM_WEIGHT, Mode
from kb.store.errors import UsageError
from kb.streams.registry import STREAM_NAMES, default_weights

Value = str | int | float | bool | tuple[str, ...]

MODE_NAMES: dict[str, Mode] = {
    **{mode.value: mode for mode in Mode},
    "keyword": Mode.LEXICAL,
    "cosine": Mode.SEMANTIC,
}
_LARGEST = 1_000_000
_HOUR = 3_600
# How the keys begin that hold names of the user's own: see setting_families.py.
FAMILIES = ("factors.", "scopes.")
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off", "")


class Setting(NamedTuple):
    """One setting. `parse` takes TOML values and text alike; it raises UsageError.

    `in_vault`: a vault's own file may set it, since it only ranks or leaves out notes.
    """

    key: str
    default: Value
    parse: Callable[[object], Value]
    help: str
    in_vault: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that sets it, "" for a setting that a user names."""
        if self.key.startswith(FAMILIES):
            return ""
        return "KB_" + self.key.upper().replace(".", "_")


def settings_table() -> dict[str, Setting]:
    """Every setting by its key, in the order in which they are shown."""
    weights = [
        Setting(
            f"weights.{name}",
            weight,
            parse_weight,
            f"weight of the {name} stream, 0 to {MAXIMUM_WEIGHT:g}",
            in_vault=True,
        )
        for name, weight in default_weights().items()
    ]
    return {setting.key: setting for setting in (*_plain_settings(), *weights)}


def find_setting(key: str) -> Setting:
    """The setting of that key. Raises UsageError that names the nearest one."""
    setting = settings_table().get(key)
    if setting is not None:
        return setting
    if key.startswith(FAMILIES):
        from kb.cli.setting_families import family_setting

        return family_setting(key)
    near = nearest_setting(key)
    meant = f"did you mean `{near}`? " if near else ""
    raise UsageError(f"there is no setting `{key}`", f"{meant}`kb config` lists the settings")


def nearest_setting(key: str) -> str:
    """The setting that a misspelt key most likely means, or nothing.

    The name of a stream means its weight.
    """
    from difflib import get_close_matches

    names = {name.rpartition(".")[2]: name for name in settings_table()}
    names |= {name: name for name in settings_table()}
    head, _, rest = key.partition(".")
    if rest and (families := get_close_matches(head, [one[:-1] for one in FAMILIES], n=1)):
        return f"{families[0]}.{rest}"
    wanted = key.strip().lower().removeprefix("kb_").replace("-", "_")
    near = get_close_matches(wanted, names, n=1, cutoff=0.7)
    return names[near[0]] if near else ""


def _plain_settings() -> tuple[Setting, ...]:
    whole = _whole_number
    return (
        Setting("mode", "hybrid", parse_mode, "which streams decide", in_vault=True),
        Setting("k", DEFAULT_K, whole(1), "k of reciprocal rank fusion", in_vault=True),
        Setting("limit", 10, whole(0), "how many notes to list, 0 for all", in_vault=True),
        Setting("depth", 100, whole(1), "how many notes a stream may rank", in_vault=True),
        Setting("hops", 1, whole(1, 2), "steps along links, 1 or 2", in_vault=True),
        Setting("authority", False, parse_switch, "well-linked notes first", in_vault=True),
        Setting("recent", False, parse_switch, "new notes first", in_vault=True),
        Setting("half_life", 90, whole(1), "days in which the gain of a new note halves", True),
        Setting("rerank", False, parse_switch, "put the first notes in a cross-encoder's order"),
        Setting("rerank_top", 20, whole(1), "how many notes are reranked"),
        Setting("rerank_seconds", 5.0, parse_seconds, "how long reranking may take"),
        Setting("rerank_model", "", parse_text, "name or folder of the model that reranks"),
        Setting("current", False, parse_switch, "no superseded or expired notes", in_vault=True),
        Setting("scope", "", parse_text, "saved filter that holds for each query", in_vault=True),
        Setting("include_ignored", False, parse_switch, "notes that the vault hides too", True),
        Setting("exclude", (), parse_texts, "globs of files that are not indexed", in_vault=True),
        Setting("budget", "4000", parse_budget_text, "how much text `kb context` gives", True),
        Setting("language", "", parse_language, "language of notes that tell none", in_vault=True),
        Setting("model", "", parse_text, "name or folder of the model that embeds"),
        Setting("auto_update", False, parse_switch, "index changes before each query"),
        Setting("color", "auto", _choice(COLOR_CHOICES), "auto, always or never"),
    )


def parse_mode(value: object) -> str:
    """The name of a mode; the names of its streams are taken too."""
    if str(value) not in MODE_NAMES:
        raise UsageError(f"`{value}` is no mode", f"modes are {_listed(MODE_NAMES)}")
    return MODE_NAMES[str(value)].value


def parse_weight(value: object) -> float:
    """A weight from 0 to the largest allowed."""
    number = -1.0
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = -1.0
    if not 0 <= number <= MAXIMUM_WEIGHT:  # also where it is not a number
        raise UsageError(f"`{value}` is no weight", f"weights go from 0 to {MAXIMUM_WEIGHT:g}")
    return number


def parse_weight_option(text: str) -> tuple[str, float]:
    """`lexical=2` as a stream's name and its weight."""
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals:
        raise UsageError(
            f"`{text}` is no weight of a stream",
            f"write it as `lexical=2`; streams are {streams()}",
        )
    if name not in STREAM_NAMES:
        raise UsageError(f"there is no stream `{name}`", f"streams are {streams()}")
    return name, parse_weight(value.strip())


def streams() -> str:
    """The names of the streams, for a message."""
    return _listed(STREAM_NAMES)


def parse_switch(value: object) -> bool:
    """True or false, also as a person writes it into a variable."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in _YES:
        return True
    if text in _NO:
        return False
    raise UsageError(f"`{value}` is neither true nor false", "write `true` or `false`")


def parse_text(value: object) -> str:
    """Any text."""
    if not isinstance(value, str):
        raise UsageError(f"`{value}` is not text", "put it in quotes")
    return value


def parse_seconds(value: object) -> float:
    """A time above 0, an hour at most."""
    number = 0.0
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = 0.0
    if not 0 < number <= _HOUR:
        raise UsageError(f"`{value}` is no time", f"write a number of seconds, {_HOUR} at most")
    return number


def parse_budget_text(value: object) -> str:
    """A number of characters, or of tokens as `1000t`."""
    from kb.fusion.budget import parse_budget

    text = (
        str(value) if isinstance(value, int) and not isinstance(value, bool) else parse_text(value)
    )
    parse_budget(text)
    return text.strip()


def parse_language(value: object) -> str:
    """A language by its code, or nothing."""
    text = parse_text(value).strip().lower()
    if text and not (text.isascii() and text.isalpha() and len(text) == 2):
        raise UsageError(f"`{value}` is no language", "write its two-letter code, such as `en`")
    return text


def parse_texts(value: object) -> tuple[str, ...]:
    """A list of texts; in one text they stand a line each, or with commas between."""
    if isinstance(value, str):
        parts = value.split("\n") if "\n" in value else value.split(",")
        return tuple(part.strip() for part in parts if part.strip())
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(str(item) for item in value)
    raise UsageError(f"`{value}` is not a list of texts", 'write `["a", "b"]`')


def _whole_number(least: int, most: int = _LARGEST) -> Callable[[object], int]:
    def parse(value: object) -> int:
        number = least - 1
        if isinstance(value, int) and not isinstance(value, bool):
            number = value
        elif isinstance(value, str) and value.strip().isdecimal():
            number = int(value) if len(value) < 20 else most + 1
        if not least <= number <= most:
            raise UsageError(
                f"`{value}` is out of range or no number",
                f"write a whole number from {least} to {most}",
            )
        return number

    return parse


def _choice(choices: tuple[str, ...]) -> Callable[[object], str]:
    def parse(value: object) -> str:
        if str(value) not in choices:
            raise UsageError(f"`{value}` is no choice here", f"choices are {_listed(choices)}")
        return str(value)

    return parse


def _listed(names: object) -> str:
    return ", ".join(f"`{name}`" for name in names)  # type: ignore[attr-defined]
