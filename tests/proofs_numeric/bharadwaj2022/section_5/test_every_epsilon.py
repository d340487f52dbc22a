"""The certificate that tau = 11 is enough at every epsilon > 0."""

import math
from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.bharadwaj2022 import cells
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


@pytest.mark.parametrize(("name", "value"), [("_TAU", 10), ("_DELTA", Fraction(8, 10**9)), ("_COPIES", 15)])
def test_under_replacement_one_less_or_a_smaller_delta_or_fewer_copies_are_refused(monkeypatch, name, value):
    """The bound reaches 8.9e-9 near epsilon = 0.2, and 1e-8 where the threshold is left off 15 copies."""
    monkeypatch.setattr(every_epsilon, name, value)
    assert not all(every_epsilon.enough_replaced(k) for k in range(54, 58))


def test_what_one_copy_less_may_show_is_not_taken_for_certain(monkeypatch):
    """A hidden second cell whose laws could differ by more than the certificate allows is not certified."""
    monkeypatch.setattr(every_epsilon, "_HIDDEN", 1 - Fraction(1, 10**9))
    assert not every_epsilon.enough_replaced(30)


@pytest.mark.parametrize("k", [11, 23, 55, 300, 1999, 2000])
def test_counts_of_all_sizes_are_certified_under_replacement(k):
    """Few clients at large epsilon, and many at small epsilon."""
    assert every_epsilon.enough_replaced(k)


@pytest.mark.parametrize(("epsilon", "pairs"), [(0.2, range(20, 80)), (0.4, range(20, 60))])
def test_the_bounds_under_replacement_are_above_the_delta_of_pairs(epsilon, pairs):
    """Enumerated pairs at tau = 11 are below the mean over a second cell of 30 copies, or of fewer."""
    q = Fraction(-math.expm1(-epsilon))
    p = float(q) / 6
    few, many = (float(bound(q, q).mid()) for bound in (every_epsilon._few_copies, every_epsilon._many_copies))
    with Ball(128) as A:
        copies = cells.Replaced(A, 1 / (1 - A.number(q)), A.number(q / 6))
        without = [float(copies.delta(11, 0, ka, 30)) for ka in pairs]
    assert max(without) <= many * (1 + 1e-9)
    for ka in pairs:
        assert 0 < replacement.pair_delta(epsilon, p, 11, ka, 20) < few < 1e-8
        assert replacement.pair_delta(epsilon, p, 11, ka, 200) < many < 1e-8
