"""The discrete correlated mechanism (Algorithm 4) and its thresholded release (Theorem 21).

Z is a discrete Gaussian on the integers with parameter ``4 sigma^2/sqrt(k)``, each Z_i with ``4 sigma^2``; the release
is ``H_i + (Z + Z_i)/2``, in half-integer steps.  A count is dropped when it is at most ``1 + tau``.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Float64
from proofs_numeric.arithmetic.special import discrete_gaussian_tail_bound, gaussian_profile
from proofs_numeric.lebeda2025.neighbours import DISCRETE
from proofs_numeric.lebeda2025.noise_maximum import geometric_sum
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, K, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import delta_upper
from proofs_numeric.statements.kinds import Definition, DeltaBound, Inequality
from proofs_numeric.statements.proof import ByClaim, Proof, SymbolicIdentity, Trusted


@functools.lru_cache(maxsize=64)
def terms(bits: int, sigma: float) -> int:
    """Integers on one side after which ``exp(-x^2/(2 sigma^2))`` is below ``2^-bits``."""
    return math.ceil(sigma * math.sqrt(2 * math.log(2) * (bits + 16))) + 3


class DiscreteGaussian:
    """The law N_Z(0, scale^2) in one arithmetic: masses at ``-n..n`` and tails, all enclosures for balls."""

    def __init__(self, A: Arithmetic, scale: Any) -> None:
        self.A, self.count = A, terms(A.bits, float(scale))
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

    def survival(self, x: int) -> Any:
        """``P[V >= x]``, accurate in the upper tail."""
        if x <= 0:
            return 1 - self.survival(1 - x)
        return self._tails[min(x - 1, self.count)] / self.total


def rho(A: Arithmetic, *, k: int, sigma: Any) -> Any:
    """``(k + sqrt(k))/(8 sigma^2)`` (Lemma 19)."""
    return (k + A.sqrt(A.number(k))) / (8 * A.number(sigma) * sigma)


def zcdp_delta(A: Arithmetic, *, epsilon: Any, rho: Any) -> Any:
    """Lemma 17 solved for delta: ``exp(-(epsilon - rho)^2/(4 rho))`` for epsilon >= rho, else 1."""
    excess = A.maximum(0, epsilon - rho)
    return A.exp(-excess * excess / (4 * rho))


def unreleased_split(
    A: Arithmetic, *, k: int, sigma: Any, gap: Any, split: int, own: Any = None, shared: Any = None
) -> Any:
    """Lemma 20: ``P[Z <= a] P[Z_1 <= 2 tau - a]^k`` for an integer split a; as ``1 -`` it for accuracy."""
    shared = shared or shared_noise(A, k, sigma)
    own = own or own_noise(A, sigma)
    first, rest = shared.survival(split + 1), own.survival(_floor_twice(gap) - split + 1)
    return first + (1 - first) * rest * geometric_sum(A, 1 - rest, k)


def _floor_twice(gap: Any) -> int:
    """``floor(2 tau)``: half-integer noise passes tau exactly when its double passes this."""
    if isinstance(gap, int | Fraction):
        return math.floor(2 * gap)
    twice = float(2 * gap)
    nearest = round(twice)
    return nearest if abs(twice - nearest) < 1e-9 * max(1.0, abs(twice)) else math.floor(twice)


def shared_noise(A: Arithmetic, k: int, sigma: Any) -> DiscreteGaussian:
    """Law of Z, in half units."""
    return DiscreteGaussian(A, 2 * A.number(sigma) / A.sqrt(A.sqrt(A.number(k))))


def own_noise(A: Arithmetic, sigma: Any) -> DiscreteGaussian:
    """Law of one Z_i, in half units."""
    return DiscreteGaussian(A, 2 * A.number(sigma))


def delta_infinite(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """One less Lemma 20 at its best split: the delta_inf of Theorem 21."""
    shared, own = shared_noise(A, k, sigma), own_noise(A, sigma)
    twice = _floor_twice(gap)
    at = {"k": k, "sigma": sigma, "gap": gap, "own": own, "shared": shared}
    fast = (shared_noise(Float64(), k, float(sigma)), own_noise(Float64(), float(sigma)))

    def rough(split: int) -> float:
        with np.errstate(all="ignore"):
            value = unreleased_split(
                Float64(), k=k, sigma=float(sigma), gap=Fraction(twice, 2), split=split, own=fast[1], shared=fast[0]
            )
        return float(value)

    ratio = k**-0.25
    middle = round(twice * ratio / (1 + ratio))
    width = max(3, math.ceil(3 * float(sigma)))
    split = min(range(middle - width, middle + width + 1), key=rough)
    return A.minimum(*(unreleased_split(A, **at, split=a) for a in (split - 1, split, split + 1)))


def theorem_21_sharp(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """Theorem 21 with the conversion of Canonne, Kamath and Steinke in place of Lemma 17's."""
    return delta_upper(A, rho=rho(A, k=k, sigma=sigma), epsilon=A.number(epsilon)) + delta_infinite(
        A, k=k, sigma=sigma, gap=gap
    )


def theorem_21(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """``delta(rho, epsilon) + delta_inf``, Lemma 17's conversion and Lemma 20 at its best split."""
    return zcdp_delta(A, epsilon=A.number(epsilon), rho=rho(A, k=k, sigma=sigma)) + delta_infinite(
        A, k=k, sigma=sigma, gap=gap
    )


def release_probability(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """``P[max_i (Z + Z_i)/2 > tau]``, by the sum over Z."""
    shared, own = shared_noise(A, k, sigma), own_noise(A, sigma)
    twice = _floor_twice(gap)

    def some(z: int) -> Any:
        tail = own.survival(twice - z + 1)
        return tail * geometric_sum(A, 1 - tail, k)

    reach = shared.count
    inside = A.sum(shared.pmf(z) * some(z) for z in range(-reach, reach + 1))
    return A.between(inside, inside + 2 * shared.survival(reach + 1))


def _small_discrete_gaussian(case: tuple[Fraction, tuple[Fraction, ...]]) -> bool:
    """Whether weights at 0, 1, 2 relative to each other are those of Definition 15 (compared in logs, exactly)."""
    variance, exponents = case
    return all(exponent == Fraction(-x * x) / (2 * variance) for x, exponent in enumerate(exponents))


SMALL_SIGMA = Parameter("sigma", "noise parameter", "counts", lower="0.1", upper=100, log=True)
SMALL_GAP = replace(GAP, lower=0, upper=2000)
RHO = Parameter("rho", "concentrated-privacy parameter", "nats", lower="1e-9", upper=100, log=True)
_K = replace(K, upper=1000)


def _gaussian_epsilon(A: Arithmetic, *, epsilon: Any, rho: Any) -> Any:
    return gaussian_profile(A, epsilon, A.sqrt(2 * rho))


def _chernoff_exponent(_A: Arithmetic, *, epsilon: Any, rho: Any) -> Any:
    alpha = (epsilon + rho) / (2 * rho)
    return (alpha - 1) * (alpha * rho - epsilon)


def _lacking(_A: Arithmetic, *, tau: Any, shared: Any, own: Any, a: Any) -> Any:
    return tau - (shared + own) / 2


def _lacking_apart(_A: Arithmetic, *, tau: Any, shared: Any, own: Any, a: Any) -> Any:
    return ((a - shared) + (2 * tau - a - own)) / 2


CLAIMS = (
    Claim(
        id="lebeda2025.def15",
        source=printed("Definition 15"),
        title="the discrete Gaussian",
        statement=r"P[x] \propto \exp(-x^2/(2\sigma^2)), x \in \mathbb{Z}",
        kind=Definition(
            accepts=_small_discrete_gaussian,
            members=(
                (Fraction(1, 2), (Fraction(0), Fraction(-1), Fraction(-4))),
                (Fraction(2), (Fraction(0), Fraction(-1, 4))),
            ),
            non_members=((Fraction(1, 2), (Fraction(0), Fraction(-1), Fraction(-2))),),
        ),
    ),
    Claim(
        id="lebeda2025.lem17",
        source=printed("Lemma 17"),
        title="rho-zCDP gives approximate DP",
        statement=r"\epsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
        kind=DeltaBound(
            formula=zcdp_delta,
            exact=_gaussian_epsilon,
            proof=Proof(
                (
                    Trusted(
                        "delta <= P[L > epsilon] <= e^{-(alpha - 1) epsilon} E[e^{(alpha - 1) L}] (Markov), and the "
                        "expectation is e^{(alpha - 1) D_alpha} <= e^{(alpha - 1) alpha rho}"
                    ),
                    SymbolicIdentity(
                        "(alpha - 1)(alpha rho - epsilon) at alpha = (epsilon + rho)/(2 rho) is the claim's exponent",
                        _chernoff_exponent,
                        lambda _A, *, epsilon, rho: -((epsilon - rho) ** 2) / (4 * rho),
                        ("epsilon", "rho"),
                        ("epsilon", "rho"),
                        "alpha > 1 exactly where epsilon > rho; elsewhere the claim is 1",
                    ),
                )
            ),
        ),
        domain=Box((EPSILON, RHO)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        note="compared with the Gaussian mechanism, which is rho-zCDP with equality; the same as rogers2024.thm3",
    ),
    Claim(
        id="lebeda2025.lem20",
        source=printed("Lemma 20"),
        title="the discrete noises stay below the threshold",
        statement=r"P[\max_i (Z + Z_i)/2 > \tau] \le 1 - P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        kind=Inequality(
            left=release_probability,
            right=delta_infinite,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "what (Z + Z_i)/2 lacks to tau is half of what Z lacks to a and Z_i to 2 tau - a",
                        _lacking,
                        _lacking_apart,
                        ("tau", "shared", "own", "a"),
                        (),
                        "so Z <= a and Z_i <= 2 tau - a for all i imply (Z + Z_i)/2 <= tau for all i",
                    ),
                    Trusted("Z and the Z_i are independent: the probability of all these events is the product"),
                )
            ),
        ),
        domain=Box((replace(K, upper=50), replace(SMALL_SIGMA, upper=20), replace(SMALL_GAP, upper=200))),
        cost=3,
    ),
    Claim(
        id="lebeda2025.thm21",
        source=printed("Theorem 21"),
        title="the discrete correlated stability histogram",
        statement=r"\delta(\rho, \epsilon) + 1 - \max_a P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        kind=DeltaBound(
            formula=theorem_21,
            exact=lambda A, *, k, sigma, gap, **_e: release_probability(A, k=k, sigma=sigma, gap=gap),
            proof=Proof(
                (
                    ByClaim("lebeda2025.thm11.proof", "the intermediate histogram of Theorem 11"),
                    ByClaim("lebeda2025.lem20", "new counters"),
                    ByClaim("lebeda2025.lem19", "shared counters"),
                    ByClaim("lebeda2025.lem17", "from zCDP to (epsilon, delta)"),
                )
            ),
        ),
        domain=Box((EPSILON, _K, SMALL_SIGMA, SMALL_GAP)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=DISCRETE,
        loose="Lemma 17's conversion and Lemma 20's split: the report enumerates how much of it k <= 3 can use",
        cost=3,
    ),
)
