"""Theorem 9, the repaired proof as a certificate: it holds, and breaks when the claim moves past its margin."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.rogers2024 import peeling
from proofs_numeric.rogers2024.peeling import gumbel_law
from proofs_numeric.rogers2024.theorem_9.proof import peeling_on_common, race_and_peeling
from proofs_numeric.rogers2024.theorem_9.statement import picks_rho
from proofs_numeric.statements.concentrated import renyi_divergence
from proofs_numeric.statements.instances import BOTTOM

BASE, DELTA = Fraction(3, 2), Fraction(1, 10)
THREE = (("a", 1), ("b", 1), ("c", 1))
ONLY_A = (("a", 1),)


def test_the_printed_good_part_is_too_large():
    """C3: P/P' at (a, bottom) is 155/176 = 0.88 < 0.9 at delta = 1/10."""
    case = (THREE, ONLY_A, 3, 2, BASE, DELTA)
    law = gumbel_law(THREE, k_bar=3, k=2, base=BASE, delta=DELTA)
    printed = peeling_on_common(THREE, ONLY_A, case)
    assert law["a", BOTTOM] / printed["a", BOTTOM] == Fraction(155, 176)


@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 1000)])
def test_the_two_ratios_of_the_smallest_counterexample(delta):
    """H = {a, b: 1}, h' = {a: 1}, k = 2: (2+d)/(2+2d) at bottom and 1/(1+d) at (a, bottom)."""
    larger = (("a", 1), ("b", 1))
    case = (larger, ONLY_A, 2, 2, BASE, delta)
    law = gumbel_law(larger, k_bar=2, k=2, base=BASE, delta=delta)
    printed = peeling_on_common(larger, ONLY_A, case)
    assert law[(BOTTOM,)] / printed[(BOTTOM,)] == (2 + delta) / (2 + 2 * delta)
    assert law["a", BOTTOM] / printed["a", BOTTOM] == 1 / (1 + delta)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_certificate_holds_at_its_rho_and_fails_below_it(k):
    """A shared count that moves among high ones is nearly tight: nine tenths of rho is not enough."""
    larger, smaller = (("a", 9), ("b", 8), ("c", 8)), (("a", 8), ("b", 8), ("c", 8))
    base = Fraction(51, 50)
    decomposition = peeling.gumbel_decomposition(larger, smaller, k_bar=3, k=1, base=base, delta=DELTA)
    with Ball(128) as A:
        rho = picks_rho(A, k=k, epsilon=A.log(A.number(base)))
        assert decomposition.certifies(DELTA, rho, (1, 2, 8))
        assert not decomposition.certifies(DELTA, rho / (8 * k), (1, 2, 8))


def test_a_smaller_failure_probability_does_not_cover_the_law():
    """All-new items have mass delta/(1 + delta): a tenth less is not covered."""
    decomposition = peeling.gumbel_decomposition(THREE, (), k_bar=3, k=2, base=BASE, delta=DELTA)
    exact = DELTA / (1 + DELTA)
    assert decomposition.covers(exact)
    assert not decomposition.covers(exact * Fraction(9, 10))


def test_the_race_without_merged_rates_is_another_law():
    """Leaving the beaten items' rates out of bottom's breaks the identity that the certificate rests on."""
    case = (THREE, ONLY_A, 3, 2, BASE, DELTA)
    assert all(one.holds() for one in race_and_peeling(case))
    weights, merged, mass, *_rest = peeling.good_parts(THREE, ONLY_A, k_bar=3, base=BASE, delta=DELTA)
    unmerged = merged * mass
    assert peeling.peel(weights, unmerged, 2) != peeling.peel(weights, merged, 2)


def test_conditioning_on_the_common_outcomes_is_ten_times_too_far():
    """{a: 1, b: 3} against {b: 3}, k = k_bar = 2, epsilon = .02, delta = .3: D_1 = 10.65 k epsilon^2/8 (C4)."""
    epsilon = 0.02
    base = Fraction(epsilon).limit_denominator(10**6)
    base = 1 + base + base**2 / 2 + base**3 / 6
    settings = {"k_bar": 2, "k": 2, "base": base, "delta": Fraction(3, 10)}
    left, right = (gumbel_law(h, **settings) for h in ((("a", 1), ("b", 3)), (("b", 3),)))
    shared = [y for y in left if y in right]
    p, q = ({y: law[y] / sum(law[z] for z in shared) for y in shared} for law in (left, right))
    forward, backward = (float(renyi_divergence(Float64(), *sides, 1)) / (epsilon**2 / 4) for sides in ((p, q), (q, p)))
    assert forward == pytest.approx(10.65, abs=0.005)
    assert backward == pytest.approx(11.03, abs=0.005)
