"""Theorem 11, proof item 1: the union bound over items and rounds, each with its own number of noises."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import normal_cdf, normal_quantile_complement
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.tactics import (
    Derivative,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)


def _quantile(A: Arithmetic, *, L: int, delta_0: Number, delta: Number, **_rest: Number) -> Any:
    return normal_quantile_complement(A, A.number(delta) / (delta_0 * L))


def noises(A: Arithmetic, *, digits: Number, share: Number, **_rest: Number) -> Any:
    """From 1 to the number of digits."""
    return 1 + A.number(share) * (digits - 1)


def _steps(A: Arithmetic, *, L: Number, delta_0: Number, **_rest: Any) -> Any:
    """Items times rounds."""
    return A.number(delta_0) * L


def _tail_gap(A: Arithmetic, *, q: Number, x: Number) -> Any:
    """``Phi(-q) - Phi(-q - x)``."""
    return normal_cdf(A, -A.number(q)) - normal_cdf(A, -A.number(q) - x)


def _tail_at_quantile(A: Arithmetic, **at: Any) -> Any:
    return _steps(A, **at) * normal_cdf(A, -_quantile(A, **at))


def _centred(A: Arithmetic, *, L: Number, delta_0: Number, delta: Number, **_rest: Any) -> Any:
    return 1 - 2 * A.number(delta) / (A.number(delta_0) * L)


_NOT_NEGATIVE = Substitute(
    Box((Parameter("u", "", upper=1, open_upper=True),)),
    {"u": _centred},
    Derivative("u", "lower"),
    zero,
    lambda A, *, u: normal_quantile_complement(A, (1 - A.number(u)) / 2),
)
"""The quantile, where delta is at most half of items times rounds."""


def crossing(*, more: int = 0, raised: Formula = zero, one_round: bool = False) -> Tactic:
    """Fewer noises cross the less: ``D_0 L Phi(-lead/sqrt(n)) <= delta``, n from 1 to ``digits``.

    The lead is ``sqrt(digits + more) q`` and as much as makes ``raised``, q the quantile of ``delta/(D_0 L)``;
    ``one_round``: where q may be negative, as there is only one.
    """

    def most(A: Arithmetic, *, digits: Number, **_rest: Any) -> Any:
        return A.number(digits) + more

    def fewer(A: Arithmetic, *, digits: Number, share: Number, **_rest: Any) -> Any:
        return (A.number(digits) - 1) * (1 - A.number(share)) + more

    def per_roots(A: Arithmetic, **at: Any) -> Any:
        root = A.sqrt(A.number(noises(A, **at)))
        return 1 / (root * (A.sqrt(A.number(most(A, **at))) + root))

    def gained(A: Arithmetic, **at: Any) -> Any:
        return per_roots(A, **at) * fewer(A, **at) * _quantile(A, **at)

    def ahead(A: Arithmetic, **at: Any) -> Any:
        """The lead in units of the noises' own, less q."""
        quantile, root = _quantile(A, **at), A.sqrt(A.number(noises(A, **at)))
        return A.sqrt(A.number(most(A, **at))) / root * quantile + raised(A, **at) - quantile

    gains = Part(gained, Product((Part(per_roots), Part(fewer), Part(_quantile, _NOT_NEGATIVE))))
    above = Sum((gains, Part(raised)))
    falls = Substitute(
        Box((Parameter("q", "", lower="-infinity"), Parameter("x", ""))),
        {"q": _quantile, "x": ahead},
        Derivative("x", "lower"),
        zero,
        _tail_gap,
        ranges={"x": Split("digits", 1, Sign(), above) if one_round else above},
    )
    gap = Part(lambda A, **at: _tail_gap(A, q=_quantile(A, **at), x=ahead(A, **at)), falls)
    return Through(_tail_at_quantile, Product((Part(_steps), gap)), Symbolic())
