r"""Whole sums beside the counters of Theorem 21's mechanism: the exact delta, mixed pairs and all.

A user adds at most C to the sum of each of their counters; a released counter takes its sum along, with discrete
Gaussian noise of its own. That of a new counter is shown with the counter only, which tells all there is. The pair
(l, j) of `exact_profile` has j changed counters whose sums move by C: their loss depends on the total u of the j sums
alone, so with W the j-fold law of the sums' noise the pair's laws are multiplied by ``W(u - j C)`` and ``W(u)``.
"""

import itertools
from fractions import Fraction
from typing import Any

from proofs_numeric.lebeda2025.discrete import release_probability
from proofs_numeric.lebeda2025.lemma_19 import rho
from proofs_numeric.lebeda2025.neighbours import DISCRETE_SUMS
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.theorem_21.exact_profile import by_outputs, exact_profile, sums
from proofs_numeric.statements.classical import BLACKWELL
from proofs_numeric.statements.concentrated import approximate_delta_upper

x, y, c, s, per_sum, sigma_s = symbols("x y c s per_sum sigma_s")
_moved = (x * x - (x - c) ** 2 + y * y - (y - c) ** 2) / (2 * s * s)
_TWO: dict[str, Any] = {"epsilon": 3, "k": 2, "sigma": 1, "gap": Fraction(9, 2), "sigma_s": 4, "per_sum": 1}

_by_rho = algorithm(approximate_delta_upper)(
    rho=rho + k * (per_sum / sigma_s) ** 2 / 2, delta=algorithm(release_probability)()
)
"""What is used for such releases: rho of counters and sums added up, converted, and the delta of new counters."""


def exact_with_sums(A: Arithmetic, *, sigma_s: Number, per_sum: int, **at: Any) -> Any:
    """Exact delta with a sum beside each counter, as :func:`exact_profile`; nothing about the sums has a default."""
    return exact_profile(A, sigma_s=sigma_s, per_sum=per_sum, **at)


def _independent(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, sigma_s: Number, per_sum: int, **_gap: Number
) -> Any:
    """At least the delta of k shared counters and their sums, independent noise, released as far from the truth."""
    deviation = A.number(sigma) * A.sqrt(1 + 1 / A.sqrt(A.number(k)))
    counts, columns = (sums(A, *one, k)[0] for one in ((deviation, 1), (sigma_s, per_sum)))
    level = A.exp(A.number(epsilon))
    sticks = (A.maximum(0, x * y - level * u * v) for (x, u), (y, v) in itertools.product(counts, columns))
    return A.sum(sticks)


_WIDE: dict[str, Value] = {"sigma_s": 4, "per_sum": 1}

CLAIMS = (
    own(
        "thm21.sums", "Theorem 21 and Section 6",
        "exact delta of the discrete correlated stability histogram with whole sums beside the counters",
        r"\delta(\epsilon) = \max_{l, j} \max\{H_{e^\epsilon}(P_{l,j}\otimes W_j(\cdot - jC)\|Q_{l,j}\otimes W_j),\ "
        r"H_{e^\epsilon}(Q_{l,j}\otimes W_j\|P_{l,j}\otimes W_j(\cdot - jC))\}",
        DeltaBound(
            exact_with_sums, by_outputs,
            points(
                "epsilon k sigma gap sigma_s per_sum", ("1", 1, "1/2", "3/2", "1", 1), ("1/2", 1, "1/2", "1", "3/2", 2),
                ("1", 2, "3/10", "3/2", "1/2", 1),
            ),
            proof=derived(
                Premise("lebeda2025.thm21.exact", "the pairs (l, j) of the counters, and what is sufficient for them"),
                Trusted(
                    BLACKWELL,
                    "a sum that moves by less than C, either way, is a post-processing of one that moves by C: "
                    "its noise is log-concave and symmetric",
                ),
                SymbolicIdentity(
                    "the loss of the sums depends on their total alone (two sums; more add up)", _moved,
                    (2 * c * (x + y) - 2 * c * c) / (2 * s * s), ("x", "y", "c", "s"), ("s",),
                ),
                Unchecked(
                    "independent noise of the sums",
                    "the sums' noise is independent of the counters'; a new counter's sum is released with it",
                ),
            ),
        ),
        domain=(
            replace(EPSILON, upper=20), replace(K, upper=2, log=False), replace(SMALL_SIGMA, upper=1),
            replace(SMALL_GAP, upper=20),
            Parameter("sigma_s", "parameter of the sums' noise", "units of the sums", "1/4", 4, log=True),
            Parameter("per_sum", "most that a user adds to a sum, C", "units of the sums", 1, 4, integer=True),
        ),
        assumptions=(SPARSE_MONOTONIC, ENOUGH_KEYS), falls=("epsilon", "gap"), rises=("per_sum",),
        moves={
            "gap": moves.THRESHOLD,
            "per_sum": derived(Trusted(BLACKWELL, "a sum that moves by less is a post-processing, as above")),
        },
        turns=(
            Turn("k", {**_WIDE, "epsilon": "29/4", "sigma": "1/2", "gap": 2}, (1, 2, 3)),
            Turn("sigma", {**_WIDE, "epsilon": 1, "k": 1, "gap": 4}, ("1/2", 1, 4)),
            Turn("sigma_s", {"epsilon": 3, "k": 1, "sigma": 2, "gap": 24, "per_sum": 1}, ("7/20", "9/20", "11/20")),
        ),
        privacy=DISCRETE_SUMS, points=points("epsilon k sigma gap sigma_s per_sum", ("1", 2, "1", "9/2", "4", 1)),
        note="Section 6 adds delta_inf to a Gaussian profile (sec6.agg.delta), which holds for continuous noise.",
        cost=150, quoted=(Quoted("two counters, each with a whole sum, correlated integer noise, once", _TWO),),
    ),
    own(
        "thm21.sums.gain", "Theorem 21 and Section 6",
        "With sums, correlated noise has less than a quarter of the delta of adding up and of independent noise",
        r"4\,\delta < \min\{\delta_\infty + (1 - \delta_\infty)\,\delta_{\mathrm{CDP}}(\rho, \epsilon),\ "
        r"\delta_{\mathrm{independent}}(\epsilon)\},\ \rho = (k + \sqrt k)/(8\sigma^2) + kC^2/(2\sigma_s^2)",
        Inequality(
            lambda A: 4 * exact_with_sums(A, **_TWO), lambda A: A.minimum(_by_rho(A, **_TWO), _independent(A, **_TWO)),
            Relation.LESS,
        ),
        quantity=QuantityKind.RATIO,
        note="epsilon = 3, k = 2, sigma = 1, tau = 4.5, sums that move by one under noise of sigma_s = 4: 1.2e-3, not "
        "4.8e-3; whole counts whose noise is independent and of the same deviation, 1.31, have 5.8e-3.",
    ),
)  # fmt: skip
