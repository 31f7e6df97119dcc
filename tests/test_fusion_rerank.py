"""Reranking with a small cross-encoder: its order, its time, and whatever goes wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from embedding_material import reranker_graph, write_model
from search_support import Library, make_library, make_options

from kb.fusion.context import Budget, context
from kb.fusion.rerank import rerank
from kb.fusion.run import run_streams
from kb.fusion.search import asked, weigh
from kb.fusion.vaults import VaultToAsk, search_vaults
from kb.store.errors import UsageError
from kb.store.records import SearchResult

# The cross-encoder scores a pair by how many tokens the passage has, and a title is part of it:
# title, "#", title, five words to each "heron", and [SEP].
NOTES = {f"{name}.md": f"# {name}\n\n" + "the heron waits here now " * count for name, count in
         (("a", 1), ("b", 4), ("c", 2), ("d", 3))}  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "reranker"
    write_model(folder, reranker_graph(), kind="reranker", name="tiny")
    return str(folder)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("rerank"), NOTES)


def search(library: Library, model: str, **options: Any) -> SearchResult:
    return library.search("heron", rerank=True, rerank_model=model, **options)


def test_the_cross_encoder_decides_the_order(library: Library, model: str) -> None:
    plain = library.search("heron")
    result = search(library, model)
    assert [hit.path for hit in result.hits] == ["b.md", "d.md", "c.md", "a.md"]
    assert [hit.rerank for hit in result.hits] == [24.0, 19.0, 14.0, 9.0]
    fused = {hit.path: hit for hit in plain.hits}
    for rank, hit in enumerate(result.hits, start=1):
        assert hit.rank == rank
        assert hit.fused_rank == fused[hit.path].rank
        assert (hit.score, hit.rrf, hit.streams) == (
            fused[hit.path].score,
            fused[hit.path].rrf,
            fused[hit.path].streams,
        )
    assert result.rerank is not None
    assert (result.rerank.model, result.rerank.candidates, result.rerank.scored) == ("tiny", 4, 4)
    assert result.rerank.reason == ""
    assert result.notices == ()


def test_without_it_nothing_is_reranked(library: Library) -> None:
    result = library.search("heron")
    assert result.rerank is None
    assert all(hit.rerank is None and hit.fused_rank == hit.rank for hit in result.hits)


def test_only_the_first_are_read(library: Library, model: str) -> None:
    plain = [hit.path for hit in library.search("heron").hits]
    result = search(library, model, rerank_top=2)
    assert {hit.path for hit in result.hits[:2]} == set(plain[:2])
    assert [hit.path for hit in result.hits[2:]] == plain[2:]
    assert [hit.rerank is None for hit in result.hits] == [False, False, True, True]
    assert [hit.path for hit in search(library, model, rerank_top=1).hits] == plain


def test_a_note_from_below_the_limit_is_lifted_into_it(library: Library, model: str) -> None:
    assert [hit.path for hit in search(library, model, limit=1).hits] == ["b.md"]


def ticking(*times: float) -> Callable[[], float]:
    moments: Iterator[float] = iter(times)
    return lambda: next(moments)


def test_what_the_time_does_not_reach_stays_as_it_was_fused(library: Library, model: str) -> None:
    options = make_options(rerank=True, rerank_model=model, rerank_seconds=2.0)
    with asked(library.index, "heron", options) as question:
        fused = weigh(question, run_streams(question.request, options), options)
        # Begun at 0; after the first note 1 s, after the second 2 s: the time is up.
        weighed, report = rerank([question], fused, options, ticking(0.0, 1.0, 2.0, 2.5))
    before = [one.note.path for one in fused]
    assert [one.note.path for one in weighed][2:] == before[2:]
    scored = sorted(before[:2], key=lambda path: -NOTES[path].count("heron"))
    assert [one.note.path for one in weighed][:2] == scored
    assert (report.scored, report.candidates, report.milliseconds) == (2, 4, 2500.0)
    assert "after 2 of 4" in report.reason


def write_broken(folder: Path) -> str:
    write_model(folder, b"no graph", kind="reranker")
    return str(folder)


def test_whatever_fails_leaves_the_list_and_says_why(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb.embedding import Reranker

    plain = [hit.path for hit in library.search("heron").hits]
    embedding = str(write_model(tmp_path / "embedding", dimension=2))
    reranker = str(write_model(tmp_path / "numbers", reranker_graph(), kind="reranker", name="odd"))

    def check(setting: str, wanted: str) -> None:
        result = search(library, setting)
        assert [hit.path for hit in result.hits] == plain
        assert result.rerank is not None
        assert result.rerank.scored == 0
        assert wanted in result.rerank.reason
        assert result.notices == (result.rerank.reason,)
        assert all(hit.rerank is None for hit in result.hits)

    check(str(tmp_path / "none"), "there is no folder")
    check(write_broken(tmp_path / "broken"), "cannot be loaded")
    check(embedding, "is not a reranker")
    monkeypatch.setattr(Reranker, "scores", lambda *_: iter([float("nan")]))
    check(reranker, "no numbers")


def test_without_a_model_it_says_how_to_get_one(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("kb.embedding.find.cache_root", lambda *_: tmp_path)
    result = search(library, "")
    assert result.rerank is not None
    assert "no reranker on this machine" in result.rerank.reason
    assert "kb model fetch NAME" in result.rerank.reason


def test_a_fetched_reranker_is_found_by_itself(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.embedding.find.cache_root", lambda *_: tmp_path)
    write_model(tmp_path / "fetched" / "tiny", reranker_graph(), kind="reranker", name="fetched")
    result = search(library, "")
    assert result.rerank is not None
    assert (result.rerank.model, result.rerank.scored) == ("fetched", 4)


def test_nothing_found_is_nothing_to_rerank(library: Library, model: str) -> None:
    result = library.search("xyzzy", rerank=True, rerank_model=model)
    assert result.hits == ()
    assert result.rerank is not None
    assert result.rerank.candidates == 0


def test_a_note_that_is_gone_is_not_read(tmp_path: Path, model: str) -> None:
    library = make_library(tmp_path, NOTES)
    (library.vault / "b.md").unlink()
    result = search(library, model)
    assert [hit.path for hit in result.hits] == ["d.md", "c.md", "a.md"]
    assert sorted(hit.fused_rank for hit in result.hits) == [1, 2, 3]


def test_several_vaults_and_context_packs_are_reranked_alike(
    library: Library, tmp_path: Path, model: str
) -> None:
    other = make_library(tmp_path, {"z.md": "# z\n\n" + "heron words are many here " * 9})
    options = make_options(rerank=True, rerank_model=model, limit=10)
    vaults = [VaultToAsk(one.index, options) for one in (library, other)]
    result = search_vaults(vaults, "heron", options)
    assert [hit.path for hit in result.hits] == ["z.md", "b.md", "d.md", "c.md", "a.md"]
    pack = context(library.index, "heron", Budget(5_000), options)
    first = next(item for item in pack.items if item.rank == 1)
    assert first.path == "b.md"


def test_why_tells_the_list_before_it(library: Library, model: str) -> None:
    report = library.why("heron", "b.md", rerank=True, rerank_model=model)
    assert report.rank == next(h.rank for h in library.search("heron").hits if h.path == "b.md")
    assert any("before reranking" in notice for notice in report.notices)


@pytest.mark.parametrize("options", [{"rerank_top": 0}, {"rerank_seconds": 0.0}])
def test_what_cannot_be_asked_for(options: dict[str, Any], library: Library, model: str) -> None:
    with pytest.raises(UsageError):
        search(library, model, **options)
