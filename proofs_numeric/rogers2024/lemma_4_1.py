"""Lemma 4.1: truncating two Gaussians to one convex set keeps their Renyi bound."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.rogers2024.log_concave import WIDTH, beyond_chord, interval
from proofs_numeric.rogers2024.parameters import ALPHA, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.gaussians import SHARE, LogConcave, Truncated
from proofs_numeric.statements.kinds import FiniteStatement, Identity, Inequality
from proofs_numeric.statements.tactics import (
    Derivative,
    Given,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
)
from proofs_numeric.statements.verdict import Expectation

# --- Lemma 4.1 --------------------------------------------------------------------------------------------------------


def _log_mass(A: Arithmetic, theta: Number, mass: Number) -> Number:
    return theta * theta / 2 + A.log(mass)


def _renyi_from_log_mass(A: Arithmetic, alpha: Number, left: Any, right: Any, mass: Any) -> Number:
    """``[L(a t + (1-a) u) - a L(t) - (1-a) L(u)] / (a-1)`` with ``L(theta) = log integral_K e^(theta z - z^2/2)``."""
    alpha, left, right = A.number(alpha), A.number(left), A.number(right)
    middle = alpha * left + (1 - alpha) * right
    return (
        _log_mass(A, middle, mass(middle))
        - alpha * _log_mass(A, left, mass(left))
        + (alpha - 1) * _log_mass(A, right, mass(right))
    ) / (alpha - 1)


def renyi_on_interval(
    A: Arithmetic, *, alpha: Number, left: Number, right: Number, start: Number, width: Number
) -> Number:
    """``D_alpha`` of N(left, 1) and N(right, 1), both conditioned on ``[start, start + width]``."""
    start = A.number(start)
    end = start + width
    return _renyi_from_log_mass(A, alpha, left, right, lambda t: normal_cdf(A, end - t) - normal_cdf(A, start - t))


def _gap_of_log_mass(A: Arithmetic, *, alpha: Number, d: Number, y: Number, width: Number) -> Number:
    at_end, at_start, beyond = (A.log(normal_cdf(A, width - x) - normal_cdf(A, -x)) for x in (y + d, y, y + alpha * d))
    return alpha * at_end + (1 - alpha) * at_start - beyond


def _gap_on_interval(A: Arithmetic, *, alpha: Number, left: Any, right: Any, start: Number, width: Number) -> Number:
    return _gap_of_log_mass(A, alpha=alpha, d=left - right, y=right - start, width=width)


def renyi_on_two_rays(A: Arithmetic, *, alpha: Number, left: Number, right: Number, radius: Number) -> Number:
    """``D_alpha`` of N(left, 1) and N(right, 1), both conditioned on ``|z| >= radius`` (not convex)."""
    radius = A.number(radius)
    return _renyi_from_log_mass(A, alpha, left, right, lambda t: normal_cdf(A, t - radius) + normal_cdf(A, -radius - t))


def gaussian_renyi_bound(A: Arithmetic, *, alpha: Number, left: Number, right: Number, **_region: Any) -> Number:
    """``alpha m G^2 / (2 mu)`` for unit Gaussians: ``alpha (left - right)^2 / 2``."""
    difference = A.number(left) - right
    return alpha * difference * difference / 2


def difference_of_squares(A: Arithmetic, *, z: Number, h: Number, h_other: Number) -> Number:
    """``(z - h)^2 - (z - h')^2``, one coordinate."""
    z, h, h_other = A.number(z), A.number(h), A.number(h_other)
    return (z - h) ** 2 - (z - h_other) ** 2


def difference_linear(A: Arithmetic, *, z: Number, h: Number, h_other: Number) -> Number:
    """``-2 (h - h') z + h^2 - h'^2``: its gradient has length ``2 |h - h'|``."""
    z, h, h_other = A.number(z), A.number(h), A.number(h_other)
    return -2 * (h - h_other) * z + h * h - h_other * h_other


_MEANS = (
    Parameter("left", "mean of P", "standard deviations", lower=-3, upper=3),
    Parameter("right", "mean of Q", "standard deviations", lower=-3, upper=3),
)

# --- half-spaces in any dimension -------------------------------------------------------------------------------------


def half_spaces_bound(A: Arithmetic, *, alpha: Number, squared: Number) -> Number:
    """``alpha d^2/2``, ``d^2`` the squared distance of the means."""
    return A.number(alpha) * squared / 2


Wedge = tuple[tuple[int, int], tuple[int, int], int]
"""(mean of P, edges, order): {-6 <= x <= first edge, x + y <= second edge} in the plane; the mean of Q is 0."""


def wedges(size: int) -> Iterator[Wedge]:
    """Means next to 0, edges from 0 below ``size``, orders 2 and 5."""
    for x, y, first, second, alpha in product((-1, 0, 1), (-1, 0, 1), range(size), range(size), (2, 5)):
        if x or y:
            yield (x, y), (first, second), alpha


def wedge_keeps_bound(case: Wedge) -> bool:
    """``D_alpha`` of the truncated pair, its masses integrated, is at most the bound."""
    mean, edges, alpha = case
    with Ball(128) as A:

        def log_mass(at: Sequence[int]) -> Any:
            def slice_(B: Arithmetic, x: Number) -> Number:
                return normal_pdf(B, x - at[0]) * normal_cdf(B, edges[1] - x - at[1])

            return A.log(integral(A, slice_, -6, edges[0]))

        squared = sum(part * part for part in mean)
        tilted = log_mass([alpha * part for part in mean]) - alpha * log_mass(mean) + (alpha - 1) * log_mass((0, 0))
        bound = half_spaces_bound(A, alpha=alpha, squared=squared)
        return bool(A.number(alpha) * squared / 2 + tilted / (alpha - 1) <= bound)


def _rest_of_share(A: Arithmetic, *, share: Number, **_at: Number) -> Any:
    return 1 - A.number(share)


def _within(name: str) -> Formula:
    return lambda A, *, edge, **at: A.number(edge) - at[name]


def _weighed(weight: Formula, value: Formula) -> Part:
    return Part(lambda A, **at: weight(A, **at) * value(A, **at), Product((Part(weight), Part(value, Given()))))


def _below_chord(A: Arithmetic, *, share: Number, w: Number) -> Any:
    return 1 + A.number(share) * A.expm1(w) - A.exp(A.number(share) * w)


def from_zero(name: str, before: Formula, exponent: Formula) -> Tactic:
    """A gap that is 0 at 0, of the slope ``before (e^exponent - 1)``, the exponent of ``name``'s sign."""

    def slope(sign: int) -> Tactic:
        def growth(A: Arithmetic, *, v: Number) -> Any:
            return sign * A.expm1(sign * A.number(v))

        def place(A: Arithmetic, **at: Number) -> Any:
            return sign * exponent(A, **at)

        def beyond(A: Arithmetic, **at: Number) -> Any:
            return growth(A, v=place(A, **at))

        in_v = Substitute(Box((Parameter("v", ""),)), {"v": place}, Sign(), zero, growth)
        return Product((Part(before), Part(beyond, in_v)))

    return Split(name, 0, Derivative(name, "upper", slope(-1)), Derivative(name, "lower", slope(1)))


ABOVE_TANGENT = from_zero(
    "x", lambda A, *, alpha, x: A.number(alpha) * A.exp(A.number(x)), lambda A, *, alpha, x: (A.number(alpha) - 1) * x
)
"""``1 + alpha (e^x - 1) <= e^(alpha x)``, at an order alpha > 1."""

HALF_SPACES = Truncated(Box((replace(ALPHA, upper="infinity"), Parameter("squared", ""))), half_spaces_bound)
_LOG_CONCAVE = LogConcave(
    tilt=Symbolic(),
    density=Product(
        (
            Part(parameter_named("share")),
            Part(_rest_of_share),
            Part(lambda A, *, x, y, a, b, **_at: (A.number(x) - a - y + b) ** 2 / 2),
        )
    ),
    inside=Sum((_weighed(parameter_named("share"), _within("first")), _weighed(_rest_of_share, _within("second")))),
    mean=Product(
        (
            Part(lambda A, *, q, **_at: A.exp(A.number(q))),
            Part(
                lambda A, *, p, q, **at: _below_chord(A, w=A.number(p) - q, **at),
                Substitute(
                    Box((SHARE, Parameter("w", "", lower="-infinity"))),
                    {"w": lambda A, *, p, q, **_at: A.number(p) - q},
                    from_zero(
                        "w",
                        lambda A, *, share, w: A.number(share) * A.exp(A.number(share) * w),
                        lambda A, *, share, w: (1 - A.number(share)) * w,
                    ),
                    zero,
                    _below_chord,
                ),
            ),
        )
    ),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.lem4.1",
        source=printed("Lemma 4.1"),
        title="Truncation to a convex set keeps the Gaussian Renyi bound",
        statement=r"D_\alpha(P\|Q) \le \alpha m G^2/(2\mu),\ K \text{ convex}",
        kind=Inequality(
            renyi_on_interval,
            gaussian_renyi_bound,
            proof=Product(
                (
                    Part(lambda A, *, alpha, **_rest: 1 / (alpha - 1)),
                    Part(
                        _gap_on_interval,
                        beyond_chord(
                            interval,
                            {
                                "d": lambda _A, *, left, right, **_rest: left - right,
                                "y": lambda _A, *, right, start, **_rest: right - start,
                            },
                            zero,
                            _gap_of_log_mass,
                            WIDTH,
                        ),
                    ),
                )
            ),
        ),
        domain=Box(
            (
                replace(ALPHA, upper=10, log=False),
                *_MEANS,
                Parameter("start", "left end of K", lower=-4, upper=4),
                Parameter("width", "length of K", lower="0.1", upper=5),
            )
        ),
        partial="unit Gaussians on an interval; strongly convex F on convex sets of any dimension are left out (the "
        "half-spaces that Theorems 8 and 11 use are rogers2024.lem4.1.half_spaces)",
        note="In print e^-mF'' stands for e^-mF' and k for m.",
    ),
    Claim(
        id="rogers2024.lem4.1.half_spaces",
        source=printed("Lemma 4.1"),
        title="Gaussians given the same half-spaces, in any dimension, keep the Renyi bound",
        statement=r"D_\alpha(P\|Q) \le \alpha\|t-u\|^2/2,\ K = \bigcap_i\{\langle a_i, z\rangle \le b_i\}",
        kind=FiniteStatement(
            wedges,
            wedge_keeps_bound,
            {"quick": 2, "standard": 2, "deep": 4},
            "wedges in the plane, edges",
            every=HALF_SPACES,
            proof=_LOG_CONCAVE,
        ),
        domain=Box((HALF_SPACES.box["alpha"],)),
    ),
    Claim(
        id="rogers2024.lem4.1.as_printed",
        source=printed("Lemma 4.1", "K a subset of R^d"),
        title="Truncation to any set",
        statement=r"D_\alpha(P\|Q) \le \alpha m G^2/(2\mu),\ K \subseteq R^d",
        kind=Inequality(renyi_on_two_rays, gaussian_renyi_bound),
        domain=Box(
            (replace(ALPHA, upper=10, log=False), *_MEANS, Parameter("radius", "K = {|z| >= radius}", lower=0, upper=4))
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.lem4.1",
    ),
    Claim(
        id="rogers2024.lem4.1.instance",
        source=printed("Theorem 8, proof, after Lemma 4.1"),
        title="Lipschitz constant of the difference of squares",
        statement=r"\|z-h\|^2 - \|z-h'\|^2 \text{ is } 2\|h-h'\|\text{-Lipschitz}",
        kind=Identity(difference_of_squares, difference_linear, Symbolic()),
        domain=Box(tuple(Parameter(n, "coordinate", lower=-1000, upper=1000) for n in ("z", "h", "h_other"))),
    ),
)
