"""Reading notes, their links, and what a vault can be narrowed by, through the Python API."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from index_support import run, write
from search_support import Library, make_library

from kb.fusion.note_list import list_notes
from kb.fusion.note_text import read_note
from kb.fusion.vault import Vault
from kb.store.connection import open_writer
from kb.store.errors import IndexMissingError, KbError, UsageError, VaultError
from kb.store.note_records import LinkKind, LinkStatus
from kb.store.read import OutsideError, read_inside

NOTES = {
    "plans/Harbour.md": """\
---
aliases: [quay]
tags: [plan/sea]
status: open
see: "[[Tides]]"
---
# Harbour

First see [[Tides#Spring|the tides]], then [[Nowhere]] and ![[chart.png]].

## Depth
Five metres at [low water](../Tides.md).
""",
    "Tides.md": "# Tides\n\n## Spring\nHigh.\n\n## Neap\nLow. #plan\n",
    "C#.md": "Not music.\n",
    "a/Twin.md": "See [[Tides]].\n",
    "b/Twin.md": "Nothing.\n",
    "hidden/Old.md": "#plan of old, see [[Tides]]\n",
    "chart.png": "",
    ".obsidian/app.json": '{"userIgnoreFilters": ["hidden/"]}',
}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return make_library(tmp_path, NOTES)


@pytest.fixture
def vault(library: Library) -> Vault:
    return Vault(library.index)


@pytest.mark.parametrize(
    ("name", "part", "lines", "text"),
    [
        ("Tides", "", (1, 7), NOTES["Tides.md"].removesuffix("\n")),
        ("Tides.md", "#Spring", (3, 4), "## Spring\nHigh."),
        ("Tides#neap", "", (6, 7), "## Neap\nLow. #plan"),
        ("[[Tides#Tides#Neap|x]]", "", (6, 7), "## Neap\nLow. #plan"),
        ("tides", "3-4", (3, 4), "## Spring\nHigh."),
        ("Tides", "L6:L7", (6, 7), "## Neap\nLow. #plan"),
        ("Tides", "7", (7, 7), "Low. #plan"),
        ("Tides", "6-", (6, 7), "## Neap\nLow. #plan"),
        ("Tides", "6-900", (6, 7), "## Neap\nLow. #plan"),
        ("C#", "", (1, 1), "Not music."),
        ("C#.md", "1", (1, 1), "Not music."),
        ("quay", "#Depth", (11, 12), "## Depth\nFive metres at [low water](../Tides.md)."),
    ],
)
def test_a_note_or_a_part_of_it(
    vault: Vault, name: str, part: str, lines: tuple[int, int], text: str
) -> None:
    note = vault.note(name, part)
    assert (note.line, note.end_line) == lines
    assert note.text == text
    assert note.next_line is None
    assert not note.changed


@pytest.mark.parametrize(
    ("name", "part", "says", "hint"),
    [
        ("Tides", "#Sprig", "no heading `#Sprig` in Tides.md", "did you mean `#Spring`?"),
        ("Tides", "#Xyz", "no heading `#Xyz`", "`#Tides`, `#Spring`, `#Neap`"),
        ("C#", "#Top", "no heading `#Top`", "it has no headings"),
        ("Tides", "#^none", "no block `#^none` in Tides.md", "`#^block-id`"),
        ("Tides", "8", "Tides.md has 7 lines", "lines that it has"),
        ("Tides", "5-4", "`5-4` is no range of lines", "`10-20`"),
        ("Tides", "0", "`0` is no range of lines", "start at 1"),
        ("Tides", "all", "`all` is no part of a note", "`#Heading`"),
        ("Tides#Spring", "#Neap", "both name a part", "name one"),
        ("Twin", "", "2 notes are called Twin", "`a/Twin.md`, `b/Twin.md`"),
        ("Tide", "", "", ""),
        ("../index.sqlite", "", "../index.sqlite is outside the vault", "relative to the vault"),
        ("plans/../../index.sqlite", "", "is outside the vault", "relative to the vault"),
        ("/etc/hosts", "", "/etc/hosts is outside the vault", "relative to the vault"),
        (".obsidian/app.json", "", "is in the vault and not in the index", "left out"),
        ("", "", "no note", ""),
    ],
)
def test_what_cannot_be_read_says_what_can(
    vault: Vault, name: str, part: str, says: str, hint: str
) -> None:
    if not says:  # a part of a name is enough where only one note has it
        assert vault.note(name, part).path == "Tides.md"
        return
    with pytest.raises(UsageError) as raised:
        vault.note(name, part)
    assert says in raised.value.message
    assert hint in raised.value.hint


def test_a_long_text_comes_in_pieces_that_make_the_whole(library: Library) -> None:
    lines = [f"line {number}: {'x' * (number % 7)}" for number in range(1, 60)]
    library.update({"long.md": "\n".join(lines)})
    pieces, at = [], 1
    while at:
        piece = read_note(library.index, "long.md", f"{at}-", most=100)
        assert len(piece.text) <= 100
        assert piece.line == at
        pieces.append(piece.text)
        at = piece.next_line or 0
    assert len(pieces) > 5
    assert "\n".join(pieces) == "\n".join(lines)


def test_a_line_that_is_too_long_is_cut_with_a_word(library: Library) -> None:
    library.update({"one.md": "x" * 500 + "\nnext\n"})
    note = read_note(library.index, "one.md", most=100)
    assert note.text == "x" * 100
    assert (note.end_line, note.next_line) == (1, 2)
    assert note.notices == ("line 1 alone is longer than 100 characters and was cut",)


def test_headings_that_are_called_alike_are_told(library: Library) -> None:
    library.update({"days.md": "# A\n## Tasks\none\n# B\n## Tasks\ntwo\n"})
    note = read_note(library.index, "days", "#Tasks")
    assert note.text == "## Tasks\none"
    assert note.notices == ("2 headings are called so; this is the first, others are on line 5",)
    assert read_note(library.index, "days", "#B#Tasks").text == "## Tasks\ntwo"


def test_bytes_are_read_as_the_indexer_reads_them(library: Library) -> None:
    (library.vault / "old.md").write_bytes("# Café\r\nprix\r\n".encode("cp1252"))
    library.update()
    note = read_note(library.index, "old.md", "#Café")
    assert note.text == "# Café\nprix"
    assert note.notices == ("not UTF-8; read as Windows-1252",)


def test_a_note_is_read_as_it_is_now(library: Library, vault: Vault) -> None:
    write(library.vault, {"Tides.md": "new\n\n# Spring\nnow\n"})
    note = vault.note("Tides", "#Spring")
    assert (note.line, note.text, note.changed) == (3, "# Spring\nnow", True)


def test_a_note_that_is_gone_or_a_vault_that_is_away(library: Library, vault: Vault) -> None:
    (library.vault / "Tides.md").unlink()
    with pytest.raises(KbError, match=r"Tides\.md is gone since it was indexed"):
        vault.note("Tides")
    shutil.rmtree(library.vault)
    with pytest.raises(VaultError, match="is not there"):
        vault.note("Tides")
    assert vault.links("Tides").backlink_count == 5


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_no_link_leads_out_of_the_vault(library: Library, vault: Vault, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"Tides.md": "secret", "Harbour.md": "secret"})
    (library.vault / "Tides.md").unlink()
    (library.vault / "Tides.md").symlink_to(outside / "Tides.md")
    shutil.rmtree(library.vault / "plans")
    (library.vault / "plans").symlink_to(outside)
    for name in ("Tides", "Harbour"):
        with pytest.raises(KbError, match="leads out of the vault"):
            vault.note(name)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_an_index_that_names_a_place_outside_is_not_followed(
    library: Library, vault: Vault, tmp_path: Path
) -> None:
    write(tmp_path, {"secret.md": "secret"})
    for path in ("../secret.md", str(tmp_path / "secret.md")):
        connection = open_writer(library.index)
        connection.execute("UPDATE notes SET path = ? WHERE name_key = 'tides'", (path,))
        connection.close()
        with pytest.raises(KbError, match=r"outside the vault|leads out of the vault"):
            vault.note("Tides")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_what_was_opened_is_what_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that becomes a link between the look and the opening leads nowhere else."""
    root = write(tmp_path / "root", {"sub/note.md": "inside"})
    outside = write(tmp_path / "outside", {"note.md": "secret"})
    real_open = os.open

    def swap_then_open(path: str, flags: int) -> int:
        (root / "sub").rename(tmp_path / "moved")
        (root / "sub").symlink_to(outside)
        return real_open(path, flags)

    assert read_inside(str(root), "sub/note.md").data == b"inside"
    monkeypatch.setattr("kb.store.read.os.open", swap_then_open)
    with pytest.raises(OutsideError):
        read_inside(str(root), "sub/note.md")


def test_links_both_ways(vault: Vault) -> None:
    links = vault.links("Harbour")
    told = [(one.target, one.kind, one.status, one.line, one.path) for one in links.outgoing]
    assert told == [
        ("Tides", LinkKind.PROPERTY, LinkStatus.RESOLVED, 5, "Tides.md"),
        ("Tides", LinkKind.WIKI, LinkStatus.RESOLVED, 9, "Tides.md"),
        ("Nowhere", LinkKind.WIKI, LinkStatus.UNRESOLVED, 9, ""),
        ("chart.png", LinkKind.EMBED, LinkStatus.ATTACHMENT, 9, ""),
        ("../Tides.md", LinkKind.MARKDOWN, LinkStatus.RESOLVED, 12, "Tides.md"),
    ]
    assert links.outgoing[1].fragment == "Spring"
    assert links.outgoing[4].section == ("Harbour", "Depth")
    assert links.backlinks == ()


def test_backlinks_show_the_line_they_stand_on(vault: Vault) -> None:
    links = vault.links("Tides")
    told = [(one.path, one.line, one.context) for one in links.backlinks]
    assert told == [
        ("a/Twin.md", 1, "See [[Tides]]."),
        ("hidden/Old.md", 1, "#plan of old, see [[Tides]]"),
        ("plans/Harbour.md", 5, ""),
        (
            "plans/Harbour.md",
            9,
            "First see [[Tides#Spring|the tides]], then [[Nowhere]] and ![[chart.png]].",
        ),
        ("plans/Harbour.md", 12, "Five metres at [low water](../Tides.md)."),
    ]


def test_links_are_cut_to_a_limit_and_counted(vault: Vault) -> None:
    links = vault.links("Tides", limit=2)
    assert (len(links.backlinks), links.backlink_count) == (2, 5)
    links = vault.links("Harbour", limit=1)
    assert (len(links.outgoing), links.outgoing_count) == (1, 5)


def test_facets_count_what_a_search_finds(vault: Vault) -> None:
    facets = vault.facets()
    assert facets.tags == (("plan", 2, 1), ("plan/sea", 1, 1))  # one more note is hidden
    assert facets.types == ()
    assert [(one.name, one.notes, one.values) for one in facets.properties] == [
        ("aliases", 1, ("quay",)),
        ("see", 1, ("[[Tides]]",)),
        ("status", 1, ("open",)),
        ("tags", 1, ("plan/sea",)),
    ]
    assert vault.facets(under="#Plan/sea").tags == (("plan/sea", 1, 1),)
    assert vault.facets(under="pla").tags == ()
    cut = vault.facets(limit=1)
    assert (len(cut.tags), cut.tag_count) == (1, 2)
    assert (len(cut.properties), cut.property_count) == (1, 4)


def test_notes_by_pages(library: Library) -> None:
    every = [note.path for note in list_notes(library.index)]
    assert every == ["C#.md", "Tides.md", "a/Twin.md", "b/Twin.md", "plans/Harbour.md"]
    first = list_notes(library.index, limit=2)
    rest = list_notes(library.index, after=first[-1].path)
    assert [note.path for note in (*first, *rest)] == every


def test_a_vault_sees_what_another_process_writes(library: Library, vault: Vault) -> None:
    assert vault.search("brine").hits == ()
    library.update({"new.md": "brine"})
    assert [hit.path for hit in vault.search("brine").hits] == ["new.md"]


def test_an_index_made_anew_is_opened_anew(library: Library, vault: Vault) -> None:
    assert vault.counts().notes == 6
    for file in library.index.parent.glob("index.sqlite*"):
        file.unlink()
    with pytest.raises(IndexMissingError):
        vault.counts()
    write(library.vault, {"new.md": "brine"})
    run(library.vault, library.index)
    assert vault.counts().notes == 7
    assert [hit.path for hit in vault.search("brine").hits] == ["new.md"]


def test_threads_share_a_vault(library: Library) -> None:
    from concurrent.futures import ThreadPoolExecutor

    queries = ["tides", "harbour depth", "low water", "music"] * 8
    with Vault(library.index) as vault, ThreadPoolExecutor(8) as pool:
        alone = [[hit.path for hit in vault.search(query).hits] for query in queries]
        together = pool.map(lambda query: [hit.path for hit in vault.search(query).hits], queries)
        assert list(together) == alone
        assert all(alone)


def test_vaults_are_opened_by_folder_or_index(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb.store.locations import index_path

    monkeypatch.setenv("KB_DATA", str(tmp_path / "data"))
    with pytest.raises(IndexMissingError):
        Vault.open(library.vault)
    run(library.vault, index_path(library.vault))
    assert Vault.open(library.vault).counts().notes == 6
    assert Vault.open(index=library.index).index == library.index
