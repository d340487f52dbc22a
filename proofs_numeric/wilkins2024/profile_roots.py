"""Proofs about the roots of the Gaussian profile f: that f is delta at them, as it is on either side at the ends.

With ``z = Phi^-1(1 - delta)`` the least epsilon is looked for up to ``max(0, mu (mu/2 + z))``, and the largest distance
between ``max(2 delta, 2 epsilon/(1 + |z| + sqrt(z^2 + 2 epsilon)))`` and ``w + sqrt(w^2 + 2 epsilon)``,
``Phi(-w) = (1 - delta)/6``.
"""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.tactics import (
    ByClaim,
    Cases,
    Derivative,
    Given,
    Increasing,
    Maximum,
    Part,
    Product,
    Rewrite,
    Root,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)


def target(A: Arithmetic, *, delta: Number, **_rest: Any) -> Number:
    """``delta``."""
    return A.number(delta)


def _quantile(A: Arithmetic, *, delta: Number, **_rest: Any) -> Any:
    return normal_quantile_complement(A, A.number(delta))


def _minus_quantile(A: Arithmetic, **at: Any) -> Any:
    return -_quantile(A, **at)


def _cdf(x: Formula) -> Formula:
    return lambda A, **at: normal_cdf(A, x(A, **at))


def least_epsilon_at(mu: Formula, proof: Tactic) -> Root:
    """`gaussian_epsilon` at ``delta`` and the distance ``mu``, as ``root``: ``f(mu, root) <= delta``.

    At its upper end f is at most ``Phi(mu/2 - epsilon/mu)``, which is at most delta.
    """

    def excess(A: Arithmetic, **at: Any) -> Any:
        m = mu(A, **at)
        return m / 2 - A.maximum(0, m * (m / 2 + _quantile(A, **at))) / m

    at_root = {"epsilon": lambda _A, *, root, **_rest: root, "mu": mu}
    return Root(
        Parameter("root", "least epsilon"),
        lambda A, *, root, **at: gaussian_profile(A, A.number(root), mu(A, **at)),
        target,
        proof,
        above=Through(
            _cdf(excess), second=Rewrite(Increasing("normal_cdf", excess, _minus_quantile), right=_cdf(_minus_quantile))
        ),
        positive=(ByClaim("wilkins2024.thm2.2.positive", at_root), Sign()),
    )


# --- the largest distance ---------------------------------------------------------------------------------------------


def _hypotenuse(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    return A.sqrt(_quantile(A, **at) ** 2 + 2 * A.number(epsilon))


def _size(A: Arithmetic, **at: Any) -> Any:
    return A.maximum(_quantile(A, **at), -_quantile(A, **at))


def _small(A: Arithmetic, *, delta: Number, **_rest: Any) -> Number:
    return 2 * A.number(delta)


def _large(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    return 2 * A.number(epsilon) / (1 + _size(A, **at) + _hypotenuse(A, epsilon=epsilon, **at))


def _least_distance(A: Arithmetic, **at: Any) -> Any:
    return A.maximum(_small(A, **at), _large(A, **at))


def _profile_of(mu: Formula) -> Formula:
    return lambda A, *, epsilon, **at: gaussian_profile(A, A.number(epsilon), mu(A, epsilon=epsilon, **at))


def _beyond(sign: int) -> Formula:
    """``sqrt(z^2 + 2 epsilon) - sign z``."""
    return lambda A, **at: _hypotenuse(A, **at) - sign * _quantile(A, **at)


def _beyond_proof(sign: int) -> Tactic:
    """That it is at least 0: at epsilon = 0 of a positive z, plainly of a negative one."""
    box = Box((Parameter("z", "", lower="-infinity"), Parameter("epsilon", "")))

    def gap(A: Arithmetic, *, z: Number, epsilon: Number) -> Any:
        return A.sqrt(A.number(z) ** 2 + 2 * A.number(epsilon)) - sign * A.number(z)

    grows = Derivative("epsilon", "lower")
    halves = (Sign(), grows) if sign > 0 else (grows, Sign())
    return Substitute(box, {"z": _quantile}, Split("z", 0, *halves), zero, gap)


def _lead(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    """``mu/2 - epsilon/mu`` at the least distance."""
    mu = _least_distance(A, epsilon=epsilon, **at)
    return mu / 2 - A.number(epsilon) / mu


def _half_inverse(A: Arithmetic, **at: Any) -> Any:
    return 1 / (2 * _least_distance(A, **at))


def _short(A: Arithmetic, **at: Any) -> Any:
    """``sqrt(z^2 + 2 epsilon) - z - mu``."""
    return _beyond(1)(A, **at) - _least_distance(A, **at)


def _long(A: Arithmetic, **at: Any) -> Any:
    return _beyond(-1)(A, **at) + _least_distance(A, **at)


def _short_of_large(A: Arithmetic, **at: Any) -> Any:
    return _beyond(1)(A, **at) - _large(A, **at)


def _size_less(A: Arithmetic, **at: Any) -> Any:
    return 1 + _size(A, **at) - _quantile(A, **at)


def _per_sum(A: Arithmetic, **at: Any) -> Any:
    return 1 / (1 + _size(A, **at) + _hypotenuse(A, **at))


def _large_less(A: Arithmetic, **at: Any) -> Any:
    return _large(A, **at) - _least_distance(A, **at)


def _mode(A: Arithmetic, **_at: Any) -> Any:
    return 1 - 2 * normal_pdf(A, A.number(0))


def _off_mode(A: Arithmetic, *, delta: Number, **_rest: Any) -> Any:
    return 2 * (normal_pdf(A, A.number(0)) - normal_pdf(A, A.number(delta)))


_SMALL_IS_LARGER = Through(
    _profile_of(_small),
    ByClaim(
        "wilkins2024.thm2.2.mono",
        {"mu": _least_distance, "mu_2": _small},
        {"mu < mu_2": Maximum((Part(_small, Symbolic()), Part(_large, Given())))},
    ),
    Derivative("epsilon", "lower", at_end=Derivative("delta", "lower", Sum((Part(_mode), Part(_off_mode))))),
)
_LARGE_IS_LARGER = Through(
    _cdf(_lead),
    second=Rewrite(
        Increasing(
            "normal_cdf",
            _lead,
            _minus_quantile,
            Product(
                (
                    Part(_half_inverse),
                    Part(
                        _short,
                        Sum(
                            (
                                Part(
                                    _short_of_large,
                                    Product((Part(_beyond(1), _beyond_proof(1)), Part(_size_less), Part(_per_sum))),
                                ),
                                Part(_large_less, Maximum((Part(_small, Given()), Part(_large, Sign())), inside=True)),
                            )
                        ),
                    ),
                    Part(_long, Sum((Part(_beyond(-1), _beyond_proof(-1)), Part(_least_distance)))),
                )
            ),
        ),
        right=_cdf(_minus_quantile),
    ),
)
_BELOW = Cases(_large, _small, _SMALL_IS_LARGER, _LARGE_IS_LARGER)
"""Of f at the lower end of `gaussian_mu`, ``max(2 delta, 2 epsilon/(1 + |z| + sqrt(z^2 + 2 epsilon)))``."""


def _upper_quantile(A: Arithmetic, *, delta: Number, **_rest: Any) -> Any:
    return normal_quantile_complement(A, (1 - A.number(delta)) / 6)


def _slant(A: Arithmetic, *, w: Number, epsilon: Number) -> Any:
    return A.sqrt(A.number(w) ** 2 + 2 * A.number(epsilon))


def _two_tails_less(A: Arithmetic, *, w: Number, epsilon: Number) -> Any:
    return 1 - 2 * normal_cdf(A, -A.number(w))


def _at_upper(A: Arithmetic, *, w: Number, epsilon: Number) -> Any:
    return gaussian_profile(A, A.number(epsilon), w + _slant(A, w=w, epsilon=epsilon))


def _at_upper_split(A: Arithmetic, *, w: Number, epsilon: Number) -> Any:
    slant = _slant(A, w=w, epsilon=epsilon)
    return normal_cdf(A, A.number(w)) - A.exp(epsilon) * normal_cdf(A, -slant)


def _rate(A: Arithmetic, *, w: Number, epsilon: Number) -> Any:
    slant = _slant(A, w=w, epsilon=epsilon)
    return A.exp(epsilon) * normal_cdf(A, -slant) / slant


def _hazard(A: Arithmetic, *, w: Number, epsilon: Number) -> Any:
    slant = _slant(A, w=w, epsilon=epsilon)
    return normal_pdf(A, slant) / normal_cdf(A, -slant) - slant


_FALLING_TAIL = Product(
    (Part(_rate), Part(_hazard, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda A, **at: -_slant(A, **at)})))
)
_ABOVE = Through(
    lambda A, *, delta, **_rest: 1 - (1 - A.number(delta)) / 3,
    second=Substitute(
        Box((Parameter("w", "", open_lower=True), Parameter("epsilon", ""))),
        {"w": _upper_quantile},
        Rewrite(Derivative("epsilon", "lower", _FALLING_TAIL), right=_at_upper_split),
        _two_tails_less,
        _at_upper,
    ),
)
"""Of f at the upper end, where it is at least ``Phi(w) - Phi(-w)``, ``Phi(-w) = (1 - delta)/6``."""


def largest_distance(proof: Tactic) -> Root:
    """`gaussian_mu` at ``epsilon`` and ``delta``, ``e^root``: ``f(e^root, epsilon) = delta``."""

    def mu(A: Arithmetic, *, root: Number, **_rest: Any) -> Any:
        return A.exp(root)

    return Root(
        Parameter("root", "logarithm of the distance", lower="-infinity"),
        target,
        _profile_of(mu),
        proof,
        above=_ABOVE,
        below=_BELOW,
        positive=(Sign(), ByClaim("wilkins2024.thm2.2.positive", {"mu": mu})),
    )
