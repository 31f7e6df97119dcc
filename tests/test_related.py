"""`kb related`: what belongs with a note, by links, names, meaning and words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from search_support import Library, make_library, make_options

from kb.fusion.options import Mode
from kb.fusion.related import RELATED_WEIGHTS, RelatedResult, related
from kb.store.errors import UsageError
from kb.store.records import StreamStatus

NOTES = {
    "heron.md": "---\ntags: [bird/wader, marsh]\nseen_by: Ada Lind\n---\n# Grey heron\n\n"
    "A stilt-legged hunter of the shallows. [[marsh]] [[coot]]\n",
    "egret.md": "---\ntags: [bird/wader]\naliases: [White heron]\n---\n# Egret\n\n"
    "Another stilt-legged hunter, white. [[marsh]]\n",
    "marsh.md": "# The marsh\n\nWet land.\n",
    "coot.md": "# Coot\n\nIt dives.\n",
    "ada.md": "# Ada Lind\n\nKeeps the log.\n",
    "hunter.md": "# Hunters\n\nA hunter of the shallows waits, stilt-legged or not.\n",
    "sparrow.md": "---\ntags: [bird]\n---\n# Sparrow\n\nLives in towns.\n",
    "lonely.md": "# Xylem\n\nZygote.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = make_library(tmp_path_factory.mktemp("related"), NOTES)
    library.set_vectors(
        {
            "heron.md": bytes([127, 0]),
            "egret.md": bytes([120, 30]),
            "coot.md": bytes([60, 110]),
            "sparrow.md": bytes([110, 60]),
        }
    )
    return library


def ask(library: Library, name: str, **options: Any) -> RelatedResult:
    return related(library.index, name, make_options(**options))


def by_stream(library: Library, name: str, stream: str) -> list[str]:
    """The notes that one stream relates to a note, best first."""
    mode = {"cosine": Mode.SEMANTIC}.get(stream) or Mode(stream)
    return [hit.path for hit in ask(library, name, mode=mode).result.hits]


def test_the_nearest_of_kin_comes_first(library: Library) -> None:
    note, result = ask(library, "heron.md")
    assert (note.path, note.title) == ("heron.md", "Grey heron")
    assert result.hits[0].path == "egret.md"
    assert set(result.hits[0].streams) == {"lexical", "entity", "cosine", "graph"}
    assert "heron.md" not in [hit.path for hit in result.hits]


def test_the_explanation_is_the_computation(library: Library) -> None:
    result = ask(library, "heron.md", limit=0).result
    assert {name: one.base_weight for name, one in result.streams.items()} == RELATED_WEIGHTS
    for place, hit in enumerate(result.hits, 1):
        assert hit.rank == place
        assert hit.rrf == hit.score == sum(one.amount for one in hit.streams.values())
        for name, one in hit.streams.items():
            assert one.amount == result.streams[name].weight / (result.k + one.rank)


def test_links_with_each_other_and_in_common(library: Library) -> None:
    result = ask(library, "heron.md", mode=Mode.GRAPH).result
    given = {hit.path: hit.streams["graph"] for hit in result.hits}
    assert given.keys() == {"marsh.md", "coot.md", "egret.md"}
    assert (given["marsh.md"].hops, given["marsh.md"].via) == (1, ("heron.md",))
    assert (given["egret.md"].hops, given["egret.md"].via) == (2, ("marsh.md",))
    # One of the coot's one link is more than one of the marsh's two.
    assert by_stream(library, "heron.md", "graph")[0] == "coot.md"


def test_links_count_both_ways(library: Library) -> None:
    assert set(by_stream(library, "marsh.md", "graph")) == {"heron.md", "egret.md", "coot.md"}


def test_a_hub_relates_nothing(tmp_path: Path) -> None:
    notes = {f"n{number}.md": "" for number in range(600)}
    links = "\n".join(f"[[n{number}]]" for number in range(600))
    library = make_library(tmp_path, notes | {"hub.md": links})
    assert by_stream(library, "n7.md", "graph") == ["hub.md"]


def test_shared_names_the_rare_ones_first(library: Library) -> None:
    result = ask(library, "heron.md", mode=Mode.ENTITY).result
    matched = {hit.path: hit.streams["entity"].matched for hit in result.hits}
    assert matched["ada.md"] == ("name:Ada Lind",) or matched["ada.md"] == ("title:Ada Lind",)
    # The child says what its parent would say.
    assert matched["egret.md"] == ("tag:bird/wader",)
    assert matched["sparrow.md"] == ("tag:bird",)
    assert matched["marsh.md"] == ("name:marsh",)
    order = list(matched)
    assert order.index("egret.md") < order.index("sparrow.md")


def test_a_shared_day_says_less_than_a_shared_name(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "a.md": "---\ncreated: 2024-05-03\nowner: Ada\n---\n",
            "day.md": "---\ncreated: 2024-05-03\n---\n",
            "owner.md": "---\nowner: Ada\n---\n",
        },
    )
    assert by_stream(library, "a.md", "entity") == ["owner.md", "day.md"]


def test_words_that_tell(library: Library) -> None:
    assert set(by_stream(library, "heron.md", "lexical")[:2]) == {"hunter.md", "egret.md"}
    report = ask(library, "heron.md").result.streams["lexical"]
    assert "stilt" in report.reason or "hunter" in report.reason


def test_the_snippet_shows_the_words_in_common(library: Library) -> None:
    hits = ask(library, "heron.md").result.hits
    passage = next(hit.passage for hit in hits if hit.path == "hunter.md")
    marked = {passage.snippet[start:end] for start, end in passage.marks}
    assert "hunter" in marked


def test_vectors_of_the_index_need_no_model(library: Library) -> None:
    assert by_stream(library, "heron.md", "cosine") == ["egret.md", "sparrow.md", "coot.md"]
    skipped = ask(library, "marsh.md").result.streams["cosine"]
    assert skipped.status == StreamStatus.SKIPPED
    assert "kb index --embed" in skipped.reason


def test_without_embeddings(tmp_path: Path) -> None:
    library = make_library(tmp_path, NOTES)
    result = ask(library, "heron.md").result
    assert result.streams["cosine"].status == StreamStatus.OFF
    assert "kb index --embed" in result.streams["cosine"].reason
    assert result.hits[0].path == "egret.md"


def test_of_a_long_note_any_passage_may_be_near(tmp_path: Path) -> None:
    from contextlib import closing

    from kb.store.connection import open_writer

    parts = "\n".join(f"## Part {number}\n\n{'word ' * 250}\n" for number in range(9))
    library = make_library(tmp_path, {"long.md": parts, "a.md": "a", "b.md": "b"})
    library.set_vectors(
        {"long.md": bytes([0, 127]), "a.md": bytes([127, 0]), "b.md": bytes([1, 1])}
    )
    with closing(open_writer(library.index)) as connection, connection:
        connection.execute(
            "UPDATE vectors SET vector = ? WHERE embed_key = (SELECT embed_key FROM passages"
            " ORDER BY note_id = (SELECT id FROM notes WHERE path = 'long.md') DESC, ordinal DESC"
            " LIMIT 1)",
            (bytes([127, 0]),),
        )
    assert by_stream(library, "long.md", "cosine") == ["a.md", "b.md"]


def test_a_note_of_which_nothing_is_known(library: Library) -> None:
    result = ask(library, "lonely.md").result
    assert result.hits == ()
    assert all(report.reason for report in result.streams.values())
    assert {report.status for report in result.streams.values()} == {StreamStatus.SKIPPED}


def test_filters_bind_every_stream(library: Library) -> None:
    kept = {"tags": ("bird",)}
    found = [hit.path for hit in ask(library, "heron.md", filters=kept).result.hits]
    assert set(found) == {"egret.md", "sparrow.md"}
    for stream in RELATED_WEIGHTS:
        mode = {"cosine": "semantic"}.get(stream, stream)
        part = ask(library, "heron.md", filters=kept, mode=Mode(mode)).result.hits
        assert {hit.path for hit in part} <= {"egret.md", "sparrow.md"}
    # The note itself need not fit.
    outside = ask(library, "heron.md", filters={"exclude": ("heron.md",)}).result.hits
    assert outside[0].path == "egret.md"


def test_weights_and_modes(library: Library) -> None:
    result = ask(library, "heron.md", weights={"lexical": 0, "graph": 2}).result
    assert result.streams["lexical"].status == StreamStatus.OFF
    assert result.streams["graph"].weight == 2
    only = ask(library, "heron.md", mode=Mode.ENTITY).result
    assert only.streams["graph"].status == StreamStatus.OFF
    assert "entity" in only.streams["graph"].reason
    with pytest.raises(UsageError):
        ask(library, "heron.md", weights={"fuzzy": 1})


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    name=st.sampled_from(sorted(NOTES)),
    mode=st.sampled_from(list(Mode)),
    depth=st.integers(1, 9),
    limit=st.integers(0, 4),
)
def test_a_short_list_is_the_beginning_of_a_long_one(
    name: str, mode: Mode, depth: int, limit: int, library: Library
) -> None:
    result = ask(library, name, mode=mode, depth=depth, limit=limit).result
    assert all(hit.path != name for hit in result.hits)
    if mode != Mode.HYBRID:
        whole = ask(library, name, mode=mode, limit=0).result.hits
        shown = [hit.path for hit in result.hits]
        assert shown == [hit.path for hit in whole][: len(shown)]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("heron.md", "heron.md"),
        ("heron", "heron.md"),
        ("HERON", "heron.md"),
        ("Grey heron", "heron.md"),
        ("grey-heron", "heron.md"),
        ("White heron", "egret.md"),
        ("xyl", "lonely.md"),
        ("lone", "lonely.md"),
        ("white h", "egret.md"),
    ],
)
def test_a_note_by_any_of_its_names(name: str, path: str, library: Library) -> None:
    assert ask(library, name).note.path == path


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("ro", "3 notes have it in their", "`egret.md`, `heron.md`, `sparrow.md`"),
        ("heronn", "no note heronn", "did you mean `heron.md`?"),
        ("qqq", "no note qqq", "relative to the vault"),
    ],
)
def test_a_name_of_none_or_several(name: str, message: str, hint: str, library: Library) -> None:
    with pytest.raises(UsageError) as raised:
        ask(library, name)
    assert message in raised.value.message
    assert hint in raised.value.hint


@pytest.fixture
def vault(kb: RunKb, make_vault: MakeVault) -> Path:
    root = make_vault(NOTES)
    assert kb("index", root).status == 0
    return root


def test_the_command(kb: RunKb, vault: Path, schema_errors: Callable[[Any], list[str]]) -> None:
    result = kb("related", "Grey", "heron", "--vault", vault)
    assert result.status == 0
    path, line, score, title = result.lines[0].split("\t")
    assert (path, title) == ("egret.md", "Egret")
    assert int(line) > 0
    assert float(score) > 0
    document = kb("related", "heron", "--json", "--vault", vault).json
    assert schema_errors(document) == []
    assert document["schema"] == "kb.related/1"
    assert document["note"] == {"path": "heron.md", "title": "Grey heron"}
    assert "query" not in document
    lines = kb("related", "heron", "--jsonl", "--vault", vault).lines
    assert [json.loads(one) for one in lines] == document["results"]
    assert kb("related", str(vault / "heron.md"), "-l", "--vault", vault).lines[0] == "egret.md"


def test_forms_and_filters_are_those_of_a_query(kb: RunKb, vault: Path) -> None:
    def ask(*arguments: str, **options: Any) -> Any:
        return kb("related", "heron", *arguments, "--vault", vault, **options)

    assert ask("-l", "--tag", "bird").lines == ["egret.md", "sparrow.md"]
    assert ask("-c", "--tag", "bird").out == "2\n"
    assert ask("-0", "-n1").out == "egret.md\0"
    assert ask("--format", "{rank} {path}", "-n1").out == "1 egret.md\n"
    assert ask("-q").out == ""
    assert "score = Σ weight / (k + rank)" in ask("--explain").lines[0]
    assert "Egret" in ask(terminal=True).out
    assert ask("-l", "--exclude-from", "-", stdin="egret.md\n").lines[0] != "egret.md"
    assert ask("-l", "--authority").status == 0
    nothing = ask("--tag", "none")
    assert (nothing.out, nothing.status) == ("", 1)
    empty = kb("related", "lonely", "--pretty", "--vault", vault)
    assert empty.status == 1
    assert "no related note" in empty.err
    assert kb("related", "lonely", "--json", "--vault", vault).json["results"] == []


def test_settings_of_queries_do_not_reach_it(kb: RunKb, vault: Path) -> None:
    before = kb("related", "heron", "-l", "--vault", vault).out
    env = {"KB_MODE": "entity", "KB_WEIGHTS_LEXICAL": "0"}
    assert kb("related", "heron", "-l", "--vault", vault, env=env).out == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "note"),
        (["  "], "no note to start from"),
        (["zzz"], "no note zzz"),
        (["heron", "--json", "-l"], "cannot be joined"),
        (["heron", "--why", "x"], "--why"),
        (["heron", "--hops", "2"], "--hops"),
    ],
)
def test_a_wrong_command_line(arguments: list[str], message: str, kb: RunKb, vault: Path) -> None:
    result = kb("related", *arguments, "--vault", vault)
    assert (result.status, result.out) == (2, "")
    assert message in result.err.lower()
    assert "hint: " in result.err


def test_authority_is_worked_out_when_it_is_first_wanted(kb: RunKb, vault: Path) -> None:
    first = kb("query", "marsh", "--authority", "--json", "--vault", vault)
    assert first.err == ""
    assert any(hit["authority"] != 1 for hit in first.json["results"])
