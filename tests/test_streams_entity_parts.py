"""A word of a property's value finds the note, though the value stands in no full-text column."""

from __future__ import annotations

from pathlib import Path

import pytest
from index_support import rows, run, write
from search_support import Library, make_library

NOTES = {
    "freight.md": "---\ncontact: Ylva Rask\n---\nFerries by night.\n",
    "keyword.md": "---\nkeyword: quux corge\n---\nNothing of it here.\n",
    "inline.md": "Vendor:: Nordlys Freight Group\n\nBoats.\n",
    "other.md": "The corge is a bird.\n",
    "list.md": "---\npeople: [Ada Okafor, Tomasz Wilk]\n---\nA meeting.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("parts"), NOTES)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("quux", "keyword.md"),
        ("rask", "freight.md"),
        ("what did Ylva say", "freight.md"),
        ("nordlys", "inline.md"),
        ("Wilk", "list.md"),
        ("quux corge", "keyword.md"),
    ],
)
def test_a_word_of_a_value_finds_its_note(library: Library, query: str, path: str) -> None:
    assert library.find(query)[0] == path


def test_a_part_says_which_value_it_is_part_of(library: Library) -> None:
    hit = library.search("rask").hits[0]
    assert hit.streams["entity"].matched == ("contact:Ylva Rask",)


def test_the_whole_value_tells_more_than_its_part(library: Library) -> None:
    part = library.search("rask").hits[0].streams["entity"]
    whole = library.search("ylva rask").hits[0].streams["entity"]
    assert whole.score > part.score
    assert whole.amount > part.amount


def test_a_note_with_the_word_itself_comes_before_a_part(library: Library) -> None:
    assert library.find("corge")[:2] == ["other.md", "keyword.md"]


def test_the_words_of_a_value_go_with_it(tmp_path: Path) -> None:
    vault, index = tmp_path / "vault", tmp_path / "index.sqlite"
    write(vault, {"a.md": "---\ncontact: Ylva Rask\n---\n"})
    run(vault, index)
    words = "SELECT word FROM entity_words ORDER BY word"
    assert rows(index, words) == [("rask",), ("ylva",)]
    write(vault, {"a.md": "---\ncontact: Ada Okafor Lind\n---\n"})
    run(vault, index)
    assert rows(index, words) == [("ada",), ("lind",), ("okafor",)]
    (vault / "a.md").unlink()
    write(vault, {"b.md": "x\n"})
    run(vault, index)
    assert rows(index, words) == []
