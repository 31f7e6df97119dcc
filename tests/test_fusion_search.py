"""The whole of a query: streams to one list that carries its own explanation."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_support import run, write
from search_support import Library, make_library, make_options

from kb.fusion.options import Mode, SearchOptions
from kb.fusion.search import search
from kb.indexer.pagerank import ensure_pagerank
from kb.store.connection import open_reader
from kb.store.errors import IndexMissingError, KbError, UsageError
from kb.store.records import SearchResult, StreamStatus
from kb.streams import cosine
from kb.streams.query_vector import QueryVector
from kb.streams.registry import STREAM_NAMES, default_weights

NOTES = {
    "heron.md": "---\ntags: [bird]\n---\n# Heron\n\nA heron in the marsh. [[marsh]]\n",
    "marsh.md": "# Marsh\n\nWet land with reed.\n",
    "reed.md": "# Reed\n\nIt grows in the marsh, and a heron nests there.\n",
    "mill.md": "# Mill\n\nBuilt near [[marsh]].\n",
    "boat.md": "# Boat\n\nFlat.\n",
}
NEAR = {"heron.md": bytes([120, 10]), "mill.md": bytes([100, 60]), "reed.md": bytes([90, 80])}


@pytest.fixture(autouse=True)
def east(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosine, "read_query_vector", lambda *_: QueryVector(bytes([127, 0])))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = make_library(tmp_path_factory.mktemp("search"), NOTES)
    library.set_vectors(NEAR)
    return library


def check(result: SearchResult) -> None:
    """What holds for every result: the explanation is the computation."""
    ranks: dict[str, set[int]] = {}
    for place, hit in enumerate(result.hits, 1):
        assert hit.rank == place
        assert hit.rrf == sum(part.amount for part in hit.streams.values())
        assert hit.score == hit.rrf * hit.authority
        assert hit.streams
        for name, part in hit.streams.items():
            report = result.streams[name]
            assert report.status == StreamStatus.OK
            assert part.amount == report.weight / (result.k + part.rank)
            assert 1 <= part.rank <= report.candidates
            assert part.rank not in ranks.setdefault(name, set())
            ranks[name].add(part.rank)
    order = [(-hit.score, hit.path) for hit in result.hits]
    assert order == sorted(order)
    assert tuple(result.streams) == STREAM_NAMES
    for report in result.streams.values():
        assert report.status == StreamStatus.OK or report.reason


WORDS = ["heron", "marsh", "reed", "-boat", '"a heron"', "bird", "x"]
QUERY = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(WORDS)).map(" ".join))
OPTIONS = st.builds(
    make_options,  # leaves its other numbers as they are by default
    mode=st.sampled_from(list(Mode)),
    weights=st.dictionaries(st.sampled_from(STREAM_NAMES), st.floats(0, 5), max_size=4),
    k=st.integers(1, 200),
    limit=st.integers(0, 6),
    depth=st.integers(1, 5),
    hops=st.integers(1, 2),
    authority=st.booleans(),
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=QUERY, options=OPTIONS)
def test_the_explanation_is_the_computation(
    query: str, options: SearchOptions, library: Library
) -> None:
    ensure_pagerank(library.index)
    result = search(library.index, query, options)
    check(result)
    assert not options.limit or len(result.hits) <= options.limit


def test_every_stream_takes_part(library: Library) -> None:
    result = library.search("heron marsh")
    assert {name: one.status for name, one in result.streams.items()} == dict.fromkeys(
        STREAM_NAMES, StreamStatus.OK
    )
    assert result.hits[0].path == "heron.md"
    assert set(result.hits[0].streams) == set(STREAM_NAMES)


@pytest.mark.parametrize(
    ("mode", "name"),
    [("lexical", "lexical"), ("entity", "entity"), ("semantic", "cosine"), ("graph", "graph")],
)
def test_a_mode_of_one_stream(mode: str, name: str, library: Library) -> None:
    result = library.search("heron marsh", mode=Mode(mode))
    assert result.hits
    for stream, report in result.streams.items():
        if stream == name:
            assert report.status == StreamStatus.OK
        elif mode == "graph":
            assert report.status == StreamStatus.SEED
            assert "graph" in report.reason
        else:
            assert report.status == StreamStatus.OFF
            assert name in report.reason
            assert report.candidates == 0
    assert all(set(hit.streams) == {name} for hit in result.hits)


def test_a_weight_of_0_turns_a_stream_off_for_seeds_too(library: Library) -> None:
    result = library.search("nests", weights={"lexical": 0, "cosine": 0, "entity": 0})
    assert result.hits == ()
    assert result.streams["lexical"].status == StreamStatus.OFF
    assert "0" in result.streams["lexical"].reason
    assert result.streams["graph"].status == StreamStatus.SKIPPED
    without = library.search("heron", weights={"graph": 0})
    assert without.streams["graph"].status == StreamStatus.OFF
    assert all("graph" not in hit.streams for hit in without.hits)


def test_a_weight_next_to_nothing_is_no_error(library: Library) -> None:
    tiny = dict.fromkeys(STREAM_NAMES, 5e-324)
    assert library.search("heron", weights=tiny).streams["lexical"].status == StreamStatus.OK


def test_the_default_weights_are_those_of_the_registry(library: Library) -> None:
    result = library.search("heron")
    base = {name: report.base_weight for name, report in result.streams.items()}
    assert base == default_weights()
    changed = library.search("heron", weights={"lexical": 2.5})
    assert changed.streams["lexical"].base_weight == 2.5
    assert changed.streams["cosine"].base_weight == default_weights()["cosine"]


def test_limit_0_is_every_note(library: Library) -> None:
    everything = library.find("marsh", limit=0)
    assert len(everything) == len(set(everything)) == 4
    assert library.find("marsh", limit=2) == everything[:2]
    assert library.find("marsh", limit=99) == everything


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"limit": -1},
        {"depth": 0},
        {"hops": 3},
        {"hops": 0},
        {"weights": {"lexical": -1}},
        {"weights": {"lexical": 5.1}},
        {"weights": {"lexical": float("nan")}},
        {"weights": {"fuzzy": 1}},
        {"snippet_width": -1},
    ],
)
def test_what_no_formula_can_take(wrong: dict[str, object], library: Library) -> None:
    with pytest.raises(UsageError) as raised:
        library.search("heron", **wrong)
    assert raised.value.hint


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError):
        search(tmp_path / "none.sqlite", "heron")


def test_an_unrelated_note_changes_nothing_about_who_is_found(tmp_path: Path) -> None:
    library = make_library(tmp_path, NOTES)
    queries = ["heron", "marsh reed", "bird", "nests there", "boat"]
    before = {query: sorted(library.find(query, limit=0)) for query in queries}
    library.update({"elsewhere/zebra.md": "# Zebra\n\nStripes, [[nowhere]].\n"})
    assert {query: sorted(library.find(query, limit=0)) for query in queries} == before
    assert library.find("stripes") == ["elsewhere/zebra.md"]


def test_one_connection_answers_many_queries(library: Library) -> None:
    """Filters leave nothing behind on it."""
    with closing(open_reader(library.index)) as connection:

        def ask(query: str, **filters: object) -> list[str]:
            options = make_options(filters)
            result = search(library.index, query, options, connection=connection)
            return sorted(hit.path for hit in result.hits)

        everything = ask("marsh")
        assert ask("marsh", tags=("bird",)) == ["heron.md"]
        assert ask("marsh") == everything
        assert ask("marsh", paths=("m*",), exclude=("mill.md",)) == ["marsh.md"]
        assert ask("marsh", paths=("mill.md",)) == ["mill.md"]
        with pytest.raises(KbError):
            ask("marsh", where=(("a", "~", "b"),))
        assert ask("marsh -heron") == ["marsh.md", "mill.md"]
        assert ask("marsh") == everything


def test_a_reader_sees_what_a_writer_has_committed(tmp_path: Path) -> None:
    library = make_library(tmp_path, NOTES)
    with closing(open_reader(library.index)) as connection:
        options = SearchOptions()
        assert search(library.index, "zebra", options, connection=connection).hits == ()
        library.update({"zebra.md": "# Zebra\n"})
        found = search(library.index, "zebra", options, connection=connection).hits
        assert [hit.path for hit in found] == ["zebra.md"]


def test_a_writer_in_the_middle_of_its_work_blocks_nobody(tmp_path: Path) -> None:
    from kb.store.connection import open_writer

    library = make_library(tmp_path, NOTES)
    with closing(open_writer(library.index)) as writer, writer:
        writer.execute("DELETE FROM notes WHERE path = 'heron.md'")
        assert library.find("heron", filters={"tags": ("bird",)}) == ["heron.md"]


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="needs a user whom permissions bind",
)
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    library = make_library(tmp_path / "home", NOTES)
    library.index.parent.chmod(0o500)
    try:
        assert library.find("heron", filters={"tags": ("bird",)}) == ["heron.md"]
    finally:
        library.index.parent.chmod(0o700)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Library]:
    yield make_library(tmp_path, NOTES)


def test_a_note_that_changed_says_so(own: Library) -> None:
    write(own.vault, {"heron.md": NOTES["heron.md"] + "More.\n"})
    assert {hit.path: hit.changed for hit in own.search("heron").hits}["heron.md"]
    same_size = NOTES["reed.md"].replace("grows", "stays")
    write(own.vault, {"reed.md": same_size})
    changed = {hit.path for hit in own.search("heron", limit=0).hits if hit.changed}
    assert changed == {"heron.md", "reed.md"}
    run(own.vault, own.index)
    assert not any(hit.changed for hit in own.search("heron").hits)


def test_a_note_that_was_only_touched_did_not_change(own: Library) -> None:
    file = own.vault / "heron.md"
    os.utime(file, ns=(1, file.stat().st_mtime_ns + 5_000_000_000))
    assert not any(hit.changed for hit in own.search("heron").hits)


def test_notes_that_are_gone_are_left_out_and_others_move_up(own: Library) -> None:
    before = own.find("heron")
    (own.vault / before[0]).unlink()
    result = own.search("heron", limit=1)
    assert [hit.path for hit in result.hits] == [before[1]]
    assert result.hits[0].rank == 1
    assert any(before[0] in notice and "gone" in notice for notice in result.notices)


def test_a_folder_that_became_a_file_took_its_notes_along(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"sub/heron.md": "A heron.", "other.md": "A heron."})
    shutil.rmtree(library.vault / "sub")
    write(library.vault, {"sub": "no folder"})
    assert library.find("heron") == ["other.md"]


def test_many_gone_notes_are_counted_not_listed(tmp_path: Path) -> None:
    library = make_library(tmp_path, {f"{number}.md": "A heron." for number in range(50)})
    for number in range(49):
        (library.vault / f"{number}.md").unlink()
    result = library.search("heron")
    assert [hit.path for hit in result.hits] == ["49.md"]
    assert len(result.notices) == 4
    assert "46 more" in result.notices[-1]


def test_a_vault_that_is_away_is_shown_as_it_was(own: Library) -> None:
    before = own.find("heron")
    own.vault.rename(own.vault.with_name("elsewhere"))
    result = own.search("heron")
    assert [hit.path for hit in result.hits] == before
    assert not any(hit.changed for hit in result.hits)
    assert len(result.notices) == 1
    assert "not there" in result.notices[0]


def test_authority_settles_near_ties(tmp_path: Path) -> None:
    notes = {"a.md": "A heron.", "z.md": "A heron."}
    notes |= {f"link{number}.md": "[[z]]" for number in range(5)}
    library = make_library(tmp_path, notes)
    weights = {"graph": 0}
    assert library.find("heron", weights=weights) == ["a.md", "z.md"]
    unknown = library.search("heron", weights=weights, authority=True)
    assert [hit.authority for hit in unknown.hits] == [1.0, 1.0]
    assert any("authority" in notice for notice in unknown.notices)
    ensure_pagerank(library.index)
    result = library.search("heron", weights=weights, authority=True)
    assert [hit.path for hit in result.hits] == ["z.md", "a.md"]
    assert result.notices == ()
    check(result)
    authorities = {hit.path: hit.authority for hit in result.hits}
    assert 0.9 <= authorities["a.md"] < 1 < authorities["z.md"] <= 1.1


def test_the_passage_shown_is_the_one_that_gave_most(tmp_path: Path) -> None:
    filler = "word " * 250
    text = f"# Title\n\n{filler}\n\n## Herons\n\nThe heron waits. {filler}\n"
    library = make_library(tmp_path, {"a.md": text})
    passage = library.search("heron waits").hits[0].passage
    assert passage.heading[-1] == "Herons"
    assert passage.line == 5
    assert "heron" in passage.snippet
    assert passage.marks
    plain = library.search("heron waits", snippet_width=0).hits[0].passage
    assert (plain.snippet, plain.marks) == ("", ())
