"""Section 4.1: the remark after Theorem 7, on composing before or after conversion."""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.neighbours import LAPLACE_HISTOGRAM
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_3 import cdp_epsilon
from proofs_numeric.rogers2024.theorem_7.proof import RATIO_BOX, rho_single_l0, rho_squared_l0, rho_through_l1
from proofs_numeric.rogers2024.theorem_7.statement import laplace_worst_known
from proofs_numeric.statements.concentrated import pure_delta

w = symbol("w")
single_epsilon_printed = epsilon * epsilon / 2 + epsilon * sqrt(-2 * log(delta))
"""The remark's epsilon with the mechanism's own delta."""
converted_first = epsilon * epsilon + 2 * epsilon * sqrt(-2 * log(delta_prime))
"""``epsilon'``: two DP guarantees composed."""
converted_last = epsilon * epsilon + 2 * epsilon * sqrt(-log(delta_prime))
"""``epsilon''``: two CDP guarantees composed, then converted."""
_REMARK_EPSILON = replace(EPSILON, lower="1e-6", upper=100)
_REMARK_BOX = Box((_REMARK_EPSILON, replace(DELTA_PRIME, open_upper=True)))

# With w = sqrt(2 log(1/delta)) the profile is at most Phi(-w), or Phi(-sqrt(2) w) of two counts, and Phi(-w) at most
# e^(-w^2/2), which is delta.

_single = profile(epsilon * epsilon / 2 + epsilon * w, epsilon)
_two = profile(epsilon * epsilon + 2 * epsilon * w, sqrt(2) * epsilon)
_wider, _chernoff = sqrt(2) * w, exp(-w * w / 2)
_W = Parameter("w", "sqrt(2 log(1/delta))", open_lower=True)
_TAIL_SHARE = (
    1 - Phi(-w) * exp(w * w / 2),
    Derivative("w", "lower", product_of(exp(w * w / 2), (phi(w) - w * Phi(-w), Derivative("w", "upper")))),
)
_MILLS, _MILLS_WIDER = (
    Substitute(Box((_W,)), new, product_of(_chernoff, _TAIL_SHARE), Phi(-w), _chernoff) for new in ({}, {"w": _wider})
)


def _at_tail(failure: Expression, tail: Expression, bounded: Expression, below: Tactic) -> Tactic:
    """Go over to w and through ``Phi(-tail)``."""
    proof = Through(Phi(-tail), Sign(), below)
    return Substitute(Box((_REMARK_EPSILON, _W)), {"w": sqrt(-2 * log(failure))}, proof, bounded, _chernoff)


CLAIMS = (
    stated(
        "rem7.dp_route", "Section 4.1, remark", "Rho through approximate DP",
        r"(\varepsilon\Delta_0)^2/2 = \varepsilon^2\Delta_0^2/2,\ \varepsilon = \Delta_\infty/b",
        eq(rho_through_l1, rho_squared_l0), proof=Symbolic(), domain=RATIO_BOX, quantity=QuantityKind.RHO,
        privacy=LAPLACE_HISTOGRAM, evaluates=rho_through_l1,
    ),
    own(
        "rem7.dp_route.profile", "Section 4.1, remark", "Privacy profile of the l1 route, Laplace noise",
        r"\delta(\varepsilon) \le \delta + (1-\delta)(e^E - e^\varepsilon)_+/(e^E + 1),\ E = \Delta_0\Delta_\infty/b",
        # Delta that (D_0 D_inf/b, delta)-DP implies.
        DeltaBound(
            delta + (1 - delta) * algorithm(pure_delta)(promised=delta_0 * delta_inf / b), exact=laplace_worst_known,
        ),
        domain=(
            LEVEL, replace(DELTA_0, upper=1000), replace(DELTA_INF, upper=1000), replace(SCALE, lower="1e-2"), DELTA,
        ),
        role=Role.UPPER, privacy=LAPLACE_HISTOGRAM,
    ),
    stated(
        "rem7.gain", "Section 4.1, remark", "The CDP analysis gains a factor Delta_0", None,
        rho_single_l0 <= rho_squared_l0, proof=Sign(), domain=RATIO_BOX,
    ),
    stated(
        "rem7.single", "Section 4.1, remark", "One release, with log(1/delta) in print", None,
        profile(single_epsilon_printed, epsilon) <= delta, proof=_at_tail(delta, w, _single, _MILLS),
        domain=(_REMARK_EPSILON, DELTA), quantity=QuantityKind.EPSILON, evaluates=single_epsilon_printed,
        note="log(1/delta') is meant; the printed form is true all the same (Delta_0 = 1), even with delta' = 0.",
        partial="Gaussian counts; that new items add no more than delta is rogers2024.thm7.gaussian.exact",
    ),
    stated(
        "rem7.eps1", "Section 4.1, remark", "Two releases converted before composition", None,
        profile(converted_first, sqrt(2) * epsilon) <= delta_prime,
        proof=_at_tail(
            delta_prime, _wider, _two, Through(exp(-w * w), _MILLS_WIDER, Increasing("exp", -w * w, -w * w / 2)),
        ),
        domain=_REMARK_BOX, quantity=QuantityKind.EPSILON, evaluates=converted_first,
        note="The claim is true because epsilon'' <= epsilon'; its derivation is not.",
        partial="Gaussian counts; that new items add no more than 2 delta is left out",
    ),
    refuted(
        "rem7.eps1.as_printed", "Section 4.1, remark", "Basic composition gives 2 delta + delta'", None,
        eq(2 * (delta + delta_prime), 2 * delta + delta_prime), by="rem7.eps1.corrected", domain=(DELTA, DELTA_PRIME),
    ),
    stated(
        "rem7.eps1.corrected", "Section 4.1, remark", "Basic composition with delta'/2 each", None,
        eq(2 * (delta + delta_prime / 2), 2 * delta + delta_prime), proof=Symbolic(), domain=(DELTA, DELTA_PRIME),
    ),
    stated(
        "rem7.eps2", "Section 4.1, remark", "Two releases composed before conversion", None,
        eq(converted_last, cdp_epsilon(rho=epsilon * epsilon, delta=delta_prime)), proof=Symbolic(),
        domain=_REMARK_BOX, quantity=QuantityKind.EPSILON, evaluates=converted_last,
        loose="exact two-fold Gaussian at (1, 1e-6): 7.286 against 8.434",
        partial="the epsilon; that delta is 2 delta + delta' there is left out",
    ),
    stated(
        "rem7.cmp", "Section 4.1, remark", "Composing before converting is better", r"\varepsilon'' < \varepsilon'",
        converted_last < converted_first, proof=Sign(), domain=_REMARK_BOX,
    ),
    own(
        "rem7.cmp.ratio", "Section 4.1, remark", "... by less than sqrt(2)", r"\varepsilon' < \sqrt2\,\varepsilon''",
        converted_first < sqrt(2) * converted_last, proof=Sign(), domain=_REMARK_BOX,
    ),
)  # fmt: skip
