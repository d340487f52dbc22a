"""The correlated Gaussian mechanism on d counting queries (Lemma 8) and why its parameters are what they are.

With shared variance ``sigma^2/gamma`` and own variance ``sigma^2`` the covariance is ``sigma^2 (I + 1 1^T/gamma)``; by
Sherman and Morrison the distance of two answers that differ by one in j queries is
``mu^2 = (j - j^2/(d + gamma))/sigma^2``.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import ceiling_of_root, floors
from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import shared_delta, turning_point, worst_among
from proofs_numeric.lebeda2025.laws import QUERIES, grows
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.lebeda2025.parameters import EPSILON, SIGMA, J, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.statements.shared import Shown
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
    Symbolic,
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


def _deviation_squared(A: Arithmetic, *, gamma: Number, d: Number, mu: Number) -> Number:
    """Squared total deviation ``sigma^2 (1 + 1/gamma)`` at ``sigma = sqrt(d + gamma)/(2 mu)``."""
    return (d + gamma) * (1 + 1 / gamma) / (4 * mu * mu)


def _least_deviation_squared(A: Arithmetic, *, gamma: Number, d: Number, mu: Number) -> Number:
    return (A.sqrt(A.number(d)) + 1) ** 2 / (4 * mu * mu)


def _integer_deficit(A: Arithmetic, *, d: int, root: int) -> Any:
    """``4 (d + gamma) sigma^2 (bound^2 - exact^2)`` at the worst integer j."""
    return (d + A.sqrt(A.number(root)) - 2 * worst_among(A, k=root, d=d)) ** 2


def _total_noise(A: Arithmetic, *, gamma: Number, d: int) -> Number:
    """Total variance ``(1 + 1/gamma) max_j (j - j^2/(d + gamma))`` at distance 1, j over the integers up to d.

    The largest is at the one nearest to ``(d + gamma)/2``, or at d below that.
    """
    gamma = A.number(gamma)
    return (1 + 1 / gamma) * A.maximum(
        *(
            squared_distance(d=d, j=A.number(j), ratio=gamma)
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


def _noise_of_all(A: Arithmetic, *, root: Number, excess: Number) -> Any:
    """Total variance against a change of all ``d = root^2`` queries at ``gamma = d + excess``."""
    d, gamma = root * root, root * root + excess
    return (1 + 1 / gamma) * squared_distance(d=d, j=d, ratio=gamma)


def _changed(A: Arithmetic, *, d: int, j: Number) -> Any:
    """``j - j^2/(d + sqrt(d))``."""
    return squared_distance(d=d, j=A.number(j), ratio=A.sqrt(A.number(d)))


def _most_changed(A: Arithmetic, *, d: int, j: Number) -> Any:
    return _changed(A, d=d, j=worst_among(A, k=d, d=d))


# --- the worst integer ------------------------------------------------------------------------------------------------


def whole(name: str) -> Formula:
    """The integer of that name, an integer in every arithmetic."""
    return lambda _A, **at: at[name]


_Parted = Callable[..., Any]


def _parts_of(d: Formula, root: Formula) -> Callable[[_Parted], Formula]:
    """How a formula of A, d, gamma = sqrt(root), c = ceil(gamma) and the turning point n is one of the parameters.

    Twice n is d + c - 1 or one more.
    """

    def of(formula: _Parted) -> Formula:
        def value(A: Arithmetic, **at: Any) -> Any:
            counters, square = d(A, **at), root(A, **at)
            c, n = ceiling_of_root(A, square), turning_point(A, k=square, d=counters)
            return formula(A, A.number(counters), A.sqrt(A.number(square)), A.number(c), A.number(n))

        return value

    return of


def _of_turn(of: Callable[[_Parted], Formula]) -> tuple[Part, Part]:
    """``1 - left`` and ``1 + left`` of ``left = d + gamma - 2 n``."""
    below = Part(of(lambda _A, d, g, c, n: 2 * n - (d + c - 1))), Part(of(lambda _A, d, g, c, n: c - g))
    above = Part(of(lambda _A, d, g, c, n: d + c - 2 * n)), Part(of(lambda _A, d, g, c, n: g + 1 - c))
    return (
        Part(of(lambda _A, d, g, c, n: 1 - (d + g - 2 * n)), Sum(below)),
        Part(of(lambda _A, d, g, c, n: 1 + (d + g - 2 * n)), Sum(above)),
    )


def _deficit(d: Formula, root: Formula) -> Product:
    """``left^2 <= 1`` at the worst integer, where gamma is at most d."""
    of = _parts_of(d, root)
    at_all = Product(
        (Part(of(lambda _A, d, g, c, n: 1 / (1 + d + g))), Part(of(lambda _A, d, g, c, n: (1 + d) ** 2 - g**2)))
    )
    below, above = _of_turn(of)
    chosen = (Part(of(lambda _A, d, g, c, n: d), at_all), Part(of(lambda _A, d, g, c, n: n), below.proof))
    beyond = Part(of(lambda A, d, g, c, n: 2 * (n - A.minimum(d, n))))
    return Product(
        (
            Part(of(lambda A, d, g, c, n: 1 - (d + g - 2 * A.minimum(d, n))), Maximum(chosen, inside=True)),
            Part(
                of(lambda A, d, g, c, n: 1 + (d + g - 2 * A.minimum(d, n))),
                Sum((beyond, Part(above.formula, above.proof))),
            ),
        )
    )


def worst_change_is(d: Formula, root: Formula, j: Formula, unit: Formula = one) -> Maximum:
    """That a change of j of d counters is no worse than that of `worst_among`, gamma^2 = root, squares times ``unit``.

    At the turning point the gap is ``s (s + left)/(d + gamma)``, s the steps from j to it; where all d are the worst,
    ``s (gamma - j)/(d + gamma)``, s = d - j, and d <= c.
    """
    of = _parts_of(d, root)

    def over(A: Arithmetic, **at: Any) -> Any:
        return A.number(unit(A, **at)) / (d(A, **at) + A.sqrt(A.number(root(A, **at))))

    def from_turn(A: Arithmetic, **at: Any) -> Any:
        return turning_point(A, k=root(A, **at), d=d(A, **at)) - A.number(j(A, **at))

    def from_all(A: Arithmetic, **at: Any) -> Any:
        return A.number(d(A, **at)) - j(A, **at)

    def times(*factors: Part) -> Part:
        def product(A: Arithmetic, **at: Any) -> Any:
            return functools.reduce(operator.mul, (factor.formula(A, **at) for factor in factors))

        return Part(product, Product(factors))

    half = Part(lambda A, **at: over(A, **at) / 2)
    below, above = _of_turn(of)
    at_turn = Sum((times(half, above, _in_steps(from_turn, 1)), times(half, below, _in_steps(from_turn, -1))))
    some = (Part(over), Part(from_all))
    at_all = Sum(
        (
            times(*some, Part(of(lambda _A, d, g, c, n: g + 1 - c))),
            times(Part(over), _in_steps(from_all, -1)),
            times(*some, Part(of(lambda _A, d, g, c, n: d + c - 2 * n))),
            times(
                *some, Part(of(lambda _A, d, g, c, n: 2 * (n - d)), Product((Part(_two), Part(_beyond(of), Given()))))
            ),
        )
    )
    return Maximum(
        (Part(of(lambda _A, d, g, c, n: d), at_all), Part(of(lambda _A, d, g, c, n: n), at_turn)), inside=True
    )


def _two(A: Arithmetic, **_rest: Any) -> Any:
    return A.number(2)


def _beyond(of: Callable[[_Parted], Formula]) -> Formula:
    return of(lambda _A, d, g, c, n: n - d)


def _in_steps(steps: Formula, side: int) -> Part:
    """``s (s + side) >= 0`` at an integer s, side 1 or -1."""
    s = Parameter("s", "", lower="-infinity", integer=True)
    below = Product((Part(lambda A, *, s: -A.number(s)), Part(lambda A, *, s: -A.number(s) - side)))
    integers = Substitute(
        Box((s,)),
        {"s": steps},
        Split("s", -1 if side > 0 else 0, below, Product((Part(whole("s")), Part(lambda A, *, s: A.number(s) + side)))),
        zero,
        lambda A, *, s: A.number(s) * (s + side),
    )
    return Part(lambda A, **at: steps(A, **at) * (steps(A, **at) + side), integers)


# --- the profile ------------------------------------------------------------------------------------------------------


def changed_square(A: Arithmetic, *, k: int, sigma: Number, changed: int, **_rest: Any) -> Any:
    """Squared distance of a change of so many counters."""
    return squared_distance(d=k, j=A.number(changed), ratio=A.sqrt(A.number(k))) / A.number(sigma) ** 2


def _half_of_all(A: Arithmetic, *, k: int, sigma: Number, **_rest: Any) -> Any:
    """Of Lemma 8, as if (k + sqrt(k))/2 changed."""
    return (k + A.sqrt(A.number(k))) / (4 * A.number(sigma) ** 2)


_HALF_IS_WORST = Product(
    (
        Part(lambda A, *, k, sigma, **_rest: 1 / (4 * A.number(sigma) ** 2 * (k + A.sqrt(A.number(k))))),
        Part(lambda A, *, k, changed, **_rest: (k + A.sqrt(A.number(k)) - 2 * changed) ** 2),
    )
)


LEMMA_8 = (changed_square, _half_of_all, _HALF_IS_WORST)
"""A change, Lemma 8's, and that its squared distance is no smaller."""


def _worst(A: Arithmetic, *, k: int, **_rest: Any) -> Any:
    return worst_among(A, k=k, d=k)


def worst_square(A: Arithmetic, *, k: int, changed: int = 0, **at: Any) -> Any:
    """That of the worst number of changes, whatever changed."""
    del changed
    return changed_square(A, k=k, changed=_worst(A, k=k), **at)


_WORST = worst_change_is(
    whole("k"), whole("k"), whole("changed"), lambda A, *, sigma, **_rest: 1 / A.number(sigma) ** 2
)


GAMMA = Parameter("gamma", "ratio of own to shared variance", lower="1e-6", upper=10**6, log=True)


CLAIMS = (
    Claim(
        id="lebeda2025.lem8",
        source=printed("Lemma 8"),
        title="the correlated Gaussian mechanism on k counting queries",
        statement=r"\delta_{gauss} = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon)",
        kind=DeltaBound(formula=delta_gauss, exact=delta_gauss_integer, pairs=QUERIES, proof=Shown(grows(*LEMMA_8))),
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
            pairs=QUERIES,
            proof=Shown(grows(changed_square, worst_square, _WORST), _worst, Symbolic()),
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
        kind=Inequality(left=_integer_deficit, right=one, proof=_deficit(whole("d"), whole("root"))),
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
        kind=Inequality(left=_changed, right=_most_changed, proof=worst_change_is(whole("d"), whole("d"), whole("j"))),
        domain=Box((replace(K, name="d"), replace(J, log=True)), lambda *, d, j: j <= d, "j <= d"),
        note="an audit of the pair that changes every counter misses faults that the worst pair shows",
    ),
)
