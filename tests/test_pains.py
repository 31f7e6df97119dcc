"""What has gone wrong for users of tools like this one, where no other test holds it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeVault, RunKb

TAGGED = {
    "one.md": "heron #inbox\n",
    "below.md": "heron #inbox/to-read\n",
    "list.md": "---\ntags: [Inbox]\n---\nheron\n",
    "my.md": "heron #myinbox\n",
    "work.md": "heron #work/inbox\n",
    "alias.md": "---\naliases: [inbox]\n---\nheron\n",
    "word.md": "heron inbox\n",
}


def test_a_tag_is_that_tag_and_what_is_below_it(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault(TAGGED)
    assert kb("index", vault).status == 0
    for tag in ("inbox", "#inbox", "Inbox/", "INBOX"):
        found = kb("query", "heron", "--tag", tag, "-l", "--vault", vault).lines
        assert sorted(found) == ["below.md", "list.md", "one.md"], tag
    found = kb("query", "heron", "--not-tag", "inbox", "-l", "--vault", vault).lines
    assert sorted(found) == ["alias.md", "my.md", "word.md", "work.md"]


@pytest.mark.parametrize("place", [7_000, 200_000, 2_000_000])
def test_a_word_is_found_however_far_down_it_stands(
    place: int, make_vault: MakeVault, kb: RunKb
) -> None:
    text = "The marsh is wet. " * (place // 18) + "\n\nA bittern.\n"
    vault = make_vault({"long.md": text, "other.md": "nothing of the kind"})
    assert kb("index", vault).status == 0
    (hit,) = kb("query", "bittern", "--json", "--vault", vault).json["results"]
    assert hit["path"] == "long.md"
    assert hit["passage"]["line"] <= 3 == hit["passage"]["end_line"]
    assert "bittern" in hit["passage"]["snippet"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("front", ["", "---\ntitle: größe\nb: |\n  x\n  y\n---\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_line_is_that_of_the_file(
    mark: str, front: str, end: str, make_vault: MakeVault, kb: RunKb
) -> None:
    filler = "Ünïcödé 日本語 👍 text that fills the first section of this note.\n\n"
    body = f"# Größe\n\n{filler * 60}## Far down\n\n{filler * 20}A bittern.\n{filler * 20}"
    text = mark + (front + body).replace("\n", end)
    vault = make_vault({"a.md": text.encode()})
    assert kb("index", vault).status == 0
    (hit,) = kb("query", "bittern", "--json", "--vault", vault).json["results"]
    lines = (front + body).split("\n")
    first, last = hit["passage"]["line"], hit["passage"]["end_line"]
    assert hit["passage"]["text"] == "\n".join(lines[first - 1 : last]).strip()
    assert "A bittern." in lines[first - 1 : last]


def test_what_was_seen_may_be_any_number_of_notes(
    make_vault: MakeVault, kb: RunKb, tmp_path: Path
) -> None:
    """More than SQLite takes values in one statement."""
    vault = make_vault({"a.md": "heron", "b.md": "heron"})
    assert kb("index", vault).status == 0
    seen = tmp_path / "seen"
    seen.write_text("".join(f"folder/n{number}.md\n" for number in range(40_000)) + "a.md\n")
    result = kb("query", "heron", "--exclude-from", seen, "-l", "--vault", vault)
    assert result.lines == ["b.md"], result.err


def test_one_vault_is_nothing_to_another(make_vault: MakeVault, kb: RunKb) -> None:
    """Though their notes have the same names."""
    one, other = make_vault({"a.md": "heron"}, "x/notes"), make_vault({"a.md": "stork"}, "y/notes")
    for vault in (one, other):
        assert kb("index", vault).status == 0
    (one / "a.md").unlink()
    (one / "b.md").write_text("crane")
    assert kb("index", one).status == 0
    assert kb("query", "stork", "-l", "--vault", other).lines == ["a.md"]
    assert kb("query", "stork", "-c", "--vault", one).out == "0\n"
    assert kb("forget", one, "--yes").status == 0
    assert kb("query", "stork", "-l", "--vault", other).lines == ["a.md"]


def test_a_number_says_less_than_a_word(make_vault: MakeVault, kb: RunKb) -> None:
    numbers = "3 3 3 3 3 3 3 3\n"
    vault = make_vault(
        {
            "wanted.md": "# Herons\n\nThe heron stands in the marsh and waits for a fish.\n",
            **{f"n{number}.md": f"{numbers}{number} things\n" for number in range(5)},
        }
    )
    assert kb("index", vault).status == 0
    assert kb("query", "heron 3", "-l", "--vault", vault).lines[0] == "wanted.md"


def test_a_folder_that_is_not_there_is_never_taken_for_the_one_we_are_in(
    make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault({"a.md": "heron"})
    for arguments in (
        ("index", "missing"),
        ("index", ""),
        ("index", "a.md"),
        ("query", "heron", "--vault", "missing"),
        ("index", ".", "--no-such-option"),
    ):
        assert kb(*arguments, cwd=vault).status == 2, arguments
    assert kb("vaults").status == 1


def test_nothing_is_ever_written_into_the_root_of_a_system(kb: RunKb, tmp_path: Path) -> None:
    """A vault that holds the index's own folder is refused before it is walked."""
    (tmp_path / "a.md").write_text("heron")
    result = kb("index", tmp_path, env={"KB_DATA": os.fspath(tmp_path / "data")})
    assert result.status == 2
    assert "inside the vault" in result.err
