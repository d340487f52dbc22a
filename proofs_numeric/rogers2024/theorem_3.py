"""Theorem 3: conversions between approximate differential privacy and its concentrated form."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.rogers2024.achieved import TAIL
from proofs_numeric.rogers2024.definition_2_1 import FiniteLaw
from proofs_numeric.rogers2024.lemma_4_1 import from_zero
from proofs_numeric.rogers2024.parameters import ALPHA, DELTA, DELTA_LINEAR, DELTA_PRIME, EPSILON, RHO, ours, printed
from proofs_numeric.rogers2024.theorem_5 import chord, power
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import (
    Decomposition,
    cdp_to_dp_epsilon_upper,
    dp_to_cdp_rho_upper,
    hockey_stick,
    renyi_tail_upper,
)
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import Calibration, DeltaBound, FiniteStatement, Inequality, Recurrence
from proofs_numeric.statements.pairs import Clipped, GoodParts
from proofs_numeric.statements.tactics import (
    ByClaim,
    Maximum,
    Part,
    Product,
    Sign,
    Split,
    Steps,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
)
from proofs_numeric.statements.verdict import Expectation

_ANY_ORDER = replace(ALPHA, upper="infinity")


def log_inverse(A: Arithmetic, *, delta_prime: Number) -> Number:
    """``log(1/delta')``, what the square root of Theorem 3 needs to be non-negative."""
    return -A.log(A.number(delta_prime))


def achieved_conversion(A: Arithmetic, *, value: Number, rho: Number, delta: Number) -> Number:
    """Delta that the Renyi tail bound gives at the converted epsilon: below rho it is no less than 1."""
    return renyi_tail_upper(A, rho=rho, epsilon=A.maximum(value, rho))


def _tail_at_excess(A: Arithmetic, *, excess: Number, rho: Number) -> Number:
    """The Renyi tail bound at ``epsilon = rho + excess``."""
    return renyi_tail_upper(A, rho=rho, epsilon=A.number(rho) + excess)


def _gaussian_at_excess(A: Arithmetic, *, excess: Number, rho: Number) -> Any:
    """Delta there of the Gaussian mechanism that is rho-CDP and no less."""
    return gaussian_profile(A, A.number(rho) + excess, A.sqrt(2 * A.number(rho)))


def _achieved_by_a_gaussian(A: Arithmetic, *, value: Number, rho: Number, delta: Number) -> Any:
    """Delta of the Gaussian mechanism that is rho-CDP and no less, mu = sqrt(2 rho): the worst one has this or more."""
    return gaussian_profile(A, A.number(value), A.sqrt(2 * A.number(rho)))


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
    """``min(p, r q)`` and ``min(q, r p)`` at an outcome."""
    p, q, ratio = at["p"], at["q"], at["ratio"]
    return A.minimum(p, ratio * q), A.minimum(q, ratio * p)


def _room(A: Arithmetic, **at: Any) -> Any:
    heavy, light = _hats(A, at)
    return heavy - light / at["ratio"]


def _whole(A: Arithmetic, **at: Any) -> Any:
    light = _hats(A, at)[1]
    return at["ratio"] * light - light / at["ratio"]


def _kept(A: Arithmetic, *, share: Number, **_rest: Any) -> Any:
    return A.number(share)


def _left(A: Arithmetic, *, share: Number, **_rest: Any) -> Any:
    return 1 - A.number(share)


def _share_of(share: Formula, of: Formula) -> Part:
    """A share of what is not negative."""
    return Part(lambda A, **at: share(A, **at) * of(A, **at), Product((Part(share), Part(of))))


_WITHIN = (
    Sum((_share_of(_kept, _room),)),
    Sum((_share_of(_left, _whole), _share_of(_kept, lambda A, **at: _whole(A, **at) - _room(A, **at)))),
    Sum((_share_of(_left, _room), Part(lambda A, *, p, **at: A.number(p) - _hats(A, {"p": p, **at})[0]))),
)


def _twice(A: Arithmetic, *, epsilon: Number, **_rest: Number) -> Any:
    return 2 * A.number(epsilon)


def _heavier(A: Arithmetic, *, epsilon: Number, **_rest: Number) -> Any:
    """``r/(1 + r)``: of randomised response."""
    return 1 / (1 + A.exp(-A.number(epsilon)))


def _below_chord(A: Arithmetic, *, alpha: Number, epsilon: Number, place: Number, **_rest: Number) -> Any:
    at = {"alpha": alpha, "epsilon": 2 * A.number(epsilon), "share": place}
    return chord(A, **at) - power(A, **at)


_CHORD = Steps(
    proof=Product(
        (
            Part(parameter_named("weight")),
            Part(
                _below_chord,
                ByClaim("rogers2024.thm5.chord", at={"epsilon": _twice, "share": parameter_named("place")}),
            ),
        )
    )
)


def _epsilon(A: Arithmetic, *, epsilon: Number) -> Any:
    return A.number(epsilon)


PURE = GoodParts(Box((_ANY_ORDER, EPSILON)), _epsilon, dp_to_cdp_rho_upper)


def clipped(extreme: Tactic) -> Clipped:
    """The proof for any rho: randomised response is the extreme pair."""
    return Clipped(positive=Sign(), within=_WITHIN, lost=Sign(), chord=_CHORD, extreme=extreme)


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

# --- from moments to (epsilon, delta + delta')-DP ---------------------------------------------------------------------


def _printed_epsilon(A: Arithmetic, *, rho: Number, delta_prime: Number, **_rest: Number) -> Any:
    return cdp_to_dp_epsilon_upper(A, rho=rho, delta=delta_prime)


def _excess_order(A: Arithmetic, *, rho: Number, delta_prime: Number, **_rest: Number) -> Any:
    """``alpha - 1`` at the order ``alpha = (epsilon + rho)/(2 rho)``."""
    return A.sqrt(log_inverse(A, delta_prime=delta_prime)) / A.sqrt(A.number(rho))


def _good(A: Arithmetic, *, delta: Number, **_rest: Number) -> Any:
    return 1 - A.number(delta)


def _excess_of_mixture(A: Arithmetic, *, delta: Number, q: Number, loss: Number, bad: Number, **at: Number) -> Any:
    """``P - e^epsilon Q``, ``P = (1 - delta) e^loss q + delta bad`` and ``Q = (1 - delta) q + delta other``."""
    weight, delta = A.exp(_printed_epsilon(A, **at)), A.number(delta)
    return (1 - delta) * q * (A.exp(A.number(loss)) - weight) + delta * (bad - weight * at["other"])


def _stick_of_mixture(A: Arithmetic, *, stick: Number, **at: Number) -> Any:
    return A.number(stick) + A.maximum(0, _excess_of_mixture(A, **at))


def _printed_moment(A: Arithmetic, *, rho: Number, delta_prime: Number, moment: Number, **at: Number) -> Any:
    """In units of ``e^((alpha - 1) alpha rho)``, what rho-CDP grants."""
    excess = _excess_order(A, rho=rho, delta_prime=delta_prime)
    term = A.number(at["q"]) * A.exp((1 + excess) * at["loss"] - excess * (1 + excess) * rho)
    return A.number(moment) + term


def _bad_mass(A: Arithmetic, *, failed: Number, bad: Number, **_rest: Number) -> Any:
    return A.number(failed) + bad


def _both_deltas(
    A: Arithmetic, *, delta: Number, delta_prime: Number, moment: Number, failed: Number, **_rest: Number
) -> Any:
    """``delta' (1 - delta)`` times the moment's share, and delta times the mass of P''."""
    return (1 - A.number(delta)) * delta_prime * moment + delta * A.number(failed)


def _beyond_epsilon(A: Arithmetic, *, loss: Number, **at: Number) -> Any:
    return A.number(loss) - _printed_epsilon(A, **at)


def _above_one(A: Arithmetic, *, excess: Number, y: Number) -> Any:
    """``e^(alpha y) - e^y + 1``."""
    return A.exp((1 + A.number(excess)) * y) - A.expm1(A.number(y))


_PER_OUTCOME = Product(
    (
        Part(_good),
        Part(lambda A, *, q, **_rest: A.number(q)),
        Part(lambda A, **at: A.exp(_printed_epsilon(A, **at))),
        Part(
            lambda A, **at: _above_one(A, excess=_excess_order(A, **at), y=_beyond_epsilon(A, **at)),
            Substitute(
                Box((Parameter("excess", ""), Parameter("y", "", lower="-infinity"))),
                {"excess": _excess_order, "y": _beyond_epsilon},
                Split(
                    "y",
                    0,
                    Sum(
                        (
                            Part(lambda A, *, excess, y: A.exp((1 + A.number(excess)) * y)),
                            Part(lambda A, *, excess, y: -A.expm1(A.number(y))),
                        )
                    ),
                    Sum((Part(one), Part(lambda A, *, excess, y: A.exp(A.number(y)) * A.expm1(A.number(excess) * y)))),
                ),
                zero,
                _above_one,
            ),
        ),
    )
)
_MIXTURE = Sum(
    (
        Part(
            lambda A, **at: (
                _good(A, **at)
                * at["q"]
                * A.exp(_printed_epsilon(A, **at))
                * _above_one(A, excess=_excess_order(A, **at), y=_beyond_epsilon(A, **at))
            ),
            _PER_OUTCOME,
        ),
        Part(lambda A, *, delta, other, **at: A.number(delta) * A.exp(_printed_epsilon(A, **at)) * other),
    )
)
"""An outcome adds no more to the hockey stick than to both deltas: (alpha - 1)(epsilon - alpha rho) = log(1/delta')."""

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
            every=PURE,
            proof=clipped(ByClaim("rogers2024.thm5.moment", at={"epsilon": _twice, "share": _heavier})),
        ),
        domain=Box((EPSILON,)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=dp_to_cdp_rho_upper,
        loose="rho = epsilon tanh(epsilon/2) is exact (rogers2024.sharp.pure)",
        note="Constructive: good parts within a factor e^epsilon of one another; pure DP then gives epsilon^2/2.",
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp",
        source=printed("Theorem 3, second half"),
        title="The epsilon of rho-CDP at delta'",
        statement=r"e^{-(\varepsilon-\rho)^2/(4\rho)} = \delta',\ \varepsilon = \rho + 2\sqrt{\rho \log(1/\delta')},\ "
        r"0 < \delta' \le 1",
        kind=Calibration(
            cdp_to_dp_epsilon_upper,
            achieved_conversion,
            tight=True,
            by=TAIL,
            achieved_at_least=_achieved_by_a_gaussian,
            proof=Substitute(
                Box((RHO, Parameter("root", "of log(1/delta')"))),
                {"root": lambda A, *, delta, **_rho: A.sqrt(-A.log(A.number(delta)))},
                Symbolic(),
                lambda A, *, rho, root: achieved_conversion(A, value=rho + 2 * A.sqrt(rho) * root, rho=rho, delta=0),
                lambda A, *, rho, root: A.exp(-(A.number(root) ** 2)),
            ),
        ),
        domain=Box((RHO, DELTA)),
        quantity=QuantityKind.EPSILON,
        falls=("delta",),
        rises=("rho",),
        role=Role.CALIBRATION,
        points=({"rho": "1/2", "delta": "1e-6"}, {"rho": 8, "delta": "1e-9"}, {"rho": "0.005", "delta": "1e-3"}),
        loose="against the exact Gaussian 1.075 to 1.9 times; Canonne-Kamath-Steinke is always smaller",
        note="The conversion's delta' is named delta; that the tail bounds the hockey stick, with a delta of the "
        "mechanism's own too, is rogers2024.thm3.cdp_to_dp.approximate. Needs delta' <= 1.",
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp.tail",
        source=ours("Theorem 3, second half"),
        title="Delta of rho-CDP at an epsilon above rho, by the tail of the privacy loss",
        statement=r"\delta(\rho + x) \le e^{-x^2/(4\rho)}",
        kind=DeltaBound(_tail_at_excess, exact=_gaussian_at_excess),
        domain=Box((Parameter("excess", "epsilon less rho, x", "nats", upper=10**6), RHO)),
        role=Role.UPPER,
        falls=("excess",),
        note="Held against the Gaussian mechanism that is rho-CDP and no less.",
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
        title="delta-approximate rho-CDP is (epsilon, delta + delta')-DP",
        statement=r"\sum_y(P_y-e^\varepsilon Q_y)_+ \le (1-\delta)\delta'\frac{M_\alpha}{e^{(\alpha-1)\alpha\rho}}"
        r"+\delta P'',\ \alpha = \frac{\varepsilon+\rho}{2\rho},\ \varepsilon = \rho + 2\sqrt{\rho\log(1/\delta')}",
        kind=Recurrence(
            state=Box(
                (
                    Parameter("stick", "of the hockey stick"),
                    Parameter("moment", "of the good parts' moment, in units of its bound"),
                    Parameter("failed", "of P''"),
                )
            ),
            given=Box(
                (
                    Parameter("q", "Q' of an outcome", "probability", upper=1, log=True),
                    Parameter("loss", "log(P'/Q')", "nats", lower="-infinity"),
                    Parameter("bad", "P''", "probability", upper=1),
                    Parameter("other", "Q''", "probability", upper=1),
                )
            ),
            start={"stick": zero, "moment": zero, "failed": zero},
            step={"stick": _stick_of_mixture, "moment": _printed_moment, "failed": _bad_mass},
            left=_stick,
            right=_both_deltas,
            proof=Steps(proof=Maximum((Part(zero), Part(_excess_of_mixture, _MIXTURE)), inside=True)),
        ),
        domain=Box((RHO, replace(DELTA_LINEAR, open_lower=False), replace(DELTA_PRIME, open_upper=True))),
        note="P = (1 - delta) P' + delta P'' and so Q, of any number of outcomes. At order alpha rho-CDP says that the "
        "good parts' moment is within its bound, so the right side is at most (1 - delta) delta' + delta.",
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
