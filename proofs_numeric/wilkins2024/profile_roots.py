"""Proofs about the roots of the Gaussian profile f: that f is delta at them, as it is on either side at the ends.

With ``z = Phi^-1(1 - delta)`` the least epsilon is looked for up to ``max(0, mu (mu/2 + z))``, and the largest distance
between ``max(2 delta, 2 epsilon/(1 + |z| + sqrt(z^2 + 2 epsilon)))`` and ``w + sqrt(w^2 + 2 epsilon)``,
``Phi(-w) = (1 - delta)/6``.
"""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.parameters import *

root, w, z = symbols("root w z")
_quantile = quantile_complement(delta)


def least_epsilon_at(mu: Expression, proof: Tactic) -> Root:
    """`gaussian_epsilon` at ``delta`` and the distance ``mu``, as ``root``: ``f(mu, root) <= delta``.

    At its upper end f is at most ``Phi(mu/2 - epsilon/mu)``, which is at most delta.
    """
    excess = mu / 2 - maximum(0, mu * (mu / 2 + _quantile)) / mu
    return Root(
        Parameter("root", "least epsilon"), profile(root, mu), delta, proof,
        above=Through(Phi(excess), second=Rewrite(Increasing("normal_cdf", excess, -_quantile), right=Phi(-_quantile))),
        positive=(positive(epsilon=root, mu=mu), Sign()),
    )  # fmt: skip


# --- the largest distance ---------------------------------------------------------------------------------------------

_hypotenuse = sqrt(_quantile**2 + 2 * epsilon)
_size = maximum(_quantile, -_quantile)
_small, _large = 2 * delta, 2 * epsilon / (1 + _size + _hypotenuse)
_least_distance = maximum(_small, _large)


def _beyond(sign: int) -> tuple[Expression, Tactic]:
    """``sqrt(z^2 + 2 epsilon) - sign z`` is at least 0: at epsilon = 0 of a positive z, plainly of a negative one."""
    box = Box((Parameter("z", "", lower="-infinity"), Parameter("epsilon", "")))
    grows = Derivative("epsilon", "lower")
    proof = Split("z", 0, *((Sign(), grows) if sign > 0 else (grows, Sign())))
    beyond = sqrt(z**2 + 2 * epsilon) - sign * z
    return _hypotenuse - sign * _quantile, Substitute(box, {"z": _quantile}, proof, zero, beyond)


_lead = _least_distance / 2 - epsilon / _least_distance
"""``mu/2 - epsilon/mu`` at the least distance."""
_further, _nearer = _beyond(1), _beyond(-1)
_SMALL_IS_LARGER = Through(
    profile(epsilon, _small),
    ByClaim(
        "wilkins2024.thm2.2.mono", {"mu": _least_distance, "mu_2": _small},
        {"mu < mu_2": largest_of((_small, Symbolic()), (_large, Hypothesis()))},
    ),
    Derivative(
        "epsilon", "lower",
        at_end=Derivative("delta", "lower", sum_of(1 - 2 * phi(lift(0)), 2 * (phi(lift(0)) - phi(delta)))),
    ),
)  # fmt: skip
_SHORT = sum_of(
    (_further[0] - _large, product_of(_further, 1 + _size - _quantile, 1 / (1 + _size + _hypotenuse))),
    (_large - _least_distance, largest_of((_small, Hypothesis()), (_large, Sign()), inside=True)),
)  # fmt: skip
"""Of ``sqrt(z^2 + 2 epsilon) - z - mu``."""
_LARGE_IS_LARGER = Through(
    Phi(_lead),
    second=Rewrite(
        Increasing(
            "normal_cdf", _lead, -_quantile,
            product_of(
                1 / (2 * _least_distance), (_further[0] - _least_distance, _SHORT),
                (_nearer[0] + _least_distance, sum_of(_nearer, _least_distance)),
            ),
        ),
        right=Phi(-_quantile),
    ),
)  # fmt: skip
_BELOW = Cases(_large, _small, _SMALL_IS_LARGER, _LARGE_IS_LARGER)
"""Of f at the lower end of `gaussian_mu`, ``max(2 delta, 2 epsilon/(1 + |z| + sqrt(z^2 + 2 epsilon)))``."""
_slant = sqrt(w**2 + 2 * epsilon)
_FALLING_TAIL = product_of(
    exp(epsilon) * Phi(-_slant) / _slant,
    (phi(_slant) / Phi(-_slant) - _slant, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": -_slant})),
)
_ABOVE = Through(
    1 - (1 - delta) / 3,
    second=Substitute(
        Box((Parameter("w", "", open_lower=True), Parameter("epsilon", ""))),
        {"w": quantile_complement((1 - delta) / 6)},
        Rewrite(Derivative("epsilon", "lower", _FALLING_TAIL), right=Phi(w) - exp(epsilon) * Phi(-_slant)),
        1 - 2 * Phi(-w), profile(epsilon, w + _slant),
    ),
)  # fmt: skip
"""Of f at the upper end, where it is at least ``Phi(w) - Phi(-w)``, ``Phi(-w) = (1 - delta)/6``."""


def largest_distance(proof: Tactic) -> Root:
    """`gaussian_mu` at ``epsilon`` and ``delta``, ``e^root``: ``f(e^root, epsilon) = delta``."""
    return Root(
        Parameter("root", "logarithm of the distance", lower="-infinity"), delta, profile(epsilon, exp(root)), proof,
        above=_ABOVE, below=_BELOW, positive=(Sign(), positive(mu=exp(root))),
    )  # fmt: skip
