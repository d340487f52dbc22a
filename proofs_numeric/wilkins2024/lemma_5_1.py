"""Lemma 5.1 and appendix A.1: the loss of rows at the threshold, exactly; F is the event that one of them appears."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.statements.profiles import AtThreshold, SparseRows
from proofs_numeric.wilkins2024.algorithm_1 import chance
from proofs_numeric.wilkins2024.finite import RATIOS, FiniteLaw, joint, law_pairs, loss_difference, loss_law
from proofs_numeric.wilkins2024.outcomes import BY_ROWS_BACKWARD, BY_ROWS_FORWARD, RATIO, ROWS_BACKWARD, ROWS_FORWARD
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import a_equal, delta_infinite, loss_rate

# A row at tau appears with probability 1 - p with the user and never without; what it then shows does not matter.
_Equal = tuple[Fraction, int]
_EqualAt = tuple[Fraction, int, Fraction]


def equal_rows(p: Fraction, rows: int) -> tuple[FiniteLaw, FiniteLaw]:
    """Laws of which of ``rows`` rows at tau appear: with the user, without."""
    present: FiniteLaw = {"hidden": p, "released": 1 - p}
    absent: FiniteLaw = {"hidden": Fraction(1)}
    return joint(*[present] * rows), joint(*[absent] * rows)


def _equal_cases(size: int) -> Iterator[_Equal]:
    yield from product([Fraction(n, size) for n in range(1, size)], range(5))


def _equal_cases_at(size: int) -> Iterator[_EqualAt]:
    for p, rows in _equal_cases(size):
        ties = (p**-rows, p ** (1 - rows) if rows else Fraction(4, 3))
        for ratio in {*(r for r in RATIOS if r >= 1), *(r for r in ties if r >= 1)}:
            yield p, rows, ratio


def presence_loss(case: _Equal) -> bool:
    """``L_+^=`` is infinite with probability ``1 - p^a`` and ``a log p`` else."""
    p, rows = case
    beta = p**rows
    expected = {beta: beta} if rows == 0 else {beta: beta, "infinity": 1 - beta}
    return loss_law(*equal_rows(p, rows)) == expected


def absence_loss(case: _Equal) -> bool:
    """``L_-^= = -a log p >= 0`` with probability one."""
    p, rows = case
    with_user, without = equal_rows(p, rows)
    return loss_law(without, with_user) == {p**-rows: Fraction(1)}


def _rows_appear(case: _EqualAt, left: Fraction, appears: Fraction) -> Instance:
    p, rows, ratio = case
    steps = ({"hidden": p},) * rows
    return Instance({"ratio": lift(ratio)}, steps, left, Fraction(0), {"silent": p**rows, "appears": appears})


def forward_rows(case: _EqualAt) -> Iterator[Instance]:
    """How far the forward difference is from ``1 - p^a``, and the probability that a row appears."""
    p, rows, ratio = case
    with_user, without = equal_rows(p, rows)
    appears = sum((mass for outcome, mass in with_user.items() if outcome not in without), Fraction(0))
    yield _rows_appear(case, abs(loss_difference(with_user, without, ratio) - (1 - p**rows)), appears)


def backward_rows(case: _EqualAt) -> Iterator[Instance]:
    """How far the backward difference is from the printed one, and what outcomes with a row add to it."""
    p, rows, ratio = case
    with_user, without = equal_rows(p, rows)
    excesses = (max(Fraction(0), -ratio * mass) for outcome, mass in with_user.items() if outcome not in without)
    printed_one = max(Fraction(0), 1 - ratio * p**rows)
    left = abs(loss_difference(without, with_user, ratio) - printed_one)
    yield _rows_appear(case, left, sum(excesses, Fraction(0)))


forward_difference, backward_difference = Instances(forward_rows), Instances(backward_rows)

lower_loss = a_equal * loss_rate
"""``L_-^= = -a log p``."""
_silence = -expm1(epsilon - lower_loss)


def delta_of_equal_rows_by_definition(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number
) -> Number:
    """Largest hockey stick over ``a <= C_u`` and both orders of the laws (p^a, 1 - p^a) and (1, 0)."""
    p = normal_cdf(A, A.number(gap) / A.number(sigma))
    ratio, zero = A.exp(A.number(epsilon)), A.number(0)
    sticks = []
    for a in range(c_u + 1):
        with_user, without = (p**a, 1 - p**a), (A.number(1), zero)
        for one, other in ((with_user, without), (without, with_user)):
            sticks.append(A.sum(A.maximum(zero, x - ratio * y) for x, y in zip(one, other, strict=True)))
    return A.maximum(*sticks)


# --- Lemma 5.2 --------------------------------------------------------------------------------------------------------
Mixed = tuple[Fraction, int, FiniteLaw, FiniteLaw, Fraction]
"""See `mixed_cases`."""


def mixed_cases(size: int) -> Iterator[Mixed]:
    """Two laws of rows above, a ratio, and p with the number of rows at tau beside them."""
    for (left, right, ratio), (p, rows) in product(
        law_pairs(3, size), ((Fraction(2, 3), 1), (Fraction(1, 2), 2), (Fraction(3, 4), 0), (Fraction(1, 3), 1))
    ):
        yield p, rows, left, right, ratio


_SETTINGS: Mapping[str, Value] = {"c_u": 4, "sigma": "1.5", "gap": 3, "mu_o": 0, "tau": 3}
_WITH_USER = {"k0": 3, "k1": 3, "k2": 200, "k3": 200}
_WITHOUT = {key: count - 1 for key, count in _WITH_USER.items()}
_AT_TAU = ("k0", "k1")
_EVENT = "Two rows at tau = 3 beside two rows of 200; sigma = 1.5, tau* = 6."
_EQUAL_COVERED = sizes(5, 12, 40), "p in multiples of 1/size, a <= 4, e^epsilon at and between ties; size"
_MIXED_COVERED = sizes(3, 4, 8), "rows above tau with laws on three outcomes, a <= 2; denominator"


def exact_loss(
    row: str,
    title: str,
    statement: str,
    cases: Any,
    holds: Any,
    every: Recurrence | None = None,
    proof: Tactic | None = None,
    domain: tuple[Parameter, ...] = (),
    note: str = "",
) -> Claim:
    """Return a claim about the losses of rows at tau (or beside rows above), decided on all small exact cases.

    ``every`` says it of all, by ``proof``.
    """
    locator = {"A1": "Appendix A.1", "le": row[:6].replace("lem", "Lemma "), "A.": "Appendix A.2"}[row[:2]]
    kind = FiniteStatement(cases, holds, *(_MIXED_COVERED if cases is mixed_cases else _EQUAL_COVERED), every=every)
    number = "three" if every is None else "finitely many"
    left_out = f"rows above tau with laws on {number} outcomes; normal noise is left out"
    partial = left_out if cases is mixed_cases else ""
    return stated(row, locator, title, statement, kind, proof=proof, domain=domain, note=note, partial=partial)


CLAIMS = (
    chance(
        "A1.F", "Appendix A.1", "A row at tau appears with the user with probability 1 - p^a",
        r"P_{M(X)}(F_j) = 1 - \Phi((\tau^*-\tau)/\sigma)^{a_=}", (_SETTINGS, _WITH_USER, _AT_TAU),
        delta_infinite(c_u=2, sigma="3/2", gap=3), _EVENT,
    ),
    chance(
        "A1.F.without", "Appendix A.1", "Without the user no row at tau appears", r"P_{M(X_{-j})}(F_j) = 0",
        (_SETTINGS, _WITHOUT, _AT_TAU), lift(0), _EVENT,
    ),
    exact_loss(
        "A1.Lplus", "Loss of rows at tau, user present",
        r"L_+^= = \infty \text{ w.p. } 1 - p^a, \quad a \log p \text{ w.p. } p^a", _equal_cases, presence_loss,
    ),
    exact_loss(
        "A1.Lminus", "Loss of rows at tau, user absent", r"L_-^= = -a \log p \ge 0 \text{ w.p. } 1", _equal_cases,
        absence_loss, note="Printed with > 0, which fails without rows at tau (A1.Lminus.positive).",
    ),
    refuted(
        "A1.Lminus.positive", "Appendix A.1", "The loss of rows at tau is positive without the user",
        r"-a_= \log \Phi((\tau^*-\tau)/\sigma) > 0", lower_loss > 0, by="A1.Lminus", domain=(A_EQUAL, SIGMA, GAP),
        note="Zero, not positive, when a_= = 0.",
    ),
    stated(
        "lem5.1", "Lemma 5.1", "Exact delta without rows above tau",
        r"a_+ = 0: \ (5.3) \iff 1 - \Phi((\tau^*-\tau)/\sigma)^{C_u} \le \delta",
        DeltaBound(
            delta_infinite, oracle=delta_of_equal_rows_by_definition,
            oracle_points=points(
                "epsilon c_u sigma gap", (0, 1, 1, 2), (1, 7, 2, -1), ("1e-3", 40, "1.5", 9), (700, 3, 1, 5),
            ),
            pairs=SparseRows(c_u, loss_rate),
        ),
        equation="5.4", proof=AtThreshold(Symbolic(), attained=Symbolic()), domain=(EPSILON, C_U, SIGMA, GAP),
        falls=("epsilon", "gap"), rises=("c_u",), points=points("epsilon c_u sigma gap", (0, 51914, 2228, 13947)),
        assumptions=("tau is an integer, at least 1",),
    ),
    exact_loss(
        "lem5.1.fwd", "Forward difference of rows at tau",
        r"P(L_+^= \ge \varepsilon) - e^\varepsilon P(L_-^= \le -\varepsilon) = 1 - p^a", _equal_cases_at,
        forward_difference, ROWS_FORWARD, BY_ROWS_FORWARD, (replace(RATIO, lower=1, open_lower=False),),
        "Printed for epsilon > 0; holds at epsilon = 0 too.",
    ),
    exact_loss(
        "lem5.1.bwd", "Backward difference of rows at tau",
        r"P(L_-^= \ge \varepsilon) - e^\varepsilon P(L_+^= \le -\varepsilon) = (1 - e^\varepsilon p^a)"
        r"\mathbf 1[\varepsilon \le -a \log p]",
        _equal_cases_at, backward_difference, ROWS_BACKWARD, BY_ROWS_BACKWARD, (RATIO,),
    ),
    stated(
        "lem5.1.max", "Lemma 5.1, proof", "Presence against absence is the worse order",
        r"\max(0, 1 - e^\varepsilon p^a) \le 1 - p^a", maximum(0, _silence) <= delta_infinite(c_u=a_equal),
        proof=largest_of(lift(0), _silence), domain=(EPSILON, A_EQUAL, SIGMA, GAP),
        points=points("epsilon a_equal sigma gap", ("1/2", 1, 1, 0), ("1e-3", 3, 10, 30)),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
"""Claims of Lemma 5.1 and appendix A.1."""
