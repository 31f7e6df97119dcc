"""What the documentation lists is what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from kb.cli.commands import COMMANDS
from kb.cli.setting_kinds import settings_table
from kb.cli.status import ExitStatus

ROOT = Path(__file__).parent.parent


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_every_setting_and_variable_is_on_its_page() -> None:
    text = page("environment.md")
    for setting in settings_table().values():
        line = next(one for one in text.splitlines() if one.startswith(f"| `{setting.key}` |"))
        assert f"`{setting.variable}`" in line
        assert f"| {'yes' if setting.in_vault else 'no'} |" in line


def test_every_variable_that_is_read_is_on_its_page() -> None:
    text = page("environment.md")
    for folder in ("cli", "store"):
        for module in (ROOT / folder).glob("*.py"):
            source = module.read_text(encoding="utf-8")
            for name in re.findall(r"""(?:get\(|environ\[)"([A-Z_]+)\"""", source):
                assert f"`{name}`" in text, (module.name, name)


def test_every_schema_is_on_its_page_and_names_itself() -> None:
    text = page("json.md")
    files = sorted((ROOT / "cli" / "schema").glob("*.json"))
    assert files
    for file in files:
        schema = json.loads(file.read_text(encoding="utf-8"))
        name = schema["properties"]["schema"]["const"]
        assert file.name == f"{name.replace('/', '-')}.json"
        assert f"| `{name}` |" in text
        assert f"`{file.name}`" in text


def test_every_status_is_on_its_page() -> None:
    text = page("exit-status.md")
    for status in ExitStatus:
        assert re.search(rf"^\| {int(status)} \|", text, re.MULTILINE)


def test_every_command_has_a_module_and_help() -> None:
    for entry in COMMANDS.values():
        assert (ROOT / "cli" / f"{entry.module}.py").is_file()
        assert entry.help.endswith(".")
