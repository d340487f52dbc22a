"""The exact hockey stick of the correlated stability histogram on one pair of neighbours.

The pair (l, j) with ``d = k - l``: l counters are 1 under H' and absent under H; d counters are shared and far above
the threshold, j of them one larger under H'.  Every pair of neighbours is a post-processing of some (l, j): supports
are nested, all new counts are 1, at most k - l counters are shared; smaller shared counts, counts at the threshold and
fewer shared counters lose information.
"""

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Rational, integer_part
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.pair_stick import pair_stick
from proofs_numeric.expression import Function
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.oracle import pair_delta_by_definition
from proofs_numeric.lebeda2025.laws import PAIR
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.shared import Integrated

_NINE_DIGITS = 30
"""In bits."""
d = symbol("d")
shared_mu = sqrt(squared_distance(d=d, j=j, ratio=sqrt(k))) / sigma
"""``mu_j = sqrt(j - j^2/(d + sqrt(k)))/sigma``: distance of the shared counters' laws when j of d change."""
ceiling_of_root = Function("ceiling_of_root", integer_part.ceiling_of_root, r"\lceil\sqrt{{{0}}}\rceil")
turning_point = Function("ceiling_of_half", integer_part.ceiling_of_half, r"\lceil ({0})/2\rceil")(
    d + ceiling_of_root(k) - 1
)
"""The integer that maximises ``j - j^2/(d + sqrt(k))``: the step from j gains iff ``2j + 1 < d + sqrt(k)``."""
worst_among = minimum(d, turning_point)
"""The integer ``0 <= j <= d`` that maximises ``j - j^2/(d + sqrt(k))``, by integers alone."""
shared_delta = profile(epsilon, shared_mu(j=worst_among))
"""``dg(d; epsilon)``: the worst hockey stick of d shared counters when nothing else changes."""
new_released = algorithm(released)(t=gap / sigma, b=shared_slope)
"""``A_l``: probability that some of l new counters is released."""


def worst_change(k: int, d: int) -> int:
    """:data:`worst_among`, as an integer."""
    worst: Any = worst_among(Rational(), k=k, d=d)
    return int(worst)


def pair_delta(
    A: Arithmetic,
    *,
    epsilon: Number,
    k: int,
    sigma: Number,
    gap: Number,
    l: int,
    j: int,
    direction: str,
    d: int | None = None,
    bits: int | None = None,
    new: Any = None,
) -> Any:
    """Exact hockey stick of the pair (l, j) at ``epsilon`` of either sign; ``0 <= j <= d``, ``d = k - l`` unless given.

    ``bits`` asks balls for a wider, cheaper enclosure; ``new`` is ``A_l`` where it is known.
    """
    at: dict[str, Any] = {"epsilon": epsilon, "own": sigma, "gap": gap, "ratio": A.sqrt(A.number(k))}
    d, forward = k - l if d is None else d, direction == "forward"
    return pair_stick(A, **at, l=l, d=d, j=j, forward=forward, bits=bits, new=new)


def forward(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, j: int) -> Any:
    """Forward hockey stick of (l, j), to nine digits."""
    return pair_delta(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction="forward", bits=_NINE_DIGITS)


def reverse(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, j: int) -> Any:
    """Reverse hockey stick of (l, j), to nine digits."""
    return pair_delta(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, j=j, direction="reverse", bits=_NINE_DIGITS)


CLAIMS = (
    own(
        "csh.exact.pair", "Section 8 (open problem)", "exact delta of one pair of neighbours",
        r"\delta_{l,j}^{\to}(\epsilon) = A_l + \int \varphi(x) g(x) f(\mu_1, \epsilon - L_2(x) - \ln g(x))dx",
        DeltaBound(
            pair_delta, pairs=replace(PAIR, direction="direction"), proof=Integrated(), oracle=pair_delta_by_definition,
            oracle_points=points(
                "epsilon k sigma gap l j direction", ("0.3", 3, 2, 3, 1, 1, "forward"),
                ("0.1", 4, 2, 4, 1, 2, "reverse"), ("0.3", 3, 2, 3, 1, 2, "reverse"), ("0.3", 3, 2, 3, 1, 0, "reverse"),
                ("0.3", 3, 2, 3, 2, 1, "forward"),
            ),
        ),
        domain=Box(
            (EPSILON, replace(K, searched=(1, 64)), SIGMA, GAP, L, J, DIRECTION), lambda *, k, l, j, **_: l + j <= k,
            "l + j <= k",
        ),
        points=points(
            "epsilon k sigma gap l j direction", (0, 6, 100000, 564930, 3, 2, "forward"),
            (Fraction(3, 10), 3, 2, 3, 1, 2, "reverse"),
        ),
    ),
)  # fmt: skip
