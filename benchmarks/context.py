"""How many of the notes that were judged right fit a budget: `kb context` against plain cutting.

usage: python -m benchmarks.context [--work FOLDER] [--only NAME,NAME] [--half HALF] [--tune]

Plain cutting puts the passages of the first ten results one after the other, as a query shows them,
until the budget is full, and cuts the last. Shares are means over the queries of a half. `--tune`
shows the numbers of the rule around those that are set, on the tuning halves.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from benchmarks.measure import table
from benchmarks.quality.material import REPORT, TUNING, Collection, has_material, prepare
from benchmarks.quality.measurement import Quiet, keep_query_vectors
from benchmarks.quality.reference import COLLECTIONS
from kb.evaluation.judgements import JudgedQuery, read_judgements, resolve_judgements
from kb.fusion.budget import Measure
from kb.fusion.context import NOTES, Packing, take
from kb.fusion.context_candidates import Candidate, Source, read_candidates
from kb.fusion.options import SearchOptions
from kb.fusion.run import Run
from kb.fusion.search import Question, asked
from kb.fusion.vaults import run_vaults, weigh_vaults
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader

_BUDGETS = (1_000, 2_000, 4_000, 8_000)
_MOST_QUERIES = 100
_FIRST = 10
_OPTIONS = SearchOptions(limit=NOTES)
_CHARACTERS = Measure(len, "characters")
_PACKING = Packing()
_TRIED = [
    _PACKING,
    *(_PACKING._replace(flat=flat) for flat in (0.0, 4.0, 8.0)),
    *(_PACKING._replace(root=root) for root in (0.0, 0.25, 1.0)),
    *(_PACKING._replace(again=again) for again in (0.0, 0.75)),
    *(_PACKING._replace(longest=longest) for longest in (0.05, 0.15, 0.2, 0.4)),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with the passages that may be taken."""

    query: JudgedQuery
    candidates: list[Candidate]
    plain: list[Candidate]


def main() -> None:
    """Measure what there is material for."""
    parser = argparse.ArgumentParser(prog="benchmarks.context", description=__doc__)
    folder = Path(tempfile.gettempdir()) / "kb-quality"
    parser.add_argument("--work", type=Path, default=folder, help="as for quality")
    parser.add_argument("--only", default="", help="collections, with commas between")
    parser.add_argument("--half", choices=(TUNING, REPORT), default=REPORT)
    parser.add_argument("--tune", action="store_true")
    given = parser.parse_args()
    keep_query_vectors()
    names = [name for name in given.only.split(",") if name] or COLLECTIONS
    collections = [prepare(name, given.work) for name in names if has_material(name)]
    half = TUNING if given.tune else given.half
    found = {one.name: list(_measure(one, half, tune=given.tune)) for one in collections}
    if given.tune:
        sys.stdout.write(_tuning_table(found))
        return
    head = ("collection", *(f"{budget:,}: plain / packed" for budget in _BUDGETS))
    rows = [
        (name, *(f"{plain:.3f} / {packed:.3f}" for plain, packed in shares))
        for name, shares in found.items()
    ]
    means = zip(*found.values(), strict=True)
    rows.append(
        ("mean", *(" / ".join(f"{_mean(x):.3f}" for x in zip(*of, strict=True)) for of in means))
    )
    sys.stdout.write(table(head, rows))


def _measure(collection: Collection, half: str, *, tune: bool) -> Iterator[tuple[float, ...]]:
    """For each budget the share of plain cutting, then that of each way of packing."""
    index = collection.index(model=True)
    index_vault(collection.vault, index, IndexOptions(embed=True), Quiet())
    connection = open_reader(index)
    judged = resolve_judgements(connection, read_judgements(collection.queries, collection.qrels))
    queries = [one for one in judged.queries if collection.half[one.id] == half]
    queries = queries[:: max(1, len(queries) // _MOST_QUERIES)]
    ways = _TRIED if tune else [_PACKING]
    shares: dict[int, list[list[float]]] = {budget: [] for budget in _BUDGETS}
    for query in queries:
        with ExitStack() as stack:
            question = stack.enter_context(asked(index, query.text, _OPTIONS, connection))
            one = _asked(question, query)
            sources = [Source(question, _OPTIONS)]
            for budget in _BUDGETS:
                packs = [take(one.candidates, sources, _CHARACTERS, budget, way) for way in ways]
                paths = [{each.candidate.weighed.note.path for each in pack} for pack in packs]
                shares[budget].append(
                    [_share(query, found) for found in (_cut(one.plain, budget), *paths)]
                )
    connection.close()
    for budget in _BUDGETS:
        yield tuple(_mean(column) for column in zip(*shares[budget], strict=True))


def _asked(question: Question, query: JudgedQuery) -> Asked:
    run: Run = run_vaults([question], _OPTIONS)
    notes = weigh_vaults([question], [_OPTIONS], run, _OPTIONS)[:NOTES]
    candidates = read_candidates([question], run, notes)
    shown: Mapping[int, int | None] = {one.note.note_id: one.note.passage_id for one in notes}
    # The passage that a query shows of a note is the one that gave most.
    plain = []
    for rank in range(1, _FIRST + 1):
        own = [one for one in candidates if one.rank == rank]
        if own:
            plain.append(max(own, key=lambda one: _is_shown(question, one, shown)))
    return Asked(query, candidates, plain)


def _is_shown(
    question: Question, one: Candidate, shown: Mapping[int, int | None]
) -> tuple[bool, float]:
    note_id = one.weighed.note.note_id
    rows = question.request.connection.execute(
        "SELECT id FROM passages WHERE note_id = ? AND ordinal = ?", (note_id, one.ordinal)
    ).fetchall()
    return (rows[0][0] == shown[note_id] if rows else False), one.strength


def _cut(plain: Sequence[Candidate], budget: int) -> set[str]:
    """The notes of which anything but the heading is within the budget."""
    found, used = set(), 0
    for one in plain:
        if used + len(one.head) >= budget:
            break
        found.add(one.weighed.note.path)
        used += len(one.head) + len(one.text)
    return found


def _share(query: JudgedQuery, found: set[str]) -> float:
    right = {path for path, grade in query.grades.items() if grade > 0}
    return len(right & found) / len(right)


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _tuning_table(found: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """The mean over the collections of each way of packing, by budget."""
    rows = []
    for place, way in enumerate(["plain", *_TRIED]):
        by_budget = [_mean([one[n][place] for one in found.values()]) for n in range(len(_BUDGETS))]
        name = (
            way
            if isinstance(way, str)
            else " ".join(f"{k}={v:g}" for k, v in way._asdict().items())
        )
        rows.append((name, *(f"{share:.4f}" for share in by_budget), f"{_mean(by_budget):.4f}"))
    return table(("way", *map(str, _BUDGETS), "mean"), rows)


if __name__ == "__main__":
    main()
