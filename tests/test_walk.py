"""What belongs to a vault, and what does not."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from index_support import write

from kb.indexer import walk as walk_module
from kb.indexer.hidden import parse_hidden_filters
from kb.indexer.walk import Walk, walk_vault
from kb.store.errors import VaultError

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX file system")


def walk(root: Path, **options: object) -> Walk:
    return walk_vault(str(root), **options)  # type: ignore[arg-type]


def notes(root: Path, **options: object) -> list[str]:
    return list(walk(root, **options).notes)


def reasons(found: Walk) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in found.skipped}


def test_notes_and_other_files(tmp_path: Path) -> None:
    files = ["a.md", "B.MD", "c.markdown", "d.txt", "e/f.md", "e/pic.png", "md", "x.md.bak"]
    found = walk(write(tmp_path, dict.fromkeys(files, "text")))
    assert list(found.notes) == ["B.MD", "a.md", "c.markdown", "e/f.md"]
    assert found.attachments == {"d.txt", "e/pic.png", "md", "x.md.bak"}
    assert found.notes["a.md"][0] == 4
    assert found.skipped == [] and found.notices == [] and found.unseen == []


def test_hidden_files_and_node_modules_are_no_part(tmp_path: Path) -> None:
    files = [".x.md", ".obsidian/a.md", ".trash/b.md", "node_modules/c/README.md", "d/.git/e.md"]
    root = write(tmp_path, dict.fromkeys([*files, "a/node_modules/x.md", "kept.md"], ""))
    assert notes(root) == ["kept.md"]
    assert notes(root, no_ignore=True) == ["kept.md"]


@pytest.mark.parametrize("name", ["new\nline.md", "tab\t.md", "a'b\".md", "[x] #1 %s.md", "🐘.md"])
@posix_only
def test_any_name_is_a_name(tmp_path: Path, name: str) -> None:
    assert notes(write(tmp_path, {name: ""})) == [name]


@posix_only
def test_a_name_that_is_not_utf8_is_kept_as_stored_text(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (name,) = notes(tmp_path)
    name.encode("utf-8")
    assert name == f"caf{chr(0x10FEE9)}.md"


IGNORE_CASES = [
    # files, the notes that stay
    ({".ignore": "drafts/\n"}, {"a.md", "b/c.md"}),
    ({".kbignore": "*.md\n!a.md\n"}, {"a.md"}),
    ({".kbignore": "/a.md\n"}, {"b/c.md", "drafts/d.md"}),
    # the nearest file decides first
    ({".ignore": "*.md\n", "b/.ignore": "!c.md\n"}, {"b/c.md"}),
    ({"b/.ignore": "*\n"}, {"a.md", "drafts/d.md"}),
    # nothing comes back below a folder that is left out
    ({".ignore": "drafts/\n", "drafts/.ignore": "!d.md\n"}, {"a.md", "b/c.md"}),
    # .kbignore before .ignore
    ({".ignore": "a.md\n", ".kbignore": "!a.md\n"}, {"a.md", "b/c.md", "drafts/d.md"}),
    ({"b/.ignore": "!c.md\n", ".kbignore": "c.md\n"}, {"a.md", "drafts/d.md"}),
    # a byte order mark, comments, line ends of Windows
    ({".ignore": "\ufeffa.md\r\n# b/\r\n\r\n"}, {"b/c.md", "drafts/d.md"}),
    # .gitignore counts in a work tree only
    ({".gitignore": "a.md\n"}, {"a.md", "b/c.md", "drafts/d.md"}),
    ({".gitignore": "a.md\n", ".git/HEAD": ""}, {"b/c.md", "drafts/d.md"}),
    ({".gitignore": "a.md\n", ".git": "gitdir: elsewhere\n"}, {"b/c.md", "drafts/d.md"}),
    ({".git/HEAD": "", "b/.gitignore": "/c.md\n"}, {"a.md", "drafts/d.md"}),
    ({"b/.git/HEAD": "", "b/.gitignore": "c.md\n"}, {"a.md", "drafts/d.md"}),
    (
        {".git/HEAD": "", ".gitignore": "a.md\n", ".ignore": "!a.md\n"},
        {"a.md", "b/c.md", "drafts/d.md"},
    ),
]


@pytest.mark.parametrize(("files", "stay"), IGNORE_CASES)
def test_ignore_files(tmp_path: Path, files: dict[str, str], stay: set[str]) -> None:
    root = write(tmp_path, {"a.md": "", "b/c.md": "", "drafts/d.md": "", **files})
    assert set(notes(root)) == stay
    assert set(notes(root, no_ignore=True)) == {"a.md", "b/c.md", "drafts/d.md"}


def test_ignored_files_are_no_link_targets_either(tmp_path: Path) -> None:
    root = write(tmp_path, {".ignore": "*.png\n", "a.png": "", "b.gif": ""})
    assert walk(root).attachments == {"b.gif"}


def test_gitignore_files_above_the_vault_count_up_to_the_work_tree(tmp_path: Path) -> None:
    files = {"repo/.git/HEAD": "", "repo/.gitignore": "private\n/docs/vault/top.md\n"}
    write(tmp_path, {".gitignore": "kept.md\n", **files, "repo/docs/.gitignore": "*.tmp.md\n"})
    vault = tmp_path / "repo" / "docs" / "vault"
    write(vault, dict.fromkeys(["kept.md", "top.md", "x.tmp.md", "private/p.md"], ""))
    assert notes(vault) == ["kept.md"]


def test_a_vault_that_its_work_tree_ignores_is_walked_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".gitignore": "*\n", "vault/a.md": ""})
    found = walk(tmp_path / "vault")
    assert list(found.notes) == ["a.md"]
    assert len(found.notices) == 1


def test_a_line_that_is_no_pattern_is_told_and_the_others_hold(tmp_path: Path) -> None:
    found = walk(write(tmp_path, {".ignore": "!\na.md\n", "a.md": "", "b.md": ""}))
    assert list(found.notes) == ["b.md"]
    assert found.notices == [".ignore: `!` is no pattern and is not followed"]


def test_settings_exclude_by_the_same_rules_also_without_ignore_files(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.md": "", "b/c.md": "", ".kbignore": "!b/\n"})
    assert notes(root, exclude=("b/",)) == ["a.md"]
    assert notes(root, exclude=("b/",), no_ignore=True) == ["a.md"]


def test_an_empty_vault(tmp_path: Path) -> None:
    found = walk(tmp_path)
    assert (found.notes, found.attachments, found.files) == ({}, set(), 0)


def test_a_vault_that_is_missing_or_a_file(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="there is no folder"):
        walk(tmp_path / "missing")
    write(tmp_path, {"file.md": ""})
    with pytest.raises(VaultError, match="is not a folder"):
        walk(tmp_path / "file.md")


@posix_only
def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", {"a.md": "", "b/c.md": "", "pic.png": ""})
    outside = write(tmp_path / "outside", {"secret.md": "", "d/e.md": "", "far.png": ""})
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "loop").symlink_to(root)
    (root / "b" / "up").symlink_to("..")
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "out").symlink_to(outside)
    (root / "chain").symlink_to(root / "out")
    (root / "near.png").symlink_to(root / "pic.png")
    (root / "far.png").symlink_to(outside / "far.png")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "self.md").symlink_to("self.md")
    found = walk(root)
    assert list(found.notes) == ["a.md", "b/c.md"]
    assert found.attachments == {"pic.png", "near.png", "far.png"}
    told = reasons(found)
    assert set(told) == {"out.md", "out", "chain", "gone.md", "self.md"}
    assert told["out"] == "a symbolic link out of the vault, not followed"
    assert "leads nowhere" in told["gone.md"]


@posix_only
def test_a_vault_may_itself_be_a_symbolic_link(tmp_path: Path) -> None:
    write(tmp_path / "real", {"a.md": ""})
    (tmp_path / "link").symlink_to("real")
    assert notes(tmp_path / "link") == ["a.md"]


@posix_only
def test_what_is_no_file_is_skipped_with_a_word(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "", "folder.md/inside.md": ""})
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "pipe.png")
    with socket.socket(socket.AF_UNIX) as listening:
        before = Path.cwd()
        os.chdir(tmp_path)  # the path of a socket must be short
        try:
            listening.bind("s.md")
        finally:
            os.chdir(before)
        found = walk(tmp_path)
    assert list(found.notes) == ["a.md"]
    assert reasons(found) == {
        "folder.md": "a folder, not a file",
        "pipe.md": "not a regular file",
        "s.md": "not a regular file",
    }
    assert found.attachments == set()


@pytest.fixture
def deny(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Make a folder unreadable, for root as well."""
    real = os.scandir

    def install(folder: Path) -> None:
        def scandir(path: str) -> object:
            if os.path.realpath(path) == os.path.realpath(folder):
                raise PermissionError(13, "Permission denied", path)
            return real(path)

        monkeypatch.setattr(walk_module.os, "scandir", scandir)

    return install


def test_an_unreadable_folder_is_unseen(tmp_path: Path, deny: Callable[[Path], None]) -> None:
    root = write(tmp_path, {"a.md": "", "b/c.md": "", "bb/d.md": ""})
    deny(root / "b")
    found = walk(root)
    assert list(found.notes) == ["a.md", "bb/d.md"]
    assert found.unseen == ["b"]
    assert found.is_unseen("b/c.md") and not found.is_unseen("bb/x.md")


def test_an_unreadable_vault(tmp_path: Path, deny: Callable[[Path], None]) -> None:
    deny(tmp_path)
    with pytest.raises(VaultError, match="Permission denied") as caught:
        walk(tmp_path)
    assert caught.value.hint


def hidden(*filters: str) -> tuple[set[str], list[str]]:
    notices: list[str] = []
    rules = parse_hidden_filters(filters, notices)
    return {
        path for path in ("Templates/Day.md", "x/template.md", "a.md") if rules.hides(path)
    }, notices


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (("templates/",), {"Templates/Day.md"}),
        (("TEMPLATE",), {"Templates/Day.md"}),
        (("/template/",), {"Templates/Day.md", "x/template.md"}),
        ((r"/^x\/.*\.md$/",), {"x/template.md"}),
        (("/^a/", "x/"), {"a.md", "x/template.md"}),
        (("/",), set()),
        ((), set()),
    ],
)
def test_hidden_filters(filters: tuple[str, ...], expected: set[str]) -> None:
    assert hidden(*filters) == (expected, [])


@pytest.mark.parametrize(
    "written",
    [
        "/(a+)+$/",
        "/(a|a)*b/",
        "/((a*)b){2,}/",
        "/(x+x+)+y/",
        "/.*.*.*.*z/",
        "/(a)\\1/",
        "/[/",
        "/(?<n>a)/",
    ],
)
def test_an_expression_that_is_refused_is_told(written: str) -> None:
    found, notices = hidden(written, "a.md")
    assert found == {"a.md"}
    assert len(notices) == 1 and written in notices[0]


@pytest.mark.parametrize("written", ["/(a|b)c/", r"/\(a+\)+/", "/[(a+)]+/", "/(ab)+/", "/a{2}b*/"])
def test_an_expression_that_is_quick_is_taken(written: str) -> None:
    assert hidden(written)[1] == []


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"userIgnoreFilters": null}', '{"userIgnoreFilters": [1]}', ""]
)
def test_settings_of_obsidian_that_cannot_be_read_hide_nothing(tmp_path: Path, text: str) -> None:
    found = walk(write(tmp_path, {".obsidian/app.json": text, "a.md": ""}))
    assert list(found.notes) == ["a.md"]
    assert not found.hidden
