"""Which passages can reach a score by BM25, told without working it out.

BM25 is the sum of what each phrase gives, and a phrase gives less than idf × (k1 + 1), however
often a passage has it (MaxScore: Turtle and Flood, 1995). So a passage can reach a score only if
the phrases that it has can reach it together: a condition that the full-text index decides by
itself, at a tenth of what BM25 takes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

# Of more groups of phrases, the conditions grow faster than what they save.
_MOST_GROUPS = 8

# FTS5's k1 of 1.2, plus 1, and the idf that it gives what more than half of the passages have.
_K1_PLUS_1 = 2.2
_LEAST_IDF = 1e-6
# Against rounding: sums are added up in another order there than here.
_SLACK = 1e-9


class Group(NamedTuple):
    """Phrases of which a passage has any: the most they give it, and the part that has one.

    `expression` finds those passages.
    """

    bound: float
    part: float
    expression: str


def make_groups(counts: Mapping[str, int], total: int) -> list[Group]:
    """The phrases that give most first, from how many of the `total` passages have each.

    Where there are many, those that give least are one group.
    """
    groups = [
        Group(_most(count, total), count / total, phrase)
        for phrase, count in counts.items()
        if count
    ]
    groups.sort(reverse=True)
    while len(groups) > _MOST_GROUPS:
        last, other = groups.pop(), groups.pop()
        either = last.part + other.part - last.part * other.part
        joined = f"({other.expression} OR {last.expression})"
        groups.append(Group(other.bound + last.bound, either, joined))
        groups.sort(reverse=True)
    return groups


def _most(count: int, total: int) -> float:
    """More than a phrase that so many passages have can give to one of them."""
    share = (max(total, count) - count + 0.5) / (count + 0.5)
    return _K1_PLUS_1 * max(_LEAST_IDF, math.log(share))


def match_rarest(groups: Sequence[Group], part: float) -> str:
    """An expression for the passages with any of the phrases that give most.

    As many phrases as it takes to find this part of the passages, or a third of it where the next
    phrase would bring far more than that.
    """
    rarest: list[str] = []
    found = 0.0
    for group in groups:
        if 3 * found >= part and group.part > 2 * part:
            break
        rarest.append(group.expression)
        found += group.part
        if found >= part:
            break
    return " OR ".join(rarest)


def match_reaching(groups: Sequence[Group], score: float) -> str:
    """An expression for the passages that can reach a score, all of them and some more."""
    return _reaching(groups, score * (1 - _SLACK) - _SLACK)


def _reaching(groups: Sequence[Group], score: float) -> str:
    parts = []
    left = sum(group.bound for group in groups)
    for at, (bound, _, expression) in enumerate(groups):
        left -= bound
        if bound >= score:
            parts.append(expression)
        elif bound + left >= score and (rest := _reaching(groups[at + 1 :], score - bound)):
            parts.append(f"({expression} AND ({rest}))")
    return " OR ".join(parts)


def part_reaching(groups: Sequence[Group], score: float) -> float:
    """About which part of the passages has a phrase and can reach a score.

    As if a passage with one phrase were no likelier to have another.
    """
    sets = [(0.0, 1.0)]  # what a set of groups gives, and the part that has just that set
    for bound, part, _ in groups:
        sets = [
            *((given, likely * (1 - part)) for given, likely in sets),
            *((given + bound, likely * part) for given, likely in sets),
        ]
    return sum(likely for given, likely in sets if given >= score and given > 0)
