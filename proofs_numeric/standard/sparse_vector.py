"""The sparse vector technique with Laplace noise: the pure epsilon of all its answers.

The threshold has noise of scale `threshold_scale`, each query new noise of scale `query_scale`; it stops after `tops`
answers above the threshold. A record changes each query by at most 1. The textbook bound moves the threshold by 1 and
each query above it by 2. Queries far above zero attain it: many of them are below the threshold, so that the threshold
is in its tail, and then the queries above it are far below, so that their noise is in its tail, too.

With Gaussian noise and one answer above the threshold no likelihood ratio is bounded, and a Renyi divergence is known
between two bounds. Upper: moving the threshold by 1 and the query above it by 2 takes each outcome of one data set into
the same of the other; by data processing each of `k + 1` outcomes adds no more to `E_Q (P/Q)^alpha` than the two
movements. Lower: `k - 1` queries that the record moves up, far below the threshold, and one near it that moves down;
what is told apart is whether an earlier query, the last or none is above.
"""

import math
from typing import Any

from proofs_numeric.arithmetic.special import integral_over, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

THRESHOLD_SCALE = Parameter("threshold_scale", "scale of the threshold's noise", SCALE.unit, "0.05", 10**4, log=True)
QUERY_SCALE = Parameter("query_scale", "scale of a query's noise", SCALE.unit, "0.05", 10**4, log=True)
TOPS = Parameter("tops", "answers above the threshold", "answers", 1, 1000, integer=True, log=True, default=1)

ORDER = Parameter("alpha", "order of the divergence", "order", 1, 200, log=True, open_lower=True)
THRESHOLD_SIGMA = Parameter("sigma", "standard deviation of the threshold's noise", SIGMA.unit, "0.3", 10**4, log=True)
QUERY_SIGMA = Parameter("query_sigma", "standard deviation of a query's noise", SIGMA.unit, "0.3", 10**4, log=True)
QUERIES = Parameter("k", "most queries that are answered", "queries", 1, 1000, integer=True, log=True)

threshold_scale, query_scale, tops, query_sigma = symbols("threshold_scale query_scale tops query_sigma")
general = 1 / threshold_scale + 2 * tops / query_scale
"""Least pure epsilon of queries that a record moves up or down."""
one_way = 1 / threshold_scale + tops / query_scale
"""Least pure epsilon of queries that a record moves in one direction."""
moved = alpha / (2 * sigma**2) + 2 * alpha / query_sigma**2 + log(k + 1) / (alpha - 1)
"""Upper bound on the Renyi divergence of one answer above a threshold, with Gaussian noise."""

REACH = 20
"""Standard deviations of the threshold's noise over which the lower bound is integrated."""
FAR_HEIGHT = 100
"""Height of the queries of the oracle in scales of noise; what is lost by it is about e^-100."""


def _by_answers(moves: int) -> Formula:
    """Log-likelihood ratio of many answers below and then `tops` above, by quadrature over the threshold's noise."""

    def oracle(A: Arithmetic, *, threshold_scale: Number, query_scale: Number, tops: int) -> Number:
        wide, each = A.number(threshold_scale), A.number(query_scale)
        below = math.ceil(float(each / wide)) + tops + 1
        height = FAR_HEIGHT * max(each, wide)

        def above_tail(x: Number) -> Number:
            return A.exp(-x / each) / 2 if x > 0 else 1 - A.exp(x / each) / 2

        def likelihood(low: Number, high: Number) -> Number:
            """Likelihood of queries at the heights `low` (answered below) and `high` (answered above)."""

            def at(_A: Arithmetic, z: Number) -> Number:
                answers = (1 - above_tail(z - low)) ** below * above_tail(z - high) ** tops
                return A.exp(-abs(z) / wide) * answers

            ends = [low + min(each, wide) * n for n in range(-FAR, FAR + 1, 4)]
            return integral_over(A, at, ends)

        up, down = A.number(1), A.number(moves - 1)
        return A.log(likelihood(height, A.number(0)) / likelihood(height + up, -down))

    return oracle


def told_apart(A: Arithmetic, *, alpha: Number, sigma: Number, query_sigma: Number, k: int) -> Any:
    """Renyi divergence of three outcomes of a pair, in the worse order: an earlier query, the last or none is above."""
    alpha, sigma, query_sigma = A.number(alpha), A.number(sigma), A.number(query_sigma)
    height = query_sigma * A.sqrt(2 * A.log(A.number(k)))

    def outcomes(low: Any, high: Any) -> list[Any]:
        """Probabilities for `k - 1` queries at the height `low` and the last at `high`."""

        def mean(part: Any) -> Any:
            def at(B: Arithmetic, z: Any) -> Any:
                below = normal_cdf(B, (sigma * z - low) / query_sigma) ** (k - 1)
                return normal_pdf(B, z) * part(B, below, (high - sigma * z) / query_sigma)

            return integral_over(A, at, map(A.number, range(-REACH, REACH + 5, 5)))

        return [
            mean(lambda B, below, x: below * normal_cdf(B, x)),
            mean(lambda B, below, x: below * normal_cdf(B, -x)),
            *([mean(lambda B, below, x: 1 - below)] if k > 1 else []),
        ]

    one, other = outcomes(-height, A.number(0)), outcomes(1 - height, A.number(-1))

    def divergence(P: list[Any], Q: list[Any]) -> Any:
        return A.log(A.sum(p * A.exp((alpha - 1) * A.log(p / q)) for p, q in zip(P, Q, strict=True))) / (alpha - 1)

    return A.maximum(divergence(one, other), divergence(other, one))


def _by_movements(A: Arithmetic, *, alpha: Number, sigma: Number, query_sigma: Number, k: int) -> Number:
    """The moments of both movements by quadrature, for each outcome."""
    alpha, total = A.number(alpha), A.number(0)

    def moment(shift: Number) -> Number:
        def at(_A: Arithmetic, z: Number) -> Number:
            return A.exp(-(alpha * z * z + (1 - alpha) * (z - shift) ** 2) / 2)

        middle = (1 - alpha) * shift
        return integral_over(A, at, (middle + step for step in range(-12, 13))) / A.sqrt(2 * A.pi)

    each = moment(1 / A.number(sigma)) * moment(2 / A.number(query_sigma))
    for _outcome in range(k + 1):
        total = total + each
    return A.log(total) / (alpha - 1)


def _claim(row: str, queries: str, statement: str, formula: Any, moves: int) -> Claim:
    return own(
        row, "sparse vector technique", f"Least pure epsilon of a sparse vector, {queries}", statement,
        DeltaBound(
            formula, _by_answers(moves),
            ({"threshold_scale": 1, "query_scale": 2}, {"threshold_scale": 2, "query_scale": 3, "tops": 2}),
            proof=derived(
                Unchecked(
                    "far queries", "the textbook's change of variables bounds every likelihood ratio; the ratio of "
                    "many answers below and then the answers above reaches the bound as the queries' heights grow",
                ),
            ),
        ),
        domain=(THRESHOLD_SCALE, QUERY_SCALE, TOPS), quantity=QuantityKind.EPSILON,
        falls=("threshold_scale", "query_scale"), rises=("tops",),
        note="Scales in units of the most that a record changes a query. The threshold's noise is drawn once.",
    )  # fmt: skip


CLAIMS = (
    _claim("sparse_vector", "queries move up or down", r"1/b_1 + 2 c/b_2", general, 2),
    _claim("sparse_vector.one_way", "queries move in one direction", r"1/b_1 + c/b_2", one_way, 1),
    own(
        "sparse_vector.gaussian", "sparse vector technique, Gaussian noise",
        "Renyi divergence of a Gaussian sparse vector that stops at its first answer above, at most",
        r"\alpha/(2\sigma_1^2) + 2\alpha/\sigma_2^2 + \log(k+1)/(\alpha-1)",
        DeltaBound(
            moved, _by_movements, points("alpha sigma query_sigma k", (2, 1, 2, 1), ("5.5", 4, 7, 100)),
            exact=told_apart,
        ),
        domain=(ORDER, THRESHOLD_SIGMA, QUERY_SIGMA, QUERIES), quantity=QuantityKind.EPSILON, role=Role.UPPER,
        falls=("sigma", "query_sigma"), rises=("k",),
        note="An answer is unsafe below the divergence of one pair. Noise in units of the most that a record changes a "
        "query; that of the threshold is drawn once.",
    ),
)  # fmt: skip
