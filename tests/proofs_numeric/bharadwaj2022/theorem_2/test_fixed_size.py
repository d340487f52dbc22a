"""Samples of a fixed number of clients: a leaving client changes every cell's rate."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from proofs_numeric.bharadwaj2022.theorem_2.bound import fixed_m_delta, fixed_m_within


def test_two_cells_tell_more_than_the_one_that_lost_a_copy():
    """E^epsilon = 5, 8 of 10 clients, tau = 2, {a: 2, c: 8} against {a: 1, c: 8}: .64022759 against 16/25."""
    assert float(fixed_m_delta(5, 10, 8, 2, 2)) == pytest.approx(0.64022759, abs=5e-9)
    assert not fixed_m_within((5, 10, 8, 2, 2))
    assert fixed_m_within((5, 10, 7, 2, 2))


def test_the_delta_is_the_sum_of_what_each_release_gives_away():
    """From the definition: n = 4, m = 2, tau = 2, both items twice; doubles at e^epsilon = 2."""

    def shown(count, rate):
        law = [comb(count, v) * rate**v * (1 - rate) ** (count - v) for v in range(count + 1)]
        return {0: law[0] + law[1], **{v: law[v] for v in range(2, count + 1)}}

    here, there = ((shown(a, p), shown(2, p)) for a, p in ((2, 0.5), (1, 2 / 3)))
    pairs = ((here[0][a] * here[1][c], there[0].get(a, 0) * there[1][c]) for a in here[0] for c in here[1])
    assert float(fixed_m_delta(2, 4, 2, 2, 2)) == pytest.approx(sum(max(0, x - 2 * y) for x, y in pairs))
    assert isinstance(fixed_m_delta(2, 4, 2, 2, 2), Fraction)
