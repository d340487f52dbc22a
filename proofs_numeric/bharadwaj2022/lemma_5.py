"""Lemma 5: the probability that an item is omitted."""

import math
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import ANY_K, ANY_TAU, P_S, TAU, P, own, refuted, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import AtMost, Identity, Inequality, Relation
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Given,
    Increasing,
    Induction,
    Part,
    Product,
    Sign,
    Substitute,
    Sum,
    Symbolic,
    Through,
)

W = Parameter("W", "clients that hold the item", unit="clients", lower=1, upper=10_000, integer=True, log=True)
M = Parameter("m", "expected sample size", unit="clients", lower=1, upper=10**9, integer=True, log=True)
N = Parameter("n", "clients", unit="clients", lower=10_000, upper=10**8, integer=True, log=True)
_UPPER: dict[str, Any] = {"quantity": QuantityKind.PROBABILITY, "role": Role.UPPER}
TAU_100 = replace(TAU, upper=100)


def omission_bound(A: Arithmetic, *, W: int, p_s: Number, tau: int) -> Number:
    """``exp(-(w - tau)^2/(2 w))``, w = W p_s (Lemma 5)."""
    w = W * p_s
    return A.exp(-(w - tau) * (w - tau) / (2 * w))


def omission(A: Arithmetic, *, W: int, p_s: Number, tau: int) -> Number:
    """Exact probability that the item is not shown, ``P[Bin(W, p_s) < tau]``."""
    return cells.lower_tail(A, W, p_s, tau - 1)


def omission_with_tau(A: Arithmetic, *, W: int, p_s: Number, tau: int) -> Number:
    """``P[Bin(W, p_s) <= tau]``, as the proof writes it."""
    return cells.lower_tail(A, W, p_s, tau)


def omission_bound_as_printed(A: Arithmetic, *, W: int, m: int, n: int, tau: int) -> Number:
    """``exp(-(W m/n - tau)^2 n/(2 W m))``."""
    mean = A.number(W) * m / n
    return A.exp(-(mean - tau) * (mean - tau) * n / (2 * A.number(W) * m))


def _in_terms_of_w(A: Arithmetic, *, W: int, m: int, n: int, tau: int) -> Number:
    return omission_bound(A, W=W, p_s=A.number(m) / n, tau=tau)


def omission_with_replacement(A: Arithmetic, *, W: int, m: int, n: int, tau: int) -> Number:
    """``P[Bin(m, W/n) <= tau]``: the footnote's sampling with replacement."""
    return cells.lower_tail(A, m, A.number(W) / n, tau)


# --- Chernoff's bound -------------------------------------------------------------------------------------------------

FALL = Parameter("fall", "by how much the mean is tilted down, relatively", upper=1, open_upper=True)


def _tilted_rate(A: Arithmetic, *, p: Number, fall: Number, **_counts: int) -> Any:
    return A.number(p) * (1 - A.number(fall))


def _below(A: Arithmetic, *, p: Number, k: int, tau: int, fall: Number) -> Any:
    del fall
    return cells.lower_tail(A, k, p, tau - 1)


def _tilted(A: Arithmetic, *, p: Number, k: int, tau: int, fall: Number) -> Any:
    return cells.lower_tail(A, k, _tilted_rate(A, p=p, fall=fall), tau - 1)


def _by_rates(A: Arithmetic, *, p: Number, k: int, tau: int, fall: Number) -> Any:
    """``(p/x)^(t - 1) ((1 - p)/(1 - x))^(k - t + 1)``, t = tau, x = (1 - fall) p."""
    missed = (1 - A.number(p)) / (1 - _tilted_rate(A, p=p, fall=fall))
    return (1 - A.number(fall)) ** (1 - tau) * missed ** (k - tau + 1)


def _next_odds(A: Arithmetic, *, p: Number, fall: Number, **_rest: Any) -> Any:
    return A.number(fall) / ((1 - A.number(fall)) * (1 - A.number(p)))


_CHERNOFF_BELOW = Through(
    lambda A, **at: _by_rates(A, **at) * _tilted(A, **at),
    Induction(
        "tau",
        Product(
            (
                Part(_by_rates),
                Part(_next_odds),
                Part(_tilted, ByClaim("bharadwaj2022.thm2.tail", {"p": _tilted_rate, "s": zero})),
            )
        ),
        base=Symbolic(),
    ),
    Product((Part(_by_rates), Part(lambda A, **at: 1 - _tilted(A, **at)))),
)
"""One count more has the tilted chance with its weight, which grows with the count."""


def tail_below(A: Arithmetic, *, p: Number, k: int, tau: int, fall: Number) -> Any:
    """``(1 - p g)^k (1 - g)^(1 - t)``, g = fall, t = tau: Chernoff's bound of a lower tail."""
    return (1 - A.number(p) * fall) ** k * (1 - A.number(fall)) ** (1 - tau)


def _tilt(A: Arithmetic, *, p: Number, fall: Number, **_counts: int) -> Any:
    """To the rate ``p (1 - g)/(1 - p g)``."""
    return (1 - A.number(p)) * fall / (1 - A.number(p) * fall)


_TAIL = Box((P, replace(ANY_K, lower=0), replace(ANY_TAU, lower=0), FALL))


def below_share_of_mean(A: Arithmetic, *, p: Number, k: int, fall: Number, less: int) -> Any:
    """``P[Bin(k, p) <= (1 - g) k p - less]``, g = fall."""
    return cells.lower_tail(A, k, p, _share_of_mean(A, p=p, k=k, fall=fall) - less)


def _share_of_mean(A: Arithmetic, *, p: Number, k: int, fall: Number, **_less: int) -> int:
    return floor_of(A, (1 - A.number(fall)) * k * p)


def _first_above(A: Arithmetic, **at: Any) -> int:
    return _share_of_mean(A, **at) + 1


def _square_of_fall(A: Arithmetic, *, p: Number, k: int, fall: Number, **_less: int) -> Any:
    return -k * A.number(p) * fall**2 / 2


def _log_tail_below(A: Arithmetic, *, p: Number, k: int, fall: Number, **_less: int) -> Any:
    """``k log(1 - p g) - v log(1 - g)``, v the count."""
    v = _share_of_mean(A, p=p, k=k, fall=fall)
    return k * A.log1p(-A.number(p) * fall) - v * A.log1p(-A.number(fall))


_ABOVE_SHARE = Part(
    lambda A, *, p, k, fall, less: (1 - A.number(fall)) * k * p - _share_of_mean(A, p=p, k=k, fall=fall)
)
_LOG_OF_FALL = Part(lambda A, *, fall, **_rest: -A.log1p(-A.number(fall)))
_BELOW_TANGENT = Part(
    lambda A, *, p, fall, **_rest: -A.log1p(-A.number(p) * fall) - p * A.number(fall), Derivative("fall", "lower")
)
_BEYOND_SQUARE = Part(
    lambda A, *, fall, **_rest: below_mean(A, fall=fall) - A.number(fall) ** 2 / 2,
    ByClaim("bharadwaj2022.lem5.exponent"),
)


def product_of(*parts: Part) -> Part:
    """The product of the parts, as a part of a sum."""
    return Part(lambda A, **at: math.prod(part.formula(A, **at) for part in parts), Product(parts))


_MEAN = Part(lambda A, *, p, k, **_rest: A.number(p) * k)
_COPIES = Part(parameter_named("k"))
_BY_MEAN = Through(
    lambda A, **at: below_share_of_mean(A, **{**at, "less": 0}),
    Induction("less"),
    Through(
        lambda A, *, less, **at: tail_below(A, p=at["p"], k=at["k"], tau=_first_above(A, **at), fall=at["fall"]),
        ByClaim("bharadwaj2022.lem5.tail", {"tau": _first_above}),
        Increasing(
            "exp",
            _log_tail_below,
            _square_of_fall,
            Sum(
                (
                    product_of(_ABOVE_SHARE, _LOG_OF_FALL),
                    product_of(_COPIES, _BELOW_TANGENT),
                    product_of(_MEAN, _BEYOND_SQUARE),
                )
            ),
        ),
    ),
)


def below_mean(A: Arithmetic, *, fall: Number) -> Any:
    """``g + (1 - g) log(1 - g)``: what Chernoff's exponent is at least, a unit of the mean."""
    g = A.number(fall)
    return g + (1 - g) * A.log1p(-g)


def _tau(A: Arithmetic, *, tau: int, **_rest: Any) -> Any:
    return A.number(tau)


def _mean(A: Arithmetic, *, W: int, p_s: Number, **_tau: int) -> Any:
    return W * A.number(p_s)


def _footnote(*, W: Number, m: Number, n: Number, tau: Number) -> bool:
    return bool(n >= W and m <= n and W * m > tau * n)


def _fall_to_tau(A: Arithmetic, *, tau: int, **at: Any) -> Any:
    return 1 - tau / _mean(A, **at)


_BY_SHARE = ByClaim(
    "bharadwaj2022.lem5.below",
    {"p": parameter_named("p_s"), "k": lambda _A, *, W, **_rest: W, "fall": _fall_to_tau, "less": lambda _A, **_at: 1},
    {
        "fall": Product(
            (
                Part(lambda A, *, tau, **at: 1 / _mean(A, **at)),
                Part(lambda A, *, tau, **at: _mean(A, **at) - tau, Given()),
            )
        ),
        "fall <": Sign(),
    },
)


_LEMMA_5 = Box((W, P_S, TAU_100))

CLAIMS = (
    refuted(
        "lem5.stmt",
        "Lemma 5",
        "An item of count W is omitted with probability at most exp(-(w - tau)^2/(2w))",
        r"\exp(-(\tfrac{Wm}n-\tau)^2\tfrac{n}{2Wm})",
        Inequality(omission, omission_bound),
        by="lem5.stmt.corrected",
        domain=_LEMMA_5,
        evaluates=omission_bound,
        note="Needs w > tau; at W = 1, p = 0.1, tau = 20 the bound is e^-1980 and the truth 1.",
        **_UPPER,
    ),
    own(
        "lem5.stmt.corrected",
        "Lemma 5",
        "The bound holds for w > tau",
        r"w=Wp_s>\tau",
        Inequality(omission, omission_bound, proof=_BY_SHARE),
        domain=Box((W, P_S, TAU_100), AtMost(_tau, _mean, strict=True), "W p_s > tau"),
        evaluates=omission_bound,
        points=({"W": 3, "p_s": "99/100", "tau": 2},),
        **_UPPER,
    ),
    own(
        "lem5.tail",
        "Lemma 5",
        "Chernoff's bound of a lower tail, tilted to any smaller mean",
        r"\Pr[\mathrm{Bin}(k,p)<t]\le(1-pg)^k(1-g)^{1-t},\quad 0\le g<1",
        Inequality(_below, tail_below, proof=Substitute(_TAIL, {"fall": _tilt}, _CHERNOFF_BELOW, _below, _by_rates)),
        domain=_TAIL,
        **_UPPER,
    ),
    own(
        "lem5.below",
        "Lemma 5",
        "A binomial count falls below a share of its mean with probability at most exp(-g^2 w/2)",
        r"\Pr[\mathrm{Bin}(k,p)\le(1-g)kp]\le\exp(-g^2kp/2)",
        Inequality(below_share_of_mean, lambda A, **at: A.exp(_square_of_fall(A, **at)), proof=_BY_MEAN),
        domain=Box(
            (
                P,
                replace(ANY_K, lower=0),
                FALL,
                Parameter("less", "below the share of the mean", "clients", integer=True),
            )
        ),
        **_UPPER,
    ),
    own(
        "lem5.exponent",
        "Lemma 5",
        "Chernoff's exponent below the mean is at least a half of the squared relative fall",
        r"\tfrac{g^2}2\le g+(1-g)\ln(1-g)",
        Inequality(
            lambda A, *, fall: A.number(fall) ** 2 / 2,
            below_mean,
            proof=Derivative("fall", "lower", Derivative("fall", "lower")),
        ),
        domain=Box((FALL,)),
    ),
    stated(
        "lem5.alg",
        "Lemma 5",
        "The two forms of the bound",
        r"(\tfrac{Wm}n-\tau)^2\tfrac n{2Wm}=\tfrac{(w-\tau)^2}{2w}",
        Identity(omission_bound_as_printed, _in_terms_of_w, proof=Symbolic()),
        domain=Box((W, replace(M, upper=10**4), N, TAU_100)),
    ),
    stated(
        "lem5.foot",
        "Lemma 5, footnote",
        "The bound also covers Bin(m, W/n), sampling with replacement",
        r"\Pr[\mathrm{Bin}(m,W/n)\le\tau]\le\exp(-(w-\tau)^2/(2w))",
        Inequality(omission_with_replacement, omission_bound_as_printed),
        domain=Box((W, replace(M, upper=10**4), N, TAU_100), _footnote, "W <= n, m <= n, W m > tau n"),
        note="Neither kind of sampling is the mechanism's: its X is Bin(W, m/n). Chernoff covers all three.",
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "lem5.num",
        "Section 3.3",
        "exp(-32) < 1e-13 at w = 100, tau = 20",
        r"\exp(-32)<10^{-13}",
        Inequality(
            lambda A: omission_bound(A, W=1000, p_s=A.number("1/10"), tau=20),
            lambda A: A.number("1e-13"),
            Relation.LESS,
        ),
        loose="the exact probability is 1.08e-24",
    ),
    refuted(
        "lem5.equal",
        "Lemma 5, proof",
        "The proof's last line, with an equality",
        r"\Pr[X\le(1-\tfrac{w-\tau}w)\mathrm E X]=\exp(-\tfrac{(w-\tau)^2}{2w})",
        Identity(omission_with_tau, omission_bound),
        by="lem5.stmt.corrected",
        domain=Box((replace(W, upper=1000), P_S, TAU_100), AtMost(_tau, _mean, strict=True), "W p_s > tau"),
        note="Chernoff's bound is at most, not equal; at w = 100, tau = 20 it is 1.3e-14, the probability 6e-24.",
        quantity=QuantityKind.PROBABILITY,
        points=({"W": 1000, "p_s": "1/10", "tau": 20},),
    ),
)
