"""Sections 2 and 3.1: who is a neighbour, and what the output shows."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import EPSILON_ALPHA_TAU, P, own, refuted, stated
from proofs_numeric.bharadwaj2022.theorem_2.exact_delta import output_law
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Definition, FiniteStatement, Identity, Inequality, Quantity
from proofs_numeric.statements.tactics import ByClaim, Derivative, Increasing, Part, Product, Substitute, Sum, Through

Small = tuple[tuple[int, int, int], int]


def small_histograms(size: int) -> Iterator[Small]:
    """Counts of three labels and tau."""
    size = min(size, 7)
    for counts in product(range(size), repeat=3):
        for tau in range(1, 4):
            yield counts, tau  # type: ignore[misc]


def strict_rule_is_next_tau(case: Small) -> bool:
    """Whether "more than tau" is "at least tau + 1", law by law."""
    counts, tau = case
    strict: dict[tuple[int, ...], Fraction] = {}
    for key, mass in output_law(counts, Fraction(1, 3), 1).items():
        kept = tuple(v if v > tau else 0 for v in key)
        strict[kept] = strict.get(kept, Fraction(0)) + mass
    return strict == output_law(counts, Fraction(1, 3), tau + 1)


W = Parameter("W", "clients that hold the item", unit="clients", lower=1, upper=2000, integer=True, log=True)


def overestimate(A: Arithmetic, *, W: int, p: Number, excess: Number = 0) -> Number:
    """``P[B / p > W (1 + excess)]`` for B ~ Bin(W, p)."""
    return cells.upper_tail(A, W, p, floor_of(A, W * A.number(p) * (1 + A.number(excess))) + 1)


def hoeffding(A: Arithmetic, *, W: int, p: Number, excess: Number) -> Number:
    """``exp(-2 W (p excess)^2)``: Hoeffding (1963, Theorem 1) for W draws in [0, 1] of mean p."""
    return A.exp(-2 * W * (A.number(p) * excess) ** 2)


def _tilt(_A: Arithmetic, *, p: Number, excess: Number, **_W: int) -> Number:
    """What the bound on Bernoulli's moments is best at."""
    return 4 * p * excess


def _moment(A: Arithmetic, p: Number, tilt: Number) -> Any:
    """``E e^(tilt B)``, B ~ Ber(p)."""
    return 1 + p * A.expm1(tilt)


def _share(A: Arithmetic, **at: Any) -> Any:
    return 1 - 1 / _moment(A, at["p"], _tilt(A, **at))


def _shown(A: Arithmetic, *, W: int, p: Number, excess: Number) -> int:
    return floor_of(A, W * A.number(p) * (1 + A.number(excess))) + 1


def _log_tail_bound(A: Arithmetic, **at: Any) -> Any:
    tilt = _tilt(A, **at)
    return at["W"] * A.log(_moment(A, at["p"], tilt)) - tilt * _shown(A, **at)


def _moment_gap(A: Arithmetic, *, p: Number, tilt: Number) -> Any:
    """``p t + t^2/8 - log E e^(t B)``: Hoeffding's lemma."""
    return p * tilt + tilt * tilt / 8 - A.log(_moment(A, p, tilt))


def _bend(A: Arithmetic, *, p: Number, tilt: Number) -> Any:
    """The second derivative, ``((1 - 2 x)/2)^2`` at the tilted rate x."""
    return (A.number("1/2") - p * A.exp(tilt) / _moment(A, p, tilt)) ** 2


def _tail_bound(A: Arithmetic, **at: Any) -> Any:
    tilt = _tilt(A, **at)
    return _moment(A, at["p"], tilt) ** at["W"] * A.exp(-tilt * _shown(A, **at))


_HOEFFDING = Through(
    _tail_bound,
    ByClaim("bharadwaj2022.thm2.tail", {"s": _share, "k": lambda _A, *, W, **_rest: W, "tau": _shown}),
    Increasing(
        "exp",
        _log_tail_bound,
        lambda A, *, W, p, excess: -2 * W * (A.number(p) * excess) ** 2,
        Sum(
            (
                Part(lambda A, **at: _tilt(A, **at) * (_shown(A, **at) - at["W"] * at["p"] * (1 + at["excess"]))),
                Part(
                    lambda A, **at: at["W"] * _moment_gap(A, p=at["p"], tilt=_tilt(A, **at)),
                    Product(
                        (
                            Part(lambda A, *, W, **_rest: A.number(W)),
                            Part(
                                lambda A, **at: _moment_gap(A, p=at["p"], tilt=_tilt(A, **at)),
                                Substitute(
                                    Box((P, Parameter("tilt", "", upper="infinity"))),
                                    {"tilt": _tilt},
                                    Derivative("tilt", "lower", Derivative("tilt", "lower", Product((Part(_bend),)))),
                                    zero,
                                    _moment_gap,
                                ),
                            ),
                        )
                    ),
                ),
            )
        ),
    ),
)


def relative_bias(A: Arithmetic, *, W: int, p: Number, tau: int) -> Number:
    """``E[B 1{B >= tau}]/(p W) - 1 = -P[Bin(W - 1, p) < tau - 1]``."""
    return -cells.lower_tail(A, W - 1, p, tau - 2)


def _replaced(pair: tuple[dict[str, int], dict[str, int]]) -> bool:
    left, right = pair
    changes = sorted(d for key in set(left) | set(right) if (d := left.get(key, 0) - right.get(key, 0)))
    return changes == [-1, 1]


CLAIMS = (
    stated(
        "pre.dp",
        "Section 2, (1)",
        "Neighbours differ in the value of one client: one count down, one up",
        r"D\sim D'\iff\text{one individual's value is replaced}",
        Definition(
            _replaced,
            (({"a": 3, "b": 1}, {"a": 2, "b": 2}), ({"a": 1}, {"b": 1})),
            (({"a": 3}, {"a": 2}), ({"a": 3}, {"a": 3}), ({"a": 3, "b": 1}, {"a": 1, "b": 3})),
        ),
        note="The paper's proofs change one cell only (add/remove): see thm2.repl.",
    ),
    refuted(
        "pre.over",
        "Abstract",
        "Frequencies are never overestimated",
        r"\Pr[v/p>W]\le0",
        Inequality(overestimate, lambda A, *, W, p: A.number(0)),
        by="pre.over.corrected",
        domain=Box((W, P)),
        note="The estimate v/p exceeds W with probability 0.473 at W = 1000, p = 0.1.",
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "pre.over.corrected",
        "Abstract",
        "An overestimate by a share of the count is as rare as Hoeffding says",
        r"\Pr[v/p>W(1+x)]\le e^{-2Wp^2x^2}",
        Inequality(overestimate, hoeffding, proof=_HOEFFDING),
        domain=Box((W, P, Parameter("excess", "overestimate as a share of W", lower=0, upper=10))),
        points=tuple({"W": 1000, "p": "1/10", "excess": x} for x in (0, "1/10", "1/2")),
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "pre.unbias",
        "Section 3.3",
        "Nearly unbiased well above tau: relative bias -4.3e-5 at W = 400, p = 0.1, tau = 20",
        r"E[v1\{v\ge\tau\}]/(pW)-1",
        Quantity(lambda A: relative_bias(A, W=400, p=A.number("1/10"), tau=20), "-4.3e-5"),
        note="At W = 200 the bias is -38%. The number is ours: the paper prints none.",
    ),
    refuted(
        "pre.semantics",
        "Sections 3.1 and 4.1",
        '"At least tau" and "more than tau" are the same rule',
        r"\delta_{\ge\tau}=\delta_{>\tau}",
        Identity(
            cells.tight, lambda A, *, epsilon, alpha, tau: cells.tight(A, epsilon=epsilon, alpha=alpha, tau=tau + 1)
        ),
        by="pre.semantics.corrected",
        domain=EPSILON_ALPHA_TAU,
        note="Sections 2 to 3.2 say at least, Section 4.1, Lemma 5 and the proof of Theorem 2 say more than.",
    ),
    own(
        "pre.semantics.corrected",
        "Sections 3.1 and 4.1",
        '"More than tau" is "at least tau + 1"',
        r"v>\tau\iff v\ge\tau+1",
        FiniteStatement(small_histograms, strict_rule_is_next_tau, {"quick": 3, "standard": 4, "deep": 6}, "count"),
    ),
)
