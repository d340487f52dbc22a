r"""Releases of the histogram of users of few counters, each counter with a sum beside it: one joint account.

As in `sparse_users_histogram` with r releases and, beside each counter that is shown, a sum with noise of its own at
distance mu_o where the counter changes (a counter that is held back takes its sum along):

1. The sums of j changed counters are independent of everything else, so their squares are added to the distance along
   the change: ``mu_{l,j}^2 = (j - j^2/(k - l + gamma))/sigma^2 + j mu_o^2``. The ceiling ``1 - (1 - A_l)(1 - f(mu))``
   of a pair, and that the reverse order is no larger, use of the change that it is Gaussian given the shared mean.
2. The naming pair of that ceiling dominates both orders at every real epsilon (`composition`), and r of them compose to
   ``1 - (1 - A_l)^r (1 - f(sqrt(r) mu))``: at one (l, j) for the same data, at the worst of both for data chosen as one
   goes.
3. The ends, m new counters or the worst change of k shared ones in every release, are attained.
"""

import functools
from typing import Any

from proofs_numeric.expression import Function
from proofs_numeric.lebeda2025.composition import RELEASES, named_by_some, releases
from proofs_numeric.lebeda2025.exact.analysis import maximum_by_blocks
from proofs_numeric.lebeda2025.exact.oracle import chosen_data_by_definition, same_data_by_definition
from proofs_numeric.lebeda2025.lemma_8 import GAMMA
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.section_6 import MU_O
from proofs_numeric.lebeda2025.sparse_users import WITHIN_K, M, m, worst_square
from proofs_numeric.lebeda2025.sparse_users_histogram import FEW_OF_SPARSE, passes

_CLOSE_BITS = 40

d, most, mu_o = symbols("d most mu_o")
_worst_square = Function("worst_square", worst_square, keywords=("k", "m", "gamma", "more"))
square = _worst_square(k=d, m=most, more=(sigma * mu_o) ** 2) / sigma**2
"""Squared distance of the worst change of at most ``most`` among d shared counters and their sums."""
_shared = profile(epsilon, sqrt(releases * square))
_new, _all_shared = named_by_some(new=algorithm(passes)(l=m)), _shared(d=k, most=m)
ends = maximum(_new, _all_shared)
"""Delta of m new counters every time, or of the worst change of k shared ones, whichever is larger."""
chosen_data = _new + (1 - _new) * _all_shared
"""``1 - (1 - A_m)^r (1 - f(sqrt(r) mu_0, epsilon))``: the worst of both in every release."""


def same_data(A: Arithmetic, *, releases: int, k: int, m: int, gap: Number, **at: Any) -> Any:
    """The larger of :func:`ends` and of ``1 - (1 - A_l)^r (1 - f(sqrt(r) mu_l, epsilon))``, 0 < l < m."""
    at = {name: A.number(value) for name, value in at.items()}
    passing = functools.partial(passes, A, gap=gap, sigma=at["sigma"], gamma=at["gamma"])

    def ceiling(a: int, b: int) -> Any:
        once = passing(l=b, bits=_CLOSE_BITS + 4)
        if not once < 1:  # of what is all but certain few bits do not tell that it is not
            once = passing(l=b)
        new = named_by_some(A, releases=releases, new=once)
        return new + (1 - new) * _shared(A, releases=releases, d=k - a, most=m - a, **at)

    two = ends(A, releases=releases, k=k, m=m, gap=gap, **at)
    return maximum_by_blocks(A, ceiling, 1, m - 1, two, _CLOSE_BITS // 2)


_COMPOSED = derived(
    Premise(
        "lebeda2025.sparse.histogram", "every pair is a post-processing of some (l, j), l + j <= m, and its ceiling"
    ),
    Unchecked(
        "independent sums",
        "sums are independent of the counters' noise: their squares join that of the change, which stays Gaussian",
    ),
    Premise("lebeda2025.composition.pair", "the naming pair of a ceiling dominates both orders at every real epsilon"),
    Premise("wilkins2024.composition.filter", "r of them are within r times the loss -log(1 - A) and r mu^2"),
)
_at = functools.partial(points, "epsilon releases k m sigma gamma gap mu_o")
_TIED = _at(("0", 1, 2, 2, "36310.9", "1", "232066.2", "0"))
_ORACLE_POINTS = _at(
    ("1", 1, 5, 2, "3", "5", "9", "1/10"), ("1", 4, 3, 3, "2", "1", "12", "0"), ("1", 3, 4, 1, "3", "2", "8", "1/5"),
)  # fmt: skip
_SEVERAL = {"epsilon": 2, "releases": 2, "k": 10, "m": 3, "gap": 18, "mu_o": 0}
_ACCOUNT: dict[str, Any] = {
    "domain": Box(
        (
            replace(EPSILON, upper=20), RELEASES, K_SMALL, M, replace(SIGMA, lower="1/10", upper=10**5),
            replace(GAMMA, lower=1, open_lower=False), replace(GAP, lower=0), MU_O,
        ),
        *WITHIN_K,
    ),
    "assumptions": (
        SPARSE_MONOTONIC, "the noise of a release and of a sum is fresh",
        "the sums of one counter have distance mu_o together",
    ),
    "role": Role.UPPER, "privacy": FEW_OF_SPARSE, "falls": ("epsilon", "gap"),
    "rises": ("releases", "k", "m", "mu_o"),
    "moves": dict.fromkeys(
        ("epsilon", "releases", "k", "m", "gap", "mu_o"),
        moves.by_profiles(
            "a ceiling 1 - (1 - A_l)^r (1 - f(sqrt(r) mu_l)) grows with A_l, which falls with the gap, with r, and "
            "with mu_l, which grows with k, m and mu_o; a maximum over more l is no smaller"
        ),
    ),
    "turns": (
        Turn("sigma", {**_SEVERAL, "gamma": 10}, (1, 3, 30)), Turn("gamma", {**_SEVERAL, "sigma": 4}, (1, 4, 1000)),
    ),
    "points": (
        *_at(
            ("1", 1, 10, 3, "8", "10", "40", "1/20"), ("1", 30, 10, 3, "40", "10", "225", "0"),
            ("1", 30, 10, 10, "47", "3", "280", "1/400"),
        ),
        *_TIED,
    ),
}  # fmt: skip

CLAIMS = (
    own(
        "sparse.releases", "Sections 6 and 8",
        "Delta of r releases of the same data, sums beside the counters, users of at most m of k",
        r"\delta_r \le \max_{0 \le l \le m} 1 - (1 - A_l)^r(1 - f(\sqrt r\mu_l, \epsilon)),\ \mu_l^2 = \max_{j \le "
        r"m-l} [(j - j^2/(k-l+\gamma))/\sigma^2 + j\mu_o^2]",
        DeltaBound(
            same_data, exact=ends, oracle=same_data_by_definition,
            oracle_points=(*_ORACLE_POINTS, *_TIED), proof=_COMPOSED,
        ),
        **_ACCOUNT,
        loose="by less than a factor two, and not at all where no ceiling with 0 < l < m is above both ends", cost=20,
        quoted=(
            Quoted(
                "three of ten counters a user, each with a sum, thirty times",
                {
                    "epsilon": 1, "releases": 30, "k": 10, "m": 3, "sigma": "32.8", "gamma": "10.37", "gap": 178,
                    "mu_o": "0.005",
                },
            ),
        ),
    ),
    own(
        "sparse.releases.adaptive", "Sections 6 and 8", "Delta of r such releases of data chosen as one goes",
        r"\delta_r \le 1 - (1 - A_m)^r(1 - f(\sqrt r\mu_0, \epsilon))",
        DeltaBound(
            chosen_data, exact=ends, oracle=chosen_data_by_definition, oracle_points=_ORACLE_POINTS,
            proof=_COMPOSED,
        ),
        **_ACCOUNT, loose="by less than a factor two",
        note="The budgets of the ledger: -log(1 - A_m) and mu_0^2 a release (wilkins2024.composition.filter).", cost=5,
    ),
)  # fmt: skip
