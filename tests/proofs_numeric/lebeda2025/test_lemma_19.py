"""Renyi divergences of the discrete mechanisms: published factors, plain sums, and certified orders."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.lebeda2025.discrete import gaussian_divergence, shifted_divergence
from proofs_numeric.lebeda2025.lemma_19 import CorrelatedSteps, half_steps, integer_steps, keeps_rho, ratio


def _by_plain_sums(mechanism: CorrelatedSteps, j: int, alpha: float) -> float:
    """``D_alpha`` from the joint law of every output, Z summed out, in doubles."""
    k, own, shared = mechanism.k, float(mechanism.scale), float(mechanism.scale) * mechanism.k**-0.25
    reach = math.ceil(12 * shared)
    z = np.arange(-reach, reach + 1)
    weight = np.exp(-0.5 * (z / shared) ** 2)
    weight /= weight.sum()
    y = np.arange(-math.ceil(12 * own) - reach, math.ceil(12 * own) + reach + mechanism.step + 1)
    one = np.exp(-0.5 * ((y[None, :] - z[:, None]) / own) ** 2)
    one /= np.exp(-0.5 * (np.arange(-2000, 2001) / own) ** 2).sum()
    moved = np.exp(-0.5 * ((y[None, :] - mechanism.step - z[:, None]) / own) ** 2) * (one.max() / 1.0)
    letters = "abc"[:k]
    rule = ",".join(["z", *(f"z{letter}" for letter in letters)]) + "->" + letters
    p = np.einsum(rule, weight, *[moved if i < j else one for i in range(k)])
    q = np.einsum(rule, weight, *[one] * k)
    keep = (p > 1e-290) & (q > 1e-290)
    return math.log(np.sum(np.exp(alpha * np.log(p[keep]) + (1 - alpha) * np.log(q[keep])))) / (alpha - 1)


@pytest.mark.parametrize(("k", "step"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_divergences_agree_with_sums_over_all_outputs(k, step):
    """The convolution and the sum over the total give what the joint law of all outputs gives."""
    mechanism = CorrelatedSteps(k, Fraction(1), step)
    for j, alpha in itertools.product(range(1, k + 1), (Fraction(101, 100), Fraction(5, 2))):
        with Ball(128) as A:
            enclosed = mechanism.divergence(A, j=j, alpha=alpha)
        assert float(enclosed.rad()) < 1e-25
        assert float(enclosed.mid()) == pytest.approx(_by_plain_sums(mechanism, j, float(alpha)), rel=1e-9)


@pytest.mark.parametrize(
    ("k", "sigma", "worst"),
    [
        (1, "3/10", 1.711786),
        (1, "1/2", 1.110909),
        (1, "7/10", 1.001941),
        (2, "3/10", 1.619731),
        (2, "1/2", 1.195490),
        (2, "7/10", 0.990355),
        (3, "3/10", 1.659993),
        (3, "1/2", 1.307675),
        (3, "7/10", 1.041129),
        (2, "1", 0.970653),
        (3, "1", 0.977655),
    ],
)
def test_integer_steps_miss_rho_by_the_published_factor(k, sigma, worst):
    """max_j D_alpha/(alpha rho) at alpha = 1.01 for plain integer steps."""
    at = {"sigma": Fraction(sigma), "alpha": Fraction(101, 100)}
    with Ball(128) as A:
        found = [float(ratio(A, integer_steps(k, Fraction(sigma)), j=j, **at)) for j in range(1, k + 1)]
    assert max(found) == pytest.approx(worst, abs=1e-6)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_half_integer_steps_keep_rho(k):
    """Algorithm 4's own steps are certified below rho, for more than three counters too."""
    sigma = Fraction(1, 2)
    assert all(
        keeps_rho(half_steps(k, sigma), sigma=sigma, j=j, alpha=alpha)
        for j in range(1, k + 1)
        for alpha in (Fraction(101, 100), Fraction(27, 5))
    )


def test_a_rho_one_percent_too_small_is_refuted():
    """The order is decided, not assumed: Algorithm 4 at sigma against the rho of 1.005 sigma."""
    sigma = Fraction(1)
    assert not keeps_rho(half_steps(4, sigma), sigma=sigma * Fraction(1005, 1000), j=3, alpha=Fraction(7, 5))


@pytest.mark.parametrize(("sigma", "shift", "alpha"), [(1, 1, "1.5"), ("0.3", 2, "1.01"), (2, 3, "2.25")])
def test_divergences_of_shifted_discrete_gaussians_stay_below_the_normal_ones(sigma, shift, alpha):
    """Certified strictly where alpha times the shift is no integer (there both are equal)."""
    with Ball(512) as A:
        at = {"sigma": A.number(sigma), "shift": shift, "alpha": A.number(alpha)}
        assert shifted_divergence(A, **at) < gaussian_divergence(A, **at)
