"""Theorem 5.4: the exact profile of the Gaussian sparse histogram mechanism, which way it moves, and a floor on users.

It moves one way in epsilon, the gap, C_u and mu_o, and in sigma only where the gap grows with it.

A floor of K users, as k-anonymity asks for, costs privacy at the same tau*, and it is free where tau* rises too. The
delta depends on tau* - tau alone. A row of K users, one of whom leaves, falls below the floor and is not released
at all; without a floor it would have been a row of many users, that the noise of tau* hides. The higher the floor, the
nearer such a row is to tau*.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.profiles import Reflected, SparseRows
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM, by_thresholds
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.collapse import ROWS, larger_delta
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *


def _moves(
    parameter: str,
    words: str,
    statement: str,
    *,
    rises: bool,
    formula: Formula = delta_exact,
    domain: Box = DOMAIN,
    proof: Tactic | None = Slope(),  # noqa: B008 - frozen
    **more: Any,
) -> Claim:
    return own(
        f"thm5.4.mono.{parameter}", "Theorem 5.4", words, statement,
        Monotonicity(formula, parameter.partition(".")[0], increasing=rises, strict=False, proof=proof), domain=domain,
        quantity=QuantityKind.PROBABILITY, **more,
    )  # fmt: skip


_Z = Parameter("z", "the gap in standard deviations of the noise", lower="-infinity")
tau, tau_star = symbols("tau tau_star")
with_floor = delta_exact(gap=tau_star - tau, mu_o=0)
"""Exact delta of Algorithm 1 with the floor tau."""
without_floor = with_floor(tau=1)
"""The same with tau = 1: every nonempty row is noised."""
both_raised = with_floor(tau_star=tau_star + (tau - 1))
"""The floor tau with tau* raised by tau - 1."""
_FLOOR = Parameter("tau", "rows of fewer users are never released", "users", 1, 1000, integer=True, log=True)
_BOX = Box((replace(EPSILON, upper=20), replace(C_U, upper=1000), SIGMA, _FLOOR, TAU_STAR))
_BELOW = replace(_BOX, constraint=lambda *, tau, tau_star, **_rest: tau_star > tau, constraint_text="tau_star > tau")
FLOOR_OF_TEN: dict[str, Value] = {"epsilon": 1, "c_u": 10, "sigma": Fraction(118, 10), "tau": 10, "tau_star": 58}
"""Delta 1.0e-5 without the floor, 2.4e-4 with it."""

CLAIMS = (
    stated(
        "thm5.4", "Theorem 5.4", "Exact delta of the Gaussian sparse histogram mechanism",
        r"\delta(\epsilon)=\max\{1-\Phi(t)^{C_u},\ \max_{a_=}1-p^{a_=}+p^{a_=}f(\mu(C_u-a_=),\epsilon_2),\ "
        r"\max_{a_=}f(\mu(C_u-a_=),\epsilon_3)\},\quad t=(\tau^*-\tau)/\sigma,\ p=\Phi(t)",
        DeltaBound(
            formula=delta_exact, oracle=delta_on_pairs, oracle_points=ORACLE_POINTS, pairs=SparseRows(*ROWS),
            proof=larger_delta(*ROWS),
        ),
        equation="(5.8)", domain=DOMAIN, assumptions=(INTEGER_TAU, "counts unbounded and at least C_u groups"),
        falls=("epsilon", "gap"), rises=("c_u", "mu_o"),
        turns=(Turn("sigma", {"epsilon": 1, "c_u": 10, "gap": 10, "mu_o": 0}, (2, 4, 40)),), privacy=SPARSE_HISTOGRAM,
        note="Evaluated in O(1) by wilkins2024.thm5.4.collapse; the oracle integrates the law of both orders of every "
        "pair with a_= rows at tau.",
        points=POINTS,
        quoted=(Quoted("ten keys a user, once", {"epsilon": 1, "c_u": 10, "sigma": "11.8", "gap": "57.4", "mu_o": 0}),),
    ),
    own(
        "thm5.4.full_line", "Theorem 5.4", "Exact delta at negative epsilon, by reflection",
        r"\delta(\epsilon)=1-e^{\epsilon}+e^{\epsilon}\max(\delta_\infty,\delta_G(-\epsilon)),\ \epsilon\le0",
        DeltaBound(
            formula=delta_below_zero, oracle=delta_on_pairs,
            oracle_points=tuple({**p, "epsilon": -Fraction(p["epsilon"])} for p in ORACLE_POINTS),
            pairs=SparseRows(*ROWS), proof=Reflected(delta_exact, larger_delta(*ROWS)),
        ),
        domain=(Parameter("epsilon", "privacy-loss level", unit="nats", lower=-700, upper=0), *PARAMETERS[1:]),
        assumptions=(INTEGER_TAU,), falls=("epsilon", "gap"), rises=("c_u", "mu_o"), privacy=SPARSE_HISTOGRAM,
        note="(5.8) itself is wrong below zero: its first term lacks the atom of the reverse order.",
        points=tuple({**p, "epsilon": -Fraction(p["epsilon"])} for p in POINTS),
    ),
    _moves(
        "epsilon", "The exact delta never grows with epsilon",
        r"\epsilon_1<\epsilon_2\Rightarrow\delta(\epsilon_1)\ge\delta(\epsilon_2)", rises=False,
    ),
    _moves(
        "gap", "The exact delta never grows with the gap of the thresholds",
        r"g_1<g_2\Rightarrow\delta(g_1)\ge\delta(g_2),\ g=\tau^*-\tau", rises=False,
    ),
    _moves("c_u", "The exact delta never falls with C_u", r"\delta(C_u)\le\delta(C_u+1)", rises=True),
    _moves(
        "mu_o", "The exact delta never falls with the other aggregates' sensitivity",
        r"\mu_{o,1}<\mu_{o,2}\Rightarrow\delta(\mu_{o,1})\le\delta(\mu_{o,2})", rises=True,
    ),
    _moves(
        "sigma", "At the same thresholds the exact delta never grows with the noise",
        r"\sigma_1<\sigma_2\Rightarrow\delta(\sigma_1,g)\ge\delta(\sigma_2,g)", rises=False, proof=None,
        expected=Expectation.REFUTED, corrected_by="wilkins2024.thm5.4.mono.sigma.corrected",
        points=points("epsilon c_u sigma sigma_2 gap mu_o", (1, 10, 4, 5, 10, 0), (1, 10, 4, 8, 10, 0)),
        note="A natural belief: more noise carries new rows over the threshold. At C_u = 10, gap 10, epsilon 1 the "
        "delta is 0.0606 at sigma = 4, and 0.2056 at 5. A bisection for the least sigma at fixed thresholds is "
        "unsound.",
    ),
    _moves(
        "sigma.corrected",
        "With the gap a fixed number of standard deviations the exact delta never grows with the noise",
        r"\sigma_1<\sigma_2\Rightarrow\delta(\sigma_1,z\sigma_1)\ge\delta(\sigma_2,z\sigma_2)", rises=False,
        formula=delta_exact(gap=symbol("z") * sigma), domain=Box((EPSILON, C_U, SIGMA, _Z, MU_O)),
    ),
    own(
        "floor", "Theorem 5.4", "A floor on the users of a released row never costs privacy",
        r"\delta(\tau=K,\tau^*)\le\delta(\tau=1,\tau^*)", with_floor <= without_floor, domain=_BELOW,
        expected=Expectation.REFUTED, corrected_by="wilkins2024.floor.raised", quantity=QuantityKind.DELTA,
        privacy=by_thresholds(tau_star - tau), points=(FLOOR_OF_TEN,),
        note="Rows of few users are held back for certain, and that is what tells whether the last of K is there.",
    ),
    own(
        "floor.raised", "Theorem 5.4", "A floor of K users costs nothing where tau* rises by K - 1",
        r"\delta(\tau=K,\tau^*+K-1)=\delta(\tau=1,\tau^*)", eq(both_raised, without_floor), proof=Symbolic(),
        domain=_BOX, quantity=QuantityKind.DELTA, points=(FLOOR_OF_TEN,),
    ),
)  # fmt: skip
