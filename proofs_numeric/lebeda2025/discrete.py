"""Discrete noise: its law (Definition 15), its privacy (Lemmas 17 and 18), and how likely it passes (Lemma 20).

In Lemma 20 Z is a discrete Gaussian on the integers with parameter ``4 sigma^2/sqrt(k)``, each Z_i with ``4 sigma^2``;
the release is ``H_i + (Z + Z_i)/2``, in half-integer steps.  A count is dropped when it is at most ``1 + tau``.
"""

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.arithmetic.noise_maximum import geometric_sum
from proofs_numeric.arithmetic.special import discrete_gaussian_tail_bound
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.classical import POISSON
from proofs_numeric.statements.profiles import AtOrder, Concentrated


@functools.lru_cache(maxsize=64)
def terms(bits: int, sigma: float) -> int:
    """Integers on one side after which ``exp(-x^2/(2 sigma^2))`` is below ``2^-bits``."""
    return math.ceil(sigma * math.sqrt(2 * math.log(2) * (bits + 16))) + 3


class DiscreteGaussian:
    """The law N_Z(0, scale^2) in one arithmetic: masses at ``-n..n`` and tails, all enclosures for balls."""

    def __init__(self, A: Arithmetic, scale: Number) -> None:
        self.A, self.count = A, terms(A.bits, float(scale))
        self.values = range(-self.count, self.count + 1)
        rate = 1 / (2 * A.number(scale) * scale)
        half = [A.exp(-A.number(x * x) * rate) for x in range(self.count + 1)]
        beyond = discrete_gaussian_tail_bound(A, scale, self.count + 1)
        self.total = half[0] + 2 * A.sum(half[1:]) + 2 * beyond
        self._half = half
        tail, self._tails = beyond, [beyond]
        for x in range(self.count, 0, -1):
            tail = tail + half[x]
            self._tails.append(tail)
        self._tails.reverse()  # index x - 1: sum over integers >= x, for x = 1 .. count + 1

    def pmf(self, x: int) -> Any:
        """``P[V = x]``; beyond the table an enclosure of it for balls, 0 otherwise (the tail's)."""
        x = abs(x)
        return self._half[x] / self.total if x <= self.count else self._tails[-1] / self.total

    @functools.cached_property
    def masses(self) -> list[Any]:
        """Those of `values`, which the table holds."""
        return [self.pmf(x) for x in self.values]

    def survival(self, x: int) -> Any:
        """``P[V >= x]``, accurate in the upper tail."""
        if x <= 0:
            return 1 - self.survival(1 - x)
        return self._tails[min(x - 1, self.count)] / self.total

    def mean(self, f: Callable[[int], Any]) -> Any:
        """``E[f(V)]`` for f with values in [0, 1]; what lies beyond the table is enclosed."""
        inside = self.A.sum(mass * f(x) for x, mass in zip(self.values, self.masses, strict=True))
        return self.A.between(inside, inside + 2 * self.survival(self.count + 1))


def _small_discrete_gaussian(case: tuple[Fraction, tuple[Fraction, ...]]) -> bool:
    """Whether weights at 0, 1, 2 relative to each other are those of Definition 15 (compared in logs, exactly)."""
    variance, exponents = case
    return all(exponent == Fraction(-x * x) / (2 * variance) for x, exponent in enumerate(exponents))


rho = symbol("rho")
_beyond = maximum(0, epsilon - rho)
zcdp_delta = exp(-_beyond * _beyond / (4 * rho))
"""Lemma 17 solved for delta: ``exp(-(epsilon - rho)^2/(4 rho))`` for epsilon >= rho, else 1."""

RHO = Parameter("rho", "concentrated-privacy parameter", "nats", "1e-9", 100, log=True)


def shifted_divergence(A: Arithmetic, *, sigma: Number, shift: int, alpha: Number) -> Number:
    """``D_alpha(N_Z(shift, sigma^2) || N_Z(0, sigma^2))``, summed from the definition."""
    rate, centre = 1 / (2 * A.number(sigma) * sigma), alpha * shift
    count = terms(A.bits, float(sigma)) + 1
    middle = round(float(centre))

    def log_term(x: int) -> Any:
        # Less its largest value, which a double could not hold.
        return -rate * (alpha * (x - shift) ** 2 + (1 - alpha) * (x * x)) - rate * alpha * (alpha - 1) * shift * shift

    body = A.sum(A.exp(log_term(x)) for x in range(middle - count, middle + count + 1))
    total = A.sum(A.exp(-rate * (x * x)) for x in range(-count, count + 1))
    # |x - centre| >= count beyond the window on either side, as |middle - centre| <= 1.
    beyond = 2 * discrete_gaussian_tail_bound(A, sigma, count)
    top = rate * alpha * (alpha - 1) * shift * shift
    return (top + A.log((body + beyond) / (total + beyond))) / (alpha - 1)


x, s, alpha, sigma, shift = symbols("x s alpha sigma shift")
gaussian_divergence = alpha * (shift * shift) / (2 * sigma * sigma)
"""The divergence of normals on the reals."""


def noises(A: Arithmetic, k: int, sigma: Number) -> tuple[DiscreteGaussian, DiscreteGaussian]:
    """Laws of Z and of one Z_i, in half units."""
    scale = 2 * A.number(sigma)
    return DiscreteGaussian(A, scale / A.sqrt(A.sqrt(A.number(k)))), DiscreteGaussian(A, scale)


def delta_infinite(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """One less Lemma 20 at its best split: the delta_inf of Theorem 21."""
    twice = floor_of(A, 2 * gap)  # half-integer noise passes tau exactly when its double passes this

    def at_split(B: Arithmetic, shared_law: DiscreteGaussian, own_law: DiscreteGaussian, split: int) -> Any:
        """``P[Z <= a] P[Z_1 <= 2 tau - a]^k`` for an integer split a; as ``1 -`` it for accuracy."""
        first, rest = shared_law.survival(split + 1), own_law.survival(twice - split + 1)
        return first + (1 - first) * rest * geometric_sum(B, 1 - rest, k)

    rough = functools.partial(at_split, Float64(), *noises(Float64(), k, float(sigma)))
    ratio = k**-0.25
    middle, width = round(twice * ratio / (1 + ratio)), max(3, math.ceil(3 * float(sigma)))
    with np.errstate(all="ignore"):
        split = min(range(middle - width, middle + width + 1), key=lambda split: float(rough(split)))
    laws = noises(A, k, sigma)
    return A.minimum(*(at_split(A, *laws, a) for a in (split - 1, split, split + 1)))


def release_probability(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Any:
    """``P[max_i (Z + Z_i)/2 > tau]``, by the sum over Z."""
    shared_law, own_law = noises(A, k, sigma)
    twice = floor_of(A, 2 * gap)

    def some(z: int) -> Any:
        tail = own_law.survival(twice - z + 1)
        return tail * geometric_sum(A, 1 - tail, k)

    return shared_law.mean(some)


tau, shared_part, own_part, a = symbols("tau shared own a")

CLAIMS = (
    stated(
        "def15", "Definition 15", "the discrete Gaussian", r"P[x] \propto \exp(-x^2/(2\sigma^2)), x \in \mathbb{Z}",
        Definition(
            _small_discrete_gaussian,
            (
                (Fraction(1, 2), (Fraction(0), Fraction(-1), Fraction(-4))),
                (Fraction(2), (Fraction(0), Fraction(-1, 4))),
            ),
            ((Fraction(1, 2), (Fraction(0), Fraction(-1), Fraction(-2))),),
        ),
    ),
    stated(
        "lem17", "Lemma 17", "rho-zCDP gives approximate DP", r"\epsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
        DeltaBound(
            zcdp_delta, exact=profile(epsilon, sqrt(2 * rho)), pairs=Concentrated(rho),
            # ``alpha - 1`` of the best order is ``(epsilon + rho)/(2 rho) - 1``; below rho no order is of use.
            proof=AtOrder(
                _beyond / (2 * rho), largest_of((zero, Symbolic()), (epsilon - rho, Symbolic()), inside=True),
            ),
        ),
        domain=(EPSILON, RHO), falls=("epsilon",), rises=("rho",), role=Role.UPPER,
        note="compared with the Gaussian mechanism, which is rho-zCDP with equality; the same as rogers2024.thm3",
    ),
    stated(
        "lem18", "Lemma 18", "the multivariate discrete Gaussian is zCDP",
        r"\sum_i (\Delta_i/\sigma_i)^2 \le \epsilon^2 \Rightarrow \epsilon^2/2\text{-zCDP}",
        Inequality(
            shifted_divergence, gaussian_divergence,
            proof=derived(
                SymbolicIdentity(
                    "completing the square in the exponent of p^alpha q^(1 - alpha)",
                    alpha * (x - s) ** 2 + (1 - alpha) * x * x, (x - alpha * s) ** 2 - alpha * (alpha - 1) * s * s,
                    ("x", "s", "alpha"), (),
                    "so D_alpha - alpha s^2/(2 sigma^2) = log(theta(alpha s)/theta(0))/(alpha - 1), theta(c) the "
                    "sum of exp(-(x - c)^2/(2 sigma^2)) over integers x",
                ),
                Trusted(POISSON, "theta(c) <= theta(0): theta is a cosine series of positive terms"),
            ),
        ),
        domain=(
            replace(SMALL_SIGMA, upper=10),
            Parameter("shift", "change of one coordinate", "counts", 1, 10, integer=True),
            Parameter("alpha", "order of the divergence", "no unit", "1.001", 64, log=True),
        ),
        note="coordinates are independent, so divergences add: one dimension decides", cost=2,
        partial="one coordinate; that the divergences of coordinates add is left out",
    ),
    stated(
        "lem20", "Lemma 20", "the discrete noises stay below the threshold",
        r"P[\max_i (Z + Z_i)/2 > \tau] \le 1 - P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        Inequality(
            release_probability, delta_infinite,
            proof=derived(
                SymbolicIdentity(
                    "what (Z + Z_i)/2 lacks to tau is half of what Z lacks to a and Z_i to 2 tau - a",
                    tau - (shared_part + own_part) / 2, ((a - shared_part) + (2 * tau - a - own_part)) / 2,
                    ("tau", "shared", "own", "a"), (),
                    "so Z <= a and Z_i <= 2 tau - a for all i imply (Z + Z_i)/2 <= tau for all i",
                ),
                Unchecked(
                    "product of independent events",
                    "Z and the Z_i are independent: the probability of all these events is the product",
                ),
            ),
        ),
        domain=(replace(K, upper=50), replace(SMALL_SIGMA, upper=20), replace(SMALL_GAP, upper=200)), cost=3,
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
