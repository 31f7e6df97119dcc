"""Every command in the table of faults names something that is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    line
    for line in (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| fault", "| input", "| what"))
]


@pytest.mark.parametrize("row", ROWS)
def test_each_row_says_how_to_repeat_it(row: str) -> None:
    *_, last = row.strip("| ").split(" | ")
    command = shlex.split(last.strip("`"))
    if command[:2] == ["python", "-m"]:
        module = ROOT / command[2].replace(".", "/")
        assert module.with_suffix(".py").is_file() or (module / "__main__.py").is_file()
        return
    assert command[0] == "pytest"
    text = (ROOT / command[1]).read_text(encoding="utf-8")
    if "-k" in command:
        names = " ".join(re.findall(r"^def (test_\w+)", text, re.MULTILINE))
        for part in command[command.index("-k") + 1].split(" or "):
            assert part in names, part


def test_every_promise_names_tests_that_are_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    file = ""
    named = re.findall(r"`(tests/\w+\.py)?(?:::(test_\w+))?`", text)
    for path, name in named:
        file = path or file
        if path or name:
            source = (ROOT / file).read_text(encoding="utf-8")
            assert not name or f"def {name}(" in source, (file, name)
    assert len(named) > 20
    for row in re.findall(r"^\| \*\*.*$", text, re.MULTILINE):
        assert "`tests/" in row, row
