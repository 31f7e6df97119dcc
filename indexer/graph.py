"""The graph of notes and links, for whatever is asked of it as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from kb.store.rows import read_rows

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped, unused-ignore]


def read_graph(connection: apsw.Connection) -> nx.DiGraph[int]:
    """Every note as a node (its id; attributes `path` and `title`), every linked pair as an edge.

    The attribute `count` of an edge is how many links the pair has. networkx takes a sixth of a
    second to load: a query reads the table `edges` instead.
    """
    import networkx as nx  # type: ignore[import-untyped, unused-ignore]

    graph: nx.DiGraph[int] = nx.DiGraph()
    for note_id, path, title in read_rows(
        connection, "SELECT id, path, title FROM notes ORDER BY path"
    ):
        graph.add_node(note_id, path=path, title=title)
    graph.add_weighted_edges_from(read_edges(connection), weight="count")
    return graph


def read_edges(connection: apsw.Connection) -> list[tuple[int, int, int]]:
    """Every linked pair as (source id, target id, number of links), in order of ids."""
    rows: list[tuple[int, int, int]] = read_rows(
        connection,
        "SELECT source_id, target_id, count FROM edges ORDER BY source_id, target_id",
    )
    return rows
