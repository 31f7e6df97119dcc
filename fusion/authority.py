"""The multiplier after fusion: a product of factors, each within bounds and so is the product.

- links: a note's place among all PageRank scores, from 0.97 for the least linked to 1.03 for the
  most. At k = 60 that is worth two ranks in every stream either way: it settles what is nearly
  equal. More than that loses more on the test collections than it gains.
- recent: 1 + 0.2 · 2^(-age / half life), so that a note of today passes about ten ranks of one
  stream, and an old one loses nothing.
- rules: what a user gives to the notes of a property, a tag or a folder.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from math import prod

from kb.fusion.options import LEAST_AUTHORITY, MOST_AUTHORITY, Rule, SearchOptions
from kb.store.meta import Meta
from kb.store.records import Factor
from kb.store.rows import read_rows
from kb.streams.request import Request

_LOWEST, _HIGHEST = 0.97, 1.03
_RECENT = 0.2

_DATES = "SELECT n.id, n.date FROM json_each(?1) AS w CROSS JOIN notes AS n ON n.id = w.value"
_AMONG = "SELECT n.id FROM json_each(?) AS w CROSS JOIN notes AS n ON n.id = w.value WHERE "


def read_factors(
    request: Request, paths: Mapping[int, str], options: SearchOptions
) -> dict[int, tuple[Factor, ...]]:
    """The factors of those notes that have any; `paths`: the notes asked about, by id.

    Raises UsageError for a rule whose filters cannot be read.
    """
    found: dict[int, list[Factor]] = {}
    for name, values in (
        ("links", _link_factors(request, paths) if options.authority else {}),
        ("recent", _age_factors(request, paths, options) if options.recent else {}),
        *((rule.name, _rule_factors(request, paths, rule)) for rule in options.rules),
    ):
        for note_id, value in values.items():
            found.setdefault(note_id, []).append(Factor(name, value))
    return {note_id: tuple(factors) for note_id, factors in found.items()}


def authority_of(factors: tuple[Factor, ...]) -> float:
    """The product of the factors, from LEAST_AUTHORITY to MOST_AUTHORITY; 1 for none."""
    return min(MOST_AUTHORITY, max(LEAST_AUTHORITY, prod(factor.value for factor in factors)))


def has_authority(request: Request) -> bool:
    """Whether the stored PageRank is that of the links as they are."""
    return request.meta.get(Meta.PAGERANK_MARK, "") == request.meta.get(Meta.EDGES_MARK, "-")


def _link_factors(request: Request, paths: Mapping[int, str]) -> dict[int, float]:
    if not has_authority(request):
        return {}
    rows = read_rows(request.connection, "SELECT note_id, score FROM pagerank")
    scores: dict[int, float] = dict(rows)
    ordered = sorted(scores.values())
    return {
        note_id: _LOWEST + (_HIGHEST - _LOWEST) * _place(ordered, scores[note_id])
        for note_id in paths
        if note_id in scores
    }


def _place(ordered: list[float], score: float) -> float:
    """The share of notes below this score, ties in the middle (0 to 1)."""
    return (bisect_left(ordered, score) + bisect_right(ordered, score)) / (2 * len(ordered))


def _age_factors(
    request: Request, paths: Mapping[int, str], options: SearchOptions
) -> dict[int, float]:
    from datetime import date

    today = date.fromisoformat(options.today)
    factors = {}
    for note_id, text in read_rows(request.connection, _DATES, (json.dumps(list(paths)),)):
        try:
            age = (today - date.fromisoformat(text[:10])).days
        except ValueError:
            continue  # no date, or one that no calendar has
        factors[note_id] = recency(age, options.half_life)
    return factors


def recency(age: int, half_life: int) -> float:
    """The factor of a note of so many days; one that is dated ahead counts as of today."""
    return 1.0 + _RECENT * float(2.0 ** (-max(age, 0) / half_life))


def _rule_factors(request: Request, paths: Mapping[int, str], rule: Rule) -> dict[int, float]:
    """The rule's factor for those of the notes that its filters let through."""
    from kb.streams.filters import filter_clauses, fitting_paths
    from kb.text import parse_query

    # Among few notes, paths are compared with their globs here, not with all of the vault's.
    among = list(paths)
    if rule.filters.paths:
        fitting = fitting_paths(paths.values(), rule.filters.paths, "--path")
        among = [note_id for note_id, path in paths.items() if path in fitting]
    filters = rule.filters._replace(paths=())
    nothing = parse_query("", ())
    clauses = list(filter_clauses(request.connection, filters, nothing, hides=False))
    where = " AND ".join(f"({clause.sql})" for clause in clauses) or "1"
    values = [value for clause in clauses for value in clause.values]
    rows = read_rows(request.connection, _AMONG + where, (json.dumps(among), *values))
    return dict.fromkeys((note_id for (note_id,) in rows), rule.factor)
