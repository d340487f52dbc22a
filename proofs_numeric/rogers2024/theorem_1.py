"""Theorem 1: the Laplace mechanism."""

from dataclasses import replace

from proofs_numeric.arithmetic.special import integral
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.conversion import Promise
from proofs_numeric.rogers2024.laws import laplace_profile, laplace_tail
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_5 import em_rho_naive
from proofs_numeric.statements.box import points
from proofs_numeric.statements.profiles import HalfLine, Shifted

epsilon, b, delta_1, t, u, y, d, x, beyond, over, loss, moved = symbols(
    "epsilon b delta_1 t u y d x beyond over loss moved"
)
laplace_delta = laplace_profile(distance=delta_1 / b)
"""Delta of one Laplace count that moves by ``delta_1``."""
PROMISE = Promise(em_rho_naive(epsilon=delta_1 / b))
"""Of the Laplace mechanism, Theorems 1 and 3."""


def laplace_delta_by_quadrature(A: Arithmetic, *, epsilon: Number, delta_1: Number, b: Number) -> Number:
    """``integral of max(0, p - e^epsilon q)`` over the region where p wins: left of the shifted centre, plus a tail."""
    distance = A.number(delta_1) / b
    start = A.minimum((distance + epsilon) / 2, distance)
    growth = A.exp(A.number(epsilon))

    def excess(B: Arithmetic, x: Number) -> Number:
        return (B.exp(x - distance) - growth * B.exp(-x)) / 2

    return A.maximum(0, integral(A, excess, start, distance)) + A.maximum(0, 1 - growth * A.exp(-distance)) / 2


# With t = delta_1/b - epsilon >= 0 the first law is the denser one by e^epsilon just up to t/2 scales.


def _size(y: Expression) -> Expression:
    return maximum(y, -y)


def _log_ratio(y: Expression, distance: Expression) -> Expression:
    """``|y - d| - |y|``."""
    return _size(y - distance) - _size(y)


_below, _beyond = (_log_ratio(place, t + epsilon) - epsilon for place in (t / 2 - u, t / 2 + u))
# Of the half-line, at the distance t + epsilon.
_t = delta_1 / b - epsilon


def _either(left: Expression, right: Expression, *proofs: Tactic) -> Maximum:
    """The larger of ``left - right`` and its negative, each in its place."""
    return Maximum(tuple(map(Part, (left - right, right - left), proofs)), inside=True)


_EPSILON, _T, _U, _D = (Parameter(name, "") for name in ("epsilon", "t", "u", "d"))
_zero = lift(0)
_ANY_PLACE = _either(
    y, d, _either(y, _zero, Sign(), sum_of((-2 * y, Hypothesis()), epsilon + d)),
    _either(y, _zero, sum_of((epsilon - d, Hypothesis()), (2 * y, Hypothesis())), Hypothesis()),
)  # fmt: skip
_PLACES = Box((_EPSILON, _T, _U))
_NEW: dict[str, Formula] = {"t": _t, "u": beyond / b}
_of_t = -expm1(-t / 2)
_of_over = _of_t(t=-over)
_HALF_LINE = HalfLine(
    (delta_1 - b * epsilon) / 2, above=False, most=delta_1 / b,
    ratio=Substitute(
        Box((_EPSILON, Parameter("y", "", lower="-infinity"), _D)), {"y": x / b, "d": delta_1 / b}, _ANY_PLACE,
        _log_ratio(y, d) - epsilon, zero, hypotheses={at_most(d, epsilon): Hypothesis()},
    ),
    sides=(
        Substitute(_PLACES, _NEW, _either(t / 2, u, Sign(), Sign()), zero, _below, {"t": Hypothesis()}),
        Substitute(_PLACES, _NEW, _either(u, t / 2 + epsilon, Sign(), Sign()), _beyond, zero, {"t": Hypothesis()}),
    ),
    value=Substitute(
        Box((_EPSILON, _T)), {"t": _t},
        Rewrite(Both(Symbolic(), largest_of(Part(zero), (_of_t, Symbolic()))), left=_of_t),
        laplace_tail(-t / 2) - exp(epsilon) * laplace_tail(t / 2 + epsilon), maximum(0, -expm1(-t / 2)),
        {"t": Hypothesis()},
    ),
    nothing=Substitute(
        Box((Parameter("over", "what the level is above the distance"),)), {"over": -_t},
        Both(Symbolic(), largest_of(Part(zero), _of_over)), zero, maximum(0, _of_over), {"over": Hypothesis()},
    ),
)  # fmt: skip

# |x - d| <= |x| + |d| by the signs of the three.
_TRIANGLE = _either(
    x, d,
    _either(
        x, _zero, _either(d, _zero, Hypothesis(), Sign()),
        _either(d, _zero, sum_of((2 * d, Hypothesis()), (-2 * x, Hypothesis())), Hypothesis()),
    ),
    _either(
        x, _zero, _either(d, _zero, Hypothesis(), sum_of((-2 * d, Hypothesis()), (2 * x, Hypothesis()))),
        _either(d, _zero, Sign(), Hypothesis()),
    ),
)  # fmt: skip

CLAIMS = (
    stated(
        "thm1.laplace", "Theorem 1", "The Laplace mechanism is epsilon-DP",
        r"H_\varepsilon = (1 - e^{(\varepsilon - \Delta_1/b)/2})_+, \text{ zero at } \varepsilon = \Delta_1/b",
        DeltaBound(
            laplace_delta, oracle=laplace_delta_by_quadrature,
            oracle_points=points("epsilon delta_1 b", (0, 1, 1), ("1/2", 1, "1/2"), (3, 7, 2), (4, 7, 2)),
            pairs=Shifted(zero, delta_1, b, laplace=True), proof=_HALF_LINE,
        ),
        domain=(
            LEVEL, Parameter("delta_1", "l1-sensitivity", "counts", "1e-3", 1000, log=True, default=1),
            replace(SCALE, lower="1e-3", upper=1000),
        ),
        falls=("epsilon", "b"), rises=("delta_1",), privacy=COUNTS,
        partial="one coordinate; vectors of R^d are rogers2024.thm1.laplace.vectors",
        note="The log ratio attains Delta_1/b, so the theorem is tight.", promise=PROMISE,
    ),
    stated(
        "thm1.laplace.vectors", "Theorem 1",
        "No outcome of any number of coordinates has more privacy loss",
        r"\log\tfrac{p(x)}{q(x)} = \sum_i(|x_i - d_i| - |x_i|) \le \sum_i|d_i| \le \Delta_1/b = \varepsilon",
        Recurrence(
            state=Box(
                (
                    Parameter("loss", "log of the ratio of the densities", "nats", lower="-infinity"),
                    Parameter("moved", "l1-distance, in scales of the noise"),
                )
            ),
            inputs=COORDINATE, start={"loss": zero, "moved": zero},
            step={"loss": loss + _log_ratio(x, d), "moved": moved + _size(d)}, left=loss, right=moved,
            proof=Steps(_TRIANGLE),
        ),
        domain=(),
    ),
)  # fmt: skip
