"""What is lost where a collection is asked as two vaults: their joined list against the whole's.

usage: python -m benchmarks.split [--work FOLDER] [--only NAME,NAME]

The notes are parted by chance, or by topic: the first half of their titles (for cacm, of their
numbers) and the second. nDCG@10 over the report half of the queries: of the whole in one vault;
of two vaults joined stream by stream, as `kb query` does; by fused score; and by turns, which is
what reciprocal rank fusion of two lists without a note in common comes to.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from math import fsum
from pathlib import Path

import apsw

from benchmarks.measure import table
from benchmarks.quality.material import REPORT, Collection, has_material, prepare
from benchmarks.quality.measurement import Quiet, keep_query_vectors
from kb.evaluation.judgements import JudgedQuery, read_judgements, resolve_judgements
from kb.evaluation.metrics import MAIN_METRIC, measure
from kb.fusion.hydrate import Weighed
from kb.fusion.options import SearchOptions
from kb.fusion.run import run_streams
from kb.fusion.search import Question, asked, weigh
from kb.fusion.vaults import run_vaults, weigh_vaults
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.rows import read_rows

_NAMES = ("scifact", "cranfield", "cacm", "docs-site-qa", "hotpotqa-small", "xquad-en")
_OPTIONS = SearchOptions()
_HEAD = ("collection", "parted by", "one vault", "stream by stream", "by fused score", "by turns")


def main() -> None:
    """Measure what there is material for."""
    parser = argparse.ArgumentParser(prog="benchmarks.split", description=__doc__)
    folder = Path(tempfile.gettempdir()) / "kb-quality"
    parser.add_argument("--work", type=Path, default=folder, help="as for quality")
    parser.add_argument("--only", default="", help="collections, with commas between")
    given = parser.parse_args()
    keep_query_vectors()
    names = [name for name in given.only.split(",") if name] or _NAMES
    rows = [row for name in names if has_material(name) for row in _rows(prepare(name, given.work))]
    sys.stdout.write(table(_HEAD, rows))


def _rows(collection: Collection) -> Iterator[tuple[str, ...]]:
    index = collection.index(model=True)
    index_vault(collection.vault, index, IndexOptions(embed=True), Quiet())
    connection = open_reader(index)
    judged = resolve_judgements(connection, read_judgements(collection.queries, collection.qrels))
    queries = [one for one in judged.queries if collection.half[one.id] == REPORT]
    whole = []
    for query in queries:
        with asked(index, query.text, _OPTIONS, connection) as question:
            notes = weigh(question, run_streams(question.request, _OPTIONS), _OPTIONS)
            whole.append(_score(query, notes))
    titles = dict(read_rows(connection, "SELECT path, title FROM notes"))
    connection.close()
    by_topic = sorted(titles, key=lambda path: (_number(path), titles[path], path))
    first = frozenset(by_topic[: len(by_topic) // 2])
    ways: dict[str, Callable[[str], bool]] = {
        "chance": lambda path: blake2b(path.encode(), digest_size=1).digest()[0] % 2 == 0,
        "topic": first.__contains__,
    }
    for way, is_first in ways.items():
        parts = [_part(collection, f"{way}-{n}", is_first, wanted=n == 0) for n in (0, 1)]
        scores = list(zip(*(_joined(parts, query) for query in queries), strict=True))
        yield collection.name, way, *(f"{fsum(one) / len(one):.4f}" for one in (whole, *scores))


def _number(path: str) -> int:
    stem = Path(path).stem
    return int(stem) if stem.isdecimal() and len(stem) < 5 else 0


def _part(
    collection: Collection, name: str, is_first: Callable[[str], bool], *, wanted: bool
) -> Path:
    """The index of one half, made where it is not there; its vectors are those of the whole."""
    folder = collection.folder / "parts" / name
    index = folder / "index.sqlite"
    if index.exists():
        return index
    for note in collection.vault.rglob("*.md"):
        path = note.relative_to(collection.vault)
        if is_first(path.as_posix()) == wanted:
            copy = folder / "vault" / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(note.read_bytes())
    index_vault(folder / "vault", index, IndexOptions(), Quiet())
    connection = apsw.Connection(str(index))
    connection.execute("ATTACH ? AS whole", (str(collection.index(model=True)),))
    with connection:
        connection.execute(
            "INSERT INTO vectors(embed_key, vector) SELECT embed_key, vector FROM whole.vectors"
            " WHERE embed_key IN (SELECT embed_key FROM passages)"
        )
        connection.execute(
            "INSERT OR REPLACE INTO meta SELECT key, value FROM whole.meta"
            " WHERE key LIKE 'model%' OR key = 'embed'"
        )
    connection.close()
    return index


def _joined(parts: Sequence[Path], query: JudgedQuery) -> tuple[float, ...]:
    """The query's scores by each way of joining."""
    with ExitStack() as stack:
        questions = [stack.enter_context(asked(part, query.text, _OPTIONS)) for part in parts]
        run = run_vaults(questions, _OPTIONS)
        by_stream = weigh_vaults(questions, [_OPTIONS] * len(parts), run, _OPTIONS)
        lists = [_list(question) for question in questions]
    by_score = sorted(
        (one for notes in lists for one in notes), key=lambda one: (-one.score, one.note.path)
    )
    turns = [
        (rank, place, one) for place, notes in enumerate(lists) for rank, one in enumerate(notes)
    ]
    by_turns = [one for _, _, one in sorted(turns, key=lambda one: one[:2])]
    return tuple(_score(query, notes) for notes in (by_stream, by_score, by_turns))


def _list(question: Question) -> list[Weighed]:
    return weigh(question, run_streams(question.request, _OPTIONS), _OPTIONS)


def _score(query: JudgedQuery, notes: Sequence[Weighed]) -> float:
    return measure([one.note.path for one in notes], query.grades)[MAIN_METRIC]


if __name__ == "__main__":
    main()
