"""The discrete correlated mechanism (Algorithm 4) and its thresholded release (Theorem 21).

Z is a discrete Gaussian on the integers with parameter ``4 sigma^2/sqrt(k)``, each Z_i with ``4 sigma^2``; the release
is ``H_i + (Z + Z_i)/2``, in half-integer steps.  A count is dropped when it is at most ``1 + tau``.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Ball, Exact, Float64, MpReal
from proofs_numeric.claim import (
    Box,
    ByClaim,
    Claim,
    Definition,
    DeltaBound,
    FiniteStatement,
    Inequality,
    Parameter,
    Proof,
    QuantityKind,
    Role,
    SymbolicIdentity,
    Trusted,
)
from proofs_numeric.lebeda2025.noise_maximum import geometric_sum
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, ours, printed
from proofs_numeric.special import discrete_gaussian_tail_bound, gaussian_profile
from proofs_numeric.verdict import Expectation


@functools.lru_cache(maxsize=64)
def _terms(bits: int, sigma: float) -> int:
    return math.ceil(sigma * math.sqrt(2 * math.log(2) * (bits + 16))) + 3


def _bits(A: Arithmetic) -> int:
    return A.bits if isinstance(A, Ball) else math.ceil(3.33 * (A.digits + 12)) if isinstance(A, MpReal) else 64


class DiscreteGaussian:
    """The law N_Z(0, scale^2) in one arithmetic: masses at ``-n..n`` and tails, all enclosures for balls."""

    def __init__(self, A: Arithmetic, scale: Any) -> None:
        self.A, self.count = A, _terms(_bits(A), float(scale))
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
    shared = shared or _shared(A, k, sigma)
    own = own or _own(A, sigma)
    first, rest = shared.survival(split + 1), own.survival(_floor_twice(gap) - split + 1)
    return first + (1 - first) * rest * geometric_sum(A, 1 - rest, k)


def _floor_twice(gap: Any) -> int:
    """``floor(2 tau)``: half-integer noise passes tau exactly when its double passes this."""
    if isinstance(gap, int | Fraction):
        return math.floor(2 * gap)
    twice = float(2 * gap)
    nearest = round(twice)
    return nearest if abs(twice - nearest) < 1e-9 * max(1.0, abs(twice)) else math.floor(twice)


def _shared(A: Arithmetic, k: int, sigma: Any) -> DiscreteGaussian:
    return DiscreteGaussian(A, 2 * A.number(sigma) / A.sqrt(A.sqrt(A.number(k))))


def _own(A: Arithmetic, sigma: Any) -> DiscreteGaussian:
    return DiscreteGaussian(A, 2 * A.number(sigma))


def delta_infinite(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """One less Lemma 20 at its best split: the delta_inf of Theorem 21."""
    shared, own = _shared(A, k, sigma), _own(A, sigma)
    twice = _floor_twice(gap)
    at = {"k": k, "sigma": sigma, "gap": gap, "own": own, "shared": shared}
    fast = (_shared(Float64(), k, float(sigma)), _own(Float64(), float(sigma)))

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


def theorem_21(A: Arithmetic, *, epsilon: Any, k: int, sigma: Any, gap: Any) -> Any:
    """``delta(rho, epsilon) + delta_inf``, Lemma 17's conversion and Lemma 20 at its best split."""
    return zcdp_delta(A, epsilon=A.number(epsilon), rho=rho(A, k=k, sigma=sigma)) + delta_infinite(
        A, k=k, sigma=sigma, gap=gap
    )


def release_probability(A: Arithmetic, *, k: int, sigma: Any, gap: Any) -> Any:
    """``P[max_i (Z + Z_i)/2 > tau]``, by the sum over Z."""
    shared, own = _shared(A, k, sigma), _own(A, sigma)
    twice = _floor_twice(gap)

    def some(z: int) -> Any:
        tail = own.survival(twice - z + 1)
        return tail * geometric_sum(A, 1 - tail, k)

    reach = shared.count
    inside = A.sum(shared.pmf(z) * some(z) for z in range(-reach, reach + 1))
    return inside + (A.number(0).union(2 * shared.survival(reach + 1)) if isinstance(A, Ball) else 0)


# --- enumeration for small k ------------------------------------------------------------------------------------------


_ENUMERATION = Ball(48)


@dataclass(frozen=True)
class _Enumerated:
    """Outputs of a pair (l, j) with ``d = k - l <= 2`` shared counters, no new counter released, in balls."""

    larger: Any
    """Matrix of probabilities under H', Z summed out; one row and one column a shared counter (or one entry)."""
    smaller: Any
    released: Any
    """Probability under H' that a new counter is released."""
    left_out: Any
    """Between 0 and the probability, under either law, of what lies outside the matrices."""


@functools.lru_cache(maxsize=16)
def _enumerated(k: int, sigma: Fraction, gap: Fraction, l: int, j: int) -> _Enumerated:
    A, d, twice = _ENUMERATION, k - l, math.floor(2 * gap)
    with A:
        shared, own = _shared(A, k, sigma), _own(A, sigma)
        inside = range(-shared.count, shared.count + 1)
        reach = shared.count + own.count + 2  # shifts are at most 2
        outputs = range(-reach, reach + 1)
        silent = [(1 - own.survival(twice - z + 1)) ** l for z in inside]
        masses = [own.pmf(x) for x in range(2 * reach + 3)]

        def joint(shifts: tuple[int, ...], weights: list[Any]) -> Any:
            columns = [
                flint.arb_mat([[masses[abs(y - shift - z)] for y in outputs] for z in inside]) for shift in shifts
            ]
            weighted = flint.arb_mat([weights]) if len(shifts) != 2 else None
            if weighted is not None:
                return weighted * (columns[0] if columns else flint.arb_mat([[1]] * len(weights)))
            scaled = flint.arb_mat([[w * x for x in row] for w, row in zip(weights, columns[0].tolist(), strict=True)])
            return scaled.transpose() * columns[1]

        law = [shared.pmf(z) for z in inside]
        beyond = 2 * shared.survival(shared.count + 1)
        return _Enumerated(
            larger=joint(tuple(2 if i < j else 0 for i in range(d)), [p * g for p, g in zip(law, silent, strict=True)]),
            smaller=joint((0,) * d, law),
            released=A.sum(p * (1 - g) for p, g in zip(law, silent, strict=True)) + A.number(0).union(beyond),
            left_out=A.number(0).union(beyond + d * 2 * own.survival(own.count + 1)),
        )


def exact_delta_by_enumeration(
    *, epsilon: Exact, k: int, sigma: Exact, gap: Exact, l: int, j: int, direction: str = "forward"
) -> Any:
    """Ball enclosure of the hockey stick of (l, j), ``k - l <= 2`` shared counts far above the threshold.

    Every vector of shared outputs is enumerated in half-integer steps, with Z summed out; what lies outside the tables
    is bounded by discrete Gaussian tails.
    """
    law = _enumerated(k, Fraction(sigma), Fraction(gap), l, j)
    with _ENUMERATION as A:
        factor = A.exp(A.number(epsilon))
        if direction == "forward":
            excess, rest = law.larger - law.smaller * factor, law.released + law.left_out
        else:
            excess, rest = law.smaller - law.larger * factor, law.left_out
        return A.sum(x.max(0) for x in excess.entries() if not x <= 0) + rest


def _enumerated_cases(size: int) -> Any:
    for sigma in (1, 2, 4)[:size]:
        for k in (1, 2, 3):
            for l in range(max(0, k - 2), k + 1):
                for j in range(k - l + 1):
                    for gap in (Fraction(2), Fraction(7, 2), Fraction(4 * sigma)):
                        for epsilon in (Fraction(3, 10), Fraction(1), Fraction(3)):
                            for direction in ("forward", "reverse"):
                                yield (epsilon, k, sigma, gap, l, j, direction)


@functools.lru_cache(maxsize=64)
def _theorem_21_ball(epsilon: Fraction, k: int, sigma: int, gap: Fraction) -> Any:
    with Ball(64) as A:
        return theorem_21(A, epsilon=epsilon, k=k, sigma=A.number(sigma), gap=gap)


def _below_theorem_21(case: tuple[Fraction, int, int, Fraction, int, int, str]) -> bool:
    """Certified: the largest the exact delta can be is below the least the bound can be."""
    epsilon, k, sigma, gap, l, j, direction = case
    exact = exact_delta_by_enumeration(epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction=direction)
    return bool(exact <= _theorem_21_ball(epsilon, k, sigma, gap))


# --- Renyi divergences ------------------------------------------------------------------------------------------------


def renyi_ratio(*, k: int, sigma: float, j: int, alpha: float, step: int, scale: int = 1) -> float:
    """``D_alpha / (alpha rho)`` of k <= 3 counters of which j change, by summation over outputs in doubles.

    ``step = 2, scale = 2`` is Algorithm 4 (in units of one half); ``step = 1, scale = 1`` plain integer steps.
    """
    own_scale, shared_scale = scale * sigma, scale * sigma * k**-0.25
    reach = math.ceil(12 * shared_scale) + 2
    z = np.arange(-reach, reach + 1)
    shared = np.exp(-0.5 * (z / shared_scale) ** 2)
    shared /= shared.sum()
    width = math.ceil(12 * own_scale) + reach + step + 3
    y = np.arange(-width, width + 1)
    own_total = np.exp(-0.5 * (np.arange(-width - reach, width + reach + 1) / own_scale) ** 2).sum()

    def column(shift: int) -> Any:
        return np.exp(-0.5 * ((y[None, :] - shift - z[:, None]) / own_scale) ** 2) / own_total

    def joint(shifts: tuple[int, ...]) -> Any:
        columns = [column(s) for s in shifts]
        letters = "abc"[: len(columns)]
        return np.einsum(",".join(["z", *(f"z{letter}" for letter in letters)]) + "->" + letters, shared, *columns)

    p, q = joint(tuple(step if i < j else 0 for i in range(k))), joint((0,) * k)
    keep = (p > 1e-290) & (q > 1e-290)
    total = float(np.sum(np.exp(alpha * np.log(p[keep]) + (1 - alpha) * np.log(q[keep]))))
    return math.log(total) / (alpha - 1) / (alpha * (k + math.sqrt(k)) / (8 * sigma * sigma))


def shifted_divergence(A: Arithmetic, *, sigma: Any, shift: int, alpha: Any) -> Any:
    """``D_alpha(N_Z(shift, sigma^2) || N_Z(0, sigma^2))``, summed from the definition."""
    rate, centre = 1 / (2 * A.number(sigma) * sigma), alpha * shift
    count = _terms(_bits(A), float(sigma)) + 1
    middle = round(float(centre))

    def log_term(x: int) -> Any:
        # Less its largest value, which a double could not hold.
        return -rate * (alpha * (x - shift) ** 2 + (1 - alpha) * (x * x)) - rate * alpha * (alpha - 1) * shift * shift

    terms = A.sum(A.exp(log_term(x)) for x in range(middle - count, middle + count + 1))
    total = A.sum(A.exp(-rate * (x * x)) for x in range(-count, count + 1))
    # |x - centre| >= count beyond the window on either side, as |middle - centre| <= 1.
    beyond = 2 * discrete_gaussian_tail_bound(A, sigma, count)
    top = rate * alpha * (alpha - 1) * shift * shift
    return (top + A.log((terms + beyond) / (total + beyond))) / (alpha - 1)


def gaussian_divergence(A: Arithmetic, *, sigma: Any, shift: int, alpha: Any) -> Any:
    """``alpha shift^2/(2 sigma^2)``: the divergence of normals on the reals."""
    return alpha * (shift * shift) / (2 * A.number(sigma) * sigma)


def _renyi_cases(size: int) -> Any:
    for sigma in (0.5, 0.7, 1.0, 2.0)[: size + 1]:
        for k in (1, 2, 3)[:size]:
            for j in range(1, k + 1):
                for alpha in (1.01, 1.5, 2.0, 5.0):
                    yield k, sigma, j, alpha


_RENYI_TOLERANCE = "1e-9 (relative)"
"""Sums of positive doubles, windows of twelve deviations: the sums are right to about 1e-12."""


def _half_steps_hold(case: tuple[int, float, int, float]) -> bool:
    k, sigma, j, alpha = case
    return renyi_ratio(k=k, sigma=sigma, j=j, alpha=alpha, step=2, scale=2) <= 1 + 1e-9


def _integer_steps_hold(case: tuple[int, float, int, float]) -> bool:
    k, sigma, j, alpha = case
    return renyi_ratio(k=k, sigma=sigma, j=j, alpha=alpha, step=1) <= 1 + 1e-9


def _large_sigma_cases(size: int) -> Any:
    return ((k, sigma, j, alpha) for k, sigma, j, alpha in _renyi_cases(3) if sigma >= 1.0 and k >= 2 and size >= 1)


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
            formula=lambda A, *, epsilon, rho: zcdp_delta(A, epsilon=epsilon, rho=rho),
            exact=_gaussian_epsilon,
        ),
        domain=Box((EPSILON, RHO)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        note="compared with the Gaussian mechanism, which is rho-zCDP with equality; the same as rogers2024.thm3",
        max_examples=60,
    ),
    Claim(
        id="lebeda2025.lem19",
        source=printed("Lemma 19"),
        title="the discrete correlated mechanism is zCDP",
        statement=r"\rho = (k + \sqrt{k})/(8\sigma^2)",
        kind=DeltaBound(
            formula=rho,
            proof=Proof(
                (
                    ByClaim("lebeda2025.lem18", "the multivariate discrete Gaussian"),
                    Trusted(
                        "lift: 2 H_i - 1 and an offset of 1 differ by at most 1 in each of k + 1 coordinates, with "
                        "variances 4 sigma^2 and 4 sigma^2/sqrt(k); Algorithm 4 is a post-processing"
                    ),
                )
            ),
        ),
        domain=Box((K, SIGMA)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
    ),
    Claim(
        id="lebeda2025.lem18",
        source=printed("Lemma 18"),
        title="the multivariate discrete Gaussian is zCDP",
        statement=r"\sum_i (\Delta_i/\sigma_i)^2 \le \epsilon^2 \Rightarrow \epsilon^2/2\text{-zCDP}",
        kind=Inequality(
            left=shifted_divergence,
            right=gaussian_divergence,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "completing the square in the exponent of p^alpha q^(1 - alpha)",
                        lambda _A, *, x, s, alpha: alpha * (x - s) ** 2 + (1 - alpha) * x * x,
                        lambda _A, *, x, s, alpha: (x - alpha * s) ** 2 - alpha * (alpha - 1) * s * s,
                        ("x", "s", "alpha"),
                        (),
                        "so D_alpha - alpha s^2/(2 sigma^2) = log(theta(alpha s)/theta(0))/(alpha - 1), theta(c) the "
                        "sum of exp(-(x - c)^2/(2 sigma^2)) over integers x",
                    ),
                    Trusted("theta(c) <= theta(0): by Poisson summation theta is a cosine series with positive terms"),
                )
            ),
        ),
        domain=Box(
            (
                replace(SMALL_SIGMA, upper=10),
                Parameter("shift", "change of one coordinate", "counts", lower=1, upper=10, integer=True),
                Parameter("alpha", "order of the divergence", "no unit", lower="1.001", upper=64, log=True),
            )
        ),
        note="coordinates are independent, so divergences add: one dimension decides",
        max_examples=40,
    ),
    Claim(
        id="lebeda2025.lem19.renyi",
        source=ours("Lemma 19"),
        title="Renyi divergences of Algorithm 4, summed over all outputs, stay below alpha rho",
        statement=r"D_\alpha \le \alpha (k + \sqrt{k})/(8\sigma^2), k \le 3",
        kind=FiniteStatement(
            cases=_renyi_cases,
            holds=_half_steps_hold,
            sizes={"quick": 2, "standard": 3, "deep": 3},
            size_text="sparsity bounds",
            rigorous=False,
            tolerance=_RENYI_TOLERANCE,
        ),
    ),
    Claim(
        id="lebeda2025.lem19.scale",
        source=printed("Section 7, after Lemma 19"),
        title="plain integer steps would do as well",
        statement=r"\text{integer steps } Z \sim N_Z(0, \sigma^2/\sqrt{k}), Z_i \sim N_Z(0, \sigma^2)"
        r"\text{ satisfy } D_\alpha \le \alpha (k + \sqrt{k})/(8\sigma^2)",
        kind=FiniteStatement(
            cases=_renyi_cases,
            holds=_integer_steps_hold,
            sizes={"quick": 2, "standard": 3, "deep": 3},
            size_text="sparsity bounds",
            rigorous=False,
            tolerance=_RENYI_TOLERANCE,
        ),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.lem19.scale.corrected",
        note="the paper is right that the scaling step is crucial: without it small sigma (0.5, 0.7) violate rho",
    ),
    Claim(
        id="lebeda2025.lem19.scale.corrected",
        source=ours("Section 7, after Lemma 19"),
        title="for sigma >= 1 and k = 2, 3 integer steps keep rho",
        statement=r"D_\alpha \le \alpha (k + \sqrt{k})/(8\sigma^2) \text{ for integer steps, } \sigma \ge 1",
        kind=FiniteStatement(
            cases=_large_sigma_cases,
            holds=_integer_steps_hold,
            sizes={"quick": 1, "standard": 1, "deep": 1},
            size_text="sets",
            rigorous=False,
            tolerance=_RENYI_TOLERANCE,
        ),
        note="at k = 1 the excess at sigma = 1 is below 1e-6",
    ),
    Claim(
        id="lebeda2025.lem20",
        source=printed("Lemma 20"),
        title="the discrete noises stay below the threshold",
        statement=r"P[\max_i (Z + Z_i)/2 > \tau] \le 1 - P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        kind=Inequality(left=release_probability, right=delta_infinite),
        domain=Box((replace(K, upper=50), replace(SMALL_SIGMA, upper=20), replace(SMALL_GAP, upper=200))),
        max_examples=20,
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
                    Trusted("the intermediate histogram of Theorem 11"),
                    ByClaim("lebeda2025.lem20", "new counters"),
                    ByClaim("lebeda2025.lem19", "shared counters"),
                    ByClaim("lebeda2025.lem17", "from zCDP to (epsilon, delta)"),
                )
            ),
        ),
        domain=Box((EPSILON, _K, SMALL_SIGMA, SMALL_GAP)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        loose="Lemma 17's conversion; exact enumeration for k <= 3 reaches at most .87 of it (thm21.enumeration)",
        max_examples=16,
    ),
    Claim(
        id="lebeda2025.thm21.enumeration",
        source=ours("Theorem 21"),
        title="exact delta by enumeration stays below Theorem 21",
        statement=r"\delta_{l,j} \le \delta(\rho, \epsilon) + \delta_\infty, k \le 3",
        kind=FiniteStatement(
            cases=_enumerated_cases,
            holds=_below_theorem_21,
            sizes={"quick": 1, "standard": 2, "deep": 3},
            size_text="scales",
        ),
        note="k = 3 with l = 0 (three shared counters) is left to the Renyi claim",
    ),
)
