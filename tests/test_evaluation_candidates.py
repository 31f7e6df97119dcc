"""The climb over settings, on made-up landscapes whose top is known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kb.evaluation.candidates import Candidate, Means, candidate, climb

START = candidate({"lexical": 1.0, "entity": 0.2, "cosine": 1.0}, 60)
STREAMS = ("lexical", "entity", "cosine")


def landscape(**top: float) -> Means:
    """A mean that falls with the distance from a setting."""

    def means(candidates: Sequence[Candidate]) -> list[float]:
        return [
            1 - sum(abs(one.weight(name) - wanted) for name, wanted in top.items()) / 10
            for one in candidates
        ]

    return means


def test_it_reaches_the_top() -> None:
    best = climb(START, STREAMS, landscape(entity=0.05, cosine=2.0))
    assert best == candidate({"lexical": 1.0, "entity": 0.05, "cosine": 2.0}, 60)


def test_the_first_stream_is_the_unit_and_keeps_its_weight() -> None:
    assert climb(START, STREAMS, landscape(lexical=3.0)) == START


def test_steps_are_shares_of_the_unit() -> None:
    start = candidate({"lexical": 2.0, "entity": 0.4, "cosine": 2.0}, 60)
    best = climb(start, STREAMS, landscape(cosine=1.0))
    assert best.weight("cosine") == 1.0  # half of the unit
    assert climb(start, STREAMS, landscape(cosine=9.0)).weight("cosine") == 5.0  # the most there is


def test_a_stream_that_is_not_named_keeps_its_weight() -> None:
    assert climb(START, ("lexical", "cosine"), landscape(entity=1.0)) == START


def test_k_is_tried_too() -> None:
    best = climb(START, STREAMS, lambda tried: [-abs(one.k - 20) / 10 for one in tried])
    assert best == candidate(dict(START.weights), 20)


def test_a_gain_within_the_noise_changes_nothing() -> None:
    assert climb(START, STREAMS, lambda tried: [0.5 + one.k / 1e6 for one in tried]) == START


@pytest.mark.parametrize("unit", ["entity", "cosine"])
def test_where_lexical_is_off_another_is_the_unit_and_lexical_may_come_back(unit: str) -> None:
    start = candidate({"lexical": 0.0, "entity": 0.0, "cosine": 0.0} | {unit: 1.0}, 60)
    best = climb(start, STREAMS, landscape(lexical=1.5))
    assert (best.weight("lexical"), best.weight(unit)) == (1.5, 1.0)
