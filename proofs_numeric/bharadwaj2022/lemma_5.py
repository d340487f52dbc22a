"""Lemma 5: the probability that an item is omitted."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import P_S, TAU, own, refuted, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.tactics import Symbolic

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


def _mean_above_tau(*, W: Number, p_s: Number, tau: Number) -> bool:
    return bool(W * p_s > tau)


def _footnote(*, W: Number, m: Number, n: Number, tau: Number) -> bool:
    return bool(n >= W and m <= n and W * m > tau * n)


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
        Inequality(omission, omission_bound),
        domain=Box((W, P_S, TAU_100), _mean_above_tau, "W p_s > tau"),
        evaluates=omission_bound,
        points=({"W": 3, "p_s": "99/100", "tau": 2},),
        **_UPPER,
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
        domain=Box((replace(W, upper=1000), P_S, TAU_100), _mean_above_tau, "W p_s > tau"),
        note="Chernoff's bound is at most, not equal; at w = 100, tau = 20 it is 1.3e-14, the probability 6e-24.",
        quantity=QuantityKind.PROBABILITY,
        points=({"W": 1000, "p_s": "1/10", "tau": 20},),
    ),
)
