"""The sparse vector technique with Laplace noise: the pure epsilon of all its answers.

The threshold has noise of scale `threshold_scale`, each query new noise of scale `query_scale`; it stops after `tops`
answers above the threshold. A record changes each query by at most 1. The textbook bound moves the threshold by 1 and
each query above it by 2. Queries far above zero attain it: many of them are below the threshold, so that the threshold
is in its tail, and then the queries above it are far below, so that their noise is in its tail, too.
"""

import math
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic.special import integral
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

THRESHOLD_SCALE = Parameter("threshold_scale", "scale of the threshold's noise", SCALE.unit, "0.05", 10**4, log=True)
QUERY_SCALE = Parameter("query_scale", "scale of a query's noise", SCALE.unit, "0.05", 10**4, log=True)
TOPS = Parameter("tops", "answers above the threshold", "answers", 1, 1000, integer=True, log=True, default=1)

threshold_scale, query_scale, tops = symbols("threshold_scale query_scale tops")
general = 1 / threshold_scale + 2 * tops / query_scale
"""Least pure epsilon of queries that a record moves up or down."""
one_way = 1 / threshold_scale + tops / query_scale
"""Least pure epsilon of queries that a record moves in one direction."""

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
            return A.sum(integral(A, at, a, b) for a, b in pairwise(ends))

        up, down = A.number(1), A.number(moves - 1)
        return A.log(likelihood(height, A.number(0)) / likelihood(height + up, -down))

    return oracle


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
)
