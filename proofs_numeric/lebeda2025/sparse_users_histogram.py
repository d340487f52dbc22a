r"""Algorithm 2 where a user changes at most m of the k counters, at any ratio gamma of own to shared variance.

A pair has l new counters and j changed ones among d = k - l shared, ``l + j <= m``. With ``A_l`` the probability that
some of l new counters is released and ``f`` the Gaussian profile at ``mu_{l,j}^2 sigma^2 = j - j^2/(k - l + gamma)``:

1. A forward pair lies between ``max(A_l, f(mu_{l,j}))`` and ``1 - (1 - A_l)(1 - f(mu_{l,j}))``, a reverse one is no
   larger: `pair_stick` and `section_3.reverse` use of gamma that "no new counter" falls as the mean grows.
2. ``A_m`` (l = m) and ``max over j of f(mu_{0,j})`` (l = 0) are attained. Where no ceiling of step 1 with 0 < l < m is
   above the larger of them, that is the delta; elsewhere it lies below the highest ceiling.

That the gamma of least total noise of a released counter (`sparse_users`) has the least threshold too is seen on grids,
and not proved.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.exact.analysis import maximum_by_blocks
from proofs_numeric.lebeda2025.exact.oracle import delta_by_definition
from proofs_numeric.lebeda2025.lemma_8 import GAMMA
from proofs_numeric.lebeda2025.neighbours import counters, far_above, worst_of
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, epsilon, k, own, sigma
from proofs_numeric.lebeda2025.sparse_users import WITHIN_K, M, m, worst_square
from proofs_numeric.statements.adjacency import SparseMonotone
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, ByParameters, Neighbours, Privacy
from proofs_numeric.statements.thresholds import by_gap

_COARSE_BITS = 44
"""Accuracy of a ceiling that is only compared."""


def passes(A: Arithmetic, *, l: int, sigma: Number, gamma: Number, gap: Number, bits: int | None = None) -> Any:
    """``A_l``: some of l new counters is released; the shared deviation is ``sigma/sqrt(gamma)``."""
    return released(A, l=l, t=A.number(gap) / A.number(sigma), b=1 / A.sqrt(A.number(gamma)), bits=bits)


d, most = symbols("d most")
changed = profile(epsilon, sqrt(algorithm(worst_square)(k=d, m=most)) / sigma)
"""``f`` at the worst number of changes, at most ``most``, among d shared counters."""
ends = maximum(algorithm(passes)(l=m), changed(d=k, most=m))
"""Delta of m new counters, or of the worst change of k shared ones, whichever is larger."""


def delta(A: Arithmetic, *, epsilon: Number, k: int, m: int, sigma: Number, gamma: Number, gap: Number) -> Any:
    """Exact delta where no mixed pair can be worse, else (balls) all between it and the highest ceiling.

    Doubles have the upper end, never below the truth but by rounding.
    """
    two = ends(A, epsilon=epsilon, k=k, m=m, sigma=sigma, gamma=gamma, gap=gap)

    def ceiling(a: int, b: int) -> Any:
        new = passes(A, l=b, sigma=sigma, gamma=gamma, gap=gap, bits=_COARSE_BITS)
        return new + (1 - new) * changed(A, epsilon=epsilon, d=k - a, most=m - a, sigma=sigma, gamma=gamma)

    top = maximum_by_blocks(A, ceiling, 1, m - 1, two, _COARSE_BITS // 2)
    if A.encloses:
        return A.minimum(A.between(two, top), A.number(1))
    return A.minimum(top, A.number(1)) if isinstance(A, Float64) else (two + top) / 2


adjacency = ByParameters(SparseMonotone, {"k": "k", "c_u": "m"})
"""One user in at most m counters, at most k of which are not zero."""


def total_deviation(parameters: Mapping[str, Any]) -> Fraction:
    """At most a fraction above the deviation of a released counter, ``sigma sqrt(1 + 1/gamma)``."""
    return Fraction(parameters["sigma"]) * (1 + 1 / (2 * Fraction(parameters["gamma"])))


def pairs(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """All m counters new; the worst number changed, and all m; and one new beside m - 1 changed."""
    k, m = int(parameters["k"]), int(parameters["m"])
    n, most = min(k, MOST_CHANGED_KEYS), min(m, MOST_CHANGED_KEYS)
    far = far_above({**parameters, "sigma": total_deviation(parameters)})
    each = 1 + float(parameters["sigma"] * Fraction(parameters.get("mu_o", 0))) ** 2
    worst = worst_of(most, n + float(parameters["gamma"]), each)
    shared = partial(counters, parameters=parameters, shared=(far,) * n)
    neighbours = [
        counters("new", f"{m} new counters", parameters, new=most),
        shared("worst", f"{worst} of the shared counters changed", changed=worst),
    ]
    if worst < most:
        neighbours.append(shared("all", f"{m} of the shared counters changed", changed=most))
    if most > 1:
        described = "one new counter beside shared ones that change"
        neighbours.append(counters("mixed", described, parameters, new=1, shared=(far,) * (n - 1), changed=most - 1))
    return tuple(neighbours)


FEW_OF_SPARSE = Privacy(adjacency, pairs, by_gap)

CLAIMS = (
    own(
        "sparse.histogram", "Section 8 (open problem)",
        "exact delta of the correlated stability histogram where a user changes at most m of k counters",
        r"\max\{A_m, f(\mu_0)\} \le \delta \le \max_{0 \le l \le m} 1 - (1 - A_l)(1 - f(\mu_l)),\ \mu_l^2 \sigma^2 = "
        r"\max_{j \le m-l} (j - j^2/(k - l + \gamma))",
        DeltaBound(
            delta, delta_by_definition,
            points(
                "epsilon k m sigma gamma gap", ("3/10", 3, 2, "2", "4", "3"), ("1", 4, 1, "1", "2", "3"),
                ("1", 3, 3, "1", "3/2", "9/2"),
            ),
            proof=derived(
                Trusted(
                    DATA_PROCESSING,
                    "supports are nested, new counts are 1, and fewer shared counters are one more: every pair of "
                    "neighbours is a post-processing of some (l, j) with l + j <= m",
                ),
                Premise("lebeda2025.sparse.delta", "the worst change among d shared counters, and its profile"),
                Premise("lebeda2025.sec3.reverse", "the reverse order is never the larger one"),
                Premise("lebeda2025.sec3.cert.sharp", "no pair is above its ceiling"),
                Unchecked(
                    "Section 3 at every gamma",
                    "both premises of Section 3 use of gamma only that the probability of no release falls as the "
                    "shared mean grows: they hold at every gamma > 0, not at sqrt(k) alone",
                ),
            ),
        ),
        domain=Box(
            (EPSILON, replace(K, upper=10**4), M, SIGMA, replace(GAMMA, lower=1, open_lower=False), GAP), *WITHIN_K,
        ),
        assumptions=("k-sparse monotonic neighbours (Definition 9)", "the universe has at least k keys"),
        falls=("epsilon", "gap"), rises=("k", "m"),
        moves=dict.fromkeys(
            ("epsilon", "gap", "k", "m"),
            moves.by_profiles(
                "a ceiling 1 - (1 - A_l)(1 - f(mu_l)) grows with A_l, which falls with the gap, and with mu_l, which "
                "grows with k and m; both ends are such, and a maximum over more l is no smaller",
            ),
        ),
        turns=(
            Turn("sigma", {"epsilon": 2, "k": 10, "m": 3, "gamma": 10, "gap": 12}, (1, 3, 30)),
            Turn("gamma", {"epsilon": "3/2", "k": 10, "m": 3, "sigma": 3, "gap": 12}, (1, 4, 1000)),
        ),
        privacy=FEW_OF_SPARSE,
        bracketed="where a mixed pair may be worse than both ends the delta is known between two bounds",
        points=points(
            "epsilon k m sigma gamma gap", ("1", 10, 3, "5.93", "10.37", "28.2"), ("1", 100, 10, "11.3", "36", "54.8"),
            ("0", 2, 2, "363109", "1", "2320662"),
        ),
        note="The gamma of least noise (lebeda2025.sparse.least) is at least 1; the paper has gamma = sqrt(k), m = k.",
        cost=3,
        quoted=(
            Quoted(
                "three of ten counters a user, correlated noise, once",
                {"epsilon": 1, "k": 10, "m": 3, "sigma": "5.97", "gamma": "10.37", "gap": "28.2"},
            ),
        ),
    ),
)  # fmt: skip
