"""Theorem 5.4: the exact profile of the Gaussian sparse histogram mechanism."""

from fractions import Fraction

from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.claim import Quoted, Turn
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.profiles import Reflected, SparseRows
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM
from proofs_numeric.wilkins2024.parameters import own, stated
from proofs_numeric.wilkins2024.theorem_5_4.collapse import ROWS, larger_delta
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    DOMAIN,
    INTEGER_TAU,
    ORACLE_POINTS,
    PARAMETERS,
    POINTS,
    delta_below_zero,
    delta_exact,
    delta_on_pairs,
)

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
)  # fmt: skip
