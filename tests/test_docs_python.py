"""The page on Python: its blocks run, in order, and print what it says."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
TABLE = re.findall(r"^\| `(kb\.[\w.]+)` \| (.*?) \|", PAGE, re.MULTILINE)


def test_every_block_prints_what_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "sample_vault", tmp_path / "sample_vault")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KB_DATA", str(tmp_path / "data"))
    assert len(BLOCKS) == PAGE.count("```python")
    names: dict[str, object] = {}
    for code, shown in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert printed.getvalue() == shown, code


@pytest.mark.parametrize(("module", "told"), TABLE)
def test_every_name_of_the_table_is_there(module: str, told: str) -> None:
    found = importlib.import_module(module)
    for name in re.findall(r"`([A-Za-z_]+)(?:\(.*?\))?`", told):
        assert hasattr(found, name) or hasattr(getattr(found, "Vault", None), name), name
