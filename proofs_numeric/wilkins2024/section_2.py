r"""Section 2: neighbours, approximate differential privacy, privacy loss, and the Gaussian mechanism."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic.special import integral, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.statements.profiles import HalfLine, Shifted
from proofs_numeric.wilkins2024.finite import FiniteLaw, best_event, coin, law_pairs, loss_difference
from proofs_numeric.wilkins2024.neighbours import GAUSSIAN
from proofs_numeric.wilkins2024.parameters import *

Records = tuple[tuple[str, str], ...]
"""A dataset: (user, group) records, in any order."""


def neighbours(pair: tuple[Records, Records]) -> bool:
    """Whether one dataset is the other with records of one individual added (any number of records)."""
    left, right = Counter(pair[0]), Counter(pair[1])
    added, removed = left - right, right - left
    if bool(added) == bool(removed):
        return False
    return len({user for user, _group in (added or removed)}) == 1


def satisfies_dp(case: tuple[FiniteLaw, FiniteLaw, Fraction, Fraction]) -> bool:
    """Definition 2.2 on two output laws, ``e^epsilon`` and delta: every event, both orders."""
    left, right, ratio, delta = case
    return max(best_event(left, right, ratio), best_event(right, left, ratio)) <= delta


def negative_parameters_bound_delta(case: tuple[FiniteLaw, FiniteLaw, Fraction, Fraction]) -> bool:
    """Where (2.1) holds for all events, delta is at least ``max(0, 1 - e^epsilon)``."""
    return not satisfies_dp(case) or case[3] >= max(Fraction(0), 1 - case[2])


def loss_form_is_the_hockey_stick(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """Whether the left side of (2.2) is the best event's excess, so that (2.1) and (2.2) agree for every delta."""
    left, right, ratio = case
    return loss_difference(left, right, ratio) == best_event(left, right, ratio)


# --- the Gaussian mechanism -------------------------------------------------------------------------------------------
gaussian_delta = profile(epsilon, mu)
"""Left side of (2.3), exact delta of a Gaussian mechanism at distance ``mu >= 0``; any real epsilon."""
reflected_profile = -expm1(epsilon) + exp(epsilon) * profile(-epsilon, mu)
"""``1 - e^epsilon + e^epsilon f(mu, -epsilon)``: the complement of the other order's best event."""


def profile_by_definition(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    """Integral of ``max(0, phi(x - mu) - e^epsilon phi(x))`` for ``mu > 0``, on pieces that widen from its left end.

    The left end is where the densities' ratio ``exp(mu x - mu^2/2)`` passes ``e^epsilon``; the right one is where what
    is left is below the integral by more than the digits of the arithmetic.
    """
    epsilon, mu = A.number(epsilon), A.number(mu)
    factor = A.exp(epsilon)

    def excess(B: Arithmetic, x: Number) -> Number:
        return normal_pdf(B, x - mu) - factor * normal_pdf(B, x)

    start = epsilon / mu + mu / 2
    step = 1 / (32 * (1 + abs(start)))
    ends, last = [start], A.maximum(start, mu) + math.isqrt(2 * A.bits) + 8
    while ends[-1] < last:
        ends.append(ends[-1] + step)
        step = A.minimum(2 * step, A.number(2))
    return A.sum(integral(A, excess, left, right) for left, right in pairwise(ends))


_even = epsilon / mu + mu / 2
"""Where ``phi(x - mu) = e^epsilon phi(x)``."""
trivial_delta = maximum(0, -expm1(epsilon))
"""The hockey stick of two equal laws."""


def mahalanobis_squared(difference: tuple[Any, ...], covariance: tuple[tuple[Any, ...], ...]) -> Any:
    """``d^T Sigma^{-1} d`` for a symmetric positive definite 3 x 3 covariance, by the adjugate."""
    (a, b, c), (_, d, e), (_, _, f) = covariance
    determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
    adjugate = (
        (d * f - e * e, c * e - b * f, b * e - c * d), (c * e - b * f, a * f - c * c, b * c - a * e),
        (b * e - c * d, b * c - a * e, a * d - b * b),
    )  # fmt: skip
    moved = (sum(entry * y for entry, y in zip(row, difference, strict=True)) for row in adjugate)
    return sum(x * y for x, y in zip(difference, moved, strict=True)) / determinant


_d, _s = symbols("d1 d2 d3"), symbols("s1 s2 s3")
_covariance = tuple(tuple(s * s if i == j else lift(0) for j in range(3)) for i, s in enumerate(_s))
general_distance_squared = mahalanobis_squared(_d, _covariance)
"""``mu^2`` of (2.4) with the diagonal covariance ``(s1^2, s2^2, s3^2)``."""
diagonal_distance_squared = sum((d * d / (s * s) for d, s in zip(_d, _s, strict=True)), lift(0))
_DIFFERENCES = tuple(
    Parameter(f"d{i}", f"difference of the query's coordinate {i}", "its unit", "-infinity") for i in (1, 2, 3)
)
_SCALES = tuple(
    Parameter(f"s{i}", f"noise standard deviation of coordinate {i}", "its unit", "1e-6", 10**6, log=True)
    for i in (1, 2, 3)
)
_ANY_MU = Parameter("mu", "distance in standard deviations", open_lower=True, log=True)
EVERYWHERE = Box((Parameter("epsilon", "level of the privacy loss", "nats", "-infinity"), _ANY_MU))
_HARD = points(
    "epsilon mu", ("0.349", "0.10224286"), (700, 1000), (700, "1e-3"), (0, "1e-12"), ("1e-9", "1e-9"),
    (-700, "1e-12"), (-3, 0),
)  # fmt: skip

CLAIMS = (
    stated(
        "def2.1", "Definition 2.1", "Neighbouring datasets",
        r"X \sim X' \iff \text{one is the other with records from one individual added}",
        Definition(
            neighbours,
            members=(
                ((("ann", "x"), ("bob", "x")), (("bob", "x"),)),
                ((("ann", "x"), ("ann", "y"), ("bob", "x")), (("bob", "x"),)),
                ((("bob", "x"),), (("bob", "x"), ("ann", "x"), ("ann", "x"))), ((), (("ann", "x"),)),
            ),
            non_members=(
                ((("ann", "x"),), (("ann", "x"),)), ((("ann", "x"),), (("ann", "y"),)),
                ((("ann", "x"), ("bob", "x")), ()), ((("ann", "x"),), (("bob", "x"),)),
            ),
        ),
        note="Datasets that only replace a record are not neighbours; how many records a user adds is bounded later.",
    ),
    stated(
        "def2.2", "Definition 2.2", "Approximate differential privacy of two output laws",
        r"P(M(X) \in S) \le e^\varepsilon P(M(X') \in S) + \delta \ \forall S, \text{ both orders}",
        Definition(
            satisfies_dp,
            members=(
                (coin("3/4"), coin("1/4"), Fraction(3), Fraction(0)),
                (coin("3/4"), coin("1/4"), Fraction(2), Fraction(1, 4)),
                (coin("1"), coin("9/10"), Fraction(2), Fraction(1, 10)),
                (coin("1"), coin("0"), Fraction(5), Fraction(1)),
            ),
            non_members=(
                (coin("3/4"), coin("1/4"), Fraction(2), Fraction(1, 5)),
                (coin("1"), coin("9/10"), Fraction(2), Fraction(1, 20)),
                (coin("9/10"), coin("1"), Fraction(2), Fraction(1, 20)),
                (coin("1/2"), coin("1/2"), Fraction(1), Fraction(-1, 10)),
            ),
        ),
        equation="2.1",
        note="The second non-member fails in one order only, the third is the same pair the other way round.",
    ),
    stated(
        "rem2.neg", "Section 2, after Theorem 2.2", "Negative epsilon is meaningful, negative delta never met",
        r"(2.1) \Rightarrow \delta \ge \max(0, 1 - e^\varepsilon) \text{ for real } \varepsilon, \delta",
        FiniteStatement(
            lambda size: ((*case, Fraction(n, size)) for case in law_pairs(3, size) for n in range(-2, size + 1)),
            negative_parameters_bound_delta, sizes(3, 4, 8), "probabilities in multiples of 1/size, size",
        ),
        partial="laws on three outcomes; all others are left out",
        note="Holds as a remark on definedness: S empty forces delta >= 0 and S everything forces delta >= 1 - "
        "e^epsilon, so no mechanism satisfies a negative delta.",
    ),
    stated(
        "thm2.1", "Theorem 2.1", "The loss form of approximate differential privacy",
        r"\max_S P(S) - e^\varepsilon Q(S) = P(L_{X,X'} \ge \varepsilon) - e^\varepsilon P(L_{X',X} \le -\varepsilon)",
        FiniteStatement(
            lambda size: law_pairs(3, size), loss_form_is_the_hockey_stick, sizes(4, 6, 10),
            "three outcomes, denominator",
        ),
        equation="2.2", partial="laws on three outcomes; all others are left out",
        note="Laws on three outcomes in exact rationals with zeros on either side (infinite loss) and ties P = "
        "e^epsilon Q, e^epsilon on both sides of 1. Both orders are among the pairs.",
    ),
    stated(
        "thm2.2", "Theorem 2.2", "Exact profile of the Gaussian mechanism",
        r"f(\mu, \varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)",
        DeltaBound(
            gaussian_delta, oracle=profile_by_definition,
            oracle_points=points(
                "epsilon mu", (1, 1), ("0.349", "0.10224286"), (-3, "1/2"), (0, "1e-3"), (10, "0.28"), (700, 40),
                (3, 12),
            ),
            pairs=Shifted(parameter_named("mu"), zero, one),
            proof=Split("mu", 0, HalfLine(), HalfLine(_even), without="upper"),
        ),
        equation="2.3", domain=(EPSILON_REAL, replace(MU, open_lower=False)), falls=("epsilon",), rises=("mu",),
        moves=dict.fromkeys(
            ("epsilon", "mu"), moves.by_profiles("at mu = 0 it is the limit of both, (1 - e^epsilon)_+"),
        ),
        privacy=GAUSSIAN, points=_HARD,
        note="At mu = 0 the printed form divides by zero; its limit max(0, 1 - e^epsilon) is used.",
        partial="normal laws on a line; vectors of R^d, which a linear map takes there, are left out",
    ),
    stated(
        "thm2.2.diag", "Theorem 2.2", "Distance under a diagonal covariance of three coordinates",
        r"\mu^2 = d^T \Sigma^{-1} d = \sum_i d_i^2 / \sigma_i^2",
        eq(general_distance_squared, diagonal_distance_squared), proof=Symbolic(), equation="2.4",
        domain=(*_DIFFERENCES, *_SCALES), cost=2,
        partial="three coordinates; other numbers of them are left out",
    ),
    stated(
        "thm2.2.mono", "Theorem 2.2", "The Gaussian profile grows with the distance", None,
        Monotonicity(gaussian_delta, "mu", increasing=True, proof=Slope()), domain=EVERYWHERE,
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "thm2.2.positive", "Theorem 2.2", "The Gaussian profile is positive at every real epsilon", None,
        gaussian_delta > 0, proof=Derivative("epsilon", "upper"), domain=EVERYWHERE,
        note="f decreases in epsilon, to the limit 0.",
    ),
    stated(
        "obs2.1", "Observation 2.1", "The Gaussian profile is right for negative epsilon",
        r"f(\mu, -x) = 1 - e^{-x} + e^{-x} f(\mu, x)",
        DeltaBound(
            gaussian_delta, oracle=profile_by_definition,
            oracle_points=points("epsilon mu", ("-1/2", 1), (-5, "0.3"), ("-1e-3", "1e-2"), (-40, 6)),
            exact=reflected_profile, by=Achieved("wilkins2024.thm2.2"), proof=Symbolic(),
        ),
        domain=(Parameter("epsilon", "privacy-loss level", "nats", -700, 0), MU),
        falls=("epsilon",), rises=("mu",), privacy=GAUSSIAN,
    ),
    stated(
        "rem2.pos", "Section 2, after Theorem 2.2", "The Gaussian profile is always positive", None,
        trivial_delta < gaussian_delta,
        proof=largest_of(
            (zero, positive()),
            (-expm1(epsilon), product_of(exp(epsilon), (profile(-epsilon, mu), positive(epsilon=-epsilon)))),
        ),
        domain=(EPSILON_REAL, MU), note="The paper says that no proof needs (2.3) to be positive; it always is.",
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
"""Claims of Section 2."""
