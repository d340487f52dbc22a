"""The certificate that tau = 11 is enough at every epsilon > 0."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_numeric.bharadwaj2022.section_5 import every_epsilon


@pytest.mark.parametrize(("name", "value"), [("_TAU", 10), ("_DELTA", Fraction(4, 10**9)), ("_ALPHA", Fraction(1, 5))])
def test_one_less_half_the_delta_or_a_larger_rate_is_refused(monkeypatch, name, value):
    """What is certified is not certified of its neighbours."""
    monkeypatch.setattr(every_epsilon, name, value)
    assert not all(every_epsilon.enough(k) for k in range(every_epsilon._TAU, 40))


@pytest.mark.parametrize("k", [11, 15, 300, 1999, 2000])
def test_counts_of_all_sizes_are_certified(k):
    """Few clients at large epsilon, and many at small epsilon."""
    assert every_epsilon.enough(k)
