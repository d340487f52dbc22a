"""Lemmas 5.1 to 5.3 and post-processing."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.arithmetic.enclosure import Order, compare, enclose
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.wilkins2024 import lemma_5_1, lemma_5_2
from proofs_numeric.wilkins2024.finite import joint, loss_difference, merged, merges
from proofs_numeric.wilkins2024.lemma_5_3 import one_row, post_processing
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_infinite

P = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=30)
RATIO = st.fractions(Fraction(1, 6), 6, max_denominator=10)


@st.composite
def laws(draw, atoms=3):
    """Exact laws with zeros."""
    weights = draw(st.lists(st.integers(0, 5), min_size=atoms, max_size=atoms).filter(any))
    return {i: Fraction(w, sum(weights)) for i, w in enumerate(weights)}


@pytest.mark.slow
@given(P, st.integers(0, 3), RATIO.filter(lambda r: r >= 1))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_rows_at_tau_have_the_printed_losses(p, rows, ratio):
    """Losses and both differences of Lemma 5.1, beyond the enumerated grid."""
    assert lemma_5_1.presence_loss((p, rows))
    assert lemma_5_1.absence_loss((p, rows))
    assert lemma_5_1.forward_difference((p, rows, ratio))
    assert lemma_5_1.backward_difference((p, rows, ratio))


def test_forward_difference_needs_epsilon_at_least_zero():
    """At e^epsilon < 1 the printed value is too small: the domain is no ornament."""
    assert not lemma_5_1.forward_difference((Fraction(1, 2), 1, Fraction(1, 2) - Fraction(1, 10)))


@pytest.mark.slow
@given(P, st.integers(0, 2), laws(), laws(), RATIO)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_mixed_rows_split_as_lemma_5_2_says(p, rows, left, right, ratio):
    """Both lines of (5.5) and the conditional losses, for any laws of the rows above tau and any epsilon."""
    case = (p, rows, left, right, ratio)
    assert lemma_5_2.mixed_forward(case)
    assert lemma_5_2.mixed_backward(case)
    if loss_difference(left, right, Fraction(1)) < 1:
        assert lemma_5_2.conditional_loss(case)


def test_lemma_5_2_notices_a_wrong_shift():
    """With eps_3 for eps_2 the forward identity fails."""
    p, left, right, ratio = (
        Fraction(1, 2),
        {0: Fraction(3, 4), 1: Fraction(1, 4)},
        {0: Fraction(1, 2), 1: Fraction(1, 2)},
        Fraction(1),
    )
    with_user, without = lemma_5_1.equal_rows(p, 1)
    assert lemma_5_2.mixed_forward((p, 1, left, right, ratio))
    whole = loss_difference(joint(with_user, left), joint(without, right), ratio)
    assert whole != 1 - p + p * loss_difference(left, right, ratio * p)


def test_probability_of_a_row_at_tau():
    """1 - Phi(2)^2 for two rows at sigma = 1.5, tau = 3, tau* = 6."""
    value = enclose(delta_infinite, {"c_u": 2, "sigma": Fraction(3, 2), "gap": Fraction(3)}, 15).decimal(11)[0]
    assert value == "0.044982695393"


def test_printed_eps_3_differs():
    """The misprint of (A.5) changes the number."""
    at = {"epsilon": Fraction(1), "a_equal": 2, "sigma": Fraction(2), "tau": Fraction(1), "tau_star": Fraction(3)}
    assert compare(lemma_5_2.printed_epsilon_3, lemma_5_2.epsilon_3_by_law, at).order is Order.GREATER
    assert compare(lemma_5_2.epsilon_3, lemma_5_2.epsilon_3_by_law, at, (128, 256)).order is Order.UNDECIDED


@pytest.mark.slow
@given(laws(4), laws(4), RATIO, st.sampled_from(tuple(merges(4))))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_merging_never_helps(left, right, ratio, blocks):
    """(A.6) beyond the enumerated laws, at any real epsilon."""
    assert post_processing.merging_lowers_the_difference((left, right, ratio, blocks))
    assert sum(merged(left, blocks).values()) == 1


def test_all_merges_of_four_outcomes():
    """Bell's number of four."""
    assert len(set(merges(4))) == 15


@pytest.mark.slow
@pytest.mark.parametrize("margin", [-2.0, 0.0, 0.5, 3.0])
@pytest.mark.parametrize("epsilon", [-0.7, 0.0, 0.2, 1.0])
@pytest.mark.parametrize("sigma", [0.7, 2.0])
def test_one_row_matches_its_censored_densities(epsilon, sigma, margin):
    """Quadrature of max(0, p - e^epsilon q) and the withheld mass, in both orders."""
    A, ratio = Float64(), math.exp(epsilon)
    for formula, left, right in ((one_row.forward_row, 0, -1), (one_row.backward_row, -1, 0)):
        p, q = stats.norm(left, sigma), stats.norm(right, sigma)
        cut = (-0.5 + sigma**2 * epsilon) if left == 0 else (-0.5 - sigma**2 * epsilon)
        released = sum(
            integrate.quad(lambda y, p=p, q=q: max(0.0, p.pdf(y) - ratio * q.pdf(y)), a, b, epsabs=1e-13)[0]
            for a, b in pieces(-margin, cut, 12 * sigma)
        )
        expected = max(0.0, p.cdf(-margin) - ratio * q.cdf(-margin)) + released
        assert float(formula(A, epsilon=epsilon, sigma=sigma, margin=margin)) == pytest.approx(expected, abs=1e-10)


def pieces(low, cut, width):
    """Intervals from ``low`` upwards, split at the kink."""
    ends = sorted({low, low + width + abs(cut), *([cut] if low < cut else [])})
    return list(pairwise(ends))


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 3), Fraction(2)])
@pytest.mark.parametrize("margin", [Fraction(-3), Fraction(0), Fraction(1, 4), Fraction(40)])
def test_one_row_never_exceeds_its_bound(epsilon, margin):
    """The thresholded row is no worse, and within its withheld mass of the bound."""
    at = {"epsilon": epsilon, "sigma": Fraction(1), "margin": margin}
    assert compare(one_row.forward_row, one_row.row_bound, at).order is not Order.GREATER
    assert compare(one_row.row_bound, one_row.forward_row_and_censored, at).order is not Order.GREATER


@pytest.mark.parametrize("formula", [one_row.forward_row, one_row.backward_row])
def test_both_orders_attain_the_bound_at_finite_counts(formula):
    """One row whose best half-line respects tau* loses nothing, in either order."""
    at = {"epsilon": Fraction(1, 2), "sigma": Fraction(1), "margin": Fraction(4)}
    row, bound = enclose(formula, at, 40), enclose(one_row.row_bound, at, 40)
    assert row.lower <= bound.upper
    assert bound.lower <= row.upper


def test_a_low_count_loses_five_percent():
    """C = 2 with tau* = 3.5 stays below the bound by a visible amount."""
    at = {"epsilon": Fraction(1, 2), "sigma": Fraction(1), "margin": Fraction(-3, 2)}
    assert float(enclose(one_row.row_bound, at, 10).lower - enclose(one_row.forward_row, at, 10).upper) > 0.04


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.5, 2.0])
def test_two_rows_stay_strictly_below_the_bound(margin):
    """With two rows censoring always loses something: the supremum is not attained, and approached."""
    gap = float(gaussian_profile(Float64(), 0.5, math.sqrt(2.0))) - two_rows(0.5, margin)
    assert gap < 3 * stats.norm.cdf(1 - margin)
    assert gap > 1e-6


def two_rows(epsilon, margin):
    """Forward hockey stick of two equal rows, sigma = 1, by conditioning on the first."""
    A = Float64()

    def inner(loss):
        return float(one_row.forward_row(A, epsilon=epsilon - loss, sigma=1.0, margin=margin))

    withheld = stats.norm.cdf(-margin)
    value = withheld * inner(math.log(withheld / stats.norm.cdf(1 - margin)))
    grid = np.linspace(-margin, 12, 60)
    return value + sum(
        integrate.quad(lambda y: stats.norm.pdf(y) * inner(y + 0.5), a, b, epsabs=1e-12)[0] for a, b in pairwise(grid)
    )


def test_distance_scales_with_the_root_of_the_rows():
    """mu(9) = 3 mu(1) with sigma = 2, mu_o = 1/4."""
    with MpReal(30) as A:
        nine, one = (post_processing.printed_distance(A, a_plus=n, sigma=2, mu_o=A.number("0.25")) for n in (9, 1))
        assert abs(nine - 3 * one) < 1e-29
