"""The certificate that tau = 11 is enough at every epsilon > 0."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from scipy.stats import binom

from proofs_numeric.bharadwaj2022.section_5 import every_epsilon
from proofs_numeric.bharadwaj2022.theorem_2 import replacement


@pytest.mark.parametrize(("name", "value"), [("_TAU", 10), ("_DELTA", Fraction(4, 10**9)), ("_ALPHA", Fraction(1, 5))])
def test_one_less_half_the_delta_or_a_larger_rate_is_refused(monkeypatch, name, value):
    """What is certified is not certified of its neighbours."""
    monkeypatch.setattr(every_epsilon, name, value)
    assert not all(every_epsilon.enough(k) for k in range(every_epsilon._TAU, 40))


@pytest.mark.parametrize("k", [11, 15, 300, 1999, 2000])
def test_counts_of_all_sizes_are_certified(k):
    """Few clients at large epsilon, and many at small epsilon."""
    assert every_epsilon.enough(k)


@pytest.mark.parametrize(("name", "value"), [("_TAU_REPLACED", 11), ("_DELTA", Fraction(5, 10**9))])
def test_under_replacement_one_less_or_a_smaller_delta_is_refused(monkeypatch, name, value):
    """The bound reaches 5.66e-9 near epsilon = 0.27, and 1.85e-8 at tau = 11."""
    monkeypatch.setattr(every_epsilon, name, value)
    assert not all(every_epsilon.enough_replaced(k) for k in range(36, 52))


@pytest.mark.parametrize("k", [12, 47, 300, 1999, 2000])
def test_counts_of_all_sizes_are_certified_under_replacement(k):
    """Few clients at large epsilon, and many at small epsilon."""
    assert every_epsilon.enough_replaced(k)


@pytest.mark.parametrize(("epsilon", "ka", "kb"), [(0.27, 41, 160), (0.4, 28, 110)])
def test_the_bound_under_replacement_is_above_the_delta_of_pairs(epsilon, ka, kb):
    """The delta of two cells, tau = 12, is below that of one at epsilon + ln(1 - p)."""
    p = -math.expm1(-epsilon) / 6
    k = math.ceil(11 / -math.expm1(-epsilon))
    bound = p * binom.pmf(11, k - 1, p) - ((1 - p) * math.exp(epsilon) - 1) * binom.sf(11, k - 1, p)
    assert 0 < replacement.pair_delta(epsilon, p, 12, 12, ka, kb) < bound < 1e-8
