"""The exact delta of the correlated stability histogram."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.oracle import delta_by_definition
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, ours
from proofs_numeric.lebeda2025.section_3.certificate import BITS
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Quoted, Role, Turn
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.derivation import Derivation, Premise, Trusted, Unchecked
from proofs_numeric.statements.kinds import DeltaBound, Identity, Inequality
from proofs_numeric.statements.tactics import Maximum, Part


def _reverse_all_new(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
    return pair_delta(A, **at, l=k, j=0, direction="reverse", bits=BITS)


def _reverse_all_new_closed(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Number:
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=k)
    return A.maximum(0, 1 - A.exp(epsilon) * (1 - new))


def _stick(A: Arithmetic, *, p: Number, q: Number, factor: Number, **_moved: Number) -> Number:
    return A.maximum(0, p - factor * q)


def _stick_of_moved(A: Arithmetic, *, p: Number, q: Number, moved: Number, factor: Number) -> Number:
    return A.maximum(0, p - factor * moved) + factor * A.maximum(0, moved - q)


_BOX = Box((EPSILON, K, replace(SIGMA, lower=0, upper="infinity", open_lower=True), GAP))


CLAIMS = (
    Claim(
        id="lebeda2025.csh.exact",
        source=ours("Section 8 (open problem)"),
        title="exact delta of the correlated stability histogram",
        statement=r"\delta(\epsilon) = \max_{l, j} \delta_{l,j}^{\to}(\epsilon)",
        kind=DeltaBound(
            formula=exact_delta,
            oracle=delta_by_definition,
            oracle_points=(
                {"epsilon": "0.3", "k": 2, "sigma": 2, "gap": 3},
                {"epsilon": "0.3", "k": 1, "sigma": "1.5", "gap": 6},
                {"epsilon": 0, "k": 2, "sigma": "363109.174", "gap": "2320662.02"},
            ),
            proof=Derivation(
                (
                    Trusted(
                        DATA_PROCESSING,
                        "supports are nested, new counts are 1, what is released of a shared counter is a function of "
                        "its noisy count, and fewer shared counters are one more: every pair of neighbours is a "
                        "post-processing of some (l, j)",
                    ),
                    Premise("lebeda2025.csh.exact.pair", "the delta of one pair"),
                    Premise("lebeda2025.sec3.reverse", "the reverse order is never the larger one"),
                    Premise(
                        "lebeda2025.sec3.cert.sharp",
                        "no mixed pair is above its ceiling: where none of these is "
                        "above max(A_k, G_k), that is the delta; elsewhere pairs are enclosed one by one",
                    ),
                    Unchecked(
                        "between two numbers of changes the law without the user moves on from the chord of the two "
                        "pairs' (mu_1, mu_2), on which the hockey stick is convex but for e^epsilon phi(1) times the "
                        "distance squared: the second derivative of a normal law's probability of a set is at most "
                        "E (z^2 - 1)_+ = 2 phi(1) (`largest_pairs`)"
                    ),
                    Premise(
                        "lebeda2025.csh.exact.move",
                        "summed over what is released: so no pair of a box is above its ends by more than that and "
                        "e^epsilon times the total variation from the chord to it",
                    ),
                    Premise("lebeda2025.lem8.worst_change", "the worst number of changes among shared counters"),
                )
            ),
        ),
        domain=_BOX,
        assumptions=("k-sparse monotonic neighbours (Definition 9)", "the universe has at least k keys"),
        falls=("epsilon", "gap"),
        moves={"epsilon": moves.EPSILON, "gap": moves.THRESHOLD},
        turns=(
            Turn("sigma", {"epsilon": 1, "k": 4, "gap": 10}, (1, 3, 30)),
            Turn("k", {"epsilon": 5, "sigma": 1, "gap": 5}, (1, 2, 60)),
        ),
        role=Role.EXACT,
        privacy=STABILITY_HISTOGRAM,
        bracketed="where the certificate of sec3.cert fails and 3000 boxes do not tell which pair is the largest",
        points=(
            {"epsilon": "0.349", "k": 10, "sigma": "17.741998402", "gap": "96.753015889"},
            {"epsilon": "0.349", "k": 51914, "sigma": "1116.683797699", "gap": "7005.638328965"},
            {"epsilon": 0, "k": 2, "sigma": "363109.174", "gap": "2320662.02"},
            {"epsilon": 0, "k": 20, "sigma": 100000, "gap": 500000},
        ),
        note="max(A_k, G_k) where certified, else the searched forward pairs. Where both ends are delta, the "
        "certificate was seen to fail at an epsilon of the order of delta alone. At 1e-5 and epsilon = 0 the exact "
        "delta is 1.018 of max(A_k, G_k) at k = 20, 1.011 at 64, 1.004 at 128, and just that at 256, 1000 and 10^4, "
        "where ceilings alone leave a quarter; at 10^5 boxes leave a bracket of 2e-4 above it.",
        cost=3,
        quoted=(
            Quoted(
                "ten counters, correlated noise, once",
                {"epsilon": "0.349", "k": 10, "sigma": "17.741998402", "gap": "96.753015889"},
            ),
        ),
    ),
    Claim(
        id="lebeda2025.csh.exact.move",
        source=ours("Section 8 (open problem)"),
        title="a hockey stick grows by at most e^epsilon times what its second law loses",
        statement=r"(p - e^\epsilon q)_+ \le (p - e^\epsilon q')_+ + e^\epsilon (q' - q)_+",
        kind=Inequality(
            _stick,
            _stick_of_moved,
            proof=Maximum((Part(zero), Part(lambda _A, *, p, q, factor, **_moved: p - factor * q))),
        ),
        domain=Box(
            (
                Parameter("p", "density with the user", "density"),
                Parameter("q", "density without", "density"),
                Parameter("moved", "density without, of another pair, q'", "density"),
                Parameter("factor", "e^epsilon", open_lower=True),
            )
        ),
    ),
    Claim(
        id="lebeda2025.csh.exact.all_new",
        source=ours("Section 3"),
        title="the reverse direction of the all-new pair is not 0",
        statement=r"\delta_{k,0}^{\leftarrow}(\epsilon) = \max(0, 1 - e^\epsilon (1 - A_k))",
        kind=Identity(left=_reverse_all_new, right=_reverse_all_new_closed),
        domain=Box((replace(EPSILON, upper=5), K, SIGMA, GAP)),
        cost=3,
    ),
)
