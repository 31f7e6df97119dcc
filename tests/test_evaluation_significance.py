"""The tests of significance: known answers, and what must hold for any differences."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.evaluation.significance import PERMUTATIONS, bootstrap_interval, randomisation_test

# Where the share of 10,000 patterns may stand from the true one: five standard errors.
CLOSE = 5 * (0.25 / PERMUTATIONS) ** 0.5


def exact(differences: list[float]) -> float:
    """The share of all sign patterns whose sum is at least as far from 0."""
    observed = abs(sum(differences)) - 1e-9
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(one >= observed for one in sums) / len(sums)


@pytest.mark.parametrize(
    "differences",
    [
        [0.1],
        [0.1, 0.2, 0.3, 0.4],
        [0.5, -0.2, 0.1, 0.3, -0.1, 0.2, 0.4, 0.1, -0.3, 0.2, 0.1],
        [0.0, 0.25, 0.0, -0.25, 0.5],
    ],
)
def test_p_is_the_share_of_sign_patterns_at_least_as_far_from_zero(
    differences: list[float],
) -> None:
    assert randomisation_test(differences) == pytest.approx(exact(differences), abs=CLOSE)


def test_no_difference_at_all_is_no_evidence() -> None:
    assert randomisation_test([]) == 1.0
    assert randomisation_test([0.0, 0.0]) == 1.0


def test_p_is_never_zero() -> None:
    assert randomisation_test([0.1] * 100) == 1 / (PERMUTATIONS + 1)


def test_p_is_near_that_of_the_t_test_on_many_differences() -> None:
    stats = pytest.importorskip("scipy.stats")
    differences = [((number * 37) % 101 - 42) / 100 for number in range(150)]
    t_test = stats.ttest_1samp(differences, 0).pvalue
    assert randomisation_test(differences) == pytest.approx(t_test, abs=0.01)


@settings(max_examples=20)
@given(st.lists(st.floats(-1, 1), max_size=30))
def test_p_is_the_same_for_the_opposite_difference_and_on_every_run(
    differences: list[float],
) -> None:
    first = randomisation_test(differences, permutations=200)
    assert first == randomisation_test([-one for one in differences], permutations=200)
    assert 0 < first <= 1


def test_the_interval_holds_the_mean_and_narrows_with_more_queries() -> None:
    few = [0.0, 0.2] * 10
    low, high = bootstrap_interval(few)
    assert low < 0.1 < high
    low_of_many, high_of_many = bootstrap_interval(few * 10)
    assert high_of_many - low_of_many < (high - low) / 2


def test_the_interval_is_that_of_the_normal_distribution_on_many_queries() -> None:
    differences = [0.0, 0.2] * 200  # standard error of the mean: 0.1 / sqrt(400) = 0.005
    low, high = bootstrap_interval(differences)
    assert low == pytest.approx(0.1 - 1.96 * 0.005, abs=0.001)
    assert high == pytest.approx(0.1 + 1.96 * 0.005, abs=0.001)


def test_the_interval_of_a_constant_is_that_constant() -> None:
    assert bootstrap_interval([0.25] * 7) == (0.25, 0.25)
    assert bootstrap_interval([]) == (0.0, 0.0)
