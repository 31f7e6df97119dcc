"""One query to several vaults: joined stream by stream, and told apart in every form of output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb
from hypothesis import given
from hypothesis import strategies as st
from search_support import Library, make_library, make_options

from kb.fusion.options import Rule, SearchOptions
from kb.fusion.vaults import VaultToAsk, search_vaults
from kb.store.records import Filters, SearchResult

BIRDS = {
    "heron.md": "# Heron\n\nThe grey heron stands in the marsh. [[nest]]\n",
    "nest.md": "# Nest\n\nHigh in a tree.\n",
    "stork.md": "# Stork\n\nNot a heron at all, says the book.\n",
}
BOATS = {
    "heron.md": "# Heron\n\nA ferry of that name. [[harbour]]\n",
    "harbour.md": "# Harbour\n\nWhere the boats are.\n",
    "oil.md": "# Oil\n\nNothing of interest.\n",
}


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("birds"), BIRDS)


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("boats"), BOATS)


def ask(query: str, *libraries: Library, **options: Any) -> SearchResult:
    chosen = make_options(**options)
    return search_vaults([VaultToAsk(one.index, chosen) for one in libraries], query, chosen)


def places(result: SearchResult) -> list[tuple[str, str]]:
    return [(Path(hit.vault).parent.name[:5], hit.path) for hit in result.hits]


def check(result: SearchResult) -> None:
    """What holds of every result, whatever was asked."""
    for rank, hit in enumerate(result.hits, start=1):
        assert hit.rank == rank
        assert hit.vault in result.vaults
        for name, given_by in hit.streams.items():
            weight = result.streams[name].weight
            assert given_by.amount == weight / (result.k + given_by.rank)
        assert hit.rrf == sum(one.amount for one in hit.streams.values())
        assert hit.score == hit.rrf * hit.authority
    for name in result.streams:
        ranks = [hit.streams[name].rank for hit in result.hits if name in hit.streams]
        assert len(set(ranks)) == len(ranks)


def test_one_list_of_both(birds: Library, boats: Library) -> None:
    result = ask("grey heron marsh", birds, boats)
    check(result)
    assert places(result)[0] == ("birds", "heron.md")
    assert {("birds", "heron.md"), ("boats", "heron.md"), ("birds", "stork.md")} <= set(
        places(result)
    )
    assert result.vault == ""
    assert [Path(vault).parent.name[:5] for vault in result.vaults] == ["birds", "boats"]


def test_a_vault_without_an_answer_takes_no_place(birds: Library, boats: Library) -> None:
    alone = [("birds", hit.path) for hit in birds.search("marsh").hits]
    for order in ((birds, boats), (boats, birds)):
        assert places(ask("marsh", *order)) == alone


def test_one_vault_is_asked_as_ever(birds: Library) -> None:
    for query in ("heron", "grey heron marsh", "nest", "nothing of it", ""):
        one, same = birds.search(query), ask(query, birds)
        assert [(hit.path, hit.score, hit.streams) for hit in same.hits] == [
            (hit.path, hit.score, hit.streams) for hit in one.hits
        ]


def test_links_carry_within_their_vault(birds: Library, boats: Library) -> None:
    result = ask("ferry marsh", birds, boats)
    check(result)
    found = dict(zip(places(result), result.hits, strict=True))
    assert found[("birds", "nest.md")].streams["graph"].via == ("heron.md",)
    assert found[("boats", "harbour.md")].streams["graph"].via == ("heron.md",)
    assert ("boats", "nest.md") not in found


def test_each_vault_has_its_own_filters_and_factors(birds: Library, boats: Library) -> None:
    weighed = Rule("path heron.md", Filters(paths=("heron.md",)), 0.5)
    result = search_vaults(
        [
            VaultToAsk(birds.index, SearchOptions(rules=(weighed,))),
            VaultToAsk(boats.index, SearchOptions(filters=Filters(paths=("heron.md",)))),
        ],
        "heron",
        SearchOptions(weights={"graph": 0}),
    )
    check(result)
    assert dict(zip(places(result), (hit.authority for hit in result.hits), strict=True)) == {
        ("boats", "heron.md"): 1.0,
        ("birds", "stork.md"): 1.0,
        ("birds", "heron.md"): 0.5,
    }


@given(
    st.sampled_from(["heron", "harbour nest", "grey boats", "high", ""]),
    st.integers(0, 4),
    st.sampled_from(["hybrid", "lexical", "entity", "graph", "semantic"]),
)
def test_a_short_list_begins_a_long_one(
    birds: Library, boats: Library, query: str, limit: int, mode: str
) -> None:
    long = ask(query, birds, boats, limit=10, mode=mode)
    short = ask(query, birds, boats, limit=limit, mode=mode)
    check(short)
    if limit:
        assert places(short) == places(long)[:limit]


def test_vectors_of_different_models_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb.store.connection import open_writer
    from kb.store.meta import Meta, write_meta
    from kb.streams import cosine
    from kb.streams.query_vector import QueryVector

    monkeypatch.setattr(cosine, "read_query_vector", lambda *_: QueryVector(bytes([100, 0])))
    near = make_library(tmp_path / "near", {"a.md": "One.", "b.md": "Two."})
    far = make_library(tmp_path / "far", {"c.md": "Three.", "d.md": "Four."})
    near.set_vectors({"a.md": bytes([100, 10]), "b.md": bytes([100, 20])})
    far.set_vectors({"c.md": bytes([100, 60]), "d.md": bytes([60, 100])})

    def order() -> list[str]:
        return [hit.path for hit in ask("xyzzy", near, far, mode="semantic").hits]

    assert order() == ["a.md", "b.md", "c.md", "d.md"]
    connection = open_writer(far.index)
    write_meta(connection, Meta.MODEL_FINGERPRINT, "another")
    connection.close()
    assert order() == ["a.md", "c.md", "b.md", "d.md"]  # the best of each is as good as the other


Form = Callable[..., list[str]]


@pytest.fixture
def two(make_vault: MakeVault, kb: RunKb) -> tuple[Path, Path]:
    vaults = make_vault(BIRDS, "birds"), make_vault(BOATS, "boats")
    for vault in vaults:
        assert kb("index", vault, "-q").status == 0
    return vaults


def test_every_form_tells_the_vaults_apart(
    two: tuple[Path, Path], kb: RunKb, schema_errors: Callable[[Any], list[str]]
) -> None:
    birds, boats = two
    both = ("--vault", birds, "--vault", boats)
    ask = ("query", "heron", "--mode", "lexical", *both)
    files = {str(birds / "heron.md"), str(birds / "stork.md"), str(boats / "heron.md")}
    assert set(kb(*ask, "-l").lines) == files
    assert set(kb(*ask, "-0").out.split("\0")[:-1]) == files
    assert {line.split("\t")[0] for line in kb(*ask).lines} == files
    assert set(kb(*ask, "--format", "{path}").lines) == files
    assert set(kb(*ask, "--format", "{vault}").lines) == {str(birds), str(boats)}
    assert kb(*ask, "-c").out == "3\n"
    assert kb(*ask, "-q").status == 0
    shown = kb(*ask, terminal=True).out
    assert "birds/heron.md:" in shown
    assert "boats/heron.md:" in shown
    assert str(birds) not in shown
    assert "boats/heron.md:" in kb(*ask, "--explain").out
    document = kb(*ask, "--json").json
    assert schema_errors(document) == []
    assert document["vault"] == ""
    assert document["vaults"] == [str(birds), str(boats)]
    assert {(one["vault"], one["path"]) for one in document["results"]} == {
        (str(birds), "heron.md"),
        (str(birds), "stork.md"),
        (str(boats), "heron.md"),
    }
    nothing = kb("query", "xyzzyq", *both, terminal=True)
    assert nothing.status == 1
    assert "no note found in 2 vaults" in nothing.err


def test_folders_of_one_name_are_shown_whole(make_vault: MakeVault, kb: RunKb) -> None:
    vaults = make_vault(BIRDS, "a/notes"), make_vault(BOATS, "b/notes")
    for vault in vaults:
        kb("index", vault, "-q")
    shown = kb("query", "heron", "--all-vaults", terminal=True, width=200).out
    assert f"{vaults[0]}/heron.md:" in shown
    assert f"{vaults[1]}/heron.md:" in shown


def test_all_vaults_less_those_that_cannot_be_asked(two: tuple[Path, Path], kb: RunKb) -> None:
    birds, boats = two
    every = kb("query", "heron", "-l", "--all-vaults")
    assert set(every.lines) == set(
        kb("query", "heron", "-l", "--vault", birds, "--vault", boats).lines
    )
    index = Path(kb("status", "--json", "--vault", boats).json["index"])
    index.write_bytes(b"no database, whatever its name says" * 100)
    left = kb("query", "heron", "-l", "--all-vaults")
    assert left.status == 0
    assert "boats is left out" in left.err
    assert all("/birds/" in line for line in left.lines)
    named = kb("query", "heron", "--vault", birds, "--vault", boats)
    assert named.status == 2


def test_a_vault_named_twice_is_asked_once(two: tuple[Path, Path], kb: RunKb) -> None:
    birds, boats = two
    once = kb("query", "heron", "-l", "--vault", birds, "--vault", boats).lines
    again = ("--vault", birds, "--vault", boats, "--vault", f"{birds}/../birds")
    assert kb("query", "heron", "-l", *again).lines == once
    alone = kb("query", "heron", "-l", "--vault", birds, "--vault", birds).lines
    assert alone == kb("query", "heron", "-l", "--vault", birds).lines


def test_notes_listed_on_stdin_leave_every_vault(two: tuple[Path, Path], kb: RunKb) -> None:
    birds, boats = two
    both = ("--vault", birds, "--vault", boats)
    listed = f"{birds}/heron.md\n{boats}/heron.md\n"
    left = kb("query", "heron", "-l", "--exclude-from", "-", *both, stdin=listed).lines
    assert f"{birds}/stork.md" in left
    assert f"{birds}/heron.md" not in left
    assert f"{boats}/heron.md" not in left


def test_what_goes_with_one_vault_alone(two: tuple[Path, Path], kb: RunKb) -> None:
    birds, boats = two
    both = ("query", "heron", "--vault", birds, "--vault", boats)
    for options in (("--why", "heron.md"), ("--index", "x.sqlite"), ("--queries", "-")):
        result = kb(*both, *options)
        assert result.status == 2
        assert options[0] in result.err
    assert kb(*both, "--all-vaults").status == 2
    assert kb("query", "heron", "--vault", birds, "--vault", birds / "none").status == 2


def test_each_vault_says_which_notes_and_none_how_to_rank(
    two: tuple[Path, Path], kb: RunKb
) -> None:
    birds, boats = two
    text = '[factors.path]\n"heron.md" = 0.5\n'
    (birds / ".kb.toml").write_text(f"k = 1\nlimit = 1\n{text}", encoding="utf-8")
    (boats / ".kb.toml").write_text('scope = "own"\n[scopes.own]\npath = "oil.md"\n', "utf-8")
    asked = ("query", "heron", "--json", "--vault", birds, "--vault", boats)
    document = kb(*asked).json
    assert document["k"] == 60
    assert document["scope"] == "own"
    assert all(one["vault"] == str(birds) for one in document["results"])
    authority = {one["path"]: one["authority"] for one in document["results"]}
    assert authority["heron.md"] == 0.5
    assert authority["stork.md"] == 1.0
