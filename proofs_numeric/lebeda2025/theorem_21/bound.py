"""Theorem 21: add-the-deltas for the discrete correlated mechanism with a threshold."""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.discrete import delta_infinite, release_probability, zcdp_delta
from proofs_numeric.lebeda2025.lemma_19 import rho
from proofs_numeric.lebeda2025.neighbours import DISCRETE
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.concentrated import delta_upper

_new_counters = algorithm(delta_infinite)()
theorem_21_sharp = algorithm(delta_upper)(rho=rho) + _new_counters
"""Theorem 21 with the conversion of Canonne, Kamath and Steinke in place of Lemma 17's."""
theorem_21 = zcdp_delta(rho=rho) + _new_counters
"""``delta(rho, epsilon) + delta_inf``, Lemma 17's conversion and Lemma 20 at its best split."""

CLAIMS = (
    stated(
        "thm21", "Theorem 21", "the discrete correlated stability histogram",
        r"\delta(\rho, \epsilon) + 1 - \max_a P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        DeltaBound(
            theorem_21, exact=algorithm(release_probability)(),
            proof=derived(
                Premise("lebeda2025.thm11.proof", "the intermediate histogram of Theorem 11"),
                Premise("lebeda2025.lem20", "new counters"), Premise("lebeda2025.lem19", "shared counters"),
                Premise("lebeda2025.lem17", "from zCDP to (epsilon, delta)"),
            ),
        ),
        domain=(EPSILON, replace(K, upper=1000), SMALL_SIGMA, SMALL_GAP), role=Role.UPPER, privacy=DISCRETE,
        loose="Lemma 17's conversion and Lemma 20's split: the report enumerates how much of it k <= 3 can use", cost=3,
    ),
)  # fmt: skip
