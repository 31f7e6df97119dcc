"""graph: notes reached along links from the best notes of the other streams."""

from __future__ import annotations

from pathlib import Path

import pytest
from search_support import Library, make_library

from kb.store.records import StreamStatus

# heron -> marsh -> mill -> baker; otter links to heron. Only the first has the word that is asked.
CHAIN = {
    "heron.md": "It has feathers. [[marsh]]\n",
    "marsh.md": "Wet land. [[mill]]\n",
    "mill.md": "It grinds. [[baker]]\n",
    "baker.md": "Bread.\n",
    "otter.md": "It swims near [[heron|it]].\n",
    "lonely.md": "Nobody.\n",
}


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("chain"), CHAIN)


Reached = dict[str, tuple[int | None, tuple[str, ...]]]


def graph(library: Library, query: str, **options: object) -> Reached:
    """Hops and the notes it came from, by path."""
    found = library.search(query, mode="graph", **options).hits
    given = {hit.path: hit.streams["graph"] for hit in found}
    return {path: (one.hops, one.via) for path, one in given.items()}


def test_one_step_along_links_both_ways(chain: Library) -> None:
    assert graph(chain, "feathers") == {
        "heron.md": (0, ()),
        "marsh.md": (1, ("heron.md",)),
        "otter.md": (1, ("heron.md",)),
    }


def test_two_steps_where_asked_for(chain: Library) -> None:
    found = graph(chain, "feathers", hops=2)
    assert set(found) == {"heron.md", "marsh.md", "otter.md", "mill.md"}
    assert found["mill.md"] == (2, ("marsh.md",))
    assert found["marsh.md"][0] == 1


def test_the_note_that_was_meant_stays_first(chain: Library) -> None:
    for hops in (1, 2):
        assert chain.find("feathers", hops=hops)[0] == "heron.md"
        assert chain.find("feathers", mode="graph", hops=hops)[0] == "heron.md"


def test_filters_bind_seeds_and_results(chain: Library) -> None:
    # The only note with the word is filtered out, so there is nothing to start from.
    result = chain.search("feathers", filters={"exclude": ("heron.md",)})
    assert result.streams["graph"].status == StreamStatus.SKIPPED
    assert result.hits == ()
    assert set(graph(chain, "feathers", filters={"exclude": ("marsh.md",)})) == {
        "heron.md",
        "otter.md",
    }


def test_notes_on_the_way_are_free_of_filters(chain: Library) -> None:
    found = graph(chain, "feathers", hops=2, filters={"exclude": ("marsh.md", "otter.md")})
    assert found == {"heron.md": (0, ()), "mill.md": (2, ("marsh.md",))}


def test_no_links_no_graph(chain: Library) -> None:
    report = chain.search("nobody").streams["graph"]
    assert report.status == StreamStatus.SKIPPED
    assert "links" in report.reason
    report = chain.search("zebra").streams["graph"]
    assert report.status == StreamStatus.SKIPPED
    assert "start" in report.reason


def test_in_graph_mode_the_others_only_give_seeds(chain: Library) -> None:
    result = chain.search("feathers", mode="graph")
    statuses = {name: report.status for name, report in result.streams.items()}
    assert statuses["lexical"] == StreamStatus.SEED
    assert statuses["graph"] == StreamStatus.OK
    assert all(set(hit.streams) == {"graph"} for hit in result.hits)
    # A stream whose weight is 0 is not run, so it gives no seeds either.
    silent = chain.search("feathers", mode="graph", weights={"lexical": 0, "entity": 0})
    assert silent.hits == ()
    assert silent.streams["lexical"].status == StreamStatus.OFF


def test_a_hub_says_nothing(tmp_path: Path) -> None:
    notes = {f"note{number}.md": "Text.\n" for number in range(1_200)}
    links = "\n".join(f"[[note{number}]]" for number in range(1_200))
    library = make_library(tmp_path, notes | {"hub.md": f"The heron list.\n\n{links}\n"})
    assert library.find("heron list") == ["hub.md"]
    told = library.why("heron list", "note7.md").streams["graph"]
    assert told.rank is None
    assert told.links == ("hub.md",)
    assert "1200 links" in told.reason


def test_loops_and_links_to_itself(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "a.md": "heron [[a]] [[b]] [[b]]\n",
            "b.md": "[[a]] [[c]]\n",
            "c.md": "[[a]] [[b]] [[gone]]\n",
        },
    )
    for hops in (1, 2):
        found = library.search("heron", mode="graph", hops=hops).hits
        assert found[0].path == "a.md"
        assert sorted(hit.path for hit in found) == ["a.md", "b.md", "c.md"]


def test_a_longer_list_starts_from_the_same_notes(tmp_path: Path) -> None:
    notes = {
        f"{number:03}.md": f"heron {'reed ' * (number % 7)} [[x{number}]]\n" for number in range(40)
    }
    notes |= {f"x{number}.md": "Text.\n" for number in range(40)}
    library = make_library(tmp_path, notes)
    short = library.search("heron", mode="graph", depth=5)
    whole = library.search("heron", mode="graph", depth=5, limit=0)
    assert [hit.path for hit in short.hits] == [hit.path for hit in whole.hits][: len(short.hits)]
    seeds = {hit.path for hit in whole.hits if hit.streams["graph"].hops == 0}
    assert len(seeds) == 3
