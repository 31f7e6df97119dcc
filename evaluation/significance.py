"""Whether a difference over judged queries is more than chance, and how large it may be.

Both work on paired differences, one a query, with a fixed seed, so that the same lists give the
same numbers on every machine. Neither assumes a distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from operator import getitem
from random import Random

PERMUTATIONS = 10_000
RESAMPLES = 5_000
SEED = 20_090_719
_GROUP = 8  # signs that one random byte decides
_ROUNDING = 1e-9


def randomisation_test(differences: Sequence[float], permutations: int = PERMUTATIONS) -> float:
    """The two-sided p-value of a mean difference, by flipping signs at random.

    If two systems were the same, each difference could as well have had the other sign; p is the
    share of such sign patterns whose mean is at least as far from 0 (Smucker, Allan and
    Carterette, CIKM 2007). The pattern that was seen counts as one of them, so p is never 0.
    """
    changed = [abs(difference) for difference in differences if difference]
    if not changed:
        return 1.0
    observed = abs(fsum(differences)) * (1 - _ROUNDING)
    tables = [_signed_sums(changed[first : first + _GROUP]) for first in range(0, len(changed), 8)]
    random = Random(SEED)
    as_far = sum(
        abs(sum(map(getitem, tables, random.randbytes(len(tables))))) >= observed
        for _ in range(permutations)
    )
    return (as_far + 1) / (permutations + 1)


def _signed_sums(values: Sequence[float]) -> list[float]:
    """The sum of the values under each of the 256 patterns of signs that a byte stands for."""
    return [
        sum(value if pattern >> place & 1 else -value for place, value in enumerate(values))
        for pattern in range(256)
    ]


def bootstrap_interval(
    differences: Sequence[float], level: float = 0.95, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """The percentile bootstrap interval of a mean difference (Efron, 1979), over the queries."""
    if not differences:
        return 0.0, 0.0
    random = Random(SEED)
    count = len(differences)
    means = sorted(sum(random.choices(differences, k=count)) / count for _ in range(resamples))
    tail = int(resamples * (1 - level) / 2)
    return means[tail], means[-1 - tail]
