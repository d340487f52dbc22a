"""Exact delta of sample-and-threshold: the closed form against long scans, enumeration and published numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import compare, enclose
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.arithmetic.special import binomial_tail
from proofs_numeric.bharadwaj2022 import cells, lemma_3
from proofs_numeric.bharadwaj2022.theorem_2 import replacement
from proofs_numeric.kernel.boxes import positive_on_box
from proofs_numeric.statements.box import Box, Parameter

R = Rational()
FACTORS = st.fractions(Fraction(11, 10), 8, max_denominator=12)
SHARES = st.fractions(Fraction(1, 12), 1, max_denominator=12)
TABLE = [
    ("0.1", "1/6", 20, "5.82099e-14"),
    ("0.5", "0.2", 10, "1.00126e-7"),
    ("1", "1/6", 20, "6.868833530801220090881029e-15"),
    ("1", "1/2", 5, "5.366119115630662578731563e-3"),
    ("1", "1", 20, "1.45873e-3"),
]


@pytest.mark.slow
@settings(max_examples=30, deadline=None, derandomize=True)
@given(FACTORS, SHARES, st.integers(1, 6))
def test_the_closed_form_is_the_largest_of_a_long_scan(factor, share, tau):
    """Over k = 1 .. 3 tau/q, both directions, the largest hockey stick is the closed form, exactly."""
    p = share * (1 - 1 / factor)
    q = cells.bad_rate_of(R, factor=factor, p=p)
    last = int(3 * tau / q) + 2
    scanned = max(
        cells.cell_profile(R, factor=factor, p=p, tau=tau, k=k, forward=forward)
        for k in range(1, min(last, 60))
        for forward in (True, False)
    )
    assert scanned == cells.tight_of(R, factor=factor, p=p, tau=tau)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, derandomize=True)
@given(FACTORS, st.fractions(Fraction(1, 4), Fraction(9, 10), max_denominator=10), st.integers(1, 4))
def test_any_rate_has_the_largest_of_a_long_scan(factor, p, tau):
    """Any p, above the largest rate too: the closed form is the largest of both directions over k = 1 .. 39."""

    class Exponential(Rational):
        def exp(self, x):
            del x
            return factor

    scanned = max(
        cells.cell_profile(R, factor=factor, p=p, tau=tau, k=k, forward=forward)
        for k in range(1, 40)
        for forward in (True, False)
    )
    found = cells.tight_rate(Exponential(), epsilon=1, p=p, tau=tau)
    c = 1 - factor * (1 - p)
    assert scanned == found if c <= 0 or (tau - 1) / c < 39 else scanned <= found


def test_a_positive_delta_is_never_zero():
    """Below the least double it is that, which is above it."""
    assert float(cells.tight(Float64(), epsilon=1.0, alpha=1 / 6, tau=1000)) == cells.LEAST > 0
    assert replacement.scan(1.0, 0.01, 1000) == replacement.Worst(cells.LEAST, 1000, 0)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(FACTORS, SHARES, st.integers(1, 5), st.integers(1, 12))
def test_nothing_flows_backward_below_the_largest_rate(factor, share, tau, k):
    """For p <= 1 - e^-epsilon the backward hockey stick is exactly zero."""
    p = share * (1 - 1 / factor)
    assert cells.cell_profile(R, factor=factor, p=p, tau=tau, k=k, forward=False) == 0


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    FACTORS, st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10), st.integers(1, 4), st.integers(1, 12)
)
def test_the_backward_event_is_the_best_one(factor, p, tau, k):
    """Above the largest rate too, backward the best event is that less than t are sampled, t from the threshold on."""
    enumerated = cells.cell_profile(R, factor=factor, p=p, tau=tau, k=k, forward=False)
    q = 1 - factor * (1 - p)
    assert max(0, *(cells.unseen_at(R, p=p, q=q, k=k, tau=t) for t in range(tau, max(tau, k) + 2))) == enumerated


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(FACTORS, SHARES, st.integers(1, 4), st.integers(1, 8), st.integers(0, 8))
def test_the_replacement_formula_is_the_product_law(factor, share, tau, ka, kb):
    """The replacement hockey stick by best events equals the one by outcomes, as fractions."""
    point = {"factor": factor, "p": share * (1 - 1 / factor), "tau": tau, "ka": ka, "kb": kb}
    assert cells.replacement_at(R, **point) == cells.product_profile(R, **point)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(FACTORS, SHARES, st.integers(1, 5))
def test_a_higher_threshold_or_a_thinner_sample_never_costs_more(factor, share, tau):
    """Re-thresholding and thinning are post-processing: delta falls with tau and with p, exactly."""
    p = share * (1 - 1 / factor)
    now = cells.tight_of(R, factor=factor, p=p, tau=tau)
    assert cells.tight_of(R, factor=factor, p=p, tau=tau + 1) <= now
    assert cells.tight_of(R, factor=factor, p=p * Fraction(9, 10), tau=tau) <= now
    assert cells.tight_of(R, factor=factor * Fraction(11, 10), p=p, tau=tau) <= now


@pytest.mark.parametrize(("epsilon", "alpha", "tau", "expected"), TABLE)
def test_published_deltas_are_reproduced_in_three_arithmetics(epsilon, alpha, tau, expected):
    """Balls, mpmath and float64 give the catalogued delta."""
    point = {"epsilon": Fraction(epsilon), "alpha": Fraction(alpha), "tau": tau}
    enclosure = enclose(cells.tight, point, 30)
    digits = len(expected.split("e")[0].replace(".", ""))
    assert float(enclosure.lower) == pytest.approx(float(expected), rel=10.0 ** (1 - min(digits, 15)))
    mp = MpReal(30)
    value = cells.tight(mp, epsilon=mp.number(point["epsilon"]), alpha=mp.number(point["alpha"]), tau=tau)
    assert abs(value / mp.number(enclosure.lower) - 1) < mp.number("1e-28")
    fast = cells.tight(Float64(), epsilon=float(point["epsilon"]), alpha=float(point["alpha"]), tau=tau)
    assert fast == pytest.approx(float(enclosure.lower), rel=1e-13)


DOUBLES = {
    "epsilon": st.floats(-4, math.log10(20)).map(lambda x: min(10.0**x, 20.0)),
    "alpha": st.floats(-3, 0).map(lambda x: 10.0**x) | st.just(1.0),
    "tau": st.integers(1, 1000) | st.sampled_from([1, 2, 999, 1000]),
}


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@example(epsilon=1e-4, alpha=0.2272, tau=200)
@example(epsilon=0.0072, alpha=0.3644, tau=999)
@given(**DOUBLES)
def test_float64_keeps_twelve_digits_over_the_whole_box(epsilon, alpha, tau):
    """At the exact values of the doubles the ball's delta is met to 1e-12, or to one subnormal step."""
    point = {"epsilon": Fraction(epsilon), "alpha": Fraction(alpha), "tau": tau}
    truth = enclose(cells.tight, point, 18)
    fast = Fraction(float(cells.tight(Float64(), epsilon=epsilon, alpha=alpha, tau=tau)))
    assert abs(fast - truth.upper) <= truth.upper / 10**12 + Fraction(1, 2**1074)


@pytest.mark.parametrize(("k", "v"), [(1, 1), (15, 3), (16, 16), (400, 17), (10**7, 20), (10**7, 300)])
def test_point_masses_keep_thirteen_digits(k, v):
    """The float64 binomial mass against exact fractions, at the double nearest to v/k, half of it, and 0.9."""
    for p in (min(v / k, 0.99), v / k / 2, 0.9):
        exact = math.comb(k, v) * Fraction(p) ** v * (1 - Fraction(p)) ** (k - v) if k < 1000 else None
        with Ball(256) as A:
            x = A.number(Fraction(p))
            mass = A.number(exact) if exact is not None else A.number(math.comb(k, v)) * x**v * (1 - x) ** (k - v)
            fast = float(cells.binomial_mass(float(k), p, 1 - p, float(v)))
            assert abs(A.number(Fraction(fast)) - mass) < mass * A.number("1e-13") + A.number(Fraction(1, 2**1074))


@pytest.mark.parametrize(
    ("k", "p", "v"), [(999996, 1 / 999999, 2), (10**6, 2e-6, 3), (10**6, 1e-2, 9000), (40, 0.9, 7)]
)
def test_lower_tails_keep_thirteen_digits(k, p, v):
    """In doubles 1 - p would cost as many digits as p has zeros."""
    with Ball(256) as A:
        true = cells.lower_tail(A, k, A.number(Fraction(p)), v)
        fast = A.number(Fraction(float(cells.lower_tail(Float64(), k, p, v))))
        assert abs(fast - true) < true * A.number("1e-13")
    assert cells.lower_tail(Float64(), np.array([k, 1]), p, v).tolist() == [cells.lower_tail(Float64(), k, p, v), 1.0]
    assert cells.lower_tail(Float64(), k, p, -1) == 0.0


def test_the_float64_delta_is_a_number_far_outside_the_box():
    """At epsilon = 800 only the atom alpha^tau is left; at 1e-200 the delta is proportional to epsilon."""
    assert cells.tight(Float64(), epsilon=800.0, alpha=0.3, tau=20) == pytest.approx(0.3**20, rel=1e-12)
    assert cells.tight(Float64(), epsilon=800.0, alpha=1.0, tau=20) == 1.0
    slopes = [cells.tight(Float64(), epsilon=e, alpha=0.3, tau=5) / e for e in (1e-200, 1e-9)]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-6)


def test_float64_is_vectorised_over_epsilon_and_alpha():
    """Arrays of epsilon and alpha give the scalars, element by element."""
    epsilon, alpha = np.array([[0.1], [1.0]]), np.array([0.2, 0.9, 1.0])
    table = cells.tight(Float64(), epsilon=epsilon, alpha=alpha, tau=7)
    assert table.shape == (2, 3)
    assert table[1, 2] == cells.tight(Float64(), epsilon=1.0, alpha=1.0, tau=7)


def _theorem_2(A, *, ka, kb, **point):
    del ka, kb
    return cells.theorem_2(A, **point)


def test_theorem_2_is_refuted_under_replacement_by_balls():
    """E2: 6.8273e-38 exceeds the printed 5.2018e-38, certified."""
    point = {"epsilon": Fraction(2, 5), "alpha": Fraction(1), "tau": 460, "ka": 885, "kb": 1615}
    comparison = compare(cells.tight_replacement, _theorem_2, point)
    assert comparison.order == ">"
    assert float(comparison.left.lower) == pytest.approx(6.827286840e-38, rel=1e-9)
    assert float(comparison.right.lower) == pytest.approx(5.201786261e-38, rel=1e-9)


def test_the_exact_bad_event_is_not_monotone_where_the_hockey_stick_is():
    """E3: p = .49, epsilon = .7, tau = 2: .2401 at k = 2, .29765197 at k = 4."""
    law = Fraction(49, 100)
    assert binomial_tail(R, 2, law, 2) == Fraction("0.2401")
    assert binomial_tail(R, 4, law, 3) == Fraction("0.29765197")


@pytest.mark.slow
@pytest.mark.parametrize(("upper", "closes"), [(Fraction(7, 10), True), (Fraction(8, 10), False)])
def test_the_proof_of_lemma_3_prime_fails_once_the_claim_is_moved(upper, closes):
    """The box proof closes up to alpha = 0.7 and does not up to 0.8, where the lemma is false."""
    box = Box((Parameter("alpha", "rate", lower=0, upper=upper), Parameter("y", "1 - e^-epsilon", upper=1)))
    proof = positive_on_box(lemma_3.prime_margin, box, max_boxes=400)
    assert (proof.decided is True) is closes


def test_the_divided_margin_is_the_difference_it_divides():
    """Y times the margin is D/q - C' (mpmath, 40 digits)."""
    mp = MpReal(60)
    for epsilon, alpha in (("0.001", "0.3"), ("1", "0.7"), ("9", "0.05")):
        e, a = mp.number(epsilon), mp.number(alpha)
        gap = cells.divergence(mp, epsilon=e, alpha=a) - cells.c_alpha_prime(mp, alpha=a)
        y = -mp.expm1(-e)
        assert abs(y * lemma_3.prime_margin(mp, alpha=a, y=y) / gap - 1) < mp.number("1e-40")


def test_balls_of_the_series_hold_the_closed_forms():
    """The enclosures of G and M over an interval contain the values at its ends and middle."""
    mp, ball = MpReal(40), Ball(128)
    for lower, upper in ((Fraction(0), Fraction(1, 2)), (Fraction(1, 3), Fraction(2, 5))):
        with ball:
            interval = ball.interval(lower, upper)
            for function in (lemma_3.log_series, lemma_3.entropy_series):
                enclosure = function(ball, interval)
                for x in ((lower + upper) / 2, upper):
                    value = function(mp, mp.number(x))
                    assert float(enclosure.lower()) <= float(value) <= float(enclosure.upper())


@pytest.mark.parametrize(("moved", "closes"), [("0", True), ("0.49", True), ("0.51", False)])
def test_the_proof_of_the_limit_fails_once_its_margin_is_used_up(moved, closes):
    """The margin of the limit is at least 1/2, attained at alpha = epsilon = 0: a claim of more is refused."""
    box = Box((Parameter("alpha", "rate", upper=1), Parameter("y", "1 - e^-epsilon", upper=1)))

    def margin(A, *, alpha, y):
        return lemma_3.limit_margin(A, alpha=alpha, y=y) - A.number(moved)

    assert (positive_on_box(margin, box, max_boxes=2000).decided is True) is closes
