"""PageRank: the formula's own fixed point, kept until links change."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_support import rows, run, write

from kb.indexer import pagerank as pagerank_module
from kb.indexer.graph import read_graph
from kb.indexer.pagerank import compute_pagerank, ensure_pagerank
from kb.store.connection import open_reader
from kb.store.lock import writer_lock
from kb.store.meta import Meta, read_meta


def test_no_notes_and_no_links() -> None:
    assert compute_pagerank([], []) == {}
    assert compute_pagerank([7, 9], []) == {7: 0.5, 9: 0.5}


def test_two_notes_and_one_link() -> None:
    """s(1) = 0.15/2 + 0.85·s(2)/2 and s(2) = s(1) + 0.85·s(1), with s(1) + s(2) = 1."""
    scores = compute_pagerank([1, 2], [(1, 2)])
    assert scores[1] == pytest.approx(1 / 2.85, abs=1e-8)
    assert scores[2] == pytest.approx(1.85 / 2.85, abs=1e-8)


@given(
    st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda edge: edge[0] != edge[1]))
)
def test_the_scores_solve_the_equation(edges: set[tuple[int, int]]) -> None:
    notes = list(range(8))
    scores = compute_pagerank(notes, sorted(edges))
    degree = [sum(source == note for source, _ in edges) for note in notes]
    dangling = sum(scores[note] for note in notes if not degree[note])
    assert sum(scores.values()) == pytest.approx(1, abs=1e-7)
    for note in notes:
        linked = sum(scores[source] / degree[source] for source, target in edges if target == note)
        assert scores[note] == pytest.approx(0.15 / 8 + 0.85 * (linked + dangling / 8), abs=1e-7)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    write(tmp_path / "vault", {"a.md": "[[b]] [[b]]", "b.md": "[[a]]", "c.md": "[[b]]"})
    index = tmp_path / "index.sqlite"
    run(tmp_path / "vault", index)
    return index


def test_the_graph_has_every_note_and_every_linked_pair(index: Path) -> None:
    with closing(open_reader(index)) as connection:
        graph = read_graph(connection)
    names = {node: data["path"] for node, data in graph.nodes(data=True)}
    edges = {(names[u], names[v], data["count"]) for u, v, data in graph.edges(data=True)}
    assert sorted(names.values()) == ["a.md", "b.md", "c.md"]
    assert edges == {("a.md", "b.md", 2), ("b.md", "a.md", 1), ("c.md", "b.md", 1)}


def test_scores_are_stored_until_links_change(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = ensure_pagerank(index)
    assert dict(rows(index, "SELECT note_id, score FROM pagerank")) == scores
    with monkeypatch.context() as patch:
        patch.setattr(pagerank_module, "pagerank", None)
        assert ensure_pagerank(index) == scores
        write(tmp_path / "vault", {"c.md": "other words, the same [[b]]"})
        run(tmp_path / "vault", index)
        assert ensure_pagerank(index) == scores
    write(tmp_path / "vault", {"c.md": "[[a]]"})
    run(tmp_path / "vault", index)
    with closing(open_reader(index)) as connection:
        meta = read_meta(connection)
    assert meta[Meta.PAGERANK_MARK] != meta[Meta.EDGES_MARK]
    assert ensure_pagerank(index) != scores
    write(tmp_path / "vault", {"lonely.md": ""})
    run(tmp_path / "vault", index)
    assert len(ensure_pagerank(index)) == 4


def test_while_another_writes_scores_are_computed_and_not_stored(index: Path) -> None:
    with writer_lock(index):
        assert sum(ensure_pagerank(index).values()) == pytest.approx(1)
    assert rows(index, "SELECT * FROM pagerank") == []
    assert ensure_pagerank(index) == dict(rows(index, "SELECT note_id, score FROM pagerank"))
