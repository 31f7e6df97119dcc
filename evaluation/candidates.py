"""What a tuner may try: weights and k on a coarse grid, one of them changed at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kb.fusion.options import MAXIMUM_WEIGHT

# Of the first stream's weight. Coarse, since few judged queries tell finer steps apart.
_STEPS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
_KS = (10, 20, 40, 60, 100)
# A change must gain this much in the mean: what gains less is noise, and what is set stays.
_LEAST_GAIN = 0.001
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """One setting: a weight for each stream, and k."""

    weights: tuple[tuple[str, float], ...]
    k: int

    def weight(self, stream: str) -> float:
        """The weight of a stream."""
        return dict(self.weights)[stream]


def candidate(weights: dict[str, float], k: int) -> Candidate:
    """A candidate from weights by stream."""
    return Candidate(tuple(sorted(weights.items())), k)


# The mean of the metric for each of some candidates, over the queries that are trained on.
Means = Callable[[Sequence[Candidate]], list[float]]


def climb(start: Candidate, streams: Sequence[str], means: Means) -> Candidate:
    """The best candidate that changing one coordinate at a time reaches from `start`.

    `streams` are those whose weight may change. Only ratios of weights matter to an order, so
    the first of them that has a weight keeps it as the unit of the others.
    """
    unit = next((name for name in streams if start.weight(name) > 0), "")
    best, best_mean = start, means([start])[0]
    for _ in range(_ROUNDS):
        before = best
        for name in (*(stream for stream in streams if stream != unit), ""):
            around = _around(best, name, start.weight(unit) if unit else 1.0)
            for other, mean in zip(around, means(around), strict=True):
                if mean > best_mean + _LEAST_GAIN:
                    best, best_mean = other, mean
        if best == before:
            break
    return best


def _around(centre: Candidate, stream: str, unit: float) -> list[Candidate]:
    """The candidates that differ in the weight of one stream, or with "" in k."""
    if not stream:
        return [replace(centre, k=k) for k in _KS if k != centre.k]
    steps = (min(MAXIMUM_WEIGHT, round(step * unit, 6)) for step in _STEPS)
    return [
        candidate(dict(centre.weights) | {stream: step}, centre.k)
        for step in dict.fromkeys(steps)
        if step != centre.weight(stream)
    ]
