"""The replacement maximum: the float64 scan against exact fractions, long scans and balls."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import compare, enclose
from proofs_numeric.arithmetic.interval import Interval
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.theorem_2 import replacement

R = Rational()
FACTORS = st.fractions(1, 6, max_denominator=8)
RATES = st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=10)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, derandomize=True)
@given(FACTORS, RATES, st.integers(1, 3))
def test_the_scan_finds_the_largest_of_all_small_counts(factor, p, tau):
    """Over ka, kb up to 14 no exact product law exceeds the scan's value, which its pair attains."""
    epsilon = math.log(factor)
    found = replacement.scan(epsilon, float(p), tau)
    largest = max(
        cells.product_profile(R, factor=factor, p=p, tau=tau, ka=ka, kb=kb) for ka in range(1, 15) for kb in range(15)
    )
    assert float(largest) <= found.value * (1 + 1e-9)
    attained = cells.product_profile(R, factor=factor, p=p, tau=tau, ka=found.ka, kb=found.kb)
    assert float(attained) == pytest.approx(found.value, rel=1e-9, abs=1e-15)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(FACTORS, RATES, st.integers(1, 4), st.integers(1, 9), st.integers(0, 8))
def test_a_cell_without_threshold_loses_as_its_count_grows(factor, p, tau, ka, kb):
    """Leaving a threshold off never lowers the hockey stick; one more client in that cell never raises it, exactly."""

    def stick(first, second, a, b):
        left = [x * y for x in cells.cell_outcomes(R, a, p, first) for y in cells.cell_outcomes(R, b, p, second)]
        more = cells.cell_outcomes(R, b + 1, p, second)
        fewer = [*cells.cell_outcomes(R, a - 1, p, first), 0, 0]
        width = len(cells.cell_outcomes(R, b, p, second))
        right = [x * y for x in fewer[: len(cells.cell_outcomes(R, a, p, first))] for y in more[:width]]
        return cells.hockey_stick(R, left, right, factor)

    assert stick(tau, tau, ka, kb) == cells.product_profile(R, factor=factor, p=p, tau=tau, ka=ka, kb=kb)
    assert stick(tau, tau, ka, kb) <= stick(tau, 0, ka, kb)
    assert stick(tau, 0, ka, kb + 1) <= stick(tau, 0, ka, kb)
    assert stick(tau, tau, ka, kb) <= stick(0, tau, ka, kb)
    assert stick(0, tau, ka + 1, kb) <= stick(0, tau, ka, kb)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@example(epsilon=20.0, alpha=1.0, tau=1000, ka=2000, kb=0)
@given(
    st.floats(-2, math.log10(20)).map(lambda x: min(10.0**x, 20.0)),
    st.floats(-3, 0).map(lambda x: 10.0**x),
    st.integers(1, 200),
    st.integers(1, 500),
    st.integers(0, 500),
)
def test_float64_pairs_keep_eleven_digits(epsilon, alpha, tau, ka, kb):
    """The float64 hockey stick of a pair meets the ball's at the exact values of the doubles."""
    point = {"epsilon": Fraction(epsilon), "alpha": Fraction(alpha), "tau": tau, "ka": ka, "kb": kb}
    truth = enclose(cells.tight_replacement, point, 15)
    fast = Fraction(float(cells.tight_replacement(Float64(), epsilon=epsilon, alpha=alpha, tau=tau, ka=ka, kb=kb)))
    assert abs(fast - truth.upper) <= truth.upper / 10**11 + Fraction(1, 2**1020)


def test_the_exact_claim_is_the_scan_in_balls():
    """At P2's rate the ball encloses the catalogued 5.511294342783719e-3, attained at (6, 7)."""
    p = Fraction(-math.expm1(-1.0) / 2)
    value = enclose(replacement.replacement_rate, {"epsilon": Fraction(1), "p": p, "tau": 5}, 20)
    assert float(value.lower) == pytest.approx(5.511294342783719e-3, rel=1e-13)
    found = replacement.scan(1.0, float(p), 5)
    assert (found.ka, found.kb) == (6, 7)


@pytest.mark.parametrize(
    ("epsilon", "p", "tau"), [("1", "1/5", 10), ("1/10", "1/2", 3), ("0", "4/5", 6), ("3", "1/2", 4)]
)
def test_the_scan_in_balls_rests_on_no_double(monkeypatch, epsilon, p, tau):
    """It encloses the largest delta with no help of the one in float64, from a bad start, too."""
    point = {"epsilon": Fraction(epsilon), "p": Fraction(p), "tau": tau}
    found = replacement.scan(float(point["epsilon"]), float(point["p"]), tau)
    monkeypatch.setattr(replacement, "pair_delta", None)
    monkeypatch.setattr(replacement, "_Doubles", None)
    monkeypatch.setattr(replacement, "likely_counts", lambda *_at: (tau + 7, 1))
    value = enclose(replacement.replacement_rate, point, 25)
    assert float(value.lower) == pytest.approx(found.value, rel=1e-11)
    assert value.upper - value.lower <= value.upper / 10**25


def test_a_largest_delta_that_is_left_out_is_missed(monkeypatch):
    """Bounds that end the scan at once leave what tau clients tell, which is less."""
    monkeypatch.setattr(replacement._Balls, "up_to", lambda *_at: 0)
    monkeypatch.setattr(replacement, "likely_counts", lambda *_at: (5, 0))
    value = enclose(replacement.replacement_rate, {"epsilon": Fraction(1), "p": Fraction(1, 2), "tau": 5}, 20)
    assert value.upper < replacement.scan(1.0, 0.5, 5).value


def test_theorem_2_fails_under_replacement_at_the_counts_that_large_deviations_give():
    """At (0.4, 1, 460) the likely pair is near (885, 1615), and its delta exceeds the printed bound, certified."""
    ka, kb = replacement.likely_counts(0.4, -math.expm1(-0.4), 460)
    assert abs(ka - 885) <= 5
    assert abs(kb - 1615) <= 15
    point = {"epsilon": Fraction(2, 5), "alpha": Fraction(1), "tau": 460}
    assert compare(replacement.likely_replacement, cells.theorem_2, point).order == ">"
    below = {**point, "tau": 200}
    assert compare(replacement.likely_replacement, cells.theorem_2, below).order == "<"


def test_balls_never_meet_the_float_scan_outside_their_enclosure():
    """The scan's value at the paper's default lies within one part in 1e12 of the enclosed maximum, (29, 121)."""
    alpha = Fraction(1, 6)
    found = replacement.scan(1.0, float(-alpha * Fraction(math.expm1(-1.0))), 20)
    assert (found.ka, found.kb) == (29, 121)
    with Ball(192) as A:
        p = A.number(Fraction(float(-alpha * Fraction(math.expm1(-1.0)))))
        exact = cells.replacement_at(A, factor=A.exp(A.number(1)), p=p, tau=20, ka=29, kb=121)
        assert abs(A.number(Fraction(found.value)) / exact - 1) < A.number("1e-12")


@pytest.mark.slow
@given(
    st.sampled_from(["0", "1/20", "3/10", "1", "3"]),
    st.sampled_from(["1/100", "1/10", "2/5", "9/10"]),
    st.integers(0, 6),
    st.integers(1, 6),
    st.integers(1, 20),
    st.integers(0, 30),
)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_no_smaller_count_exceeds_the_bound_that_skips_it(epsilon, p, first, second, ka, kb):
    """Nor does any larger one exceed the value without the second threshold."""
    with Ball(128) as A:
        pairs = replacement._Balls(A, A.exp(A.number(Fraction(epsilon))), A.number(Fraction(p)))
        above = pairs.up_to(first, second, ka, kb)
        for fewer in range(second - 1, kb + 1):
            assert not pairs.delta(first, second, ka, fewer) > above


@pytest.mark.slow
@given(RATES, st.integers(1, 5), st.fractions(Fraction(1, 8), 6, max_denominator=12))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_hockey_stick_rises_up_to_its_worst_count_and_falls_after_it(p, tau, x):
    """Exactly, at any factor, below 1 too; the worst count is that of the float64 search."""
    sticks = [cells.cell_profile(R, factor=x, p=p, tau=tau, k=k) for k in range(1, 24)]
    [worst] = replacement._Factors(float(p), tau, np.array([float(x)])).worst
    worst = int(min(worst, 23))
    assert sticks[:worst] == sorted(sticks[:worst])
    assert sticks[worst - 1 :] == sorted(sticks[worst - 1 :], reverse=True)


BOXES = st.tuples(st.integers(1, 40), st.integers(0, 12), st.integers(0, 60), st.integers(0, 25))


@pytest.mark.slow
@given(st.sampled_from([0.0, 0.05, 0.3, 1.0, 3.0]), st.sampled_from([0.01, 0.1, 0.4, 0.9]), st.integers(1, 6), BOXES)
@example(epsilon=0.3, p=0.4, tau=4, sides=(9, 0, 11, 0))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_no_pair_of_a_box_exceeds_its_bound(epsilon, p, tau, sides):
    """Of one count or many on either side; a box of one pair is bounded by that pair's delta."""
    ka, wide, kb, high = sides
    search = replacement._Doubles(epsilon, p, tau)
    within = [
        replacement.pair_delta(epsilon, p, tau, a, b)
        for a in range(ka, ka + wide + 1)
        for b in range(kb, kb + high + 1)
    ]
    for last_ka, last_kb in itertools.product((ka + wide, math.inf), (kb + high, math.inf)):
        assert max(within) <= search.bound((ka, last_ka, kb, last_kb)) * (1 + 1e-10) + 1e-300
    if wide == high == 0:
        assert search.bound((ka, ka, kb, kb)) == pytest.approx(within[0], rel=1e-10, abs=1e-16)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.fractions(0, 4, max_denominator=20), RATES, st.integers(1, 8))
def test_the_boxes_and_the_scan_of_counts_find_the_same(epsilon, p, tau):
    """Two ways to the largest of all pairs: bounds of boxes in float64, counts one by one in balls."""
    true = enclose(replacement.replacement_rate, {"epsilon": epsilon, "p": p, "tau": tau}, 15)
    assert replacement.scan(float(epsilon), float(p), tau).value == pytest.approx(float(true.lower), rel=2e-12)


def test_a_search_looks_at_few_boxes(monkeypatch):
    """Fewer than 2,000 of two million pairs at epsilon = 0.1 and tau = 100, each of which might be the largest."""
    looked = []
    bound = replacement._Doubles.bound
    monkeypatch.setattr(replacement._Doubles, "bound", lambda *at: looked.append(at) or bound(*at))
    worst = replacement.scan(0.1, -math.expm1(-0.1) / 2, 100)
    assert (worst.ka, worst.kb) == (753, 2373)
    assert worst.value == pytest.approx(1.7768030996388e-23, rel=1e-11)
    assert len(looked) < 2_000


@pytest.mark.parametrize("A", [MpReal(30), Interval(96)], ids=["mpmath", "intervals"])
def test_a_pair_is_sought_where_no_double_sees_what_it_gains(A):
    """Two against some 33 copies tell 5e-19 more, relative, than p^tau: every arithmetic names that pair."""
    at = {"epsilon": Fraction(1, 2), "p": Fraction(7, 10), "tau": 2}
    with Ball(256) as ball:
        true = replacement.replacement_rate(ball, **{name: ball.number(x) for name, x in at.items()} | {"tau": 2})
        gain = float(true / ball.number(Fraction(49, 100)) - 1)
    assert 4e-19 < gain < 6e-19
    with A:
        value = replacement.replacement_rate(A, **at)
        assert float(value / A.number(Fraction(49, 100)) - 1) == pytest.approx(gain, rel=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "alpha", "tau"),
    [(1, "1e-300", 1), (1, "1e-150", 2), (50, "1/2", 1000), (700, "1/2", 1000), (700, "1e-8", 2)],
)
def test_where_a_client_who_joins_changes_nothing_the_closed_form_is_the_answer(epsilon, alpha, tau):
    """Against both ends of what replacement can be, with 50 digits: at epsilon and at epsilon + ln(1 - p)."""
    A = MpReal(50)
    p = cells.sampling_rate(A, epsilon=A.number(epsilon), alpha=A.number(alpha))
    here, most = (
        cells.tight(A, epsilon=e, alpha=-p / A.expm1(-e), tau=tau)
        for e in (A.number(epsilon), A.number(epsilon) + A.log1p(-p))
    )
    assert float(most) == pytest.approx(float(here), rel=1e-12, abs=0)
    found = replacement.scan(float(epsilon), float(p), tau)
    assert found.value == pytest.approx(float(here), rel=2e-12, abs=0)


@pytest.mark.parametrize(
    ("epsilon", "p", "tau"), [(1.0, 0.3, 10**12), (1e-3, 5e-4, 10**12), (1.0, 1e-300, 2), (0.5, 0.6, 10**7)]
)
def test_a_delta_that_no_double_holds_is_the_least_one(epsilon, p, tau):
    """Whatever the counts, by a bound on every pair."""
    assert replacement.scan(epsilon, p, tau) == replacement.Worst(cells.LEAST, tau, 0)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(FACTORS, RATES, st.integers(1, 3), st.integers(1, 12), st.integers(0, 12))
def test_no_pair_exceeds_the_bound_on_every_pair(factor, p, tau, ka, kb):
    """Its exact product law, and those of one client more or less of an item."""
    most = math.exp(replacement.log_bound(math.log(factor), float(p), tau)) * (1 + 1e-12)
    assert cells.product_profile(R, factor=factor, p=p, tau=tau, ka=ka, kb=kb) <= most
    assert cells.cell_profile(R, factor=factor, p=p, tau=tau, k=ka) <= most
    assert cells.cell_profile(R, factor=factor, p=p, tau=tau, k=ka, forward=False) <= most


@pytest.mark.parametrize(("epsilon", "p", "tau"), [(1e-300, 5e-301, 2), (0.0, 1e-300, 1), (0.0, 0.5, 10**6)])
def test_counts_beyond_the_search_are_refused_in_one_line(epsilon, p, tau):
    """What, value, allowed, remedy."""
    with pytest.raises(ValueError, match="expected"):
        replacement.scan(epsilon, p, tau)
