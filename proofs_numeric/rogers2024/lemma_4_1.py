"""Lemma 4.1: truncating two Gaussians to one convex set keeps their Renyi bound."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.log_concave import WIDTH, beyond_chord, interval
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.statements.gaussians import SHARE, LogConcave, Truncated
from proofs_numeric.statements.instances import LawInstances, TruncatedAt

left, right, t, start, width, d, y, radius = symbols("left right t start width d y radius")
z, h, h_other, squared, share, w, v = symbols("z h h_other squared share w v")
x, a, edge, first, second, p, q = symbols("x a edge first second p q")


def _renyi(mass: Expression) -> Expression:
    """``[L(a t + (1-a) u) - a L(t) - (1-a) L(u)] / (a-1)`` with ``L(t) = log integral_K e^(t z - z^2/2)``."""
    log_mass = t * t / 2 + log(mass)
    beyond = log_mass(t=alpha * left + (1 - alpha) * right)
    return (beyond - alpha * log_mass(t=left) + (alpha - 1) * log_mass(t=right)) / (alpha - 1)


renyi_on_interval = _renyi(Phi(start + width - t) - Phi(start - t))
"""``D_alpha`` of N(left, 1) and N(right, 1), both conditioned on ``[start, start + width]``."""
_at_end, _at_start, _beyond = (log(Phi(width - place) - Phi(-place)) for place in (y + d, y, y + alpha * d))
_gap_of_log_mass = alpha * _at_end + (1 - alpha) * _at_start - _beyond
_NEW: dict[str, Any] = {"d": left - right, "y": right - start}
gaussian_renyi_bound = alpha * (left - right) * (left - right) / 2
"""``alpha m G^2 / (2 mu)`` for unit Gaussians."""
_INTERVAL = beyond_chord(interval, _NEW, zero, _gap_of_log_mass, WIDTH)
_DOMAIN = (
    replace(ALPHA, upper=10, log=False),
    *(Parameter(n, f"mean of {law}", "standard deviations", -3, 3) for n, law in (("left", "P"), ("right", "Q"))),
)

# --- half-spaces in any dimension -------------------------------------------------------------------------------------

half_spaces_bound = alpha * squared / 2
"""Of the squared distance of the means."""
Wedge = tuple[tuple[int, int], tuple[int, int], int]
"""(mean of P, edges, order): {-6 <= x <= first edge, x + y <= second edge} in the plane; the mean of Q is 0."""


def wedges(size: int) -> Iterator[Wedge]:
    """Means next to 0, edges from 0 below ``size``, orders 2 and 5."""
    for east, north, near, far, order in product((-1, 0, 1), (-1, 0, 1), range(size), range(size), (2, 5)):
        if east or north:
            yield (east, north), (near, far), order


def truncated_to_wedge(case: Wedge) -> Iterator[TruncatedAt]:
    """A pair truncated to a wedge, with the bound."""
    mean, edges, order = case
    at = {"alpha": lift(order), "squared": lift(sum(part * part for part in mean))}
    yield TruncatedAt(at, mean, (-6, edges[0]), edges[1], half_spaces_bound)


_below_chord = 1 + share * expm1(w) - exp(share * w)


def from_zero(name: str, before: Expression, exponent: Expression) -> Tactic:
    """A gap that is 0 at 0, of the slope ``before (e^exponent - 1)``, the exponent of ``name``'s sign."""

    def slope(sign: int) -> Tactic:
        growth, place = sign * expm1(sign * v), sign * exponent
        in_v = Substitute(Box((Parameter("v", ""),)), {"v": place}, Sign(), zero, growth)
        return product_of(before, (growth(v=place), in_v))

    return Split(name, 0, Derivative(name, "upper", slope(-1)), Derivative(name, "lower", slope(1)))


ABOVE_TANGENT = from_zero("x", alpha * exp(x), (alpha - 1) * x)
"""``1 + alpha (e^x - 1) <= e^(alpha x)``, at an order alpha > 1."""

HALF_SPACES = Truncated(Box((ALPHA, Parameter("squared", ""))), half_spaces_bound)
_LOG_CONCAVE = LogConcave(
    tilt=Symbolic(), density=product_of(share, 1 - share, (x - a - y + b) ** 2 / 2),
    inside=sum_of(factors(share, (edge - first, Hypothesis())), factors(1 - share, (edge - second, Hypothesis()))),
    mean=product_of(
        exp(q),
        (
            _below_chord(w=p - q),
            Substitute(
                Box((SHARE, Parameter("w", "", lower="-infinity"))), {"w": p - q},
                from_zero("w", share * exp(share * w), (1 - share) * w), zero, _below_chord,
            ),
        ),
    ),
)  # fmt: skip

CLAIMS = (
    stated(
        "lem4.1", "Lemma 4.1", "Truncation to a convex set keeps the Gaussian Renyi bound",
        r"D_\alpha(P\|Q) \le \alpha m G^2/(2\mu),\ K \text{ convex}", renyi_on_interval <= gaussian_renyi_bound,
        proof=product_of(1 / (alpha - 1), (_gap_of_log_mass(**_NEW), _INTERVAL)),
        domain=(
            *_DOMAIN, Parameter("start", "left end of K", lower=-4, upper=4),
            Parameter("width", "length of K", lower="0.1", upper=5),
        ),
        partial="unit Gaussians on an interval; strongly convex F on convex sets of any dimension are left out (the "
        "half-spaces that Theorems 8 and 11 use are rogers2024.lem4.1.half_spaces)",
        note="In print e^-mF'' stands for e^-mF' and k for m.",
    ),
    stated(
        "lem4.1.half_spaces", "Lemma 4.1",
        "Gaussians given the same half-spaces, in any dimension, keep the Renyi bound",
        r"D_\alpha(P\|Q) \le \alpha\|t-u\|^2/2,\ K = \bigcap_i\{\langle a_i, z\rangle \le b_i\}",
        FiniteStatement(
            wedges, LawInstances(truncated_to_wedge), {"quick": 2, "standard": 2, "deep": 4},
            "wedges in the plane, edges", every=HALF_SPACES, proof=_LOG_CONCAVE,
        ),
        domain=(HALF_SPACES.box["alpha"],),
    ),
    refuted(
        "lem4.1.as_printed", "Lemma 4.1", "Truncation to any set",
        r"D_\alpha(P\|Q) \le \alpha m G^2/(2\mu),\ K \subseteq R^d",
        # Both conditioned on |z| >= radius, which is not convex.
        _renyi(Phi(t - radius) + Phi(-radius - t)) <= gaussian_renyi_bound, equation="K a subset of R^d", by="lem4.1",
        domain=(*_DOMAIN, Parameter("radius", "K = {|z| >= radius}", upper=4)),
    ),
    stated(
        "lem4.1.instance", "Theorem 8, proof, after Lemma 4.1", "Lipschitz constant of the difference of squares",
        r"\|z-h\|^2 - \|z-h'\|^2 \text{ is } 2\|h-h'\|\text{-Lipschitz}",
        # The gradient of the right side has length 2 |h - h'|.
        eq((z - h) ** 2 - (z - h_other) ** 2, -2 * (h - h_other) * z + h * h - h_other * h_other), proof=Symbolic(),
        domain=Box(tuple(Parameter(n, "coordinate", lower=-1000, upper=1000) for n in ("z", "h", "h_other"))),
        partial="one coordinate; vectors are left out",
    ),
)  # fmt: skip
