r"""Lemmas 5.1 to 5.3 and appendices A.1 and A.2: the loss of rows at the threshold and of rows above it.

Letters: ``p = Phi(gap/sigma)``, ``a`` = a_= rows at tau, ``beta = p^a``; F is the event that one of them appears.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement, Identity, Inequality, Law, Relation
from proofs_numeric.statements.proof import ByClaim, Proof, SymbolicIdentity
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.finite import (
    RATIOS,
    best_event,
    hockey_stick,
    joint,
    law_pairs,
    laws,
    loss_difference,
    loss_law,
    loss_sum,
    merged,
    merges,
)
from proofs_numeric.wilkins2024.finite import Law as FiniteLaw
from proofs_numeric.wilkins2024.mechanism import MECHANISM_ID, any_released
from proofs_numeric.wilkins2024.parameters import (
    A_EQUAL,
    A_PLUS,
    C_U,
    EPSILON,
    GAP,
    MU_O,
    SIGMA,
    TAU,
    TAU_STAR,
    ours,
    printed,
)
from proofs_numeric.wilkins2024.theorem_5_4 import delta_infinite, distance, loss_rate

# --- A.1: the rows at the threshold, exactly --------------------------------------------------------------------------
# A row at tau appears with probability 1 - p with the user and never without; what it then shows does not matter.

_Equal = tuple[Fraction, int]
_EqualAt = tuple[Fraction, int, Fraction]


def equal_rows(p: Fraction, rows: int) -> tuple[FiniteLaw, FiniteLaw]:
    """Laws of which of ``rows`` rows at tau appear: with the user, without."""
    present: FiniteLaw = {"hidden": p, "shown": 1 - p}
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


def forward_difference(case: _EqualAt) -> bool:
    """``P(L_+^= >= eps) - e^eps P(L_-^= <= -eps) = 1 - p^a`` for ``eps >= 0``."""
    p, rows, ratio = case
    return loss_difference(*equal_rows(p, rows), ratio) == 1 - p**rows


def backward_difference(case: _EqualAt) -> bool:
    """``P(L_-^= >= eps) - e^eps P(L_+^= <= -eps)`` as printed, in two cases."""
    p, rows, ratio = case
    with_user, without = equal_rows(p, rows)
    expected = 1 - ratio * p**rows if ratio <= p**-rows else Fraction(0)
    return loss_difference(without, with_user, ratio) == expected


# --- Lemma 5.1 --------------------------------------------------------------------------------------------------------


def forward_delta(A: Arithmetic, *, epsilon: Any, a_equal: Any, sigma: Any, gap: Any) -> Any:
    """``1 - p^a``, the user's presence against the absence."""
    return delta_infinite(A, c_u=A.number(a_equal), sigma=sigma, gap=gap)


def backward_delta(A: Arithmetic, *, epsilon: Any, a_equal: Any, sigma: Any, gap: Any) -> Any:
    """``max(0, 1 - e^epsilon p^a)``, the reverse."""
    loss = A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)
    return A.maximum(A.number(0), -A.expm1(A.number(epsilon) - loss))


def delta_of_equal_rows(A: Arithmetic, *, epsilon: Any, c_u: Any, sigma: Any, gap: Any) -> Any:
    """``1 - p^C_u`` of (5.4): exact delta over pairs without rows above tau; ``epsilon >= 0``."""
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)


def delta_of_equal_rows_by_definition(A: Arithmetic, *, epsilon: Any, c_u: int, sigma: Any, gap: Any) -> Any:
    """Largest hockey stick over ``a <= C_u`` and both orders of the laws (p^a, 1 - p^a) and (1, 0)."""
    p = normal_cdf(A, A.number(gap) / A.number(sigma))
    ratio, zero = A.exp(A.number(epsilon)), A.number(0)
    sticks = []
    for a in range(c_u + 1):
        with_user, without = (p**a, 1 - p**a), (A.number(1), zero)
        for one, other in ((with_user, without), (without, with_user)):
            sticks.append(A.sum(A.maximum(zero, x - ratio * y) for x, y in zip(one, other, strict=True)))
    return A.maximum(*sticks)


def _gained_backward(A: Arithmetic, *, epsilon: Any, loss: Any) -> Any:
    return (1 - A.exp(-loss)) - (1 - A.exp(epsilon - loss))


def _gain_factored(A: Arithmetic, *, epsilon: Any, loss: Any) -> Any:
    return A.exp(-loss) * (A.exp(epsilon) - 1)


def _more_rows(A: Arithmetic, *, loss: Any, more: Any) -> Any:
    return (1 - A.exp(-loss - more)) - (1 - A.exp(-loss))


def _more_rows_factored(A: Arithmetic, *, loss: Any, more: Any) -> Any:
    return A.exp(-loss) * (1 - A.exp(-more))


# --- Lemma 5.2 --------------------------------------------------------------------------------------------------------

_Mixed = tuple[Fraction, int, FiniteLaw, FiniteLaw, Fraction]


def _mixed_cases(size: int) -> Iterator[_Mixed]:
    for (left, right, ratio), (p, rows) in product(
        law_pairs(3, size), ((Fraction(2, 3), 1), (Fraction(1, 2), 2), (Fraction(3, 4), 0), (Fraction(1, 3), 1))
    ):
        yield p, rows, left, right, ratio


def mixed_forward(case: _Mixed) -> bool:
    """(5.5), first line: presence against absence, rows at tau beside rows with any laws."""
    p, rows, left, right, ratio = case
    with_user, without = equal_rows(p, rows)
    beta = p**rows
    whole = loss_difference(joint(with_user, left), joint(without, right), ratio)
    return whole == 1 - beta + beta * loss_difference(left, right, ratio / beta)


def mixed_backward(case: _Mixed) -> bool:
    """(5.5), second line: absence against presence."""
    p, rows, left, right, ratio = case
    with_user, without = equal_rows(p, rows)
    whole = loss_difference(joint(without, right), joint(with_user, left), ratio)
    return whole == loss_difference(right, left, ratio * p**rows)


def conditional_loss(case: _Mixed) -> bool:
    """(A.2): given that no row at tau appears, the losses move by ``a log p`` and by ``-a log p``."""
    p, rows, left, right, _ratio = case
    with_user, without = equal_rows(p, rows)
    hidden, beta = ("hidden",) * rows, p**rows

    def given_hidden(one: FiniteLaw, other: FiniteLaw) -> dict[Fraction | str, Fraction]:
        silent: FiniteLaw = {o: q for o, q in one.items() if isinstance(o, tuple) and o[0] == hidden}
        total = sum(silent.values(), Fraction(0))
        return {value: q / total for value, q in loss_law(silent, other).items()}

    one, other = joint(with_user, left), joint(without, right)
    forward = given_hidden(one, other) == loss_sum(loss_law(left, right), {beta: Fraction(1)})
    return forward and given_hidden(other, one) == loss_sum(loss_law(right, left), {1 / beta: Fraction(1)})


def epsilon_2(A: Arithmetic, *, epsilon: Any, a_equal: Any, sigma: Any, gap: Any) -> Any:
    """``eps_2 = eps - a log p``."""
    return A.number(epsilon) + A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)


def epsilon_3(A: Arithmetic, *, epsilon: Any, a_equal: Any, sigma: Any, tau: Any, tau_star: Any) -> Any:
    """``eps_3 = eps + a log Phi((tau* - tau)/sigma)``."""
    t = (A.number(tau_star) - A.number(tau)) / A.number(sigma)
    return A.number(epsilon) + A.number(a_equal) * log_normal_cdf(A, t)


def printed_epsilon_3(A: Arithmetic, *, epsilon: Any, a_equal: Any, sigma: Any, tau: Any, tau_star: Any) -> Any:
    """``eps + a log Phi(tau* - tau/sigma)``, as printed after (A.5)."""
    t = A.number(tau_star) - A.number(tau) / A.number(sigma)
    return A.number(epsilon) + A.number(a_equal) * log_normal_cdf(A, t)


def epsilon_3_by_law(A: Arithmetic, *, epsilon: Any, a_equal: Any, sigma: Any, tau: Any, tau_star: Any) -> Any:
    """``eps + log P_{M(X)}(no row at tau appears)``: each appears with probability ``Phi((tau - tau*)/sigma)``."""
    appears = normal_cdf(A, (A.number(tau) - A.number(tau_star)) / A.number(sigma))
    return A.number(epsilon) + A.number(a_equal) * A.log1p(-appears)


def _zero(A: Arithmetic, **_parameters: Any) -> Any:
    return A.number(0)


def lower_loss(A: Arithmetic, *, a_equal: Any, sigma: Any, gap: Any) -> Any:
    """``L_-^= = -a log p``."""
    return A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)


def _epsilon_2_of_loss(A: Arithmetic, *, epsilon: Any, loss: Any) -> Any:
    return (epsilon + loss) - epsilon


def _loss(A: Arithmetic, *, epsilon: Any, loss: Any) -> Any:
    return loss


# --- Lemma 5.3 --------------------------------------------------------------------------------------------------------


def printed_distance(A: Arithmetic, *, a_plus: Any, sigma: Any, mu_o: Any) -> Any:
    """``mu(a_+) = sqrt(a_+/sigma^2 + a_+ mu_o^2)`` of (5.6)."""
    a_plus, sigma, mu_o = A.number(a_plus), A.number(sigma), A.number(mu_o)
    return A.sqrt(a_plus / (sigma * sigma) + a_plus * (mu_o * mu_o))


def scaled_distance(A: Arithmetic, *, a_plus: Any, sigma: Any, mu_o: Any) -> Any:
    """``sqrt(a_+) mu(1)``."""
    return distance(A, rows=a_plus, sigma=sigma, mu_o=mu_o)


# --- A.2.1: post-processing ----------------------------------------------------------------------------------------

_Merge = tuple[FiniteLaw, FiniteLaw, Fraction, tuple[int, ...]]


def _merge_cases(size: int) -> Iterator[_Merge]:
    yield from product(laws(4, size), laws(4, size), RATIOS, tuple(merges(4)))


def merging_lowers_the_difference(case: _Merge) -> bool:
    """(A.6) for a merge of outcomes: the loss difference does not grow, at any real epsilon."""
    left, right, ratio, blocks = case
    after = loss_difference(merged(left, blocks), merged(right, blocks), ratio)
    return after <= loss_difference(left, right, ratio)


def chain_of_a7(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """(A.7): on ``E`` the integrand is not negative, off ``E`` not positive, so that E is a best event."""
    left, right, ratio = case
    inside = {o for o, p in left.items() if p >= ratio * right[o]}
    terms = {o: p - ratio * right[o] for o, p in left.items()}
    signs = all((terms[o] >= 0) if o in inside else (terms[o] <= 0) for o in terms)
    return signs and best_event(left, right, ratio) == hockey_stick(left, right, ratio)


# --- claims -----------------------------------------------------------------------------------------------------------

_SETTINGS: Mapping[str, Value] = {"c_u": 4, "sigma": "1.5", "gap": 3, "mu_o": 0, "tau": 3}
_WITH_USER = {"k0": 3, "k1": 3, "k2": 200, "k3": 200}
_F = partial(any_released, ("k0", "k1"))
_P_TEXT = "p in multiples of 1/size, a <= 4, e^epsilon at and between ties; size"
_P_SIZES = {"quick": 5, "standard": 12, "deep": 40}
_MIXED_TEXT = "rows above tau with laws on three outcomes, a <= 2; denominator"
_MIXED_SIZES = {"quick": 3, "standard": 4, "deep": 8}
_EQUAL_BOX = Box((EPSILON, A_EQUAL, SIGMA, GAP))
_EPSILON_POSITIVE = replace(EPSILON, open_lower=True)
_TAU_BOX = Box((EPSILON, A_EQUAL, SIGMA, TAU, TAU_STAR))


def _event(where: str, title: str, statement: str, *, with_user: bool, probability: Any) -> Claim:
    histogram = _WITH_USER if with_user else {key: count - 1 for key, count in _WITH_USER.items()}
    return Claim(
        id=f"wilkins2024.A1.F{where}",
        source=printed("Appendix A.1"),
        title=title,
        statement=statement,
        kind=Law(MECHANISM_ID, _SETTINGS, histogram, _F, probability),
        quantity=QuantityKind.PROBABILITY,
        note="Two rows at tau = 3 beside two rows of 200; sigma = 1.5, tau* = 6.",
    )


def _exact_loss(where: str, title: str, statement: str, cases: Any, holds: Any, note: str = "") -> Claim:
    mixed = cases is _mixed_cases
    locator = {"A1": "Appendix A.1", "le": where[:6].replace("lem", "Lemma "), "A.": "Appendix A.2"}[where[:2]]
    return Claim(
        id=f"wilkins2024.{where}",
        source=printed(locator),
        title=title,
        statement=statement,
        kind=FiniteStatement(cases, holds, _MIXED_SIZES if mixed else _P_SIZES, _MIXED_TEXT if mixed else _P_TEXT),
        note=note,
    )


CLAIMS = (
    _event(
        "",
        "A row at tau appears with the user with probability 1 - p^a",
        r"P_{M(X)}(F_j) = 1 - \Phi((\tau^*-\tau)/\sigma)^{a_=}",
        with_user=True,
        probability=partial(delta_infinite, c_u=2, sigma=Fraction(3, 2), gap=3),
    ),
    _event(
        ".without",
        "Without the user no row at tau appears",
        r"P_{M(X_{-j})}(F_j) = 0",
        with_user=False,
        probability=_zero,
    ),
    _exact_loss(
        "A1.Lplus",
        "Loss of rows at tau, user present",
        r"L_+^= = \infty \text{ w.p. } 1 - p^a, \quad a \log p \text{ w.p. } p^a",
        _equal_cases,
        presence_loss,
    ),
    _exact_loss(
        "A1.Lminus",
        "Loss of rows at tau, user absent",
        r"L_-^= = -a \log p \ge 0 \text{ w.p. } 1",
        _equal_cases,
        absence_loss,
        "Printed with > 0, which fails without rows at tau (A1.Lminus.positive).",
    ),
    Claim(
        id="wilkins2024.A1.Lminus.positive",
        source=printed("Appendix A.1"),
        title="The loss of rows at tau is positive without the user",
        statement=r"-a_= \log \Phi((\tau^*-\tau)/\sigma) > 0",
        kind=Inequality(_zero, lower_loss, Relation.LESS),
        domain=Box((A_EQUAL, SIGMA, GAP)),
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.A1.Lminus",
        note="Zero, not positive, when a_= = 0.",
    ),
    Claim(
        id="wilkins2024.lem5.1",
        source=printed("Lemma 5.1", "5.4"),
        title="Exact delta without rows above tau",
        statement=r"a_+ = 0: \ (5.3) \iff 1 - \Phi((\tau^*-\tau)/\sigma)^{C_u} \le \delta",
        kind=DeltaBound(
            delta_of_equal_rows,
            oracle=delta_of_equal_rows_by_definition,
            oracle_points=(
                {"epsilon": 0, "c_u": 1, "sigma": 1, "gap": 2},
                {"epsilon": 1, "c_u": 7, "sigma": 2, "gap": -1},
                {"epsilon": "1e-3", "c_u": 40, "sigma": "1.5", "gap": 9},
                {"epsilon": 700, "c_u": 3, "sigma": 1, "gap": 5},
            ),
            proof=Proof(
                (
                    ByClaim("wilkins2024.lem5.1.fwd", "the forward difference is 1 - p^a"),
                    ByClaim("wilkins2024.lem5.1.max", "the backward difference is no larger"),
                    SymbolicIdentity(
                        "1 - p^(a+b) - (1 - p^a) = p^a (1 - p^b)",
                        _more_rows,
                        _more_rows_factored,
                        ("loss", "more"),
                        argument="not negative for b >= 0 more rows, so a = C_u is the worst",
                    ),
                )
            ),
        ),
        domain=Box((EPSILON, C_U, SIGMA, GAP)),
        quantity=QuantityKind.DELTA,
        points=({"epsilon": 0, "c_u": 51914, "sigma": 2228, "gap": 13947},),
        assumptions=("tau is an integer, at least 1",),
    ),
    _exact_loss(
        "lem5.1.fwd",
        "Forward difference of rows at tau",
        r"P(L_+^= \ge \varepsilon) - e^\varepsilon P(L_-^= \le -\varepsilon) = 1 - p^a",
        _equal_cases_at,
        forward_difference,
        "Printed for epsilon > 0; holds at epsilon = 0 too.",
    ),
    _exact_loss(
        "lem5.1.bwd",
        "Backward difference of rows at tau",
        r"P(L_-^= \ge \varepsilon) - e^\varepsilon P(L_+^= \le -\varepsilon) = (1 - e^\varepsilon p^a)"
        r"\mathbf 1[\varepsilon \le -a \log p]",
        _equal_cases_at,
        backward_difference,
    ),
    Claim(
        id="wilkins2024.lem5.1.max",
        source=printed("Lemma 5.1, proof"),
        title="Presence against absence is the worse order",
        statement=r"\max(0, 1 - e^\varepsilon p^a) \le 1 - p^a",
        kind=Inequality(
            backward_delta,
            forward_delta,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "(1 - p^a) - (1 - e^eps p^a) = p^a (e^eps - 1)",
                        _gained_backward,
                        _gain_factored,
                        ("epsilon", "loss"),
                        argument="not negative, zero only at epsilon = 0; and 1 - p^a >= 0, zero only at a = 0",
                    ),
                )
            ),
        ),
        domain=_EQUAL_BOX,
    ),
    _exact_loss(
        "lem5.2.fwd",
        "Rows at tau beside rows above, user present",
        r"P(L_+ \ge \varepsilon) - e^\varepsilon P(L_- \le -\varepsilon) = 1 - p^a + p^a "
        r"[P(L_+^+ \ge \varepsilon_2) - e^{\varepsilon_2} P(L_-^+ \le -\varepsilon_2)]",
        _mixed_cases,
        mixed_forward,
        "Any laws of the rows above tau, any sign of epsilon, infinite losses included.",
    ),
    _exact_loss(
        "lem5.2.bwd",
        "Rows at tau beside rows above, user absent",
        r"P(L_- \ge \varepsilon) - e^\varepsilon P(L_+ \le -\varepsilon) = "
        r"P(L_-^+ \ge \varepsilon_3) - e^{\varepsilon_3} P(L_+^+ \le -\varepsilon_3)",
        _mixed_cases,
        mixed_backward,
    ),
    Claim(
        id="wilkins2024.lem5.2.pos",
        source=printed("Lemma 5.2, proof"),
        title="eps_2 is positive where epsilon is",
        statement=r"\varepsilon > 0 \Rightarrow \varepsilon_2 > 0",
        kind=Inequality(
            _zero,
            epsilon_2,
            Relation.LESS,
            Proof(
                (
                    SymbolicIdentity(
                        "eps_2 - eps = a L",
                        _epsilon_2_of_loss,
                        _loss,
                        ("epsilon", "loss"),
                        argument="a >= 0 rows, L = -log Phi > 0: eps_2 >= eps > 0",
                    ),
                )
            ),
        ),
        domain=Box((_EPSILON_POSITIVE, A_EQUAL, SIGMA, GAP)),
        note="Holds at epsilon = 0 too when a_= > 0.",
    ),
    _exact_loss(
        "A.2",
        "Losses given that no row at tau appears",
        r"L_+ | {\sim}F = L_+^+ + a \log p, \quad L_- | {\sim}F = L_-^+ - a \log p",
        _mixed_cases,
        conditional_loss,
    ),
    Claim(
        id="wilkins2024.A.5",
        source=printed("Appendix A.2", "A.5"),
        title="eps_3 as printed",
        statement=r"\varepsilon_3 = \varepsilon + a_= \log \Phi(\tau^* - \tau/\sigma)",
        kind=Identity(printed_epsilon_3, epsilon_3_by_law),
        domain=_TAU_BOX,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.A.5.corrected",
        note="Parentheses are missing; the same slip stands in the proof of Lemma 5.1 and in A.3.",
    ),
    Claim(
        id="wilkins2024.A.5.corrected",
        source=ours("Appendix A.2"),
        title="eps_3 with its parentheses",
        statement=r"\varepsilon_3 = \varepsilon + a_= \log \Phi((\tau^* - \tau)/\sigma)",
        kind=Identity(
            epsilon_3,
            epsilon_3_by_law,
            Proof(
                (
                    SymbolicIdentity(
                        "Phi(x) = 1 - Phi(-x)",
                        epsilon_3,
                        epsilon_3_by_law,
                        ("epsilon", "a_equal", "sigma", "tau", "tau_star"),
                        ("sigma",),
                    ),
                )
            ),
        ),
        domain=_TAU_BOX,
    ),
    Claim(
        id="wilkins2024.lem5.3.mu",
        source=printed("Lemma 5.3", "5.6"),
        title="The distance of rows above tau",
        statement=r"\mu(a_+) = \sqrt{a_+/\sigma^2 + a_+ \mu_o^2} = \sqrt{a_+}\, \mu(1)",
        kind=Identity(
            printed_distance,
            scaled_distance,
            Proof(
                (
                    SymbolicIdentity(
                        "mu(n) = sqrt(n) mu(1)",
                        printed_distance,
                        scaled_distance,
                        ("a_plus", "sigma", "mu_o"),
                        ("a_plus", "sigma", "mu_o"),
                        "mu_o = 0 and a_+ = 0 by continuity",
                    ),
                )
            ),
        ),
        domain=Box((A_PLUS, SIGMA, MU_O)),
    ),
    Claim(
        id="wilkins2024.A.6",
        source=printed("Appendix A.2.1", "A.6"),
        title="Post-processing for every real epsilon",
        statement=r"H_\varepsilon(f \circ P, f \circ Q) \le H_\varepsilon(P, Q), \ \varepsilon \in \mathbb R",
        kind=FiniteStatement(
            _merge_cases,
            merging_lowers_the_difference,
            {"quick": 2, "standard": 3, "deep": 6},
            "four outcomes, every merge; denominator",
        ),
    ),
    Claim(
        id="wilkins2024.A.6.chain",
        source=printed("Appendix A.2.1", "A.7"),
        title="The signs used in (A.7)",
        statement=r"P - e^\varepsilon Q \ge 0 \text{ on } E, \ \le 0 \text{ off } E",
        kind=FiniteStatement(
            lambda size: law_pairs(3, size),
            chain_of_a7,
            {"quick": 4, "standard": 6, "deep": 10},
            "three outcomes, denominator",
        ),
    ),
)
"""Claims of Lemmas 5.1 and 5.2, (5.6) and appendix A.1, A.2.1; the bounds of Lemma 5.3 are in lemma_5_3."""
