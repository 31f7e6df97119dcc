"""A query of two words tells no language; the notes that hold the words do."""

from __future__ import annotations

from pathlib import Path

import pytest
from search_support import Library, make_library

from kb.store.connection import open_reader
from kb.streams.languages import foreign_language
from kb.text import parse_query

NOTES = {
    "miete.md": "---\nlang: de\n---\nDer Mietvertrag endet im Juni, Kündigung bis März.\n",
    "lena.md": "---\nlang: en\n---\nLena keeps the Mietvertrag in her drawer.\n",
    "boat.md": "---\nlang: en\n---\nThe boat leaves at noon.\n",
    "schiff.md": "---\nlang: de\n---\nDas Schiff legt ab.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("languages"), NOTES)


@pytest.mark.parametrize(
    ("query", "known", "expected"),
    [
        ("Kündigung", {"en"}, "de"),
        ("Mietvertrag", {"en"}, "de"),  # one note in each: the words may be meant in German
        ("Lena Mietvertrag boat", {"en"}, ""),
        ("boat", {"en"}, ""),
        ("Schiff", {"en", "de"}, ""),
        ("Schiff", set(), ""),  # the model takes any language
        ("zeppelin", {"en"}, ""),
        ("", {"en"}, ""),
    ],
)
def test_the_language_that_the_words_stand_in(
    library: Library, query: str, known: set[str], expected: str
) -> None:
    reader = open_reader(Path(library.index))
    try:
        assert foreign_language(reader, parse_query(query, ("de", "en")), known) == expected
    finally:
        reader.close()
