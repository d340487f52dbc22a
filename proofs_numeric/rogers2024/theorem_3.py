"""Theorem 3: conversions between approximate differential privacy and its concentrated form."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.rogers2024.definition_2_1 import FiniteLaw
from proofs_numeric.rogers2024.lemma_4_1 import from_zero
from proofs_numeric.rogers2024.parameters import ALPHA, DELTA, DELTA_LINEAR, DELTA_PRIME, EPSILON, RHO, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import (
    Decomposition,
    cdp_to_dp_epsilon_upper,
    dp_to_cdp_rho_upper,
    hockey_stick,
    renyi_tail_upper,
)
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import Calibration, FiniteStatement, Inequality, Recurrence, Relation
from proofs_numeric.statements.tactics import Maximum, Part, Product, Sign, Steps, Substitute, Sum, Tactic
from proofs_numeric.statements.verdict import Expectation

_ANY_ORDER = replace(ALPHA, upper="infinity")


def good_part_and_failure(A: Arithmetic, *, rho: Number, delta: Number, delta_prime: Number) -> Number:
    """``delta + (1 - delta)`` times the Renyi tail at the converted epsilon."""
    epsilon = cdp_to_dp_epsilon_upper(A, rho=rho, delta=delta_prime)
    return A.number(delta) + (1 - A.number(delta)) * renyi_tail_upper(A, rho=rho, epsilon=epsilon)


def sum_of_deltas(A: Arithmetic, *, rho: Number, delta: Number, delta_prime: Number) -> Number:
    """``delta + delta'``."""
    return A.number(delta) + delta_prime


def _own_delta(A: Arithmetic, *, delta: Number, **_rest: Number) -> Number:
    return A.number(delta)


def _conversion_delta(A: Arithmetic, *, delta_prime: Number, **_rest: Number) -> Number:
    return A.number(delta_prime)


def log_inverse(A: Arithmetic, *, delta_prime: Number) -> Number:
    """``log(1/delta')``, what the square root of Theorem 3 needs to be non-negative."""
    return -A.log(A.number(delta_prime))


def achieved_conversion(A: Arithmetic, *, value: Number, rho: Number, delta: Number) -> Number:
    """Delta that the Renyi tail bound gives at the converted epsilon."""
    return renyi_tail_upper(A, rho=rho, epsilon=value)


def _achieved_by_a_gaussian(A: Arithmetic, *, value: Number, rho: Number, delta: Number) -> Any:
    """Delta of the Gaussian mechanism that is rho-CDP and no less, mu = sqrt(2 rho): the worst one has this or more."""
    return gaussian_profile(A, A.number(value), A.sqrt(2 * A.number(rho)))


def _exponent_at_best_order(A: Arithmetic, *, rho: Number, epsilon: Number) -> Number:
    alpha = (epsilon + rho) / (2 * rho)
    return (alpha - 1) * (alpha * rho - epsilon)


def _exponent_completed(A: Arithmetic, *, rho: Number, epsilon: Number) -> Number:
    return -(epsilon - rho) * (epsilon - rho) / (4 * rho)


def _exponent_at_printed(A: Arithmetic, *, rho: Number, s: Number) -> Number:
    return _exponent_completed(A, rho=rho, epsilon=rho + 2 * A.sqrt(rho) * s)


def _log_delta(A: Arithmetic, *, rho: Number, s: Number) -> Number:
    return -s * s


def laws(outcomes: int, total: int) -> Iterator[dict[str, Fraction]]:
    """Every law on ``outcomes`` outcomes with masses that are multiples of ``1/total``."""
    for masses in product(range(total + 1), repeat=outcomes - 1):
        if sum(masses) <= total:
            whole = (*masses, total - sum(masses))
            yield {f"y{i}": Fraction(m, total) for i, m in enumerate(whole)}


def _shrink(
    heavy: dict[str, Fraction], light: dict[str, Fraction], ratio: Fraction, mass: Fraction
) -> dict[str, Fraction]:
    total, floor = sum(heavy.values()), {y: light[y] / ratio for y in heavy}
    spare = total - sum(floor.values())
    if total <= mass or not spare:
        return heavy
    keep = 1 - (total - mass) / spare
    return {y: floor[y] + keep * (heavy[y] - floor[y]) for y in heavy}


def dp_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, Fraction]]:
    """Pairs of laws on three outcomes with masses in ``1/size``, and ``e^epsilon``."""
    for left, right in product(laws(3, size), repeat=2):
        for ratio in (Fraction(1), Fraction(3, 2), Fraction(4)):
            yield left, right, ratio


def dp_gives_good_parts(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """At the pair's own delta the good parts are laws under P/(1-delta), Q/(1-delta) within a factor e^epsilon."""
    left, right, ratio = case
    delta = max(hockey_stick(left, right, ratio), hockey_stick(right, left, ratio))
    if delta == 1:
        return True
    p, q = good_parts_of_dp(left, right, ratio, delta)
    within = all(p[y] <= ratio * q[y] and q[y] <= ratio * p[y] for y in p)
    return Decomposition(left, right, p, q).covers(delta) and within


def good_parts_of_dp(
    left: FiniteLaw, right: FiniteLaw, ratio: Fraction, delta: Fraction
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Good parts P', Q' of an (epsilon, delta)-DP pair, whose log ratio stays within epsilon (Theorem 3).

    ``p^ = min(P, ratio Q)`` and ``q^ = min(Q, ratio P)`` lie within a factor ``ratio`` of one another and keep mass
    ``1 - delta`` at least; the heavier is shrunk towards ``1/ratio`` times the other until their masses agree.
    """
    p = {y: min(left[y], ratio * right[y]) for y in left}
    q = {y: min(right[y], ratio * left[y]) for y in left}
    if sum(p.values()) >= sum(q.values()):
        p = _shrink(p, q, ratio, max(1 - delta, sum(q.values(), Fraction(0))))
    else:
        q = _shrink(q, p, ratio, max(1 - delta, sum(p.values(), Fraction(0))))
    return tuple({y: m / sum(part.values()) for y, m in part.items()} for part in (p, q))  # type: ignore[return-value]


def _hats(A: Arithmetic, at: Mapping[str, Any]) -> tuple[Any, Any]:
    """``p^`` and ``q^`` at an outcome."""
    p, q, ratio = at["p"], at["q"], at["ratio"]
    return A.minimum(p, ratio * q), A.minimum(q, ratio * p)


def _room(A: Arithmetic, **at: Any) -> Any:
    heavy, light = _hats(A, at)
    return heavy - light / at["ratio"]


def _whole(A: Arithmetic, **at: Any) -> Any:
    light = _hats(A, at)[1]
    return at["ratio"] * light - light / at["ratio"]


def _kept(A: Arithmetic, *, keep: Number, **_rest: Any) -> Any:
    return A.number(keep)


def _left(A: Arithmetic, *, keep: Number, **_rest: Any) -> Any:
    return 1 - A.number(keep)


def _shrunk(A: Arithmetic, **at: Any) -> Any:
    return _hats(A, at)[1] / at["ratio"] + at["keep"] * _room(A, **at)


def _share_of(share: Formula, of: Formula) -> Part:
    """A share of what is not negative."""
    return Part(lambda A, **at: share(A, **at) * of(A, **at), Product((Part(share), Part(of))))


_PARTS: tuple[tuple[Formula, Tactic], ...] = (
    (lambda A, **at: _hats(A, at)[1] / at["ratio"] - _shrunk(A, **at), Sum((_share_of(_kept, _room),))),
    (
        lambda A, **at: _shrunk(A, **at) - at["ratio"] * _hats(A, at)[1],
        Sum((_share_of(_left, _whole), _share_of(_kept, lambda A, **at: _whole(A, **at) - _room(A, **at)))),
    ),
    (lambda A, **at: _shrunk(A, **at) - _hats(A, at)[0], Sum((_share_of(_left, _room),))),
    (lambda A, **at: at["p"] - _hats(A, at)[0] - A.maximum(0, at["p"] - at["ratio"] * at["q"]), Sign()),
)
"""What is at most 0: below a factor, above it, above p^, and what p^ lacks beyond the hockey stick; with the proofs."""


def _beyond_parts(A: Arithmetic, **at: Any) -> Any:
    return A.maximum(*(formula(A, **at) for formula, _proof in _PARTS))


# --- from moments to hockey sticks ------------------------------------------------------------------------------------


def _log_share(A: Arithmetic, alpha: Number) -> Any:
    """``log(1 - 1/alpha)``."""
    return A.log1p(-1 / A.number(alpha))


def _beyond(A: Arithmetic, *, epsilon: Number, q: Number, loss: Number, **_rest: Number) -> Any:
    """``p - e^epsilon q``, ``p = e^loss q``."""
    return A.number(q) * (A.exp(A.number(loss)) - A.exp(A.number(epsilon)))


def _next_stick(A: Arithmetic, *, stick: Number, **at: Number) -> Any:
    return A.number(stick) + A.maximum(0, _beyond(A, **at))


def _next_moment(A: Arithmetic, *, alpha: Number, moment: Number, q: Number, loss: Number, **_rest: Number) -> Any:
    return A.number(moment) + A.number(q) * A.exp(A.number(alpha) * loss)


def _stick(A: Arithmetic, *, stick: Number, **_rest: Number) -> Any:
    return A.number(stick)


def _of_moment(A: Arithmetic, *, alpha: Number, epsilon: Number, moment: Number, **_rest: Number) -> Any:
    """``(1/alpha)(1 - 1/alpha)^(alpha-1) e^(-(alpha-1) epsilon)`` times the moment."""
    alpha = A.number(alpha)
    return A.exp(alpha * _log_share(A, alpha) - (alpha - 1) * epsilon) / (alpha - 1) * moment


def _place(A: Arithmetic, *, alpha: Number, epsilon: Number, loss: Number, **_rest: Number) -> Any:
    """``loss - epsilon + log(1 - 1/alpha)``: 0 where the bound is attained."""
    return A.number(loss) - epsilon + _log_share(A, alpha)


def _above_tangent(A: Arithmetic, *, alpha: Number, y: Number) -> Any:
    """``e^(alpha y) - 1 - alpha (e^y - 1)``."""
    return A.exp(A.number(alpha) * y) - 1 - alpha * A.expm1(A.number(y))


def _per_order(A: Arithmetic, *, alpha: Number, epsilon: Number, q: Number, **_rest: Number) -> Any:
    return A.number(q) * A.exp(A.number(epsilon)) / (A.number(alpha) - 1)


_TERM_BELOW = Product(
    (
        Part(_per_order),
        Part(
            lambda A, *, alpha, **at: _above_tangent(A, alpha=alpha, y=_place(A, alpha=alpha, **at)),
            Substitute(
                Box((_ANY_ORDER, Parameter("y", "", lower="-infinity"))),
                {"y": _place},
                from_zero(
                    "y",
                    lambda A, *, alpha, y: A.number(alpha) * A.exp(A.number(y)),
                    lambda A, *, alpha, y: (A.number(alpha) - 1) * y,
                ),
                zero,
                _above_tangent,
            ),
        ),
    )
)
"""An outcome adds no more to the hockey stick than to its bound."""

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm3.dp_to_cdp",
        source=printed("Theorem 3, first half"),
        title="(epsilon, delta)-DP is delta-approximate epsilon^2/2-CDP",
        statement=r"(\varepsilon, \delta)\text{-DP} \Rightarrow \delta\text{-approximate } \varepsilon^2/2\text{-CDP}",
        kind=FiniteStatement(
            dp_cases,
            dp_gives_good_parts,
            {"quick": 3, "standard": 4, "deep": 6},
            "masses in 1/size",
            proof=Derivation(
                (
                    Premise(
                        "rogers2024.thm3.dp_to_cdp.parts",
                        "min(P, r Q) and min(Q, r P), r = e^epsilon, keep masses 1 - H(P, Q) and 1 - H(Q, P), at least "
                        "1 - delta; the heavier on its way towards 1/r of the lighter stays within a factor r of it",
                    ),
                    Unchecked(
                        "the heavier's mass falls linearly on that way, to at most the lighter's: somewhere they agree "
                        "on 1 - delta or more, and divided by that they are the good parts, a pair of pure epsilon"
                    ),
                    Premise("rogers2024.sharp.pure", "which is epsilon tanh(epsilon/2)-CDP, at most epsilon^2/2"),
                )
            ),
        ),
        domain=Box((EPSILON,)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=dp_to_cdp_rho_upper,
        loose="rho = epsilon tanh(epsilon/2) is exact (rogers2024.sharp.pure)",
        note="Constructive: good parts within a factor e^epsilon of one another; pure DP then gives epsilon^2/2.",
    ),
    Claim(
        id="rogers2024.thm3.dp_to_cdp.parts",
        source=printed("Theorem 3, first half"),
        title="The part of a law within a factor e^epsilon of another's lacks the hockey stick, and may be shrunk",
        statement=r"\hat q/r\le p'\le\min(\hat p,r\hat q),\ P-\hat p\le(P-rQ)_+,\ p'=\hat q/r+s(\hat p-\hat q/r),\ "
        r"\hat p=\min(P,rQ),\ \hat q=\min(Q,rP)",
        kind=Inequality(_beyond_parts, zero, proof=Maximum(tuple(Part(*one) for one in _PARTS))),
        domain=Box(
            (
                Parameter("p", "P of an outcome", "probability", upper=1),
                Parameter("q", "Q of an outcome", "probability", upper=1),
                Parameter("ratio", "r = e^epsilon", lower=1),
                Parameter("keep", "share of the way from q^/r to p^, s", upper=1),
            )
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp",
        source=printed("Theorem 3, second half"),
        title="Approximate CDP gives approximate DP",
        statement=r"\varepsilon = \rho + 2\sqrt{\rho \log(1/\delta')}, \quad 0 < \delta' \le 1",
        kind=Calibration(
            cdp_to_dp_epsilon_upper,
            achieved_conversion,
            tight=True,
            achieved_at_least=_achieved_by_a_gaussian,
            proof=Derivation(
                (
                    Premise(
                        "rogers2024.thm3.cdp_to_dp.order",
                        "delta <= e^((alpha - 1)(D_alpha - epsilon)), as (1/alpha)(1 - 1/alpha)^(alpha - 1) <= 1",
                    ),
                    SymbolicIdentity(
                        "exponent at the order (epsilon + rho)/(2 rho)",
                        _exponent_at_best_order,
                        _exponent_completed,
                        ("rho", "epsilon"),
                        positive=("rho", "epsilon"),
                        argument="D_alpha <= alpha rho, and the order is at least 1 where epsilon >= rho",
                    ),
                    SymbolicIdentity(
                        "exponent at the printed epsilon, s = sqrt(log(1/delta'))",
                        _exponent_at_printed,
                        _log_delta,
                        ("rho", "s"),
                        positive=("rho", "s"),
                        argument="so the tail is delta' exactly; the good part has weight 1 - delta",
                    ),
                )
            ),
        ),
        domain=Box((RHO, DELTA)),
        quantity=QuantityKind.EPSILON,
        falls=("delta",),
        rises=("rho",),
        role=Role.CALIBRATION,
        points=({"rho": "1/2", "delta": "1e-6"}, {"rho": 8, "delta": "1e-9"}, {"rho": "0.005", "delta": "1e-3"}),
        loose="against the exact Gaussian 1.075 to 1.9 times; Canonne-Kamath-Steinke is always smaller",
        partial="rho-CDP without a failure probability, delta = 0; with one: rogers2024.thm3.cdp_to_dp.approximate",
        note="The conversion's delta' is named delta. Needs delta' <= 1.",
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp.order",
        source=ours("Theorem 3, second half"),
        title="A Renyi moment bounds the hockey stick, at every order and epsilon, of any number of outcomes",
        statement=r"\sum_y(p_y-e^\varepsilon q_y)_+ \le \tfrac1\alpha(1-\tfrac1\alpha)^{\alpha-1}e^{-(\alpha-1)"
        r"\varepsilon}\sum_y p_y^\alpha q_y^{1-\alpha}",
        kind=Recurrence(
            state=Box((Parameter("stick", "of the hockey stick"), Parameter("moment", "of the moment"))),
            given=Box(
                (
                    Parameter("q", "of an outcome", "probability", upper=1, open_lower=True, log=True),
                    Parameter("loss", "log(p/q)", "nats", lower="-infinity"),
                )
            ),
            start={"stick": zero, "moment": zero},
            step={"stick": _next_stick, "moment": _next_moment},
            left=_stick,
            right=_of_moment,
            proof=Steps(proof=Maximum((Part(zero), Part(_beyond, _TERM_BELOW)), inside=True)),
        ),
        domain=Box((_ANY_ORDER, Parameter("epsilon", "privacy-loss level", "nats", lower="-infinity"))),
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp.approximate",
        source=printed("Theorem 3, second half"),
        title="The conversion with the mechanism's own delta",
        statement=r"H_\varepsilon \le \delta + (1-\delta)\delta' \le \delta + \delta',\ "
        r"\varepsilon = \rho + 2\sqrt{\rho\log(1/\delta')}",
        kind=Inequality(
            good_part_and_failure,
            sum_of_deltas,
            Relation.LESS,
            proof=Product((Part(_own_delta), Part(_conversion_delta))),
        ),
        domain=Box((RHO, DELTA_LINEAR, replace(DELTA_PRIME, open_upper=True))),
        quantity=QuantityKind.PROBABILITY,
        note="The good part, of weight 1 - delta, is rho-CDP and has a tail of delta' (rogers2024.thm3.cdp_to_dp). "
        "What is left, delta delta', is given away.",
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp.as_printed",
        source=printed("Theorem 3, second half"),
        title="The conversion for any delta' > 0",
        statement=r"\log(1/\delta') \ge 0 \text{ for any } \delta' > 0",
        kind=Inequality(zero, log_inverse),
        domain=Box((Parameter("delta_prime", "delta' of the conversion", lower=0, open_lower=True, log=True),)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm3.cdp_to_dp",
        note="The square root of a negative number for delta' > 1.",
    ),
)
