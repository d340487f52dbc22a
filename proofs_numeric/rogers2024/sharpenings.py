"""Sharper than print: constants and thresholds of this project."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.special import laplace_tail, normal_quantile_complement
from proofs_numeric.rogers2024.achieved import GAUSSIAN_MASS, GUMBEL_MASS, LAPLACE_MASS, UNION_MASS
from proofs_numeric.rogers2024.binary_mechanism import up_to
from proofs_numeric.rogers2024.definition_2_1 import FiniteLaw
from proofs_numeric.rogers2024.enumeration import cells_of_sum
from proofs_numeric.rogers2024.laws import above_any, laplace_renyi
from proofs_numeric.rogers2024.neighbours import (
    GAUSSIAN_HISTOGRAM,
    GUMBEL_OF_K_BAR,
    LAPLACE_HISTOGRAM,
    PAY_WHAT_YOU_GET,
    TOP_OF_K_BAR,
    UNKNOWN_STREAM,
)
from proofs_numeric.rogers2024.orders import LAPLACE, SHARP, laplace_rho
from proofs_numeric.rogers2024.parameters import ALPHA, DELTA, DELTA_0, DELTA_INF, EPSILON, K_BAR, ROUNDS, ours
from proofs_numeric.rogers2024.theorem_3 import PURE, clipped, dp_cases, good_parts_of_dp
from proofs_numeric.rogers2024.theorem_7.statement import gaussian_new_mass, laplace_new_mass
from proofs_numeric.rogers2024.theorem_8.proof import SIDES, l2_is_bounded_by_k_bar, matched, top_cases
from proofs_numeric.rogers2024.theorem_8.statement import mass_above_noisy_threshold
from proofs_numeric.rogers2024.theorem_9.statement import gumbel_new_mass
from proofs_numeric.rogers2024.theorem_10 import ELL_STAR, K_STAR, calls_times_delta, stream_new_mass
from proofs_numeric.rogers2024.theorem_11.statement import mass_of_one_round, union_mass
from proofs_numeric.rogers2024.thresholds import threshold_of_floor
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import dp_to_cdp_rho, hockey_stick
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Calibration, FiniteStatement, Inequality
from proofs_numeric.statements.tactics import (
    Derivative,
    Given,
    Maximum,
    Part,
    Product,
    Rewrite,
    Sign,
    Substitute,
    Symbolic,
)


def alpha_laplace_rho(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    """``alpha (epsilon - 1 + e^-epsilon)``."""
    return alpha * laplace_rho(A, epsilon=epsilon)


def clipped_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, Fraction]]:
    """Pairs of laws on three outcomes with masses in ``1/size``, and ``e^epsilon`` above 1."""
    return (case for case in dp_cases(size) if case[2] > 1)


def good_parts_are_near(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """``D_2`` of the good parts, both ways, is at most ``2 epsilon tanh(epsilon/2)``."""
    left, right, ratio = case
    delta = max(hockey_stick(left, right, ratio), hockey_stick(right, left, ratio))
    if delta == 1:
        return True
    p, q = good_parts_of_dp(left, right, ratio, delta)
    moments = [sum(one[y] ** 2 / other[y] for y in one if one[y]) for one, other in ((p, q), (q, p))]
    with Ball(128) as A:
        allowed = 2 * dp_to_cdp_rho(A, epsilon=A.log(A.number(ratio)))
        return all(bool(A.log(A.number(moment)) <= allowed) for moment in moments)


def exact_tail(A: Arithmetic, *, delta_0: Number, delta: Number) -> Number:
    """``1 - (1 - delta)^{1/D_0}``: the tail at which D_0 independent items miss with probability delta exactly."""
    return -A.expm1(A.log1p(-A.number(delta)) / A.number(delta_0))


def gaussian_exact_threshold(
    A: Arithmetic, *, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """``D_inf + (D_inf/epsilon) z(1 - (1-delta)^{1/D_0})``."""
    tail = exact_tail(A, delta_0=delta_0, delta=delta)
    return delta_inf + delta_inf / A.number(epsilon) * normal_quantile_complement(A, tail)


def laplace_exact_threshold(
    A: Arithmetic, *, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """``D_inf - (D_inf/epsilon) log(2 (1 - (1-delta)^{1/D_0}))``, for tails up to 1/2."""
    tail = exact_tail(A, delta_0=delta_0, delta=delta)
    return delta_inf - delta_inf / A.number(epsilon) * A.log(2 * tail)


def top_threshold_by_k_bar(
    A: Arithmetic, *, k_bar: Number, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """``D_inf + sqrt(2) (D_inf/epsilon) z(delta/min(D_0, k_bar))``."""
    items = A.minimum(A.number(k_bar), A.number(delta_0))
    quantile = normal_quantile_complement(A, A.number(delta) / items)
    return delta_inf + A.sqrt(2) * delta_inf / A.number(epsilon) * quantile


def top_mass_by_k_bar(
    A: Arithmetic, *, value: Number, k_bar: Number, delta_0: Number, delta_inf: Number, epsilon: Number, delta: Number
) -> Number:
    """Exact Pr[not E] of Algorithm 2 with ``min(D_0, k_bar)`` own items."""
    margin = (A.number(value) - delta_inf) * epsilon / delta_inf
    return mass_above_noisy_threshold(A, items=A.minimum(A.number(k_bar), A.number(delta_0)), margin=margin)


def gumbel_exact_threshold(A: Arithmetic, *, k_bar: Number, epsilon: Number, delta: Number) -> Number:
    """``1 + log(k_bar (1 - delta)/delta)/epsilon``."""
    delta = A.number(delta)
    return 1 + (A.log(A.number(k_bar)) + A.log1p(-delta) - A.log(delta)) / A.number(epsilon)


def distance_of_event(event: int, L: int) -> Any:
    """Squared distance, in units of sigma^2, of the sums seen with and without the event: ``s' C^-1 s``, exact.

    ``s`` is one from the event's round on, ``C`` counts the noises that two sums share. An event of round 1 is new
    there, and suppressed: its items are seen from round 2 on.
    """
    seen = range(2 if event == 1 else 1, L + 1)
    cells = [set(cells_of_sum(round_)) for round_ in seen]
    if not cells:
        return 0
    shared = flint.fmpz_mat([[len(left & right) for right in cells] for left in cells])
    solved = shared.solve(flint.fmpz_mat([[int(round_ >= event)] for round_ in seen]))
    return sum(solved[row, 0] for row, round_ in enumerate(seen) if round_ >= event)


def furthest_event_is_near(L: int) -> bool:
    """The furthest event moves the sums by ``floor(log2 L)``, no less and no more."""
    return bool(max(distance_of_event(event, L) for event in range(1, L + 1)) == L.bit_length() - 1)


def coordinates_of_top(A: Arithmetic, *, delta_0: Number, k_bar: Number, **_rest: Number) -> Any:
    """``min(D_0, k_bar + 1)``."""
    return A.minimum(A.number(delta_0), A.number(k_bar) + 1)


def _squared_by_k_bar(A: Arithmetic, *, delta_inf: Number, **at: Number) -> Any:
    """``min(D_0, k_bar + 1) D_inf^2``."""
    return coordinates_of_top(A, **at) * A.number(delta_inf) ** 2


SIDES_BY_TOP = replace(SIDES, squared=_squared_by_k_bar)
_MOVED_BY_K_BAR = Part(
    lambda A, *, moved, **at: coordinates_of_top(A, **at) - A.number(moved),
    Maximum(
        (
            Part(lambda A, *, delta_0, **_at: A.number(delta_0), Given()),
            Part(lambda A, *, k_bar, **_at: A.number(k_bar) + 1, Given()),
        ),
        inside=True,
    ),
)

_T_BOX = Box((replace(DELTA_0, upper=10**6), DELTA_INF, EPSILON, DELTA))


def _above(A: Arithmetic, *, delta_0: Number, delta: Number, **_rest: Number) -> Any:
    return -A.log(2 * exact_tail(A, delta_0=delta_0, delta=delta))


def _mass_at(A: Arithmetic, *, x: Number, delta_0: Number) -> Any:
    return above_any(A, delta_0, laplace_tail(A, x))


def _mass_of_tail(A: Arithmetic, *, x: Number, delta_0: Number) -> Any:
    return -A.expm1(delta_0 * A.log1p(-A.exp(-A.number(x)) / 2))


_AT_TAIL = Substitute(
    Box((Parameter("x", "threshold above Delta_inf, in scales"), DELTA_0)),
    {"x": _above},
    Symbolic(),
    _mass_at,
    _mass_of_tail,
    {
        "x": Substitute(
            Box((Parameter("s", "rate of the tail in log 2", open_lower=True, upper=1),)),
            {"s": lambda A, *, delta_0, delta, **_rest: -A.log1p(-A.number(delta)) / (delta_0 * A.log(A.number(2)))},
            Derivative("s", "upper"),
            zero,
            lambda A, *, s: -A.log(-2 * A.expm1(-A.number(s) * A.log(A.number(2)))),
            {
                "s <": Product(
                    (
                        Part(lambda A, *, delta_0, **_rest: 1 / (A.number(delta_0) * A.log(A.number(2)))),
                        Part(
                            lambda A, *, delta_0, delta, **_rest: (
                                delta_0 * A.log(A.number(2)) + A.log1p(-A.number(delta))
                            ),
                            Derivative("delta", "upper"),
                        ),
                    )
                )
            },
        )
    },
)
"""The threshold is at least Delta_inf as the tail is at most delta, hence at most half."""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.sharp.pure",
        source=ours("Theorem 3"),
        title="Pure DP is epsilon tanh(epsilon/2)-CDP",
        statement=r"(\varepsilon, \delta)\text{-DP} \Rightarrow \delta\text{-approximate } "
        r"\varepsilon\tanh(\varepsilon/2)\text{-CDP}",
        kind=FiniteStatement(
            clipped_cases,
            good_parts_are_near,
            {"quick": 3, "standard": 4, "deep": 6},
            "masses in 1/size",
            every=replace(PURE, rho=dp_to_cdp_rho),
            proof=clipped(SHARP),
        ),
        domain=Box((EPSILON,)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=dp_to_cdp_rho,
        note="Randomised response attains it at alpha = 1.",
    ),
    Claim(
        id="rogers2024.sharp.laplace",
        source=ours("Theorem 7"),
        title="A Laplace count costs epsilon - 1 + e^-epsilon",
        statement=r"D_\alpha \le \alpha(\varepsilon - 1 + e^{-\varepsilon})",
        kind=Inequality(laplace_renyi, alpha_laplace_rho, proof=LAPLACE),
        domain=Box((ALPHA, EPSILON)),
        quantity=QuantityKind.RHO,
        privacy=LAPLACE_HISTOGRAM,
        evaluates=lambda A, **p: laplace_rho(A, epsilon=p["epsilon"]),
    ),
    Claim(
        id="rogers2024.sharp.threshold",
        source=ours("Theorem 7"),
        title="Gaussian threshold that meets delta exactly",
        statement=r"T = \Delta_\infty + \sigma z(1 - (1-\delta)^{1/\Delta_0})",
        kind=Calibration(gaussian_exact_threshold, gaussian_new_mass, tight=True, by=GAUSSIAN_MASS, proof=Symbolic()),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        rises=("delta_0",),
        role=Role.CALIBRATION,
        privacy=GAUSSIAN_HISTOGRAM,
    ),
    Claim(
        id="rogers2024.sharp.threshold.laplace",
        source=ours("Theorem 7"),
        title="Laplace threshold that meets delta exactly",
        statement=r"T = \Delta_\infty - b\log(2(1 - (1-\delta)^{1/\Delta_0}))",
        kind=Calibration(laplace_exact_threshold, laplace_new_mass, tight=True, by=LAPLACE_MASS, proof=_AT_TAIL),
        domain=Box((*_T_BOX.parameters[:-1], replace(DELTA, upper="1/2", open_upper=False))),
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        rises=("delta_0",),
        role=Role.CALIBRATION,
        privacy=LAPLACE_HISTOGRAM,
    ),
    Claim(
        id="rogers2024.sharp.top",
        source=ours("Theorem 8"),
        title="Rho of Algorithm 2 with min(Delta_0, k_bar + 1)",
        statement=r"\|\cdot\|_2^2 \le \min(\Delta_0, \bar k + 1)\Delta_\infty^2",
        kind=FiniteStatement(
            top_cases,
            l2_is_bounded_by_k_bar,
            {"quick": 2, "standard": 3, "deep": 4},
            "largest count, three labels",
            every=SIDES_BY_TOP,
            proof=matched(Product((_MOVED_BY_K_BAR, Part(lambda A, *, delta_inf, **_at: A.number(delta_inf) ** 2)))),
        ),
    ),
    Claim(
        id="rogers2024.sharp.top.T",
        source=ours("Theorem 8"),
        title="Threshold of Algorithm 2 with min(Delta_0, k_bar)",
        statement=r"T = \Delta_\infty + \sqrt2\sigma z(\delta/\min(\Delta_0, \bar k))",
        kind=Calibration(top_threshold_by_k_bar, top_mass_by_k_bar, tight=False),
        domain=Box((replace(K_BAR, upper=10**4), *_T_BOX.parameters)),
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        privacy=TOP_OF_K_BAR,
        points=({"k_bar": 3, "delta_0": 10, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},),
        cost=13,
        note="Needs the fixed label order of rogers2024.thm8.lem5.2.",
    ),
    Claim(
        id="rogers2024.sharp.gumbel",
        source=ours("Theorem 9"),
        title="Threshold of Algorithm 3 that meets delta exactly",
        statement=r"T = 1 + \tfrac1\varepsilon\log(\bar k(1-\delta)/\delta)",
        kind=Calibration(gumbel_exact_threshold, gumbel_new_mass, tight=True, by=GUMBEL_MASS, proof=Symbolic()),
        domain=Box((K_BAR, EPSILON, DELTA)),
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        rises=("k_bar",),
        role=Role.CALIBRATION,
        privacy=GUMBEL_OF_K_BAR,
    ),
    Claim(
        id="rogers2024.sharp.pay",
        source=ours("Theorem 10"),
        title="Total delta of a stream with min(l*, k*)",
        statement=r"1 - (1+\delta)^{-\min(\ell^*, k^*)} \le \min(\ell^*, k^*)\delta",
        kind=Inequality(
            stream_new_mass,
            calls_times_delta,
            proof=Substitute(
                Box((Parameter("calls", "", lower=1), Parameter("delta", "", upper=1, open_lower=True))),
                {"calls": lambda A, *, l_star, k_star, delta: A.minimum(A.number(l_star), A.number(k_star))},
                Derivative(
                    "delta",
                    "lower",
                    Rewrite(
                        Sign(), right=lambda A, *, calls, delta: calls * (1 - A.exp(-(calls + 1) * A.log1p(delta)))
                    ),
                ),
                lambda A, *, calls, delta: -A.expm1(-calls * A.log1p(delta)),
                lambda A, *, calls, delta: calls * delta,
            ),
        ),
        domain=Box((ELL_STAR, K_STAR, DELTA)),
        quantity=QuantityKind.DELTA,
        privacy=PAY_WHAT_YOU_GET,
        evaluates=calls_times_delta,
    ),
    Claim(
        id="rogers2024.sharp.binary",
        source=ours("Theorem 11"),
        title="Threshold of the binary mechanism with floor(log2(L+1)) noise terms",
        statement=r"T = 1 + \sigma\sqrt{\lfloor\log_2(L+1)\rfloor}\,z(\delta/(\Delta_0 L))",
        kind=Calibration(
            threshold_of_floor, union_mass, tight=False, achieved_at_least=mass_of_one_round, by=UNION_MASS
        ),
        domain=Box(
            (ROUNDS, DELTA_0, EPSILON, DELTA),
            lambda L, delta_0, delta, **_rest: 2 * delta <= delta_0 * L,
            "2 delta <= delta_0 * L",
        ),
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        rises=("delta_0",),
        role=Role.CALIBRATION,
        privacy=UNKNOWN_STREAM,
    ),
    Claim(
        id="rogers2024.sharp.binary.rho",
        source=ours("Theorem 11"),
        title="One event moves the sums that are seen by floor(log2 L) squared noises at most",
        statement=r"\max_\ell s_\ell^\top C^{-1} s_\ell = \lfloor\log_2 L\rfloor,\ "
        r"\rho = \Delta_0\lfloor\log_2 L\rfloor\varepsilon^2/2",
        kind=FiniteStatement(up_to, furthest_event_is_near, {"quick": 16, "standard": 24, "deep": 40}, "L"),
        note="The event of round 1 has one cell more, but that cell alone is seen at round 1 only, where its items are "
        "new and suppressed. Attained with high counts at l = 2^j + 1, L a power of two.",
    ),
)
