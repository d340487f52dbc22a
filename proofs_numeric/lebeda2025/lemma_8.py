"""The correlated Gaussian mechanism on d counting queries (Lemma 8) and why its parameters are what they are.

With shared variance ``sigma^2/gamma`` and own variance ``sigma^2`` the covariance is ``sigma^2 (I + 1 1^T/gamma)``; by
Sherman and Morrison the distance of two answers that differ by one in j queries is
``mu^2 = (j - j^2/(d + gamma))/sigma^2``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import shared_delta, shared_mu, worst_change
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.lebeda2025.parameters import EPSILON, SIGMA, J, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.constants import one
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.tactics import Part, Product
from proofs_numeric.statements.verdict import Expectation


def delta_gauss(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number) -> Any:
    """``HS(sqrt(k + sqrt(k))/(2 sigma), epsilon)``: Lemma 8 with d = k queries and gamma = sqrt(k)."""
    return gaussian_profile(A, epsilon, A.sqrt(k + A.sqrt(A.number(k))) / (2 * A.number(sigma)))


def delta_gauss_integer(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number) -> Any:
    """Lemma 8 with the maximum over integers j, exact."""
    return shared_delta(A, epsilon=epsilon, k=k, sigma=A.number(sigma), d=k)


def _by_brute_force(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number) -> Number:
    """Largest hockey stick over j, the distance from a solved linear system: no Sherman-Morrison."""
    gamma = A.sqrt(A.number(k))
    best = A.number(0)
    for j in range(1, k + 1):
        # (I + 1 1^T/gamma) x = v with v = 1 on j queries has x = v - s, s = sum(x)/gamma; iterate the sum's equation.
        total = j / (1 + k / gamma)
        form = j * (1 - total / gamma)
        best = max(best, gaussian_profile(A, epsilon, A.sqrt(form) / sigma))
    return best


def _mu_squared(A: Arithmetic, *, j: Number, d: Number, gamma: Number) -> Number:
    return j - j * j / (d + gamma)


def _completed_square(A: Arithmetic, *, j: Number, d: Number, gamma: Number) -> Number:
    return (d + gamma) / 4 - (j - (d + gamma) / 2) ** 2 / (d + gamma)


def _quadratic_form(A: Arithmetic, *, j: Number, d: Number, gamma: Number) -> Number:
    """``v^T (I + 1 1^T/gamma)^{-1} v`` by blocks: x on the j changed queries, y on the others, solved by Cramer."""
    # j x + ... : x (1 + j/gamma) + y (d - j)/gamma = 1 and x j/gamma + y (1 + (d - j)/gamma) = 0.
    a, b = 1 + j / gamma, (d - j) / gamma
    c, e = j / gamma, 1 + (d - j) / gamma
    return j * e / (a * e - b * c)


def _deviation_squared(A: Arithmetic, *, gamma: Number, d: Number, mu: Number) -> Number:
    """Squared total deviation ``sigma^2 (1 + 1/gamma)`` at ``sigma = sqrt(d + gamma)/(2 mu)``."""
    return (d + gamma) * (1 + 1 / gamma) / (4 * mu * mu)


def _least_deviation_squared(A: Arithmetic, *, gamma: Number, d: Number, mu: Number) -> Number:
    return (A.sqrt(A.number(d)) + 1) ** 2 / (4 * mu * mu)


def _integer_deficit(A: Arithmetic, *, d: int, root: int) -> Number:
    """``4 (d + gamma) sigma^2 (bound^2 - exact^2)`` at gamma = sqrt(root) and the worst integer j."""
    gamma = A.sqrt(A.number(root))
    j = worst_change(root, d)
    return (d + gamma - 2 * j) ** 2


def _total_noise(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    """Total variance ``(1 + 1/gamma) max_j (j - j^2/(d + gamma))`` at distance 1, j over integers.

    The largest is at an integer next to ``(d + gamma)/2``, or at d below that.
    """
    gamma = A.number(gamma)
    near = {max(1, min(d, floor + step)) for floor in floors(A, (d + gamma) / 2) for step in (0, 1)}
    return (1 + 1 / gamma) * A.maximum(*(_mu_squared(A, j=A.number(j), d=d, gamma=gamma) for j in sorted(near)))


def _total_noise_of_root(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    del gamma
    return _total_noise(A, gamma=A.sqrt(A.number(d)), d=d)


def _nearly_least_noise(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    return (1 - 1 / (d + A.number(gamma)) ** 2) * (A.sqrt(A.number(d)) + 1) ** 2 / 4


def _gain(A: Arithmetic, *, j: Number, d: Number, gamma: Number) -> Number:
    return _mu_squared(A, j=j + 1, d=d, gamma=gamma) - _mu_squared(A, j=j, d=d, gamma=gamma)


def _gain_by_sign(A: Arithmetic, *, j: Number, d: Number, gamma: Number) -> Number:
    return (d + gamma - 2 * j - 1) / (d + gamma)


_COMPLETED_SQUARE = SymbolicIdentity(
    "its real maximum is (d + gamma)/4, at j = (d + gamma)/2",
    _mu_squared,
    _completed_square,
    ("j", "d", "gamma"),
    ("j", "d", "gamma"),
)
_ONE_MORE_CHANGE = SymbolicIdentity(
    "one more change gains (d + gamma - 2 j - 1)/(d + gamma)",
    _gain,
    _gain_by_sign,
    ("j", "d", "gamma"),
    ("j", "d", "gamma"),
    "positive iff the integer 2 j + 1 - d is below gamma, that is below ceil(gamma): the first j without gain is j*",
)

GAMMA = Parameter("gamma", "ratio of own to shared variance", lower="1e-6", upper=10**6, log=True)


CLAIMS = (
    Claim(
        id="lebeda2025.lem8",
        source=printed("Lemma 8"),
        title="the correlated Gaussian mechanism on k counting queries",
        statement=r"\delta_{gauss} = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon)",
        kind=DeltaBound(
            formula=delta_gauss,
            exact=delta_gauss_integer,
            proof=Derivation(
                (
                    SymbolicIdentity(
                        "mu^2 sigma^2 = j - j^2/(d + gamma)",
                        _quadratic_form,
                        _mu_squared,
                        ("j", "d", "gamma"),
                        ("j", "d", "gamma"),
                    ),
                    _COMPLETED_SQUARE,
                    Unchecked("f(mu, epsilon) increases in mu; the law of a linear query depends on mu alone"),
                )
            ),
        ),
        domain=Box((EPSILON, K, SIGMA)),
        quantity=QuantityKind.DELTA,
        falls=("epsilon", "sigma"),
        rises=("k",),
        role=Role.UPPER,
        privacy=COUNTING_QUERIES,
        loose="by at most 1/(4 sigma^2 (k + sqrt(k))) in mu^2: the worst j is an integer (lem8.integer)",
    ),
    Claim(
        id="lebeda2025.lem8.exact",
        source=ours("Lemma 8"),
        title="exact delta of the correlated Gaussian mechanism",
        statement=r"\delta = \max_{0 \le j \le k} f(\sqrt{j - j^2/(k + \sqrt{k})}/\sigma, \epsilon)",
        kind=DeltaBound(
            formula=delta_gauss_integer,
            oracle=_by_brute_force,
            oracle_points=tuple({"epsilon": "0.3", "k": k, "sigma": "1.5"} for k in (1, 2, 3, 5, 17, 64)),
        ),
        domain=Box((EPSILON, K, SIGMA)),
        quantity=QuantityKind.DELTA,
        falls=("epsilon", "sigma"),
        rises=("k",),
        role=Role.EXACT,
        privacy=COUNTING_QUERIES,
    ),
    Claim(
        id="lebeda2025.lem8.integer",
        source=ours("Lemma 8"),
        title="how loose Lemma 8 is",
        statement=r"(d+\gamma)/4 - \max_j (j - j^2/(d+\gamma)) \le 1/(4 (d+\gamma)) \text{ for } \gamma \le d",
        kind=Inequality(
            left=_integer_deficit,
            right=one,
            proof=Derivation(
                (
                    _COMPLETED_SQUARE,
                    _ONE_MORE_CHANGE,
                    Unchecked(
                        "2 j* is d + ceil(gamma) or one less, and gamma <= d keeps j* <= d: d + gamma - 2 j* lies "
                        "between gamma - ceil(gamma) > -1 and 1 + gamma - ceil(gamma) <= 1"
                    ),
                )
            ),
        ),
        domain=Box(
            (
                replace(K, name="d"),
                Parameter("root", "gamma^2, an integer", lower=1, upper=10**6, integer=True, log=True),
            ),
            lambda *, d, root: root <= d * d,
            "gamma <= d",
        ),
    ),
    Claim(
        id="lebeda2025.lem8.opt",
        source=printed("Lemma 8, proof"),
        title="gamma = sqrt(d) gives the least total noise, if j might be any real number",
        statement=r"(d + \gamma)(1 + 1/\gamma) \ge (\sqrt{d} + 1)^2, \text{ equality at } \gamma = \sqrt{d}",
        kind=Inequality(
            left=_least_deviation_squared,
            right=_deviation_squared,
            proof=Product(
                (
                    Part(lambda A, *, gamma, mu, **_rest: 1 / (4 * gamma * mu * mu)),
                    Part(lambda A, *, gamma, d, **_rest: (A.sqrt(A.number(d)) - gamma) ** 2),
                )
            ),
        ),
        domain=Box(
            (GAMMA, replace(K, name="d"), Parameter("mu", "distance reached", lower="1e-6", upper=10**6, log=True))
        ),
        note="total deviation (sqrt(d) + 1)/(2 mu), against sqrt(d)/mu without correlation; j is an integer, and then "
        "gamma = sqrt(d) is not the best (lem8.opt.integer)",
    ),
    Claim(
        id="lebeda2025.lem8.opt.integer",
        source=printed("Lemma 8, proof"),
        title="gamma = sqrt(d) gives the least total noise",
        statement=r"(1 + 1/\gamma) \max_{j \in \{1..d\}} (j - j^2/(d+\gamma)) \ge"
        r" (1 + 1/\sqrt{d}) \max_{j \in \{1..d\}} (j - j^2/(d+\sqrt{d}))",
        kind=Inequality(left=_total_noise_of_root, right=_total_noise),
        domain=Box((GAMMA, replace(K, name="d", upper=1000))),
        points=({"gamma": 1, "d": 2},),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.lem8.opt.integer.corrected",
        note="the proof lets j be real: at d = 2, gamma = 1 needs 2.9 % less deviation (variance 4/3, not sqrt(2))",
    ),
    Claim(
        id="lebeda2025.lem8.opt.integer.corrected",
        source=ours("Lemma 8"),
        title="no gamma needs less total noise than gamma = sqrt(d) by more than a factor 1 - 1/(d + gamma)^2",
        statement=r"(1 + 1/\gamma) \max_{j \in \{1..d\}} (j - j^2/(d+\gamma)) \ge"
        r" (1 - 1/(d+\gamma)^2) (\sqrt{d} + 1)^2/4",
        kind=Inequality(left=_nearly_least_noise, right=_total_noise),
        domain=Box((GAMMA, replace(K, name="d", upper=1000))),
        points=({"gamma": 1, "d": 2}, {"gamma": 2, "d": 5}, {"gamma": 3, "d": 10}),
        note="(sqrt(d) + 1)^2/4 is the bound that gamma = sqrt(d) has for real j; total variance in units of 1/mu^2",
    ),
    Claim(
        id="lebeda2025.lem8.worst_change",
        source=ours("Lemma 8 (erratum trap L4)"),
        title="not all counters change in the worst pair",
        statement=r"j - j^2/(k + \sqrt{k}) \le j^* - j^{*2}/(k + \sqrt{k}),"
        r" j^* = \min(k, \lceil (k + \lceil\sqrt{k}\rceil - 1)/2 \rceil)",
        kind=Inequality(
            left=lambda A, *, k, j: shared_mu(A, k=k, sigma=A.number(1), d=k, j=j),
            right=lambda A, *, k, **_j: shared_mu(A, k=k, sigma=A.number(1), d=k, j=worst_change(k, k)),
            proof=Derivation((_ONE_MORE_CHANGE, Unchecked("a gain that falls with j: the maximum is at j*, or at k"))),
        ),
        domain=Box((K, replace(J, log=True)), lambda *, k, j: j <= k, "j <= k"),
        note="an audit of the pair that changes every counter misses faults that the worst pair shows",
    ),
)
