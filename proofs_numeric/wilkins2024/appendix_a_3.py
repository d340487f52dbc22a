r"""Appendix A.3: f-DP, its conjugates and its composition with a ``(0, delta)``-DP mechanism.

``f_mu(alpha) = Phi(Phi^{-1}(1 - alpha) - mu)`` is the trade-off function of the Gaussian mechanism,
``f*(y) = sup_alpha y alpha - f(alpha)`` its conjugate, ``delta`` a total variation.  The Gaussian statements are proved
symbolically; those on general mechanisms are enumerated over finite laws.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from proofs_numeric.arithmetic.special import binomial_tail, normal_cdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.wilkins2024.finite import (
    RATIOS,
    FiniteLaw,
    coin,
    events,
    hockey_stick,
    joint,
    law_pairs,
    laws,
    probability,
)
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_infinite, hockey_stick_by_quadrature

# --- trade-off functions of finite laws, exact ------------------------------------------------------------------------

Curve = tuple[tuple[Fraction, Fraction], ...]
"""Breakpoints (alpha, f(alpha)) of a piecewise linear trade-off function, alpha from 0 to 1."""


def tradeoff(left: FiniteLaw, right: FiniteLaw) -> Curve:
    """``T(left, right)``: least second-kind error of a test of ``left`` against ``right``, by Neyman and Pearson."""
    outcomes = sorted(
        {*left, *right},
        key=lambda o: (left.get(o, Fraction(0)) == 0, right.get(o, Fraction(0)) / (left.get(o) or 1)),
        reverse=True,
    )
    alpha, error = Fraction(0), Fraction(1)
    points = {alpha: error}
    for outcome in outcomes:
        alpha += left.get(outcome, Fraction(0))
        error -= right.get(outcome, Fraction(0))
        points[alpha] = min(error, points.get(alpha, error))
    return tuple(sorted(points.items()))


def value_of(curve: Curve, alpha: Fraction) -> Fraction:
    """``f(alpha)`` by linear interpolation."""
    below = max(point for point in curve if point[0] <= alpha)
    above = min(point for point in curve if point[0] >= alpha)
    if below[0] == above[0]:
        return below[1]
    return below[1] + (above[1] - below[1]) * (alpha - below[0]) / (above[0] - below[0])


def conjugate_of(curve: Curve, y: Fraction) -> Fraction:
    """``sup_alpha y alpha - f(alpha)``: attained at a breakpoint."""
    return max(y * alpha - value for alpha, value in curve)


def composed_curve(curve: Curve, delta: Fraction) -> Curve:
    """``g`` of (A.17): ``(1 - delta) f(alpha/(1 - delta))`` up to ``1 - delta``, then 0."""
    scaled = [((1 - delta) * alpha, (1 - delta) * value) for alpha, value in curve]
    return tuple([*scaled, (Fraction(1), Fraction(0))] if delta else scaled)


def total_variation(left: FiniteLaw, right: FiniteLaw) -> Fraction:
    """``max_S P(S) - Q(S)``."""
    return hockey_stick(left, right, Fraction(1))


Pair = tuple[FiniteLaw, FiniteLaw]


def pairs_of_laws(atoms: int, size: int) -> Iterable[Pair]:
    """Every pair of laws on ``atoms`` outcomes with probabilities of denominator ``size``."""
    return product(laws(atoms, size), laws(atoms, size))


def holds_a2(case: Pair) -> bool:
    """Lemma A.2: every event obeys the trade-off ``max(0, 1 - delta - y)`` of the pair's total variation."""
    left, right = case
    delta = total_variation(left, right)
    return all(
        probability(right, event) <= 1 - max(Fraction(0), 1 - delta - probability(left, event))
        for event in events({**left, **right})
    )


def composable(size: int) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of pairs; the second of total variation below one."""
    pairs = product(pairs_of_laws(2, size), repeat=2)
    return ((first, second) for first, second in pairs if total_variation(*second) < 1)


def holds_a3(case: tuple[Pair, Pair]) -> bool:
    """Lemma A.3: every event of the composition obeys ``g``."""
    (left, right), second = case
    g = composed_curve(tradeoff(left, right), total_variation(*second))
    composed_left, composed_right = joint(left, second[0]), joint(right, second[1])
    return all(
        1 - probability(composed_right, event) >= value_of(g, probability(composed_left, event))
        for event in events({**composed_left, **composed_right})
    )


def holds_a5(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """Lemma A.5 for the trade-off function of the pair itself, with a ratio ``e^epsilon``."""
    left, right, ratio = case
    return hockey_stick(right, left, ratio) == 1 + conjugate_of(tradeoff(left, right), -ratio)


_DELTAS = tuple(Fraction(i, 4) for i in range(4))
_SLOPES = tuple(map(Fraction, ("-5", "-2", "-1", "-1/2", "0", "1", "3")))


def holds_a6(case: tuple[Pair, Fraction, Fraction]) -> bool:
    """Lemma A.6 for a pair, a total variation and a slope."""
    pair, delta, y = case
    curve = tradeoff(*pair)
    # A trade-off function of the paper has f(1) = 0 and is continuous; both hold for T(P, Q) on [0, 1].
    return conjugate_of(composed_curve(curve, delta), y) == max((1 - delta) * conjugate_of(curve, y), y)


def holds_a7(case: tuple[tuple[Pair, Pair], Fraction]) -> bool:
    """Lemma A.7 for any first mechanism, with a ratio of at least one."""
    ((left, right), second), ratio = case
    delta = total_variation(*second)
    composed = hockey_stick(joint(left, second[0]), joint(right, second[1]), ratio)
    return composed <= delta + (1 - delta) * hockey_stick(left, right, ratio)


def holds_max(case: tuple[tuple[Pair, Pair], Fraction]) -> bool:
    """The pointwise minimum of two trade-off functions has the larger of the two deltas."""
    (first, second), ratio = case
    curves = tradeoff(*first), tradeoff(*second)
    grid = sorted({alpha for curve in curves for alpha, _value in curve})
    least: Curve = tuple((alpha, min(value_of(curve, alpha) for curve in curves)) for alpha in grid)
    largest = max(hockey_stick(right, left, ratio) for left, right in (first, second))
    return 1 + conjugate_of(least, -ratio) == largest


def satisfies_f_dp(case: tuple[FiniteLaw, FiniteLaw, Curve]) -> bool:
    """Definition A.1 for one pair of laws, both orders: ``P2(S) <= 1 - f(P1(S))`` for every S.

    ``f`` must be a trade-off function: convex, non-increasing, within [0, 1 - alpha]; it is continuous by construction.
    """
    left, right, curve = case
    return is_tradeoff(curve) and all(
        probability(b, event) <= 1 - value_of(curve, probability(a, event))
        for a, b in ((left, right), (right, left))
        for event in events({**left, **right})
    )


def is_tradeoff(curve: Curve) -> bool:
    """Whether breakpoints describe a convex, non-increasing function with ``0 <= f(alpha) <= 1 - alpha``."""
    slopes = [(v2 - v1) / (a2 - a1) for (a1, v1), (a2, v2) in pairwise(curve)]
    return (
        all(slope <= 0 for slope in slopes)
        and slopes == sorted(slopes)
        and all(0 <= value <= 1 - alpha for alpha, value in curve)
    )


def curve_through(*points: tuple[str, str]) -> Curve:
    """Curve through the points given as text."""
    return tuple((Fraction(alpha), Fraction(value)) for alpha, value in points)


IDENTITY_CURVE = curve_through(("0", "1"), ("1", "0"))
QUARTER_CURVE = curve_through(("0", "3/4"), ("3/4", "0"), ("1", "0"))

# --- trade-off functions, continuous ----------------------------------------------------------------------------------
z, level, y, shift, alpha = symbols("z level y shift alpha")
gaussian_tradeoff = Phi(quantile_complement(alpha) - mu)
gaussian_conjugate = -exp(level) * Phi(-mu / 2 - level / mu) - Phi(-mu / 2 + level / mu)
"""``f_mu^*(-e^level)`` by Lemma A.4."""
# y alpha - f(alpha) at alpha = Phi(-z), y = -e^level; the best z is level/mu + mu/2.
objective = -exp(level) * Phi(-z) - Phi(z - mu)
growth, density_at_shift = exp(mu * shift) - 1, exp(level) * phi(level / mu + mu / 2 + shift)
supremum = maximum(y, (1 - delta) * y)  # of the linear y alpha over (1 - delta, 1]: its larger end
scaled_conjugate = (1 - delta) * gaussian_conjugate
composed_delta = delta + (1 - delta) * profile(epsilon, mu)
"""Lemma A.7, ``epsilon >= 0``."""


def _released(A: Arithmetic, *, a_equal: int, gap: Number, sigma: Number) -> Number:
    # One group is released with probability Phi(-t), a groups independently: P[at least one].
    return binomial_tail(A, a_equal, normal_cdf(A, -A.number(gap) / A.number(sigma)), 1)


composed_by_quadrature = delta + (1 - delta) * algorithm(hockey_stick_by_quadrature)(weight=1)
"""The same from the dominating pair: an atom of mass delta seen on one side only, else the Gaussian pair."""

_LEVEL = Parameter("level", "log(-y)", unit="nats", lower=-50, upper=50)
_MU = Parameter("mu", MU.description, lower="1/100", upper=50, log=True)
_Z = Parameter("z", "threshold of the test", lower=-30, upper=30)
_TOTAL = Parameter("delta", "total variation", "probability", upper=1, open_upper=True)
_DELTA_PART = replace(_TOTAL, description="total variation of the second mechanism")
_A3 = "Appendix A.3"


def _of_laws(
    row: str,
    locator: str,
    title: str,
    statement: str,
    cases: Callable[[int], Iterable[Any]],
    holds: Callable[[Any], bool],
    denominators: tuple[int, int, int],
    outcomes: int = 2,
    **more: Any,
) -> Claim:
    """A statement about all laws on so many outcomes whose probabilities have a denominator."""
    kind = FiniteStatement(cases, holds, sizes(*denominators), f"denominator of the laws on {outcomes} outcomes")
    number = {2: "two", 3: "three"}[outcomes]
    declare = own if row.endswith(".corrected") else stated
    partial = f"laws on {number} outcomes; all others are left out"
    return declare(row, locator, title, statement, kind, partial=partial, **more)


_BY_SHIFT = Substitute(
    Box((Parameter("shift", "z less the best z", lower="-infinity"), _LEVEL, _MU)), {"shift": z - level / mu - mu / 2},
    Split(
        "shift", 0, Derivative("shift", "upper", product_of(density_at_shift, -growth)),
        Derivative("shift", "lower", product_of(density_at_shift, growth)),
    ),
    objective(z=level / mu + mu / 2 + shift), gaussian_conjugate,
)  # fmt: skip

CLAIMS = (
    stated(
        "defA.1", "Definition A.1", "f-differential privacy", r"P(M(X_2)\in S)\le1-f(P(M(X_1)\in S))",
        Definition(
            accepts=satisfies_f_dp,
            members=(
                (coin("1/2"), coin("1/2"), IDENTITY_CURVE), (coin("1/2"), coin("3/4"), QUARTER_CURVE),
                (coin("0"), coin("1"), curve_through(("0", "0"), ("1", "0"))),
            ),
            non_members=(
                (coin("1/2"), coin("3/4"), IDENTITY_CURVE), (coin("1/4"), coin("3/4"), QUARTER_CURVE),
                (coin("1/2"), coin("1/2"), curve_through(("0", "1"), ("1/2", "3/4"), ("1", "0"))),
                (coin("1/2"), coin("1/2"), curve_through(("0", "1/2"), ("1", "1/2"))),
            ),
        ),
    ),
    uncheckable(
        "defA.1.text", "Definition A.1", "Misprints of Definition A.1",
        r"\text{is for all ... that differ on on individual's data}",
        Editorial(
            printed='"satisfies f-DP is for all", "differ on on individual\'s data"',
            corrected='"satisfies f-DP if for all", "differ on one individual\'s data"',
            reason="misprints; the meaning is clear",
        ),
    ),
    stated(
        "lemA.1", "Lemma A.1", "Trade-off function of the Gaussian mechanism",
        r"f_\mu(\alpha)=\Phi(\Phi^{-1}(1-\alpha)-\mu)", eq(gaussian_tradeoff(alpha=Phi(-z)), Phi(z - mu)),
        proof=Symbolic(), domain=(_Z, Parameter("mu", "Delta/sigma", upper=50)),
        partial="the errors of the likelihood-ratio tests; that no other test has a smaller error is left out",
        note="alpha = Phi(-z) and the second-kind error Phi(z - mu) of the likelihood-ratio test that rejects above z.",
    ),
    refuted(
        "lemA.2", "Lemma A.2", "Trade-off function of (0, delta)-DP, as printed",
        r"f(y)=1-\delta-y\in[0,1],\quad y\in[0,1]", 1 - delta - y >= 0, by="lemA.2.corrected",
        domain=(
            Parameter("y", "first-kind error", unit="probability", upper=1),
            Parameter("delta", "total variation", unit="probability", upper=1),
        ),
        note="Definition A.1 wants f with values in [0, 1]; the line leaves it beyond y = 1 - delta.",
    ),
    _of_laws(
        "lemA.2.corrected", "Lemma A.2", "Trade-off function of (0, delta)-DP", r"f(y)=\max(0,1-\delta-y)",
        lambda size: pairs_of_laws(3, size), holds_a2, (4, 6, 9), 3,
    ),
    stated(
        "secA3.M=", _A3, "The rows at tau are (0, 1 - p^a)-DP", r"\mathrm{TV}(M_=(X),M_=(X_{-j}))=1-p^{a_=}",
        Identity(_released, delta_infinite(c_u=symbol("a_equal"))),
        domain=(
            Parameter("a_equal", "rows at the threshold", unit="rows", upper=1000, integer=True, log=True),
            Parameter("gap", "tau* - tau", unit="counts", lower=-50, upper=50),
            Parameter("sigma", SIGMA.description, unit="counts", lower="1/2", upper=1000, log=True),
        ),
        note="Loose: the true trade-off in one order is p^a (1 - alpha) (wilkins2024.sec7.true_tradeoff).",
    ),
    _of_laws(
        "lemA.3", "Lemma A.3", "Composition with a (0, delta)-DP mechanism",
        r"T\ge g,\quad g(\alpha)=(1-\delta)f(\alpha/(1-\delta))\text{ on }[0,1-\delta],\ 0\text{ beyond}",
        composable, holds_a3, (3, 4, 6), equation="(A.17)", assumptions=("delta < 1",),
        note="f is the exact trade-off function of the first pair, delta the total variation of the second.",
    ),
    stated(
        "lemA.4", "Lemma A.4", "Conjugate of the Gaussian trade-off function",
        r"f_\mu^*(y)=y\Phi(-\mu/2-\log(-y)/\mu)-\Phi(-\mu/2+\log(-y)/\mu),\quad y<0", objective <= gaussian_conjugate,
        proof=_BY_SHIFT, domain=(_Z, _LEVEL, _MU), assumptions=("y < 0",),
        note="For every test z the objective y alpha - f(alpha) is at most the stated value.",
        partial="at most; that it is attained is wilkins2024.lemA.4.attained",
    ),
    own(
        "lemA.4.attained", "Lemma A.4", "A test attains the conjugate of the Gaussian trade-off function",
        r"y\alpha-f_\mu(\alpha)=f_\mu^*(y),\ \alpha=\Phi(-\mu/2-\log(-y)/\mu),\quad y<0",
        eq(objective(z=level / mu + mu / 2), gaussian_conjugate), proof=Symbolic(), domain=(_LEVEL, _MU),
        assumptions=("y < 0",),
    ),
    own(
        "lemA.4.positive", "Lemma A.4", "Conjugate at y >= 0, which Lemma A.4 leaves out", None,
        y * Phi(-z) - Phi(z - mu) <= y, proof=Sign(),
        domain=(_Z, Parameter("y", "argument of the conjugate", upper=1000), _MU),
        note="The printed formula takes log(-y) and says nothing of y >= 0.",
    ),
    _of_laws(
        "lemA.5", "Lemma A.5", "From f-DP to (epsilon, delta)", r"\delta=1+f^*(-e^{\epsilon})",
        lambda size: law_pairs(3, size), holds_a5, (4, 6, 8), 3,
        note="For the trade-off function of the pair itself the delta is its hockey stick exactly, any real epsilon.",
    ),
    own(
        "lemA.5.gaussian", "Lemma A.5", "Lemma A.5 gives the Gaussian profile",
        r"1+f_\mu^*(-e^{\epsilon})=f(\mu,\epsilon)", eq(1 + gaussian_conjugate(level=epsilon), profile(epsilon, mu)),
        proof=Symbolic(), domain=(EPSILON_REAL, _MU),
    ),
    _of_laws(
        "lemA.6", "Lemma A.6", "Conjugate of the composed trade-off function", r"g^*(y)=\max\{(1-\delta)f^*(y),\ y\}",
        lambda size: product(pairs_of_laws(2, size), _DELTAS, _SLOPES), holds_a6, (4, 6, 12),
        assumptions=("f(1) = 0, as for every trade-off function",),
    ),
    refuted(
        "lemA.6.step", "Proof of Lemma A.6", "A supremum in the proof of Lemma A.6, as printed", None, eq(supremum, y),
        by="lemA.6.step.corrected", domain=(Parameter("y", "argument of the conjugate", lower=-5, upper=5), _TOTAL),
        note="For y < 0, the only case used, the supremum is (1 - delta) y.",
    ),
    own(
        "lemA.6.step.corrected", "Proof of Lemma A.6", "The supremum does not change the conjugate",
        r"\sup_{\alpha\in(1-\delta,1]}y\alpha=\max(y,(1-\delta)y)\le\max\{(1-\delta)f_\mu^*(y),y\},\ y<0",
        supremum(y=-exp(level)) <= maximum(scaled_conjugate, -exp(level)),
        proof=Through(
            scaled_conjugate,
            product_of((1 - delta) * exp(level), (profile(-level, mu), positive(epsilon=-level))), Symbolic(),
        ),
        domain=(_LEVEL, _DELTA_PART, _MU),
    ),
    stated(
        "lemA.7", "Lemma A.7", "Gaussian DP composed with (0, delta)-DP", r"\delta^*=\delta+(1-\delta)f(\mu,\epsilon)",
        DeltaBound(
            formula=composed_delta, oracle=composed_by_quadrature,
            oracle_points=points("epsilon delta mu", (1, "1/10", 1), (0, "1/3", "1/2"), (3, 0, 2)),
        ),
        domain=(EPSILON, _DELTA_PART, MU), role=Role.UPPER,
        note="Printed for epsilon > 0; epsilon = 0 holds too and Theorem 7.1 needs it. The last display calls delta* "
        "delta.",
        points=points("epsilon delta mu", (1, "1/10", 1), (700, "1e-300", 1)),
        partial="the number, and that a pair attains it; that no pair of such mechanisms has more is left out",
    ),
    own(
        "lemA.7.zero", "Lemma A.7", "The dropped branch 1 - e^epsilon never wins, at any real epsilon", None,
        -expm1(epsilon) <= composed_delta,
        proof=sum_of(
            factors((1 - delta) * exp(epsilon), (profile(-epsilon, mu), positive(epsilon=-epsilon))),
            delta * exp(epsilon),
        ),
        domain=(EPSILON_REAL, _DELTA_PART, MU), note="Printed for epsilon > 0, where 1 - e^epsilon <= 0 < f.",
        quantity=QuantityKind.PROBABILITY,
    ),
    _of_laws(
        "lemA.7.cor", "Lemma A.7", "(epsilon, delta_2)-DP composed with (0, delta)-DP",
        r"(\epsilon,\ \delta+(1-\delta)\delta_2)\text{-DP}",
        lambda size: product(composable(size), [ratio for ratio in RATIOS if ratio >= 1]), holds_a7, (3, 4, 6),
        note="The first mechanism is any such law. The epsilon_2 of this lemma is not that of Lemma 5.2.",
    ),
    uncheckable(
        "secA3.H", _A3, "Misprints around the groups H",
        r"\text{" '"' r"Thus }H_=\text{ be the groups" '"' r", " '"' r"the groups in }H_>\text{" '"' r"}",
        Editorial(
            printed='"Thus H_= be the groups", "the groups in H_>"',
            corrected='"Let H_= be the groups", "the groups in H_+"', reason="misprints; H_> is introduced as H_+",
        ),
    ),
    _of_laws(
        "secA3.max", _A3, "Pointwise minimum of trade-offs is the maximum of deltas",
        r"1+(\min_if_i)^*(-e^{\epsilon})=\max_i\delta_i(\epsilon)",
        lambda size: product(product(pairs_of_laws(2, size), repeat=2), RATIOS), holds_max, (3, 4, 6),
    ),
)  # fmt: skip
