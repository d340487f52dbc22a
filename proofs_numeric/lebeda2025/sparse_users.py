r"""Users who change at most m of k counters that are all released: the least total noise, and the delta (Section 8).

With shared variance ``sigma^2/gamma`` and own variance ``sigma^2`` a change of j counters has distance
``mu^2 sigma^2 = j - j^2/(k + gamma)`` (lebeda2025.lem8), so a counter's total variance at distance 1 is

    N(gamma) = max over j <= m of N_j(gamma),   N_j(gamma) = (1 + 1/gamma) (j - j^2/(k + gamma)).

One j: with ``x = (sqrt(j (k-1)) - sqrt(k-j))/k``

    N_j(gamma) - j (1 - x^2) = j (x gamma - sqrt(k-j))^2/(gamma (gamma + k)),

so N_j falls to ``gamma_j = sqrt(k-j)/x`` and rises after it (for j = 1 it falls throughout). The larger of N_j and
N_(j+1) changes where ``2 j + 1 = k + gamma``. So the least N is, for some j, at gamma_j or at an end of
``2 j - 1 <= k + gamma <= 2 j + 1`` (for j = m without an upper end): at m < k the open regime of the paper's Section 8,
at m = k what the paper answers with gamma = sqrt(k), which is the best for real j only.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.gaussian import gaussian_mu
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.lebeda2025.lemma_8 import GAMMA, delta_by_whitening, gamma
from proofs_numeric.lebeda2025.neighbours import worst_of
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, ByParameters, Neighbours, Privacy


def worst_square(A: Arithmetic, *, k: int, m: int, gamma: Number, more: Number = 0) -> Any:
    """``max over j <= m of (1 + more) j - j^2/(k + gamma)``, m <= k: squared distance at sigma = 1.

    It is at ``(1 + more)(k + gamma)/2``, or m. Each counter's square is 1, and more where something else of it is
    released with noise of its own. Nothing is subtracted but whole numbers: a small square keeps its digits.
    """
    gamma = A.number(gamma)
    middle = int(min(m, float((1 + more) * (k + gamma)) / 2))  # a double's middle is within one of the true one
    near = {max(1, min(m, middle + step)) for step in (-1, 0, 1, 2)}
    return A.maximum(*(more * j + squared_distance(d=k, j=j, ratio=gamma) for j in sorted(near)))


m = symbol("m")
_worst_square = algorithm(worst_square)()
total_noise = (1 + 1 / gamma) * _worst_square
"""N(gamma), total variance of a counter at distance 1."""


def best_gamma(A: Arithmetic, *, k: int, m: int) -> Any:
    """The gamma of least total noise, ``2 <= m <= k``; the first of equals from above. At m = 1 no noise is shared."""
    return min(_candidates(A, k, m), key=lambda gamma: float(total_noise(A, k=k, m=m, gamma=gamma)))


def least_noise(A: Arithmetic, *, k: int, m: int) -> Any:
    """Least N over all gamma > 0, ``2 <= m <= k``."""
    return A.minimum(*(total_noise(A, k=k, m=m, gamma=gamma) for gamma in _candidates(A, k, m)))


def _candidates(A: Arithmetic, k: int, m: int) -> list[Any]:
    """Stationary points and crossings: gamma_m and the end below it, or those about ``(k + sqrt k)/2``."""
    root = k + math.isqrt(k)
    ratios = [stationary(A, k=k, j=m)] if m < k else []
    for at in {at for at in range(root // 2 - 1, root // 2 + 3) if 2 <= at < m} | {m - 1}:
        ratios += [A.number(end) for end in (2 * at - 1 - k, 2 * at + 1 - k) if end > 0]
        ratios += [stationary(A, k=k, j=at)]
    return ratios


def stationary(A: Arithmetic, *, k: int, j: int) -> Any:
    """``gamma_j = [(k-j) + sqrt((k-j) j (k-1))]/(j-1)``, where N_j is least; ``2 <= j < k``. At j = 1: 1."""
    return (k - j + A.sqrt(A.number((k - j) * j * (k - 1)))) / (j - 1) if j > 1 else A.number(1)


delta = profile(epsilon, sqrt(_worst_square) / sigma)
"""Exact delta of k correlated counters whose users change at most m of them."""


def least_sigma(A: Arithmetic, *, epsilon: Number, delta: Number, k: int, m: int) -> Any:
    """Own noise of least total noise: the largest distance, at the best gamma, has this delta."""
    square = worst_square(A, k=k, m=m, gamma=best_gamma(A, k=k, m=m))
    return A.sqrt(square) / gaussian_mu(A, epsilon=A.number(epsilon), delta=A.number(delta))


def _delta_of_sigma(A: Arithmetic, *, value: Number, epsilon: Number, k: int, m: int, **_target: Number) -> Any:
    return delta(A, epsilon=epsilon, k=k, m=m, sigma=value, gamma=best_gamma(A, k=k, m=m))


def _describe_gamma(*, k: int, m: int, **_rest: Value) -> str:
    return f"at gamma = {float(best_gamma(Float64(), k=k, m=m)):.15g}; the shared noise is sigma/sqrt(gamma)"


def _describe_least(*, k: int, m: int, **_rest: Value) -> str:
    least, gamma = (float(one(Float64(), k=k, m=m)) for one in (least_noise, best_gamma))
    return f"total variance at distance 1; the least is {least:.15g}, at gamma = {gamma:.15g}"


others, reach, peak, away, share, more = symbols("others s peak away share more")
step, slope, root, rest = symbols("step x c rest")
_STEP = Parameter("step", "gamma' - gamma", searched=(0, 10**6))
_SLOPE = Parameter("x", "slope of the root of the square", searched=(0, 10**3))
_ROOT = Parameter("c", "the root of the square at 0", searched=(0, 10**3))
_REST = Parameter("rest", "the root of the square at the nearer end", searched=(0, 10**3))
noise_of_change = (1 + 1 / gamma) * (m - m * m / (m + others + gamma))
"""``N_m(gamma)``: total variance of a counter at distance 1 against a change of m, k = m + others."""
_x = (sqrt(m * (m + others - 1)) - sqrt(others)) / (m + others)
_square_at = j - j**2 / reach
_further = gamma + step
_excess_here = (slope * step + rest) ** 2 / (gamma * (gamma + k))
_excess_nearer = rest**2 / (_further * (_further + k))
_excess_next = rest**2 / (gamma * (gamma + k))
_excess_beyond = (rest + (root + rest) / gamma * step) ** 2 / (_further * (_further + k))
_reach = 2 * peak - 1 + 2 * share
"""``k + gamma`` from ``2 peak - 1`` to ``2 peak + 1``."""
_peak, _fewer, _more = (_square_at(j=at, s=_reach) for at in (peak, peak - away, peak + away))
_below = 2 * (j + away) + more


adjacency = ByParameters(AddRemoveUser, {"c_u": "m"})
"""One user in at most m of the k counters."""


def pairs(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """The worst number of changes, and all m of them."""
    k, m = int(parameters["k"]), min(int(parameters["m"]), MOST_CHANGED_KEYS)
    worst = worst_of(m, k + float(parameters["gamma"]))
    return tuple(
        Neighbours(name, {f"k{i}": 1 for i in range(j)}, {}, f"{j} of {k} counters changed")
        for name, j in {"worst": worst, "all": m}.items()
    )


def _at_best_gamma(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    gamma = best_gamma(Float64(), k=int(parameters["k"]), m=int(parameters["m"]))
    return pairs({**parameters, "gamma": Fraction(float(gamma))})


FEW_COUNTERS = Privacy(adjacency, pairs, any_key=False)
M = replace(K, name="m", description="counters that one user changes")
WITHIN_K = (lambda *, k, m, **_rest: m <= k), "m <= k"


CLAIMS = (
    own(
        "sparse.delta", "Section 8 (open problem)",
        "exact delta of correlated noise on k counters of which a user changes at most m",
        r"\delta = \max_{j \le m} f(\sqrt{j - j^2/(k + \gamma)}/\sigma, \epsilon)",
        DeltaBound(
            delta, delta_by_whitening,
            points(
                "epsilon k m sigma gamma", ("1", 10, 3, "2", "4"), ("1/2", 5, 5, "3", "2"), ("0", 7, 1, "1", "1/2"),
                ("2", 20, 12, "4", "9/2"),
            ),
            proof=derived(
                Premise("lebeda2025.lem8", "mu^2 sigma^2 = j - j^2/(k + gamma), and f grows with mu"),
                Premise("lebeda2025.sparse.worst_change", "the integers next to (k + gamma)/2 are the worst j"),
                Premise("lebeda2025.sparse.worst_change.below", "or m, where that is below it"),
            ),
        ),
        domain=Box(
            (EPSILON, replace(K, upper=10**5), M, SIGMA, replace(GAMMA, lower="1e-3", open_lower=False)), *WITHIN_K,
        ),
        falls=("epsilon", "sigma"), rises=("k", "m", "gamma"),
        moves=dict.fromkeys(
            ("epsilon", "k", "m", "sigma", "gamma"),
            moves.by_profiles(
                "mu^2 sigma^2 = j - j^2/(k + gamma) grows with k and gamma at every j, and a maximum over more j with m"
            ),
        ),
        privacy=FEW_COUNTERS,
        points=points("epsilon k m sigma gamma", ("1", 100, 10, "5", "47"), ("1", 2, 2, "2", "1")),
    ),
    own(
        "sparse.sigma", "Section 8 (open problem)",
        "least noise of k counters of which a user changes at most m, the shared noise chosen with it",
        r"\sigma = \sqrt{\max_{j \le m} (j - j^2/(k + \gamma^*))}/\mu,\ f(\mu, \epsilon) = \delta",
        Calibration(least_sigma, _delta_of_sigma),
        domain=Box((EPSILON, DELTA, replace(K, lower=2, upper=10**5), replace(M, lower=2)), *WITHIN_K),
        falls=("epsilon", "delta"), quantity=QuantityKind.SCALE, remark=_describe_gamma,
        privacy=Privacy(adjacency, _at_best_gamma, any_key=False),
        points=points("epsilon delta k m", (1, "1e-6", 100, 10), ("1/2", "1e-5", 2, 2), ("0.349", "1e-30", 10**5, 3)),
        note="gamma* has the least total noise (sparse.least).",
    ),
    own(
        "sparse.worst_change", "Section 8 (open problem)",
        "the worst number of changes is an integer next to half of k + gamma",
        r"j - j^2/s \le j^* - j^{*2}/s,\ 2j^* - 1 \le s \le 2j^* + 1", maximum(_fewer, _more) <= _peak,
        proof=largest_of(_fewer, _more),
        domain=(
            replace(M, name="peak", description="j*, the worst number of changes"),
            replace(M, name="away", description="how far j is from it, on either side"),
            Parameter("share", "(s - 2 j* + 1)/2", upper=1),
        ),
    ),
    own(
        "sparse.worst_change.below", "Section 8 (open problem)", "below half of k + gamma more changes are worse",
        r"j - j^2/s \le m - m^2/s,\ j \le m \le s/2", _square_at(s=_below) <= _square_at(j=j + away, s=_below),
        proof=Sign(),
        domain=(
            replace(M, name="j", description="counters that change"),
            replace(M, name="away", description="m - j", lower=0, log=False, searched=(0, 10**6)),
            Parameter("more", "s - 2 m", searched=(0, 10**6)),
        ),
    ),
    own(
        "sparse.one", "Section 8 (open problem)", "the least total noise against a change of m counters",
        r"(1 + 1/\gamma)(m - m^2/(k+\gamma)) \ge m (1 - x^2),\ x = (\sqrt{m(k-1)} - \sqrt{k-m})/k",
        m * (1 - _x**2) <= noise_of_change,
        proof=product_of(m / (gamma * (gamma + m + others)), (_x * gamma - sqrt(others)) ** 2),
        domain=(GAMMA, replace(M, lower=2), replace(M, name="others", description="k - m", lower=0)),
        note="Equality at gamma = sqrt(k-m)/x, where the square in the gap is 0. No gamma needs less against users of "
        "m counters; where m is the worst change too, sqrt(k-m)/x is the best of all.",
    ),
    own(
        "sparse.one.falls", "Section 8 (open problem)", "the total noise against a change falls up to its least",
        r"\frac{(x\gamma' - c)^2}{\gamma'(\gamma'+k)} \le \frac{(x\gamma - c)^2}{\gamma(\gamma+k)},\ "
        r"\gamma \le \gamma' \le c/x", _excess_nearer <= _excess_here, proof=Sign(),
        domain=(GAMMA, _STEP, replace(K, lower=1), _SLOPE, replace(_REST, description="c - x gamma'")),
        note="Up to a factor m, what the noise has above its least value, by the product in sparse.one.",
    ),
    own(
        "sparse.one.rises", "Section 8 (open problem)", "the total noise against a change rises from its least on",
        r"\frac{(x\gamma - c)^2}{\gamma(\gamma+k)} \le \frac{(x\gamma' - c)^2}{\gamma'(\gamma'+k)},\ "
        r"c/x \le \gamma \le \gamma'", _excess_next <= _excess_beyond, proof=Sign(),
        domain=(GAMMA, _STEP, replace(K, lower=1), _ROOT, replace(_REST, description="x gamma - c")),
        note="Up to a factor m, what the noise has above its least value, by the product in sparse.one.",
    ),
    own(
        "sparse.least", "Section 8 (open problem)", "the gamma of least total noise, at every m from 2 to k",
        r"\min_\gamma N = \min\{N(\gamma_j),\ N(2j \pm 1 - k)\},\ N(\gamma) = (1 + 1/\gamma) \max_{j \le m} (j - "
        r"j^2/(k+\gamma))",
        algorithm(least_noise)() <= total_noise,
        proof=derived(
            Premise("lebeda2025.sparse.one", "N_j is least at gamma_j, and a square over gamma (gamma + k) above that"),
            Premise("lebeda2025.sparse.one.falls", "N_j falls to gamma_j: up to there a right end is least"),
            Premise("lebeda2025.sparse.one.rises", "N_j rises after gamma_j: from there a left end is least"),
            SymbolicIdentity(
                "N_(j+1) is above N_j where k + gamma > 2 j + 1", (j + 1 - (j + 1) ** 2 / reach) - (j - j * j / reach),
                (reach - (2 * j + 1)) / reach, ("j", "s"), ("s",),
                "so j is the worst change for 2 j - 1 <= k + gamma <= 2 j + 1, and m above that",
            ),
            Unchecked(
                "interval of the best gamma",
                "gamma_j lies in the interval of j, or the ends next to it do, for j about (k + sqrt(k))/2 or "
                "j = m: intervals further off have larger noise, as N is below by the bound for real j "
                "(lebeda2025.lem8.opt) that falls to gamma = sqrt(k) and rises after it",
            ),
        ),
        domain=Box((GAMMA, replace(K, lower=2, upper=1000), replace(M, lower=2, upper=1000)), *WITHIN_K),
        points=points("gamma k m", (1, 2, 2), (2, 5, 5), (30, 100, 10)), evaluates=total_noise, remark=_describe_least,
    ),
)  # fmt: skip
