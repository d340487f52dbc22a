"""m fixed: a leaving client changes every cell's rate."""

import math
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from auditor.engine.registry import registry
from mechanisms.sample_and_threshold import accountant
from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.special import binomial_tail
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.theorem_2.bound import fixed_m
from proofs_numeric.bharadwaj2022.theorem_2.fixed_m import (
    bound,
    by_histograms,
    exact_delta,
    fixed_m_delta,
    fixed_m_within,
    pair_sticks,
    rest_stick,
)
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove

SETTINGS = (
    (1, 10, 8, 2),
    (0.25, 30, 5, 5),
    (0.25, 30, 28, 12),
    (1, 10**6, 10**4, 7),
    (2, 10**4, 8600, 3),
    (8, 50, 1, 4),
)


def test_two_cells_tell_more_than_the_one_that_lost_a_copy():
    """E^epsilon = 5, 8 of 10 clients, tau = 2, {a: 2, c: 8} against {a: 1, c: 8}: .64022759 against 16/25."""
    assert float(fixed_m_delta(5, 10, 8, 2, 2)) == pytest.approx(0.64022759, abs=5e-9)
    assert not fixed_m_within((5, 10, 8, 2, 2))
    assert fixed_m_within((5, 10, 7, 2, 2))
    assert not fixed_m_within((9, 10, 8, 2, 2))  # m/(n - 1) = 1 - e^-epsilon: no more than constant p allows


def test_the_delta_is_the_sum_of_what_each_release_gives_away():
    """From the definition: n = 4, m = 2, tau = 2, both items twice; doubles at e^epsilon = 2."""

    def shown(count, rate):
        law = [comb(count, v) * rate**v * (1 - rate) ** (count - v) for v in range(count + 1)]
        return {0: law[0] + law[1], **{v: law[v] for v in range(2, count + 1)}}

    here, there = ((shown(a, p), shown(2, p)) for a, p in ((2, 0.5), (1, 2 / 3)))
    pairs = ((here[0][a] * here[1][c], there[0].get(a, 0) * there[1][c]) for a in here[0] for c in here[1])
    assert float(fixed_m_delta(2, 4, 2, 2, 2)) == pytest.approx(sum(max(0, x - 2 * y) for x, y in pairs))
    assert isinstance(fixed_m_delta(2, 4, 2, 2, 2), Fraction)


def test_the_pair_of_the_witness_has_the_enumerated_delta():
    """By tails in balls, by outcomes in doubles, by fractions."""
    exact = fixed_m_delta(5, 10, 8, 2, 2)
    with Ball(128) as A:
        certified = pair_sticks(A, epsilon=A.log(A.number(5)), n=10, m=8, tau=2, k=2)[0]
        assert certified.overlaps(A.number(exact))
    assert pair_sticks(Float64(), epsilon=math.log(5), n=10, m=8, tau=2, k=2)[0] == pytest.approx(
        float(exact), rel=1e-14
    )


@pytest.mark.slow
@pytest.mark.parametrize("tau", [1, 2, 3])
def test_no_data_set_exceeds_one_other_item(tau):
    """All histograms of up to six clients, every m, three levels."""
    for n in range(3, 7):
        for m in range(1, n - 1):
            for epsilon in ("1/10", "1/2", "2"):
                A = MpReal(20)
                point = {"epsilon": A.number(epsilon), "n": n, "m": m, "tau": tau}
                assert abs(exact_delta(A, **point) - by_histograms(A, **point)) < A.number("1e-18")


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_accountant_is_the_certified_number_and_the_bound_is_above_it(setting):
    """Doubles against balls; the closed form is sound."""
    epsilon, n, m, tau = setting
    point = {"n": n, "m": m, "tau": tau}
    with Ball(128) as A:
        exact = exact_delta(A, epsilon=A.number(Fraction(epsilon)), **point)
        above = bound(A, epsilon=A.number(Fraction(epsilon)), **point)
        assert exact.rel_accuracy_bits() > 60
        assert not above < exact
        assert accountant.delta_fixed_m(epsilon, **point) == pytest.approx(float(exact.mid()), rel=1e-12)


@pytest.mark.slow
def test_no_count_beyond_the_scan_gives_more():
    """Every k of 200 clients, both orders, in doubles."""
    A = Float64()
    for epsilon, m, tau in ((0.1, 20, 3), (0.1, 190, 5), (1.0, 100, 8)):
        every = max(max(pair_sticks(A, epsilon=epsilon, n=200, m=m, tau=tau, k=k)) for k in range(1, 201))
        assert accountant.delta_fixed_m(epsilon, n=200, m=m, tau=tau) == pytest.approx(every, rel=1e-13)


def test_a_delta_that_no_double_holds_is_told_as_the_least_one():
    """A million clients at tau = 1000: the scan ends, above the truth of about 2e-1281."""
    assert accountant.delta_fixed_m(1.0, n=10**6, m=10**4, tau=1000) == cells.LEAST
    with Ball(128) as A:
        assert 0 < bound(A, epsilon=A.number(1), n=10**6, m=10**4, tau=1000) < A.number(Fraction(1, 10**1200))


def test_without_a_threshold_a_lone_client_attains_the_reverse_bound():
    """Tau = 1, k = 1: the reverse stick is that of the others' number at e^epsilon (1 - p)."""
    with Ball(128) as A:
        epsilon = A.number(Fraction(1, 4))
        pair = pair_sticks(A, epsilon=epsilon, n=30, m=20, tau=1, k=1)[1]
        assert pair.overlaps(rest_stick(A, epsilon + A.log(A.number(1) / 3), n=30, m=20, forward=False))
        assert pair > 0


def test_a_practitioner_loses_nothing_by_a_fixed_m():
    """1e4 of 1e6 clients, epsilon 1, tau 5: below the constant rate's by 1e-5; the bound costs half a percent."""
    point = {"n": 10**6, "m": 10**4, "tau": 5}
    found, constant = accountant.delta_fixed_m(1.0, **point), accountant.delta_at_rate(1.0, p=0.01, tau=5)
    assert found == pytest.approx(4.4776424e-10, rel=1e-7)
    assert 1 < constant / found < 1.00005
    assert 1 < float(bound(Float64(), epsilon=1.0, **point)) / found < 1.005


def test_a_share_of_the_clients_that_is_one_sampling_allows_is_not_enough_when_m_is_fixed():
    """10 clients, m = 8, e^epsilon = 9 at tau = 2: m/(n - 1) = 1 - e^-epsilon, and still above the constant rate's."""
    found = accountant.delta_fixed_m(math.log(9), n=10, m=8, tau=2)
    assert found > 1.00008 * float(cells.tight_rate(Float64(), epsilon=math.log(9), p=0.8, tau=2))


@pytest.mark.parametrize("wrong", [{"epsilon": 0.0}, {"m": 9}, {"m": 0}, {"n": 2.5}, {"tau": 0}])
def test_the_accountant_refuses_what_is_no_setting(wrong):
    """One line: what, value, allowed."""
    with pytest.raises(ValueError, match="expected"):
        accountant.delta_fixed_m(**{"epsilon": 1.0, "n": 10, "m": 8, "tau": 2, **wrong})


def _said(name, **changed):
    claim = registry().claims[f"bharadwaj2022.{name}"]
    return replace(claim, kind=replace(claim.kind, **changed))


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    [
        _said("thm2.shown_of_rate", increasing=False),
        _said("thm2.shown_of_rate", strict=True),  # no count above k is shown at any rate
        _said("thm2.shown_of_rate", formula=lambda A, *, p, k, tau: binomial_tail(A, k, p, tau) - A.number(p)),
        _said("thm2.mfixed.shown", right=lambda A, *, k, n, **at: cells.tight(A, **at) * 99 / 100),
        _said("thm2.mfixed.shown", left=lambda A, **at: fixed_m(A, **at) + A.number(Fraction(1, 10**9))),
    ],
)
def test_what_is_false_of_rates_is_not_proved(claim):
    """That a count is shown falls with the rate, or grows even where it cannot be, or a little less than the delta."""
    with pytest.raises(TacticError):
        prove(claim, dict(registry().claims))


def test_a_worst_item_of_too_many_copies_to_scan_is_refused():
    """Of a billion clients some 19/(5e-8) share it; where it has fewer, the clients do not matter."""
    with pytest.raises(ValueError, match=r"at most 1000000 copies, got about 3.7.e\+08"):
        accountant.delta_fixed_m(1e-9, n=10**9, m=50, tau=20)
    assert 0 < accountant.delta_fixed_m(1.0, n=10**9, m=50, tau=20) < 1e-130
