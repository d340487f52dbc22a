"""Group privacy, exactly: neighbours of neighbours of a mechanism that is (epsilon_0, delta_0)-DP.

A test that accepts with probability x accepts a neighbour with at most

    g(x) = min(1, delta_0 + e^epsilon_0 x, 1 - e^-epsilon_0 (1 - delta_0 - x)),

and data that differ in m records with at most g(g(... g(x))), m times. Laws on [0, 1] whose distribution functions are
x, g(x), g(g(x)), ... attain that: their likelihood ratios fall, so that the tests {at most x} are the best ones. Hence
the least delta of a group is the largest `g^m(x) - e^epsilon x`. It is concave in x, with kinks where one of the m
numbers is `x_0 = (1 - delta_0)/(1 + e^epsilon_0)`, at which the two lines of g meet.
"""

from typing import Any

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *

SIZE = Parameter("size", "records in which the data differ", "records", 1, 1000, integer=True, log=True)


def group(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, delta_0: Number, size: int) -> Number:
    """Least delta that a mechanism keeps for groups of `size` records."""
    epsilon, epsilon_0, delta_0 = A.number(epsilon), A.number(epsilon_0), A.number(delta_0)
    up, down = A.exp(epsilon_0), A.exp(-epsilon_0)
    at_zero = A.number(0)
    for _ in range(size):
        at_zero = A.minimum(1, delta_0 + up * at_zero, 1 - down * (1 - delta_0 - at_zero))
    if epsilon >= size * epsilon_0:  # no slope exceeds e^epsilon
        return at_zero
    kink = (1 - delta_0) / (1 + up)
    left, right, lefts, rights = kink, 1 - kink, [kink], []
    for _ in range(size):
        left, right = (left - delta_0) * down, (right - delta_0) * down
        lefts.append(left)
        rights.append(right)
    # where a kink lies left of 0, the line at 0 is below g^m(0)
    bounds = (1 - A.maximum(0, rights[size - 1 - j]) - A.exp(epsilon) * A.maximum(0, lefts[j]) for j in range(size))
    return A.maximum(at_zero, *bounds)


def _by_tests(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, delta_0: Number, size: int) -> Any:
    """The best test by golden section over its level; neighbours keep both inequalities of (epsilon_0, delta_0)."""
    epsilon, epsilon_0, delta_0 = A.number(epsilon), A.number(epsilon_0), A.number(delta_0)

    def advantage(level: Number) -> Number:
        accepted = level
        for _ in range(size):
            by_accepting = A.exp(epsilon_0) * accepted + delta_0
            by_rejecting = 1 - (1 - accepted - delta_0) / A.exp(epsilon_0)
            accepted = min(A.number(1), by_accepting, by_rejecting)
        return accepted - A.exp(epsilon) * level

    return max(advantage(A.number(0)), peak_value(A, advantage, A.number(0), A.number(1)))


CLAIMS = (
    own(
        "group_privacy", "group privacy",
        "Least delta of a group of records, for a mechanism that is (epsilon_0, delta_0)-DP",
        r"\max_x g^m(x) - e^\varepsilon x, \; g(x) = \min(1, \delta_0 + e^{\varepsilon_0} x, "
        r"1 - e^{-\varepsilon_0} (1 - \delta_0 - x))",
        DeltaBound(
            group, _by_tests,
            points(
                "epsilon epsilon_0 delta_0 size", (1, "0.4", "1e-3", 3), (3, 1, "1e-4", 3), (0, "0.5", 0, 4),
                ("0.5", "0.1", "0.01", 40),
            ),
        ),
        float64_lost="1e-15", domain=(EPSILON, EPSILON_0, DELTA_0, SIZE), falls=("epsilon",),
        rises=("epsilon_0", "delta_0", "size"),
        note="At epsilon = size epsilon_0 it is delta_0 (e^(size epsilon_0) - 1)/(e^epsilon_0 - 1) while small.",
        cost=2,
    ),
)  # fmt: skip
