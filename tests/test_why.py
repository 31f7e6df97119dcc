"""Why a note is or is not in the list: read off the computation that made the list."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from search_support import Library, make_library

from kb.fusion.options import Mode
from kb.store.errors import UsageError
from kb.store.records import StreamStatus, WhyReport
from kb.streams import cosine
from kb.streams.query_vector import QueryVector

WORDS = ["heron", "marsh", "reed", "boat", "mill"]


def text_of(number: int) -> str:
    """Words of the list in differing numbers, and links to other notes."""
    words = [word for place, word in enumerate(WORDS) if (number >> place) % 2]
    body = " ".join(word for word in words for _ in range(number % 3 + 1))
    tags = f"---\ntags: [{words[0]}]\n---\n" if words and number % 4 == 0 else ""
    return f"{tags}# Note {number}\n\n{body} and more [[n{number * 7 % 40:02}]]\n"


@pytest.fixture(autouse=True)
def east(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosine, "read_query_vector", lambda *_: QueryVector(bytes([127, 0])))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    notes = {f"n{number:02}.md": text_of(number) for number in range(40)}
    library = make_library(tmp_path_factory.mktemp("why"), notes)
    library.set_vectors(
        {path: bytes([127, number * 11 % 120]) for number, path in enumerate(sorted(notes))}
    )
    return library


QUERY = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True).map(" ".join)
NOTE = st.integers(0, 39).map(lambda number: f"n{number:02}.md")
OPTIONS = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(list(Mode)),
        "limit": st.integers(1, 6),
        "depth": st.integers(2, 8),
        "hops": st.integers(1, 2),
        "k": st.sampled_from([1, 10, 60]),
        "weights": st.dictionaries(
            st.sampled_from(["lexical", "entity", "cosine", "graph"]),
            st.sampled_from([0.0, 0.3, 1.0, 5.0]),
        ),
    }
)
SLOWLY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SLOWLY
@given(query=QUERY, path=NOTE, options=OPTIONS)
def test_ranks_are_those_of_the_whole_list(
    query: str, path: str, options: dict[str, Any], library: Library
) -> None:
    whole = library.search(query, **(options | {"limit": 0}))
    given_by = next((hit.streams for hit in whole.hits if hit.path == path), {})
    told = library.why(query, path, **options)
    for name, stream in told.streams.items():
        assert stream.status == whole.streams[name].status
        if stream.status == StreamStatus.OK:
            assert stream.rank == (given_by[name].rank if name in given_by else None)
            assert stream.score == (given_by[name].score if name in given_by else None)


@SLOWLY
@given(query=QUERY, path=NOTE, options=OPTIONS)
def test_contributions_are_those_of_the_list(
    query: str, path: str, options: dict[str, Any], library: Library
) -> None:
    result = library.search(query, **options)
    told = library.why(query, path, **options)
    listed = next((hit for hit in result.hits if hit.path == path), None)
    assert told.listed == (listed is not None)
    assert told.limit == options["limit"]
    for name, stream in told.streams.items():
        assert stream.weight == result.streams[name].weight
        if listed:
            amount = listed.streams[name].amount if name in listed.streams else 0.0
            assert stream.contribution == amount
        if stream.contribution:
            assert stream.contribution == stream.weight / (options["k"] + (stream.rank or 0))
    assert told.score == sum(stream.contribution for stream in told.streams.values())
    assert (told.rank is None) == (told.score == 0)
    if listed:
        assert (told.rank, told.score, told.needs) == (listed.rank, listed.score, "")
    else:
        assert told.needs
        assert told.rank is None or told.rank > options["limit"]


@SLOWLY
@given(query=QUERY, path=NOTE, options=OPTIONS)
def test_the_rank_that_it_needs_lists_it(
    query: str, path: str, options: dict[str, Any], library: Library
) -> None:
    result = library.search(query, **options)
    told = library.why(query, path, **options)
    if told.listed or len(result.hits) < options["limit"]:
        return
    last = result.hits[-1]

    def is_listed_with(name: str, rank: int) -> bool:
        amounts = {one: stream.contribution for one, stream in told.streams.items()}
        amounts[name] = told.streams[name].weight / (options["k"] + rank)
        return (-sum(amounts.values()), path) < (-last.score, last.path)

    claims = dict(re.findall(r"(\w+) rank (\d+) or better", told.needs))
    for name, stream in told.streams.items():
        if stream.status != StreamStatus.OK or stream.weight == 0:
            assert name not in claims
        elif name in claims:
            rank = int(claims[name])
            assert 1 <= rank <= max(options["depth"], options["limit"])
            assert is_listed_with(name, rank)
            deepest = rank == max(options["depth"], options["limit"])
            assert deepest or not is_listed_with(name, rank + 1)
        else:
            assert not is_listed_with(name, 1)


SMALL = {
    ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["hidden/"]}),
    "birds/Grey Heron.md": "---\ntags: [bird]\naliases: [Ardea]\n---\n# The heron\n\nIn marsh.\n",
    "birds/coot.md": "# Coot\n\nIn the marsh, near the [[mill]].\n",
    "mill.md": "# Mill\n\nIt grinds.\n",
    "hidden/old.md": "# Old\n\nThe marsh of old.\n",
    "lonely.md": "# Lonely\n\nNothing.\n",
}


@pytest.fixture
def small(tmp_path: Path) -> Library:
    return make_library(tmp_path, SMALL)


def test_a_listed_note(small: Library) -> None:
    told = small.why("marsh heron", "birds/Grey Heron.md")
    assert told.listed
    assert (told.rank, told.path, told.title) == (1, "birds/Grey Heron.md", "The heron")
    assert "lexical" in told.verdict
    assert set(told.streams["lexical"].has) == {"marsh", "heron"}
    assert told.streams["lexical"].lacks == ()


def test_words_it_has_and_lacks(small: Library) -> None:
    told = small.why("marsh heron", "birds/coot.md").streams["lexical"]
    assert (told.has, told.lacks) == (("marsh",), ("heron",))
    nothing = small.why("marsh heron", "lonely.md")
    assert nothing.streams["lexical"].has == ()
    assert nothing.streams["lexical"].needs
    assert (nothing.rank, nothing.listed, nothing.score) == (None, False, 0.0)
    assert "no stream" in nothing.verdict
    assert "lexical" in nothing.needs


def test_entities_matched_and_nearly(small: Library) -> None:
    told = small.why("ardea", "birds/Grey Heron.md").streams["entity"]
    assert told.matched == ("alias:Ardea",)
    near = small.why("grey mill", "birds/Grey Heron.md").streams["entity"]
    assert "name:Grey Heron" in near.nearly


def test_links_that_carried_it_or_could_have(small: Library) -> None:
    told = small.why("coot", "mill.md").streams["graph"]
    assert told.links == ("birds/coot.md",)
    assert told.rank is not None
    could = small.why("ardea", "mill.md").streams["graph"]
    assert could.rank is None
    assert could.links == ("birds/coot.md",)
    assert small.why("coot", "lonely.md").streams["graph"].links == ()


def test_graph_mode(small: Library) -> None:
    told = small.why("coot", "mill.md", mode=Mode.GRAPH)
    assert told.listed
    assert told.streams["graph"].rank == 2
    assert told.streams["lexical"].status == StreamStatus.SEED
    assert told.streams["lexical"].contribution == 0


@pytest.mark.parametrize(
    ("filters", "named", "remedy"),
    [
        ({"tags": ("bird",)}, "--tag bird", "ask without `--tag bird`"),
        ({"paths": ("x/*",)}, "--path x/*", "ask without `--path x/*`"),
        ({"exclude": ("birds/coot.md",)}, "--exclude birds/coot.md", "ask without"),
        ({"where": (("a", ">", "1"),)}, "--where a>1", "ask without"),
        ({"since": "2990-01-01"}, "--since 2990-01-01", "ask without"),
    ],
)
def test_a_note_that_a_filter_leaves_out(
    filters: dict[str, Any], named: str, remedy: str, small: Library
) -> None:
    told = small.why("marsh", "birds/coot.md", filters=filters)
    assert not told.listed
    assert told.rank is None
    assert named in told.verdict
    assert remedy in told.needs
    assert told.streams["lexical"].rank is None
    assert told.streams["lexical"].has == ("marsh",)


def test_a_note_with_an_excluded_word(small: Library) -> None:
    told = small.why("marsh -coot", "birds/coot.md")
    assert "-coot" in told.verdict
    assert "ask without `-coot`" in told.needs


def test_a_note_that_two_filters_leave_out(small: Library) -> None:
    told = small.why("marsh", "mill.md", filters={"tags": ("bird",), "types": ("x",)})
    assert "--tag bird" in told.verdict
    assert "--type x" in told.verdict
    assert "--tag bird" in told.needs
    assert "--type x" in told.needs


def test_a_hidden_note(small: Library) -> None:
    told = small.why("marsh", "hidden/old.md")
    assert not told.listed
    assert "excluded files" in told.verdict
    assert told.needs == "ask with `--include-ignored`"
    assert small.why("marsh", "hidden/old.md", filters={"include_ignored": True}).listed


def test_a_note_that_is_gone(small: Library) -> None:
    (small.vault / "birds/Grey Heron.md").unlink()
    told = small.why("marsh heron", "birds/Grey Heron.md")
    assert (told.rank, told.listed) == (None, False)
    assert "gone" in told.verdict
    assert "kb index" in told.needs
    # The next one has moved up, as in the list.
    assert small.why("marsh heron", "birds/coot.md").rank == 1
    assert small.find("marsh heron")[0] == "birds/coot.md"


def test_a_note_beyond_the_limit(small: Library) -> None:
    told = small.why("marsh", "birds/coot.md", limit=1)
    if told.listed:
        told = small.why("marsh", "birds/Grey Heron.md", limit=1)
    assert told.rank == 2
    assert "first 1" in told.verdict
    assert "score above" in told.needs


def test_no_limit(small: Library) -> None:
    assert small.why("marsh", "birds/coot.md", limit=0).listed
    told = small.why("marsh", "lonely.md", limit=0)
    assert not told.listed
    assert told.needs


def test_everything_off(small: Library) -> None:
    weights = {"lexical": 0, "entity": 0, "cosine": 0, "graph": 0}
    told = small.why("marsh", "birds/coot.md", weights=weights)
    assert told.rank is None
    assert told.needs
    assert {stream.status for stream in told.streams.values()} == {StreamStatus.OFF}
    # What it would take to rank says nothing of a stream that does not run.
    assert all((one.nearly, one.links, one.needs) == ((), (), "") for one in told.streams.values())


@pytest.mark.parametrize(
    "name",
    [
        "birds/coot.md",
        "birds/coot",
        "./birds/coot.md",
        "Birds/COOT.md",
        "coot",
        "coot.md",
        "Coot",
        "{vault}/birds/coot.md",
    ],
)
def test_a_note_by_any_of_its_names(name: str, small: Library) -> None:
    told = small.why("marsh", name.format(vault=small.vault))
    assert told.path == "birds/coot.md"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("birds/cot.md", "no note birds/cot.md", "birds/coot.md"),
        ("heron of the marsh", "no note", "Grey Heron"),
        ("zzz", "no note zzz", "relative to the vault"),
        ("", "no note", "relative to the vault"),
        ("new.md", "not in the index", "kb index"),
        ("x" * 5_000, "no note", "relative to the vault"),
        ("\0", "no note", "relative to the vault"),
        ("../outside.md", "is outside the vault", "relative to the vault"),
        ("{vault}/../outside.md", "is outside the vault", ""),
        ("/etc/hosts", "is outside the vault", ""),
    ],
)
def test_a_note_that_is_not_there(name: str, message: str, hint: str, small: Library) -> None:
    (small.vault / "new.md").write_text("not indexed yet")
    small.vault.with_name("outside.md").write_text("not in the vault")
    with pytest.raises(UsageError) as raised:
        small.why("marsh", name.format(vault=small.vault))
    assert message in raised.value.message
    assert hint in raised.value.hint


def test_a_name_of_several_notes(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a/plan.md": "marsh", "b/Plan.md": "marsh"})
    with pytest.raises(UsageError) as raised:
        library.why("marsh", "plan")
    assert "2 notes" in raised.value.message
    assert "`a/plan.md`, `b/Plan.md`" in raised.value.hint
    assert library.why("marsh", "b/plan").path == "b/Plan.md"


def test_what_is_odd_about_the_query_is_said(small: Library) -> None:
    told = small.why('marsh "heron', "birds/coot.md")
    assert isinstance(told, WhyReport)
    assert any("quote" in notice for notice in told.notices)
    small.vault.rename(small.vault.with_name("away"))
    assert any("not there" in one for one in small.why("marsh", "birds/coot.md").notices)
