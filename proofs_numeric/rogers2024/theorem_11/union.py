"""Theorem 11, proof item 1: the union bound over items and rounds, each with its own number of noises."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *

L, digits, share, q, x, u = symbols("L digits share q x u")
_ZERO = lift(0)
_quantile = quantile_complement(delta / (delta_0 * L))
noises = 1 + share * (digits - 1)
"""From 1 to the number of digits."""
_steps = delta_0 * L
"""Items times rounds."""
_tail_gap = Phi(-q) - Phi(-q - x)
_NOT_NEGATIVE = Substitute(
    Box((Parameter("u", "", upper=1, open_upper=True),)), {"u": 1 - 2 * delta / (delta_0 * L)},
    Derivative("u", "lower"), zero, quantile_complement((1 - u) / 2),
)  # fmt: skip
"""The quantile, where delta is at most half of items times rounds."""


def crossing(*, more: int = 0, offset: Expression = _ZERO, one_round: bool = False) -> Tactic:
    """Fewer noises cross the less: ``D_0 L Phi(-lead/sqrt(n)) <= delta``, n from 1 to ``digits``.

    The lead is ``sqrt(digits + more) q`` and as much as makes ``offset``, q the quantile of ``delta/(D_0 L)``;
    ``one_round``: where q may be negative, as there is only one.
    """
    most, root = digits + more, sqrt(noises)
    fewer, per_roots = (digits - 1) * (1 - share) + more, 1 / (root * (sqrt(most) + root))
    ahead = sqrt(most) / root * _quantile + offset - _quantile  # in units of the noises' own
    gains = per_roots * fewer * _quantile, product_of(per_roots, fewer, (_quantile, _NOT_NEGATIVE))
    above = sum_of(gains, offset)
    falls = Substitute(
        Box((Parameter("q", "", lower="-infinity"), Parameter("x", ""))), {"q": _quantile, "x": ahead},
        Derivative("x", "lower"), zero, _tail_gap,
        ranges={"x": Split("digits", 1, Sign(), above) if one_round else above},
    )  # fmt: skip
    gap = _tail_gap(q=_quantile, x=ahead), falls
    return Through(_steps * Phi(-_quantile), product_of(_steps, gap), Symbolic())
