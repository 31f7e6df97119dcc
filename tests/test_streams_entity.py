"""entity: what a note is about, named by the query as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from search_support import Library, make_library

from kb.store.records import StreamHit, StreamStatus

NOTES = {
    "people/anna.md": "---\naliases: [Anna Berg, Annie]\ntype: person\n---\nText.\n",
    "postgres.md": "---\ntags: [database/sql, decision]\nticket: INC-2041\nowner: '[[Anna Berg]]'\n"
    "date: 2024-05-03\n---\n# We moved to Postgres\n\nText.\n",
    "mysql.md": "---\ntags: [database]\n---\n# MySQL\n\nText, #storage-engine too.\n",
    "café notes.md": "# Notes of the café\n\nstatus:: on hold\n",
    "東京.md": "# 東京の天気\n",
    "plain.md": "Anna Berg moved the database to Postgres.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("entity"), NOTES)


def hits(library: Library, query: str) -> dict[str, tuple[str, ...]]:
    """What matched, by path."""
    found = library.search(query, mode="entity").hits
    return {hit.path: hit.streams["entity"].matched for hit in found}


@pytest.mark.parametrize(
    ("query", "path", "matched"),
    [
        ("annie", "people/anna.md", "alias:Annie"),
        ("What does Anna Berg own?", "people/anna.md", "alias:Anna Berg"),
        ("inc-2041", "postgres.md", "ticket:INC-2041"),
        ("what was INC 2041", "postgres.md", "ticket:INC-2041"),
        ("we moved to postgres", "postgres.md", "title:We moved to Postgres"),
        ("2024-05-03", "postgres.md", "date:2024-05-03"),
        ("#database/sql", "postgres.md", "tag:database/sql"),
        ("storage engine", "mysql.md", "tag:storage-engine"),
        ("storage_engine", "mysql.md", "tag:storage-engine"),
        ("CAFE NOTES", "café notes.md", "name:café notes"),
        ("what is on hold", "café notes.md", "status:on hold"),
        ("東京の天気", "東京.md", "title:東京の天気"),
    ],
)
def test_a_name_finds_its_note(query: str, path: str, matched: str, library: Library) -> None:
    found = hits(library, query)
    assert next(iter(found)) == path
    assert matched in found[path]


def test_a_tag_is_named_by_its_parent_too(library: Library) -> None:
    assert set(hits(library, "database")) == {"postgres.md", "mysql.md"}


def test_a_link_in_a_property_is_a_name(library: Library) -> None:
    assert "postgres.md" in hits(library, "Anna Berg")


def test_text_is_no_entity(library: Library) -> None:
    assert "plain.md" not in hits(library, "Anna Berg moved the database to Postgres")


def test_a_query_that_names_nothing_is_skipped(library: Library) -> None:
    report = library.search("nothing of the kind").streams["entity"]
    assert report.status == StreamStatus.SKIPPED
    assert report.reason
    assert report.candidates == 0


def test_words_of_function_name_nothing_inside_a_sentence(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"it.md": "# It\n\nA film.\n", "b.md": "Text.\n"})
    assert hits(library, "what is it") == {}
    assert list(hits(library, "it")) == ["it.md"]


def test_filters_bind(library: Library) -> None:
    found = library.find("database", mode="entity", filters={"not_tags": ("decision",)})
    assert found == ["mysql.md"]
    report = library.search("INC-2041", filters={"paths": ("people/",)}).streams["entity"]
    assert report.status == StreamStatus.SKIPPED
    assert "filters" in report.reason


def test_rarer_names_come_first(tmp_path: Path) -> None:
    notes = {f"{number}.md": "---\ntags: [common]\n---\n" for number in range(8)}
    notes["rare.md"] = "---\ntags: [seldom]\n---\n"
    library = make_library(tmp_path, notes)
    found = library.search("common seldom", mode="entity").hits
    assert found[0].path == "rare.md"
    assert [hit.path for hit in found[1:]] == sorted(notes)[:8]
    shares = {hit.streams["entity"].score for hit in found[1:]}
    assert len(shares) == 1


def test_a_run_inside_a_longer_one_counts_once(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "both.md": "---\ntags: [grey-heron, heron]\n---\n",
            "long.md": "---\ntags: [grey-heron]\n---\n",
            "other.md": "",
        },
    )
    found = library.search("grey heron", mode="entity").hits
    scores = {hit.path: hit.streams["entity"].score for hit in found}
    assert scores["both.md"] == scores["long.md"]


def test_more_names_than_a_statement_takes_values(tmp_path: Path) -> None:
    words = [f"w{number}x" for number in range(400)]
    fields = "\n".join(f"{word}: {word}" for word in words)
    library = make_library(tmp_path, {"all.md": f"---\n{fields}\n---\n", "b.md": ""})
    assert library.find(" ".join(words), mode="entity") == ["all.md"]


def test_hits_are_records_in_order(library: Library) -> None:
    from contextlib import closing

    from kb.fusion.options import SearchOptions
    from kb.fusion.search import asked
    from kb.store.connection import open_reader
    from kb.streams import entity

    with (
        closing(open_reader(library.index)) as connection,
        asked(library.index, "database anna berg", SearchOptions(), connection) as question,
    ):
        ranking = entity.rank(question.request)
        one = entity.rank(question.request._replace(depth=1))
    assert all(isinstance(hit, StreamHit) for hit in ranking.hits)
    assert list(ranking.hits) == sorted(ranking.hits, key=lambda hit: (-hit.score, hit.path))
    assert one.hits == ranking.hits[:1]
    assert one.factor == ranking.factor
