"""Many releases: Gaussian noise, zero-concentrated privacy, and the optimal composition of (epsilon, delta) pairs."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.special import binomial_pmf, binomial_tail, integral_over, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *
from proofs_numeric.statements.concentrated import delta_upper
from proofs_numeric.statements.profiles import HalfLine, Shifted

_distance = sqrt(k) / sigma
gaussian = profile(epsilon, _distance)
"""Exact delta of `k` releases with noise `sigma`: one release at distance `sqrt(k)/sigma`."""


def _gaussian_by_quadrature(A: Arithmetic, *, epsilon: Number, sigma: Number, k: int) -> Number:
    """The sum of the `k` answers decides: normal with variance `k sigma^2`, moved by `k`."""
    epsilon, spread = A.number(epsilon), A.sqrt(A.number(k)) * A.number(sigma)
    start = epsilon * spread * spread / k + A.number(k) / 2

    def excess(B: Arithmetic, x: Number) -> Number:
        return (normal_pdf(B, (x - k) / spread) - B.exp(epsilon) * normal_pdf(B, x / spread)) / spread

    return integral_over(A, excess, (start + spread * step for step in range(41)))


def _tail(A: Arithmetic, n: int, p: Number, least: int) -> Any:
    """`P[Bin(n, p) >= least]`; mpmath sums the masses by their ratios, at a cost that does not grow with their size."""
    if not isinstance(A, MpReal) or not 0 < least <= n:
        return binomial_tail(A, n, p, least)
    mass = A.context.binomial(n, least) * p**least * (1 - p) ** (n - least)
    total, odds = mass, p / (1 - p)
    for x in range(least, n):
        mass *= odds * (n - x) / (x + 1)
        total += mass
    return total


def responses(A: Arithmetic, epsilon: Number, epsilon_0: Number, k: int) -> Number:
    """Exact delta at any real `epsilon` of `k` randomised responses of `epsilon_0`.

    `max_l P[Bin(k, p) >= l] - e^epsilon P[Bin(k, 1 - p) >= l]` with `p = 1/(1 + e^-epsilon_0)`; the best `l` is the
    least whose loss `(2 l - k) epsilon_0` exceeds epsilon. Source: Kairouz, Oh and Viswanath 2015, Theorem 3.3.
    """
    one = 1 / (1 + A.exp(-epsilon_0))
    zero = 1 / (1 + A.exp(epsilon_0))
    return A.maximum(
        *(
            _tail(A, k, one, l + 1) - A.exp(epsilon) * _tail(A, k, zero, l + 1)
            for l in floors(A, (epsilon / epsilon_0 + k) / 2)
        )
    )


def homogeneous(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, delta_0: Number, k: int) -> Number:
    """Least delta that `k` mechanisms of (epsilon_0, delta_0) keep together at epsilon."""
    return _of_kinds(A, A.number(epsilon), [(epsilon_0, delta_0, k)])


def heterogeneous(A: Arithmetic, *, epsilon: Number, k: int, m: int, **pairs: Number) -> Number:
    """Least delta that `k` mechanisms of (epsilon_0, delta_0) and `m` of (epsilon_1, delta_1) keep together."""
    return _of_kinds(
        A, A.number(epsilon), [(pairs[f"epsilon_{i}"], pairs[f"delta_{i}"], n) for i, n in enumerate((k, m))]
    )


def _of_kinds(A: Arithmetic, epsilon: Number, kinds: Sequence[tuple[Number, Number, int]]) -> Number:
    """Each kind is epsilon, delta and how many; the answers of all but the last are counted one by one."""
    log_finite = A.sum(count * A.log1p(-A.number(delta)) for _, delta, count in kinds)
    return -A.expm1(log_finite) + A.exp(log_finite) * _excess(
        A, epsilon, [(A.number(e), count) for e, _, count in kinds]
    )


def _excess(A: Arithmetic, level: Number, kinds: Sequence[tuple[Number, int]]) -> Number:
    (first, k), *others = kinds
    if not others:
        return responses(A, level, first, k)
    one = 1 / (1 + A.exp(-first))
    return A.sum(
        binomial_pmf(A, k, one, true) * _excess(A, level - (2 * true - k) * first, others) for true in range(k + 1)
    )


def _by_all_answers(A: Arithmetic, *, epsilon: Number, **point: Any) -> Number:
    """Every kind by how many answers are true, and all of them together; kinds by the names of their counts."""
    counts = [point[name] for name in ("k", "m") if name in point] or [point[f"k_{i}"] for i in range(len(point) // 3)]
    ones = [1 / (1 + A.exp(-A.number(point[f"epsilon_{place}"]))) for place in range(len(counts))]
    finite = A.number(1)
    for place, count in enumerate(counts):
        finite *= (1 - A.number(point[f"delta_{place}"])) ** count
    excess = A.number(0)
    for trues in product(*(range(count + 1) for count in counts)):
        left = right = A.number(1)
        for p, count, true in zip(ones, counts, trues, strict=True):
            left *= binomial_pmf(A, count, p, true)
            right *= binomial_pmf(A, count, p, count - true)
        excess += max(A.number(0), left - A.exp(A.number(epsilon)) * right)
    return 1 - finite + finite * excess


def _counts(point: Mapping[str, Any]) -> list[int]:
    """How many mechanisms there are of each kind."""
    return [point[f"k_{i}"] for i in range(len(point) // 3)]


def kinds(A: Arithmetic, *, epsilon: Number, **point: Any) -> Number:
    """Least delta that `k_i` mechanisms of each (epsilon_i, delta_i) keep together; the kind of most comes last."""
    promises = [(point[f"epsilon_{i}"], point[f"delta_{i}"], count) for i, count in enumerate(_counts(point))]
    return _of_kinds(A, A.number(epsilon), sorted(promises, key=lambda kind: kind[2]))


zcdp = algorithm(delta_upper)()
"""`min_alpha e^((alpha-1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)`: delta of rho-zCDP."""

FEW = Parameter("k", "mechanisms of the first kind", "mechanisms", 1, 200, integer=True, log=True, default=1)
OTHERS = Parameter("m", "mechanisms of the second kind", "mechanisms", 1, 200, integer=True, log=True, default=1)
EPSILON_1 = Parameter("epsilon_1", "epsilon of the second kind", "nats", "1e-4", 20, log=True)
DELTA_1 = Parameter("delta_1", "delta of the second kind", "probability", 0, "0.5", log=True)
MOST_KINDS = 6
MOST_LEAVES = 2000
"""Sequences of answers of all kinds but the one with the most mechanisms."""


def _few_leaves(**point: Any) -> bool:
    counts = [count + 1 for count in _counts(point)]
    return bool(math.prod(counts) <= MOST_LEAVES * max(counts))


def of_kinds(most: int, each: int = 200) -> Claim:
    """Return the claim about up to `most` kinds, of each up to `each` mechanisms; a file may hold one of its own."""
    parameters = tuple(
        parameter
        for i in range(most)
        for parameter in (
            Parameter(f"epsilon_{i}", f"epsilon of kind {i}", "nats", "1e-4", 20, log=True, default=1),
            Parameter(f"delta_{i}", f"delta of kind {i}", "probability", 0, "0.5", log=True, default=0),
            Parameter(f"k_{i}", f"mechanisms of kind {i}", "mechanisms", 0, each, integer=True, log=True, default=0),
        )
    )
    return own(
        "composition.kinds", "composition of mechanisms of several kinds",
        f"Least delta of k_i mechanisms of each of up to {most} (epsilon_i, delta_i)",
        r"1 - F + F \sum_j P[B_{p_0} = j]\, \delta_{1,2,\dots}(\varepsilon - (2j-k_0)\varepsilon_0),"
        r" \; F = \prod_i (1-\delta_i)^{k_i}",
        DeltaBound(
            kinds, _by_all_answers,
            (
                {
                    "epsilon": 1, **{f"epsilon_{i}": Fraction(i + 1, 9) for i in range(most - 1)},
                    **{f"delta_{i}": Fraction(i, 10**6) for i in range(most - 1)},
                    **{f"k_{i}": 1 + i % min(3, each) for i in range(most - 1)},
                },
                {"epsilon": 0, "epsilon_0": 2, "k_0": min(3, each), "epsilon_1": "0.3", "delta_1": "0.01", "k_1": 1},
            ),
        ),
        domain=Box(
            (EPSILON, *parameters), constraint=_few_leaves,
            constraint_text=f"the product of all k_i + 1 but the largest is at most {MOST_LEAVES}",
        ),
        points=(
            {
                "epsilon": 2, **{f"epsilon_{i}": Fraction(1, i + 1) for i in range(most)},
                **{f"delta_{i}": Fraction(i, 10**6) for i in range(most)},
                **{f"k_{i}": min(2, each) for i in range(most)},
            },
        ),
        falls=("epsilon",), rises=tuple(parameter.name for parameter in parameters),
        note="Murtagh and Vadhan 2016, exactly; a kind of count 0 is absent.", cost=40,
    )  # fmt: skip


RHO = Parameter("rho", "concentrated privacy loss", "nats", "1e-8", 10**4, log=True)

CLAIMS = (
    own(
        "gaussian.composition", "Gaussian mechanism, k releases", "Exact delta of k releases with Gaussian noise", None,
        DeltaBound(
            gaussian, _gaussian_by_quadrature, points("epsilon sigma k", (1, 2, 3), ("0.1", 30, 100)),
            pairs=Shifted(sqrt(k) / sigma, zero, one), proof=HalfLine(_distance / 2 + epsilon / _distance),
        ),
        domain=(EPSILON, SIGMA, K), falls=("epsilon", "sigma"), rises=("k",), counts="k",
    ),
    own(
        "composition.homogeneous", "composition of k mechanisms of one kind",
        "Least delta of k mechanisms that are (epsilon_0, delta_0)-DP",
        r"1 - (1-\delta_0)^k + (1-\delta_0)^k \max_l (P[B_p \ge l] - e^\varepsilon P[B_{1-p} \ge l])",
        DeltaBound(
            homogeneous, _by_all_answers,
            points("epsilon epsilon_0 delta_0 k", (1, "0.1", "1e-6", 30), (0, 1, 0, 7), (2, 1, 0, 4)),
        ),
        float64_lost="1e-15", domain=(EPSILON, EPSILON_0, DELTA_0, K), falls=("epsilon",),
        rises=("epsilon_0", "delta_0", "k"), counts="k",
        note="Kairouz, Oh and Viswanath 2015, Theorem 3.3; also k discrete Laplace releases of scale 1/epsilon_0.",
        cost=3,
    ),
    own(
        "composition.heterogeneous", "composition of mechanisms of two kinds",
        "Least delta of k mechanisms of one (epsilon, delta) and m of another",
        r"\sum_i P[B = i]\, \delta_m(\varepsilon - (2i-k)\varepsilon_0), \text{ and the deltas apart}",
        DeltaBound(
            heterogeneous, _by_all_answers,
            points(
                "epsilon epsilon_0 delta_0 k epsilon_1 delta_1 m", (1, "0.1", "1e-6", 20, "0.37", "1e-9", 5),
                (0, 1, 0, 2, 2, 0, 3),
            ),
        ),
        domain=(EPSILON, EPSILON_0, DELTA_0, FEW, EPSILON_1, DELTA_1, OTHERS), falls=("epsilon",),
        rises=("epsilon_0", "delta_0", "k", "epsilon_1", "delta_1", "m"),
        note="Murtagh and Vadhan 2016: optimal; a kind is exact here, and not rounded to a grid.", cost=20,
    ),
    of_kinds(MOST_KINDS),
    own(
        "zcdp", "zero-concentrated privacy", "Delta of rho-zCDP at epsilon, at the best order",
        r"\min_{\alpha > 1} e^{(\alpha-1)(\alpha\rho-\varepsilon)} (1 - 1/\alpha)^\alpha / (\alpha - 1)",
        DeltaBound(zcdp, exact=profile(epsilon, sqrt(2 * rho))), domain=(EPSILON, RHO), role=Role.UPPER,
        falls=("epsilon",), rises=("rho",),
        loose="rho alone has no exact delta: below the Gaussian mechanism's at mu = sqrt(2 rho) nothing is safe",
        note="Canonne, Kamath and Steinke 2020, Proposition 12.",
    ),
)  # fmt: skip
