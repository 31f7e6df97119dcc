"""Which changes matter to whoever watches a vault, and which folders are watched for them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from index_support import write

from kb.indexer.disk_state import DiskState
from kb.indexer.options import IndexOptions
from kb.indexer.watched import is_watched_folder, list_folders, matters
from kb.store.errors import VaultError

ALWAYS = [
    "",
    "note.md",
    "deep/down/Note.MARKDOWN",
    ".gitignore",
    "sub/.ignore",
    "sub/.kbignore",
    ".obsidian",
    ".obsidian/app.json",
    ".kb.toml",
]
BY_NAME = ["picture.png", "a folder", "note.md~", "sub/4913", ".git", "sub/.git"]
NEVER = [
    ".note.md.swp",
    ".obsidian/workspace.json",
    ".obsidian/plugins/x.md",
    ".obsidian/sub/app.json",
    ".git/index",
    ".git/info/x.md",
    ".trash/note.md",
    "node_modules",
    "sub/node_modules/read/me.md",
    ".hidden/.gitignore",
    "sub/.kb.toml",
    "sub/.obsidian/app.json",
]


@pytest.mark.parametrize("content_only", [False, True])
@pytest.mark.parametrize(
    ("paths", "expected"),
    [(ALWAYS, (True, True)), (BY_NAME, (True, False)), (NEVER, (False, False))],
    ids=["always", "by name", "never"],
)
def test_what_matters(paths: list[str], expected: tuple[bool, bool], content_only: bool) -> None:
    found = {
        path: matters(path, content_only=content_only, deciding=(".kb.toml",)) for path in paths
    }
    assert found == dict.fromkeys(paths, expected[content_only])


def test_folders_are_those_in_which_notes_may_lie(tmp_path: Path) -> None:
    names = ["a/b", ".git/objects", "node_modules/x", "a/node_modules", ".obsidian/plugins", "c"]
    for name in names:
        (tmp_path / name).mkdir(parents=True)
    if sys.platform != "win32":
        (tmp_path / "link").symlink_to(tmp_path.parent)
    assert list_folders(str(tmp_path)) == [
        str(tmp_path),
        *(str(tmp_path / name) for name in ("a", "c", "a/b", ".obsidian")),
    ]
    watched = [".obsidian", "a", "a/b", "c"]
    for path in [*watched, ".git", "a/node_modules", ".obsidian/plugins", "link", "absent"]:
        assert is_watched_folder(str(tmp_path), path) == (path in watched)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return write(tmp_path / "vault", {"a.md": "heron", "sub/b.md": "tide", "c.png": "x"})


@pytest.mark.parametrize(
    "files",
    [
        {"a.md": "herons"},
        {"new.md": ""},
        {"new.png": ""},
        {".ignore": "sub/\n"},
        {".obsidian/app.json": '{"userIgnoreFilters": ["sub/"]}'},
        {".kb.toml": "limit = 3\n"},
    ],
)
def test_a_look_tells_what_a_run_would_heed(vault: Path, files: dict[str, str]) -> None:
    state = DiskState(vault, (".kb.toml",))
    assert state.moved(IndexOptions())
    assert not state.moved(IndexOptions())
    write(vault, files)
    assert state.moved(IndexOptions())
    assert not state.moved(IndexOptions())


def test_a_look_heeds_what_is_set_aside(vault: Path) -> None:
    write(vault, {".ignore": "sub/\n"})
    state = DiskState(vault, ())
    honoured, set_aside = IndexOptions(), IndexOptions(no_ignore=True)
    assert [state.moved(options) for options in (honoured, honoured, set_aside)] == [
        True,
        False,
        True,
    ]
    write(vault, {"sub/b.md": "tides", ".git/x": "", "c.png": "another"})
    assert state.moved(set_aside)
    state.moved(honoured)
    write(vault, {"sub/b.md": "tidal", ".git/y": "", "c.png": "longer than before"})
    assert not state.moved(honoured)


def test_a_vault_that_is_away_cannot_be_looked_at(vault: Path) -> None:
    state = DiskState(vault, ())
    state.moved(IndexOptions())
    vault.rename(vault.with_name("away"))
    with pytest.raises(VaultError):
        state.moved(IndexOptions())
