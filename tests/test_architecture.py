"""The rooms import downwards only, without circles, and the bottom rooms import nothing of ours."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ALLOWED: dict[str, set[str]] = {
    "text": set(),
    "embedding": set(),
    "store": set(),
    "indexer": {"store", "text", "embedding"},
    "streams": {"store", "text", "embedding"},
    "fusion": {"streams", "store", "text", "embedding"},
    "evaluation": {"fusion", "streams", "store", "text", "embedding"},
    "cli": {"evaluation", "fusion", "streams", "indexer", "store", "text", "embedding"},
}
MODULES = [path for room in ALLOWED for path in sorted((ROOT / room).glob("**/*.py"))]


def imported(path: Path) -> set[str]:
    """Every module name that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_the_rooms_below_it(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    rooms = {name.split(".")[1] for name in imported(path) if name.startswith("kb.")}
    assert rooms - {room} <= ALLOWED[room]


@pytest.mark.parametrize("room", ["text", "embedding", "store", "indexer", "streams", "fusion"])
def test_nothing_below_the_command_line_knows_the_terminal(room: str) -> None:
    for path in (ROOT / room).glob("**/*.py"):
        tops = {name.split(".")[0] for name in imported(path)}
        assert not tops & {"typer", "rich", "click"}, path


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_grows_beyond_five_hundred_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def test_every_room_is_typed_and_packaged() -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for room in ALLOWED:
        assert (ROOT / room / "py.typed").exists()
        assert f'"kb.{room}" = "{room}"' in settings
