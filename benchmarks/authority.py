"""What weighing by links and by age does to rankings, on the collections that have either.

usage: python -m benchmarks.authority [--work FOLDER]

Links: hotpotqa-small and cacm. Age: cacm, whose notes give the month of their publication; a query
is asked as of the last of them. nDCG@10 of each half, with the p-value of the difference.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import date
from math import fsum
from pathlib import Path

from benchmarks.measure import table
from benchmarks.quality.material import REPORT, TUNING, Collection, has_material, prepare
from benchmarks.quality.measurement import Quiet, keep_query_vectors
from kb.evaluation.judgements import JudgedQuery, read_judgements, resolve_judgements
from kb.evaluation.metrics import MAIN_METRIC, measure
from kb.evaluation.significance import randomisation_test
from kb.fusion.authority import recency
from kb.fusion.hydrate import Weighed
from kb.fusion.options import SearchOptions
from kb.fusion.run import run_streams
from kb.fusion.search import asked, weigh
from kb.indexer.pagerank import ensure_pagerank
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.rows import read_rows

_MONTHS = "January February March April May June July August September October November December"
_HALF_LIVES = (90, 365, 1825)
Factor = Callable[[Weighed], float]


def main() -> None:
    """Measure what there is material for."""
    parser = argparse.ArgumentParser(prog="benchmarks.authority", description=__doc__)
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir()) / "kb-quality",
        help="as for quality",
    )
    work = parser.parse_args().work
    keep_query_vectors()
    rows = [
        row
        for name in ("hotpotqa-small", "cacm")
        if has_material(name)
        for row in _measure(prepare(name, work))
    ]
    sys.stdout.write(
        table(("collection", "weighed by", "tuning half", "p", "report half", "p"), rows)
    )


def _measure(collection: Collection) -> Iterator[tuple[str, ...]]:
    index = collection.index(model=True)
    index_vault(collection.vault, index, IndexOptions(embed=True), Quiet())
    ensure_pagerank(index)
    connection = open_reader(index)
    judged = resolve_judgements(connection, read_judgements(collection.queries, collection.qrels))
    ages = _ages(read_rows(connection, "SELECT note_id, value FROM properties WHERE name = 'date'"))
    options = SearchOptions(authority=True)
    lists = []
    for query in judged.queries:
        with asked(index, query.text, options, connection) as question:
            lists.append((query, weigh(question, run_streams(question.request, options), options)))
    connection.close()
    ways: dict[str, Factor] = {"nothing": lambda _: 1.0, "links": lambda one: one.authority}
    if ages:
        oldest = max(ages.values())
        for days in _HALF_LIVES:
            ways[f"age, half life {days} days"] = lambda one, days=days: recency(  # type: ignore[misc]
                ages.get(one.note.note_id, oldest), days
            )
    plain = [_score(query, notes, ways["nothing"]) for query, notes in lists]
    for way, factor in ways.items():
        scores = [_score(query, notes, factor) for query, notes in lists]
        cells = [collection.name, way]
        for half in (TUNING, REPORT):
            own = [n for n, (query, _) in enumerate(lists) if collection.half[query.id] == half]
            cells.append(f"{fsum(scores[n] for n in own) / len(own):.4f}")
            moved = [scores[n] - plain[n] for n in own]
            cells.append(f"{randomisation_test(moved):.2f}" if any(moved) else "")
        yield tuple(cells)


def _score(query: JudgedQuery, notes: list[Weighed], factor: Factor) -> float:
    ordered = sorted(notes, key=lambda one: (-one.note.rrf * factor(one), one.note.path))
    return measure([one.note.path for one in ordered], query.grades)[MAIN_METRIC]


def _ages(rows: list[tuple[int, str]]) -> dict[int, int]:
    """The age in days of each note that gives a month of a year, against the newest of them."""
    found: dict[int, date] = {}
    months = {name: number for number, name in enumerate(_MONTHS.split(), start=1)}
    for note_id, text in rows:
        match = re.search(r"([A-Z][a-z]+),? (\d{4})", text)
        if match and match[1] in months:
            found[note_id] = date(int(match[2]), months[match[1]], 1)
    newest = max(found.values(), default=date.min)
    return {note_id: (newest - day).days for note_id, day in found.items()}


if __name__ == "__main__":
    main()
