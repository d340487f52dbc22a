"""Section 4.1: the remark after Theorem 7, on composing before or after conversion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.rogers2024.neighbours import LAPLACE_HISTOGRAM
from proofs_numeric.rogers2024.parameters import (
    DELTA,
    DELTA_0,
    DELTA_INF,
    DELTA_PRIME,
    EPSILON,
    LEVEL,
    SCALE,
    ours,
    printed,
)
from proofs_numeric.rogers2024.theorem_7.proof import RATIO_BOX, rho_single_l0, rho_squared_l0, rho_through_l1
from proofs_numeric.rogers2024.theorem_7.statement import laplace_worst_known, target_delta
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import cdp_to_dp_epsilon_upper, pure_delta
from proofs_numeric.statements.kinds import DeltaBound, Identity, Inequality, Relation
from proofs_numeric.statements.tactics import (
    Derivative,
    Increasing,
    Part,
    Product,
    Sign,
    Substitute,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation


def laplace_pure_bound(
    A: Arithmetic, *, epsilon: Number, delta_0: Number, delta_inf: Number, b: Number, delta: Number
) -> Number:
    """Delta that (D_0 D_inf/b, delta)-DP implies at ``epsilon``: the l1 route."""
    delta = A.number(delta)
    return delta + (1 - delta) * pure_delta(A, epsilon=epsilon, promised=A.number(delta_0) * delta_inf / b)


# --- the remark after Theorem 7 ---------------------------------------------------------------------------------------


def single_epsilon_printed(A: Arithmetic, *, epsilon: Number, delta: Number) -> Number:
    """``epsilon^2/2 + epsilon sqrt(2 log(1/delta))``: the remark's epsilon with the mechanism's own delta."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon / 2 + epsilon * A.sqrt(-2 * A.log(A.number(delta)))


def single_delta(A: Arithmetic, *, epsilon: Number, delta: Number) -> Any:
    """Exact delta of one shared count at the remark's epsilon."""
    return gaussian_profile(A, single_epsilon_printed(A, epsilon=epsilon, delta=delta), A.number(epsilon))


def converted_first(A: Arithmetic, *, epsilon: Number, delta_prime: Number) -> Number:
    """``epsilon' = epsilon^2 + 2 epsilon sqrt(2 log(1/delta'))``: two DP guarantees composed."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon + 2 * epsilon * A.sqrt(-2 * A.log(A.number(delta_prime)))


def converted_last(A: Arithmetic, *, epsilon: Number, delta_prime: Number) -> Number:
    """``epsilon'' = epsilon^2 + 2 epsilon sqrt(log(1/delta'))``: two CDP guarantees composed, then converted."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon + 2 * epsilon * A.sqrt(-A.log(A.number(delta_prime)))


def conversion_of_composed(A: Arithmetic, *, epsilon: Number, delta_prime: Number) -> Number:
    """Theorem 3 at ``rho = epsilon^2``."""
    epsilon = A.number(epsilon)
    return cdp_to_dp_epsilon_upper(A, rho=epsilon * epsilon, delta=delta_prime)


def two_gaussians_delta_at_first(A: Arithmetic, *, epsilon: Number, delta_prime: Number) -> Any:
    """Exact delta of two Gaussian counts at epsilon'."""
    level = converted_first(A, epsilon=epsilon, delta_prime=delta_prime)
    return gaussian_profile(A, level, A.sqrt(2) * A.number(epsilon))


def just_delta_prime(A: Arithmetic, *, delta_prime: Number, **_parameters: Any) -> Number:
    """``delta'``."""
    return A.number(delta_prime)


def basic_composition(A: Arithmetic, *, delta: Number, delta_prime: Number) -> Number:
    """``2 (delta + delta')``: deltas of two (epsilon, delta + delta')-DP releases under basic composition."""
    return 2 * (A.number(delta) + A.number(delta_prime))


def remark_total(A: Arithmetic, *, delta: Number, delta_prime: Number) -> Number:
    """``2 delta + delta'``, the remark's total."""
    return 2 * A.number(delta) + A.number(delta_prime)


def basic_composition_of_halves(A: Arithmetic, *, delta: Number, delta_prime: Number) -> Number:
    """``2 (delta + delta'/2)``."""
    return 2 * (A.number(delta) + A.number(delta_prime) / 2)


def sqrt_two_converted_last(A: Arithmetic, *, epsilon: Number, delta_prime: Number) -> Number:
    """``sqrt(2) epsilon''``."""
    return A.sqrt(2) * converted_last(A, epsilon=epsilon, delta_prime=delta_prime)


_REMARK_EPSILON = replace(EPSILON, lower="1e-6", upper=100)
_PROPER_DELTA_PRIME = replace(DELTA_PRIME, open_upper=True)
_REMARK_BOX = Box((_REMARK_EPSILON, _PROPER_DELTA_PRIME))


# With w = sqrt(2 log(1/delta)) the profile is at most Phi(-w), or Phi(-sqrt(2) w) of two counts, and Phi(-w) at most
# e^(-w^2/2), which is delta.


def _single(A: Arithmetic, *, epsilon: Number, w: Number) -> Any:
    return gaussian_profile(A, epsilon * epsilon / 2 + epsilon * w, epsilon)


def _two(A: Arithmetic, *, epsilon: Number, w: Number) -> Any:
    return gaussian_profile(A, epsilon * epsilon + 2 * epsilon * w, A.sqrt(2) * epsilon)


def _wider(A: Arithmetic, *, w: Number, **_rest: Any) -> Number:
    return A.sqrt(2) * w


def _tail(A: Arithmetic, *, w: Number, **_rest: Any) -> Number:
    return normal_cdf(A, -w)


def _chernoff(A: Arithmetic, *, w: Number, **_rest: Any) -> Number:
    return A.exp(-w * w / 2)


def _tail_share(A: Arithmetic, *, w: Number, **_rest: Any) -> Number:
    return 1 - normal_cdf(A, -w) * A.exp(w * w / 2)


_W = Parameter("w", "sqrt(2 log(1/delta))", open_lower=True)
_BELOW_CHERNOFF = Product(
    (
        Part(_chernoff),
        Part(
            _tail_share,
            Derivative(
                "w",
                "lower",
                Product(
                    (
                        Part(lambda A, *, w: A.exp(w * w / 2)),
                        Part(lambda A, *, w: normal_pdf(A, w) - w * normal_cdf(A, -w), Derivative("w", "upper")),
                    )
                ),
            ),
        ),
    )
)
_MILLS = Substitute(Box((_W,)), {}, _BELOW_CHERNOFF, _tail, _chernoff)
_MILLS_WIDER = Substitute(Box((_W,)), {"w": _wider}, _BELOW_CHERNOFF, _tail, _chernoff)


def _at_tail(delta: str, tail: Formula, profile: Formula, below: Tactic) -> Tactic:
    """Go over to w and through ``Phi(-tail)``."""

    def w(A: Arithmetic, **at: Any) -> Number:
        return A.sqrt(-2 * A.log(A.number(at[delta])))

    proof = Through(lambda A, **at: normal_cdf(A, -tail(A, **at)), Sign(), below)
    return Substitute(Box((_REMARK_EPSILON, _W)), {"w": w}, proof, profile, _chernoff)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.rem7.dp_route",
        source=printed("Section 4.1, remark"),
        title="Rho through approximate DP",
        statement=r"(\varepsilon\Delta_0, \delta)\text{-DP} \Rightarrow \varepsilon^2\Delta_0^2/2\text{-CDP}",
        kind=Identity(rho_through_l1, rho_squared_l0, Symbolic()),
        domain=RATIO_BOX,
        quantity=QuantityKind.RHO,
        privacy=LAPLACE_HISTOGRAM,
        evaluates=rho_through_l1,
    ),
    Claim(
        id="rogers2024.rem7.dp_route.profile",
        source=ours("Section 4.1, remark"),
        title="Privacy profile of the l1 route, Laplace noise",
        statement=r"\delta(\varepsilon) \le \delta + (1-\delta)(e^E - e^\varepsilon)_+/(e^E + 1),\ "
        r"E = \Delta_0\Delta_\infty/b",
        kind=DeltaBound(laplace_pure_bound, exact=laplace_worst_known),
        domain=Box(
            (LEVEL, replace(DELTA_0, upper=1000), replace(DELTA_INF, upper=1000), replace(SCALE, lower="1e-2"), DELTA)
        ),
        role=Role.UPPER,
        privacy=LAPLACE_HISTOGRAM,
    ),
    Claim(
        id="rogers2024.rem7.gain",
        source=printed("Section 4.1, remark"),
        title="The CDP analysis gains a factor Delta_0",
        statement=r"\varepsilon^2\Delta_0/2 \le \varepsilon^2\Delta_0^2/2",
        kind=Inequality(rho_single_l0, rho_squared_l0, proof=Sign()),
        domain=RATIO_BOX,
    ),
    Claim(
        id="rogers2024.rem7.single",
        source=printed("Section 4.1, remark"),
        title="One release, with log(1/delta) in print",
        statement=r"H_{\varepsilon^2/2 + \varepsilon\sqrt{2\log(1/\delta)}} \le \delta",
        kind=Inequality(
            single_delta, target_delta, proof=_at_tail("delta", lambda A, *, w, **_rest: w, _single, _MILLS)
        ),
        domain=Box((_REMARK_EPSILON, DELTA)),
        quantity=QuantityKind.EPSILON,
        evaluates=single_epsilon_printed,
        note="log(1/delta') is meant; the printed form is true all the same (Delta_0 = 1), even with delta' = 0.",
    ),
    Claim(
        id="rogers2024.rem7.eps1",
        source=printed("Section 4.1, remark"),
        title="Two releases converted before composition",
        statement=r"\varepsilon' = \varepsilon^2 + 2\varepsilon\sqrt{2\log(1/\delta')}",
        kind=Inequality(
            two_gaussians_delta_at_first,
            just_delta_prime,
            proof=_at_tail(
                "delta_prime",
                _wider,
                _two,
                Through(
                    lambda A, *, w, **_rest: A.exp(-w * w),
                    _MILLS_WIDER,
                    Increasing("exp", lambda _A, *, w, **_rest: -w * w, lambda _A, *, w, **_rest: -w * w / 2),
                ),
            ),
        ),
        domain=_REMARK_BOX,
        quantity=QuantityKind.EPSILON,
        evaluates=converted_first,
        note="The claim is true because epsilon'' <= epsilon'; its derivation is not.",
    ),
    Claim(
        id="rogers2024.rem7.eps1.as_printed",
        source=printed("Section 4.1, remark"),
        title="Basic composition gives 2 delta + delta'",
        statement=r"2(\delta + \delta') = 2\delta + \delta'",
        kind=Identity(basic_composition, remark_total),
        domain=Box((DELTA, DELTA_PRIME)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.rem7.eps1.corrected",
    ),
    Claim(
        id="rogers2024.rem7.eps1.corrected",
        source=printed("Section 4.1, remark"),
        title="Basic composition with delta'/2 each",
        statement=r"\varepsilon' = \varepsilon^2 + 2\varepsilon\sqrt{2\log(2/\delta')},\ 2(\delta + \delta'/2)",
        kind=Identity(basic_composition_of_halves, remark_total, Symbolic()),
        domain=Box((DELTA, DELTA_PRIME)),
    ),
    Claim(
        id="rogers2024.rem7.eps2",
        source=printed("Section 4.1, remark"),
        title="Two releases composed before conversion",
        statement=r"\varepsilon'' = \varepsilon^2 + 2\varepsilon\sqrt{\log(1/\delta')}",
        kind=Identity(converted_last, conversion_of_composed, Symbolic()),
        domain=_REMARK_BOX,
        quantity=QuantityKind.EPSILON,
        evaluates=converted_last,
        loose="exact two-fold Gaussian at (1, 1e-6): 7.286 against 8.434",
    ),
    Claim(
        id="rogers2024.rem7.cmp",
        source=printed("Section 4.1, remark"),
        title="Composing before converting is better",
        statement=r"\varepsilon'' < \varepsilon'",
        kind=Inequality(converted_last, converted_first, Relation.LESS, Sign()),
        domain=_REMARK_BOX,
    ),
    Claim(
        id="rogers2024.rem7.cmp.ratio",
        source=ours("Section 4.1, remark"),
        title="... by less than sqrt(2)",
        statement=r"\varepsilon' < \sqrt2\,\varepsilon''",
        kind=Inequality(converted_first, sqrt_two_converted_last, Relation.LESS, Sign()),
        domain=_REMARK_BOX,
    ),
)
