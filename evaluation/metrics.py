"""Measures of one ranked list against what was judged right.

Each takes the paths of a list, best first, and the grades of the judged notes, and gives a number
from 0 to 1. Notes that nobody judged count as not right. They agree with trec_eval's
`ndcg_cut`, `recip_rank` (cut at 10) and `recall`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2

Measure = Callable[[Sequence[str], Mapping[str, float]], float]


def ndcg(paths: Sequence[str], grades: Mapping[str, float], cut: int) -> float:
    """Normalised discounted cumulative gain: Σ grade / log2(rank + 1), over the best possible.

    Järvelin and Kekäläinen, TOIS 2002, with the grade itself as the gain.
    """
    ideal = _gain(sorted(grades.values(), reverse=True)[:cut])
    return _gain([grades.get(path, 0.0) for path in paths[:cut]]) / ideal if ideal else 0.0


def _gain(grades: Sequence[float]) -> float:
    return sum(max(grade, 0.0) / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def reciprocal_rank(paths: Sequence[str], grades: Mapping[str, float], cut: int) -> float:
    """1 / the rank of the first right note, 0 where there is none within the cut."""
    for rank, path in enumerate(paths[:cut], start=1):
        if grades.get(path, 0.0) > 0:
            return 1 / rank
    return 0.0


def recall(paths: Sequence[str], grades: Mapping[str, float], cut: int) -> float:
    """The share of the right notes that is within the cut."""
    right = {path for path, grade in grades.items() if grade > 0}
    return len(right.intersection(paths[:cut])) / len(right) if right else 0.0


MAIN_METRIC = "ndcg@10"

METRICS: dict[str, Measure] = {
    MAIN_METRIC: lambda paths, grades: ndcg(paths, grades, 10),
    "mrr@10": lambda paths, grades: reciprocal_rank(paths, grades, 10),
    "recall@10": lambda paths, grades: recall(paths, grades, 10),
    "recall@100": lambda paths, grades: recall(paths, grades, 100),
}


def measure(paths: Sequence[str], grades: Mapping[str, float]) -> dict[str, float]:
    """Every metric of one list, by name."""
    return {name: metric(paths, grades) for name, metric in METRICS.items()}
