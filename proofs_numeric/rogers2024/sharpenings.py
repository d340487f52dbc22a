"""Sharper than print: constants and thresholds of this project."""

from dataclasses import replace
from functools import partial
from typing import Any

import flint

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024 import neighbours
from proofs_numeric.rogers2024.achieved import GAUSSIAN_MASS, GUMBEL_MASS, LAPLACE_MASS, UNION_MASS
from proofs_numeric.rogers2024.binary_mechanism import up_to
from proofs_numeric.rogers2024.enumeration import cells_of_sum
from proofs_numeric.rogers2024.laws import laplace_renyi, laplace_tail, some_of
from proofs_numeric.rogers2024.orders import LAPLACE, SHARP, laplace_rho, pure_rho
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_3 import PURE, clipped, dp_cases, near_parts
from proofs_numeric.rogers2024.theorem_7.statement import gaussian_new_mass, laplace_new_mass
from proofs_numeric.rogers2024.theorem_8.proof import SIDES, l2_is_bounded_by_k_bar, matched, top_cases
from proofs_numeric.rogers2024.theorem_8.statement import top_new_mass
from proofs_numeric.rogers2024.theorem_9.statement import gumbel_new_mass
from proofs_numeric.rogers2024.theorem_10 import calls_times_delta, stream_new_mass
from proofs_numeric.rogers2024.theorem_11.statement import HALF_BOX, mass_of_one_round, union_mass
from proofs_numeric.rogers2024.thresholds import threshold_of_floor

calls, moved, s, x = symbols("calls moved s x")
_tail = -expm1(log1p(-delta) / delta_0)
"""``1 - (1 - delta)^{1/D_0}``: the tail at which D_0 independent items miss with probability delta exactly."""
_scale, _items = delta_inf / epsilon, minimum(k_bar, delta_0)
coordinates_of_top = minimum(delta_0, k_bar + 1)


def distance_of_event(event: int, L: int) -> Any:
    """Squared distance, in units of sigma^2, of the sums seen with and without the event: ``s' C^-1 s``, exact.

    ``s`` is one from the event's round on, ``C`` counts the noises that two sums share. An event of round 1 is new
    there, and suppressed: its items are seen from round 2 on.
    """
    rounds = range(2 if event == 1 else 1, L + 1)
    cells = [set(cells_of_sum(round_)) for round_ in rounds]
    if not cells:
        return 0
    shared = flint.fmpz_mat([[len(left & right) for right in cells] for left in cells])
    solved = shared.solve(flint.fmpz_mat([[int(round_ >= event)] for round_ in rounds]))
    return sum(solved[row, 0] for row, round_ in enumerate(rounds) if round_ >= event)


SIDES_BY_TOP = replace(SIDES, squared=coordinates_of_top * delta_inf**2)
_BY_K_BAR = largest_of((delta_0, Hypothesis()), (k_bar + 1, Hypothesis()), inside=True)
_T_BOX = Box((replace(DELTA_0, upper=10**6), DELTA_INF, EPSILON, DELTA))

_ALL_CALLS = Substitute(
    Box((Parameter("calls", "", lower=1), Parameter("delta", "", upper=1, open_lower=True))),
    {"calls": minimum(l_star, k_star)},
    Derivative("delta", "lower", Rewrite(Sign(), right=calls * (1 - exp(-(calls + 1) * log1p(delta))))),
    -expm1(-calls * log1p(delta)), calls * delta,
)  # fmt: skip
_log_two = log(lift(2))
_AT_TAIL = Substitute(
    Box((Parameter("x", "threshold above Delta_inf, in scales"), DELTA_0)), {"x": -log(2 * _tail)}, Symbolic(),
    some_of(delta_0, laplace_tail(x)), -expm1(delta_0 * log1p(-exp(-x) / 2)),
    {
        "x": Substitute(
            Box((Parameter("s", "rate of the tail in log 2", open_lower=True, upper=1),)),
            {"s": -log1p(-delta) / (delta_0 * _log_two)}, Derivative("s", "upper"), zero,
            -log(-2 * expm1(-s * _log_two)),
            {
                "s <": product_of(
                    1 / (delta_0 * _log_two), (delta_0 * _log_two + log1p(-delta), Derivative("delta", "upper"))
                )
            },
        )
    },
)  # fmt: skip
"""The threshold is at least Delta_inf as the tail is at most delta, hence at most half."""

CLAIMS = (
    own(
        "sharp.pure", "Theorem 3", "Pure DP is epsilon tanh(epsilon/2)-CDP",
        r"(\varepsilon, \delta)\text{-DP} \Rightarrow \delta\text{-approximate } "
        r"\varepsilon\tanh(\varepsilon/2)\text{-CDP}",
        FiniteStatement(
            dp_cases, near_parts(pure_rho), {"quick": 3, "standard": 4, "deep": 6}, "masses in 1/size",
            every=replace(PURE, rho=pure_rho), proof=clipped(SHARP),
        ),
        domain=(EPSILON,), quantity=QuantityKind.RHO, role=Role.UPPER, evaluates=pure_rho,
        note="Randomised response attains it at alpha = 1.",
    ),
    own(
        "sharp.laplace", "Theorem 7", "A Laplace count costs epsilon - 1 + e^-epsilon",
        r"D_\alpha \le \alpha(\varepsilon - 1 + e^{-\varepsilon})", laplace_renyi <= alpha * laplace_rho, proof=LAPLACE,
        domain=(ALPHA, EPSILON), quantity=QuantityKind.RHO, privacy=neighbours.LAPLACE_HISTOGRAM,
        evaluates=laplace_rho, float64_lost="1e-15",
    ),
    own(
        "sharp.threshold", "Theorem 7", "Gaussian threshold that meets delta exactly",
        r"T = \Delta_\infty + \sigma z(1 - (1-\delta)^{1/\Delta_0})",
        Calibration(
            delta_inf + _scale * quantile_complement(_tail), gaussian_new_mass, tight=True, by=GAUSSIAN_MASS,
            proof=Symbolic(),
        ),
        domain=_T_BOX, falls=("delta",), rises=("delta_0",), privacy=neighbours.GAUSSIAN_HISTOGRAM,
    ),
    own(
        "sharp.threshold.laplace", "Theorem 7", "Laplace threshold that meets delta exactly",
        r"T = \Delta_\infty - b\log(2(1 - (1-\delta)^{1/\Delta_0}))",
        Calibration(
            delta_inf - _scale * log(2 * _tail), laplace_new_mass, tight=True, by=LAPLACE_MASS, proof=_AT_TAIL,
        ),
        domain=(*_T_BOX.parameters[:-1], replace(DELTA, upper="1/2", open_upper=False)), falls=("delta",),
        rises=("delta_0",), privacy=neighbours.LAPLACE_HISTOGRAM,
    ),
    own(
        "sharp.top", "Theorem 8", "Rho of Algorithm 2 with min(Delta_0, k_bar + 1)",
        r"\|\cdot\|_2^2 \le \min(\Delta_0, \bar k + 1)\Delta_\infty^2",
        FiniteStatement(
            partial(top_cases, most_items=3), l2_is_bounded_by_k_bar, {"quick": 2, "standard": 3, "deep": 4},
            "largest count, three labels", every=SIDES_BY_TOP,
            proof=matched(product_of((coordinates_of_top - moved, _BY_K_BAR), delta_inf**2)),
        ),
    ),
    own(
        "sharp.top.T", "Theorem 8", "Threshold of Algorithm 2 with min(Delta_0, k_bar)",
        r"T = \Delta_\infty + \sqrt2\sigma z(\delta/\min(\Delta_0, \bar k))",
        Calibration(
            delta_inf + sqrt(2) * delta_inf / epsilon * quantile_complement(delta / _items),
            top_new_mass(delta_0=_items), tight=False,
        ),
        domain=(replace(K_BAR, upper=10**4), *_T_BOX.parameters), privacy=neighbours.TOP_OF_K_BAR,
        points=({"k_bar": 3, "delta_0": 10, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},), cost=13,
        note="Needs the fixed label order of rogers2024.thm8.lem5.2.",
    ),
    own(
        "sharp.gumbel", "Theorem 9", "Threshold of Algorithm 3 that meets delta exactly",
        r"T = 1 + \tfrac1\varepsilon\log(\bar k(1-\delta)/\delta)",
        Calibration(
            1 + (log(k_bar) + log1p(-delta) - log(delta)) / epsilon, gumbel_new_mass, tight=True, by=GUMBEL_MASS,
            proof=Symbolic(),
        ),
        domain=(K_BAR, EPSILON, DELTA), falls=("delta",), rises=("k_bar",), privacy=neighbours.GUMBEL_OF_K_BAR,
    ),
    own(
        "sharp.pay", "Theorem 10", "Total delta of a stream with min(l*, k*)", None,
        stream_new_mass <= calls_times_delta, proof=_ALL_CALLS, domain=(ELL_STAR, K_STAR, DELTA),
        quantity=QuantityKind.DELTA, privacy=neighbours.PAY_WHAT_YOU_GET, evaluates=calls_times_delta,
    ),
    own(
        "sharp.binary", "Theorem 11", "Threshold of the binary mechanism with floor(log2(L+1)) noise terms",
        r"T = 1 + \sigma\sqrt{\lfloor\log_2(L+1)\rfloor}\,z(\delta/(\Delta_0 L))",
        Calibration(threshold_of_floor, union_mass, tight=False, achieved_at_least=mass_of_one_round, by=UNION_MASS),
        domain=HALF_BOX, falls=("delta",), rises=("delta_0",), privacy=neighbours.UNKNOWN_STREAM,
    ),
    own(
        "sharp.binary.rho", "Theorem 11",
        "One event moves the sums that are seen by floor(log2 L) squared noises at most",
        r"\max_\ell s_\ell^\top C^{-1} s_\ell = \lfloor\log_2 L\rfloor,\ \rho = \Delta_0\lfloor\log_2 "
        r"L\rfloor\varepsilon^2/2",
        FiniteStatement(
            up_to, lambda L: bool(max(distance_of_event(event, L) for event in range(1, L + 1)) == L.bit_length() - 1),
            {"quick": 16, "standard": 24, "deep": 40}, "L",
        ),
        note="The event of round 1 has one cell more, but that cell alone is seen at round 1 only, where its items "
        "are new and suppressed. Attained with high counts at l = 2^j + 1, L a power of two.",
    ),
)  # fmt: skip
