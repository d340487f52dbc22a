"""The correlated Gaussian mechanism on d counting queries (Lemma 8) and why its parameters are what they are.

With shared variance ``sigma^2/gamma`` and own variance ``sigma^2`` the covariance is ``sigma^2 (I + 1 1^T/gamma)``; by
Sherman and Morrison the distance of two answers that differ by one in j queries is
``mu^2 = (j - j^2/(d + gamma))/sigma^2``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import ceiling_of_root, floors
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import shared_delta, turning_point
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.lebeda2025.parameters import EPSILON, SIGMA, J, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.tactics import (
    ByClaim,
    Given,
    Increasing,
    Maximum,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Sum,
    Tactic,
    Through,
)
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


def _worst(A: Arithmetic, *, d: int, root: int) -> Number:
    """`worst_change` at gamma = sqrt(root)."""
    return A.minimum(d, turning_point(A, k=root, d=d))


def _integer_deficit(A: Arithmetic, *, d: int, root: int) -> Number:
    """``4 (d + gamma) sigma^2 (bound^2 - exact^2)`` at the worst integer j."""
    return (d + A.sqrt(A.number(root)) - 2 * _worst(A, d=d, root=root)) ** 2


def _total_noise(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    """Total variance ``(1 + 1/gamma) max_j (j - j^2/(d + gamma))`` at distance 1, j over the integers up to d.

    The largest is at the one nearest to ``(d + gamma)/2``, or at d below that.
    """
    gamma = A.number(gamma)
    return (1 + 1 / gamma) * A.maximum(
        *(
            _mu_squared(A, j=A.number(j), d=d, gamma=gamma)
            for j in floors(A, (d + A.minimum(A.number(d), gamma) + 1) / 2)
        )
    )


def _total_noise_of_root(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    del gamma
    return _total_noise(A, gamma=A.sqrt(A.number(d)), d=d)


def _noise_at_half(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    return _nearly(A, gamma=gamma, d=d) * (1 + 1 / gamma) * (d + gamma) / 4


def _nearly(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    return 1 - 1 / (d + gamma) ** 2


def _nearly_least_noise(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    return _nearly(A, gamma=gamma, d=d) * (A.sqrt(A.number(d)) + 1) ** 2 / 4


def _left(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    """Twice the nearest integer to ``(d + gamma)/2``, less ``d + gamma``."""
    return 2 * floors(A, (d + A.number(gamma) + 1) / 2)[0] - (d + gamma)


def _noise_of_all(A: Arithmetic, *, root: Number, excess: Number) -> Number:
    """Total variance against a change of all ``d = root^2`` queries at ``gamma = d + excess``."""
    d, gamma = root * root, root * root + excess
    return (1 + 1 / gamma) * _mu_squared(A, j=d, d=d, gamma=gamma)


_COMPLETED_SQUARE = SymbolicIdentity(
    "its real maximum is (d + gamma)/4, at j = (d + gamma)/2",
    _mu_squared,
    _completed_square,
    ("j", "d", "gamma"),
    ("j", "d", "gamma"),
)


def _changed(A: Arithmetic, *, d: int, j: Number) -> Number:
    """``j - j^2/(d + sqrt(d))``."""
    return _mu_squared(A, j=A.number(j), d=d, gamma=A.sqrt(A.number(d)))


def _most_changed(A: Arithmetic, *, d: int, j: Number) -> Number:
    return _changed(A, d=d, j=_worst(A, d=d, root=d))


# --- the worst integer ------------------------------------------------------------------------------------------------


def _room(root: Formula) -> tuple[Part, Part]:
    """``1 - left`` and ``1 + left`` of ``left = d + gamma - 2 min(d, n)``, gamma of the root, n the turning point.

    With c = ceil(gamma), 2 n is d + c - 1 or one more; where d is chosen, gamma is at most d.
    """

    def gamma(A: Arithmetic, **at: Any) -> Any:
        return A.sqrt(A.number(root(A, **at)))

    def c(A: Arithmetic, **at: Any) -> Any:
        return A.number(ceiling_of_root(A, root(A, **at)))

    def n(A: Arithmetic, **at: Any) -> Any:
        return A.number(turning_point(A, k=root(A, **at), d=at["d"]))

    def part(formula: Callable[..., Any], proof: Tactic | None = None) -> Part:
        """The formula of A, d, gamma, c and n."""

        def value(A: Arithmetic, **at: Any) -> Any:
            return formula(A, A.number(at["d"]), *(number(A, **at) for number in (gamma, c, n)))

        return Part(value, proof or Sign())

    at_all = Product((part(lambda _A, d, g, c, n: 1 / (1 + d + g)), part(lambda _A, d, g, c, n: (1 + d) ** 2 - g**2)))
    at_turn = Sum((part(lambda _A, d, g, c, n: 2 * n - (d + c - 1)), part(lambda _A, d, g, c, n: c - g)))
    chosen = (part(lambda _A, d, g, c, n: d, at_all), part(lambda _A, d, g, c, n: n, at_turn))
    above = Sum(
        (
            part(lambda A, d, g, c, n: 2 * (n - A.minimum(d, n))),
            part(lambda _A, d, g, c, n: d + c - 2 * n),
            part(lambda _A, d, g, c, n: g + 1 - c),
        )
    )
    return (
        part(lambda A, d, g, c, n: 1 - (d + g - 2 * A.minimum(d, n)), Maximum(chosen, inside=True)),
        part(lambda A, d, g, c, n: 1 + (d + g - 2 * A.minimum(d, n)), above),
    )


def _of_next(steps: Formula, room: Part) -> Part:
    """``room s (s + 1)/(2 (d + gamma)) >= 0`` at an integer s."""
    s = Parameter("s", "", lower="-infinity", integer=True)
    below = Product((Part(lambda A, *, s: -A.number(s)), Part(lambda A, *, s: -A.number(s) - 1)))
    integers = Substitute(
        Box((s,)), {"s": steps}, Split("s", -1, below, Sign()), zero, lambda A, *, s: A.number(s) * (s + 1)
    )

    def product(A: Arithmetic, **at: Any) -> Any:
        return steps(A, **at) * (steps(A, **at) + 1)

    def over(A: Arithmetic, *, d: Number, **_rest: Any) -> Any:
        return 1 / (2 * (d + A.sqrt(A.number(d))))

    def whole(A: Arithmetic, **at: Any) -> Any:
        return over(A, **at) * room.formula(A, **at) * product(A, **at)

    return Part(whole, Product((Part(over), room, Part(product, integers))))


def _forth(A: Arithmetic, *, j: Number, d: int) -> Any:
    return _worst(A, d=d, root=d) - A.number(j)


def _back(A: Arithmetic, *, j: Number, d: int) -> Any:
    return A.number(j) - _worst(A, d=d, root=d)


_INTEGER = Product(_room(lambda _A, *, root, **_d: root))
_BELOW, _ABOVE = _room(lambda _A, *, d, **_j: d)
_WORST = Sum((_of_next(_forth, _ABOVE), _of_next(_back, _BELOW)))
"""The gap is ``s (s + left)/(d + gamma)``, s the steps from j to the worst integer."""

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
        kind=Inequality(left=_integer_deficit, right=one, proof=_INTEGER),
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
        kind=Inequality(
            left=_nearly_least_noise,
            right=_total_noise,
            proof=Maximum(
                (
                    Part(
                        lambda A, *, gamma, **_d: A.number(gamma),
                        Through(
                            _noise_at_half,
                            first=Product(
                                (
                                    Part(lambda A, *, gamma, d: _nearly(A, gamma=gamma, d=d) / (4 * gamma)),
                                    Part(lambda A, *, gamma, d: (A.sqrt(A.number(d)) - gamma) ** 2),
                                )
                            ),
                            second=Product(
                                (
                                    Part(lambda A, *, gamma, d: (1 + 1 / gamma) / (4 * (d + gamma))),
                                    Part(lambda A, **at: 1 - _left(A, **at)),
                                    Part(lambda A, **at: 1 + _left(A, **at)),
                                )
                            ),
                        ),
                    ),
                    Part(
                        lambda A, *, d, **_gamma: A.number(d),
                        Through(
                            lambda A, *, d, **_gamma: (A.sqrt(A.number(d)) + 1) ** 2 / 4,
                            second=ByClaim(
                                "lebeda2025.lem8.opt.integer.beyond",
                                {
                                    "root": lambda A, *, d, **_gamma: A.sqrt(A.number(d)),
                                    "excess": lambda A, *, d, gamma: gamma - d,
                                },
                                {
                                    "root": Increasing("sqrt", one, lambda A, *, d, **_gamma: A.number(d)),
                                    "root <": Increasing(
                                        "sqrt", lambda A, *, d, **_gamma: A.number(d), lambda A, **_d: A.number(10**6)
                                    ),
                                    "excess": Given(),
                                    "excess <": Sign(),
                                },
                            ),
                        ),
                    ),
                ),
                inside=True,
            ),
        ),
        domain=Box((GAMMA, replace(K, name="d"))),
        points=({"gamma": 1, "d": 2}, {"gamma": 2, "d": 5}, {"gamma": 3, "d": 10}),
        note="(sqrt(d) + 1)^2/4 is the bound that gamma = sqrt(d) has for real j; total variance in units of "
        "1/mu^2. The largest is at the integer nearest to (d + min(d, gamma))/2.",
    ),
    Claim(
        id="lebeda2025.lem8.opt.integer.beyond",
        source=ours("Lemma 8"),
        title="no gamma beyond d needs less total noise than gamma = sqrt(d)",
        statement=r"(1 + 1/\gamma) (d - d^2/(d+\gamma)) \ge (\sqrt{d} + 1)^2/4,\ \gamma \ge d",
        kind=Inequality(
            left=lambda A, *, root, **_excess: (root + 1) ** 2 / 4,
            right=_noise_of_all,
            proof=Sum(
                (
                    Part(
                        lambda A, *, root, excess: (
                            excess * (root - 1) * (3 * root + 1) / (4 * (2 * root * root + excess))
                        )
                    ),
                    Part(lambda A, *, root, excess: (root * (root - 1)) ** 2 / (2 * (2 * root * root + excess))),
                )
            ),
        ),
        domain=Box(
            (Parameter("root", "square root of d", lower=1, upper=1000), Parameter("excess", "gamma - d", upper=10**6))
        ),
    ),
    Claim(
        id="lebeda2025.lem8.worst_change",
        source=ours("Lemma 8 (erratum trap L4)"),
        title="not all counters change in the worst pair",
        statement=r"j - j^2/(d + \sqrt{d}) \le j^* - j^{*2}/(d + \sqrt{d}),"
        r" j^* = \min(d, \lceil (d + \lceil\sqrt{d}\rceil - 1)/2 \rceil)",
        kind=Inequality(left=_changed, right=_most_changed, proof=_WORST),
        domain=Box((replace(K, name="d"), replace(J, log=True)), lambda *, d, j: j <= d, "j <= d"),
        note="an audit of the pair that changes every counter misses faults that the worst pair shows",
    ),
)
