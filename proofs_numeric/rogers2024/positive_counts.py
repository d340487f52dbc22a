"""Section 4.1: Algorithm 1 over positive counts, Theorem 7, and the remark on composition after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from proofs_numeric.adjacency import AddRemoveUser
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.claim import (
    Box,
    ByClaim,
    Calibration,
    Claim,
    Definition,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Law,
    Parameter,
    Proof,
    QuantityKind,
    Relation,
    Role,
    SymbolicIdentity,
)
from proofs_numeric.concentrated import approximate_delta_upper, cdp_to_dp_epsilon_upper, pure_delta
from proofs_numeric.rogers2024.enumeration import Items, neighbour_pairs
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail, laplace_profile, laplace_renyi, laplace_tail
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    DELTA,
    DELTA_0,
    DELTA_INF,
    DELTA_LINEAR,
    DELTA_PRIME,
    EPSILON,
    LEVEL,
    SCALE,
    SIGMA,
    ours,
    printed,
)
from proofs_numeric.special import gaussian_profile, normal_quantile_complement
from proofs_numeric.verdict import Expectation

# --- thresholds and masses --------------------------------------------------------------------------------------------


def laplace_threshold(A: Arithmetic, *, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """``T = D_inf + (D_inf/epsilon) log(D_0 / (2 delta))`` (counts)."""
    return delta_inf + delta_inf / A.number(epsilon) * A.log(A.number(delta_0) / (2 * A.number(delta)))


def gaussian_threshold(A: Arithmetic, *, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """``T = D_inf + (D_inf/epsilon) z(delta/D_0)`` (counts), ``z`` the upper normal quantile."""
    return delta_inf + delta_inf / A.number(epsilon) * normal_quantile_complement(A, A.number(delta) / delta_0)


def laplace_new_mass(A: Arithmetic, *, value: Any, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """Exact Pr[some of D_0 new items of count D_inf is printed] at the threshold ``value``, Laplace noise."""
    x = (A.number(value) - delta_inf) * epsilon / delta_inf
    return above_any(A, delta_0, laplace_tail(A, x))


def gaussian_new_mass(A: Arithmetic, *, value: Any, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """Exact Pr[some of D_0 new items of count D_inf is printed] at the threshold ``value``, Gaussian noise."""
    x = (A.number(value) - delta_inf) * epsilon / delta_inf
    return above_any(A, delta_0, gaussian_tail(A, x))


def cmin_threshold(A: Arithmetic, *, c_min: Any, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """Threshold when the input lists items of count at least ``c_min`` only: ``c_min - 1`` higher."""
    rest = {"delta_0": delta_0, "delta_inf": delta_inf, "epsilon": epsilon, "delta": delta}
    return c_min - 1 + gaussian_threshold(A, **rest)


def cmin_new_mass(
    A: Arithmetic, *, value: Any, c_min: Any, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any
) -> Any:
    """Exact mass of D_0 items that appear with count ``c_min - 1 + D_inf``."""
    x = (A.number(value) - (c_min - 1) - delta_inf) * epsilon / delta_inf
    return above_any(A, delta_0, gaussian_tail(A, x))


def cmin_mass_at_printed_threshold(A: Arithmetic, **parameters: Any) -> Any:
    """:func:`cmin_new_mass` at the T printed for ``c_min = 1``."""
    rest = {name: value for name, value in parameters.items() if name != "c_min"}
    return cmin_new_mass(A, value=gaussian_threshold(A, **rest), **parameters)


def zero(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 0."""
    return A.number(0)


def target_delta(A: Arithmetic, *, delta: Any, **_parameters: Any) -> Any:
    """The failure probability asked for."""
    return A.number(delta)


# --- rho and profiles -------------------------------------------------------------------------------------------------


def rho_of_ratio(A: Arithmetic, *, delta_0: Any, epsilon: Any) -> Any:
    """``rho = D_0 epsilon^2 / 2`` (Theorems 7 and 8)."""
    epsilon = A.number(epsilon)
    return delta_0 * epsilon * epsilon / 2


def gaussian_bound(A: Arithmetic, *, epsilon: Any, delta_0: Any, delta_inf: Any, sigma: Any, delta: Any) -> Any:
    """Delta that delta-approximate ``D_0 D_inf^2/(2 sigma^2)``-CDP implies at ``epsilon``."""
    rho = rho_of_ratio(A, delta_0=delta_0, epsilon=A.number(delta_inf) / sigma)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def gaussian_worst_known(A: Arithmetic, *, epsilon: Any, delta_0: Any, delta_inf: Any, sigma: Any, delta: Any) -> Any:
    """Exact profile of the worse of the pairs A1.new and A1.high, Gaussian noise."""
    distance = A.sqrt(A.number(delta_0)) * delta_inf / sigma
    new = above_any(A, delta_0, A.number(delta) / delta_0)
    return A.maximum(new, gaussian_profile(A, A.number(epsilon), distance))


def laplace_bound(A: Arithmetic, *, epsilon: Any, delta_0: Any, delta_inf: Any, b: Any, delta: Any) -> Any:
    """Delta that delta-approximate ``D_0 D_inf^2/(2 b^2)``-CDP implies at ``epsilon``."""
    rho = rho_of_ratio(A, delta_0=delta_0, epsilon=A.number(delta_inf) / b)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def laplace_worst_known(A: Arithmetic, *, epsilon: Any, delta_0: Any, delta_inf: Any, b: Any, delta: Any) -> Any:
    """Exact profile of the worse of one shared count that moves by D_inf and D_0 new items, Laplace noise."""
    x = A.log(A.number(delta_0) / (2 * A.number(delta)))
    new = above_any(A, delta_0, laplace_tail(A, x))
    return A.maximum(new, laplace_profile(A, epsilon=epsilon, distance=A.number(delta_inf) / b))


def laplace_pure_bound(A: Arithmetic, *, epsilon: Any, delta_0: Any, delta_inf: Any, b: Any, delta: Any) -> Any:
    """Delta that (D_0 D_inf/b, delta)-DP implies at ``epsilon``: the l1 route."""
    delta = A.number(delta)
    return delta + (1 - delta) * pure_delta(A, epsilon=epsilon, promised=A.number(delta_0) * delta_inf / b)


def alpha_rho(A: Arithmetic, *, alpha: Any, epsilon: Any) -> Any:
    """``alpha epsilon^2 / 2``."""
    return alpha * rho_of_ratio(A, delta_0=1, epsilon=epsilon)


def rho_without_order(A: Arithmetic, *, alpha: Any, epsilon: Any) -> Any:
    """``epsilon^2 / 2``, the order forgotten."""
    return rho_of_ratio(A, delta_0=1, epsilon=epsilon)


def gaussian_renyi(A: Arithmetic, *, alpha: Any, delta_0: Any, delta_inf: Any, sigma: Any) -> Any:
    """Exact ``D_alpha`` when D_0 shared counts move by D_inf: ``alpha |shift|^2 / (2 sigma^2)`` (Theorem 4)."""
    return A.number(alpha) * delta_0 * A.number(delta_inf) * delta_inf / (2 * A.number(sigma) * sigma)


def renyi_from_l2(A: Arithmetic, *, alpha: Any, delta_0: Any, delta_inf: Any, sigma: Any) -> Any:
    """``alpha rho`` with ``rho = D_0 epsilon^2/2`` and ``epsilon = D_inf/sigma``."""
    return alpha * rho_of_ratio(A, delta_0=delta_0, epsilon=A.number(delta_inf) / sigma)


def renyi_without_half(A: Arithmetic, *, alpha: Any, delta_0: Any, delta_inf: Any, sigma: Any) -> Any:
    """``alpha D_inf^2 D_0 / sigma^2``, as printed."""
    return 2 * gaussian_renyi(A, alpha=alpha, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma)


# --- steps of the proof -----------------------------------------------------------------------------------------------


def survival(A: Arithmetic, *, delta_0: Any, delta: Any) -> Any:
    """``(1 - delta/D_0)^{D_0}``."""
    return A.exp(delta_0 * A.log1p(-A.number(delta) / delta_0))


def one_minus_delta(A: Arithmetic, *, delta: Any, **_parameters: Any) -> Any:
    """``1 - delta``."""
    return 1 - A.number(delta)


def gaussian_survival(A: Arithmetic, *, delta_0: Any, delta: Any) -> Any:
    """``Phi(z(delta/D_0))^{D_0}``, through the quantile and back."""
    tail = gaussian_tail(A, normal_quantile_complement(A, A.number(delta) / delta_0))
    return A.exp(delta_0 * A.log1p(-tail))


def _induction_left(A: Arithmetic, *, u: Any, x: Any, n: Any) -> Any:
    return (1 - x) * u - (1 - (n + 1) * x)


def _induction_right(A: Arithmetic, *, u: Any, x: Any, n: Any) -> Any:
    return (1 - x) * (u - (1 - n * x)) + n * x * x


BERNOULLI = Proof(
    (
        SymbolicIdentity(
            "Bernoulli's inequality by induction",
            _induction_left,
            _induction_right,
            ("u", "x", "n"),
            argument="with u = (1-x)^n >= 1 - n x and 0 <= x <= 1 both terms on the right are >= 0; at n = 1 equality; "
            "x = delta/D_0, n = D_0",
        ),
    )
)

COUNT_NOISE = {-1: Fraction(1, 5), 0: Fraction(2, 5), 1: Fraction(3, 10), 2: Fraction(1, 10)}
"""A finite noise law with rational masses, for exact enumeration of the algorithms."""
COUNT_THRESHOLD = 2


def thresholded_law(
    items: Items, noise: dict[int, Fraction], threshold: int
) -> dict[frozenset[tuple[str, int]], Fraction]:
    """Exact law of Algorithm 1 under finite noise: which (label, noisy count) are printed."""
    law: dict[frozenset[tuple[str, int]], Fraction] = {frozenset(): Fraction(1)}
    for label, count in items:
        grown: dict[frozenset[tuple[str, int]], Fraction] = {}
        for shown, mass in law.items():
            for step, probability in noise.items():
                outcome = shown | {(label, count + step)} if count + step > threshold else shown
                grown[outcome] = grown.get(outcome, Fraction(0)) + mass * probability
        law = grown
    return law


def _new_items(larger: Items, smaller: Items) -> Items:
    kept = dict(smaller)
    return tuple(item for item in larger if item[0] not in kept)


def probability_no_new(larger: Items, smaller: Items) -> Fraction:
    """``Pr[E]``: no item of h that is absent from h' passes."""
    mass = Fraction(1)
    for _label, count in _new_items(larger, smaller):
        mass *= sum((m for step, m in COUNT_NOISE.items() if count + step <= COUNT_THRESHOLD), Fraction(0))
    return mass


def algorithm_1_cases(size: int) -> Iterator[tuple[Items, Items, int, int]]:
    """(h, h', D_0, D_inf) on two labels with counts up to ``size``."""
    for delta_0, delta_inf in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(2, size, delta_0, delta_inf):
            yield larger, smaller, delta_0, delta_inf


def event_bound_holds(case: tuple[Items, Items, int, int]) -> bool:
    """``Pr[E] >= Pr[D_inf + Noise <= T]^{D_0}``: at most D_0 factors, each with count at most D_inf."""
    larger, smaller, delta_0, delta_inf = case
    one = sum((m for step, m in COUNT_NOISE.items() if delta_inf + step <= COUNT_THRESHOLD), Fraction(0))
    return probability_no_new(larger, smaller) >= one**delta_0


def smaller_side_is_inside(case: tuple[Items, Items, int, int]) -> bool:
    """Labels of h' are labels of h, so ``Pr[E'] = 1`` and ``Q = Q'``."""
    larger, smaller, _delta_0, _delta_inf = case
    return not _new_items(smaller, larger)


def law_factors(case: tuple[Items, Items, int, int]) -> bool:
    """``P(y) = Pr[E] P'(y)`` for every outcome on common labels, P' being Algorithm 1 on the common items."""
    larger, smaller, _delta_0, _delta_inf = case
    kept = dict(smaller)
    common = tuple(item for item in larger if item[0] in kept)
    law = thresholded_law(larger, COUNT_NOISE, COUNT_THRESHOLD)
    good = thresholded_law(common, COUNT_NOISE, COUNT_THRESHOLD)
    mass = probability_no_new(larger, smaller)
    return all(law[outcome] == mass * probability for outcome, probability in good.items())


def is_monotone_neighbour(case: tuple[dict[str, int], dict[str, int], int, int]) -> bool:
    """Whether two histograms differ by one user who changes at most D_0 labels by at most D_inf."""
    left, right, delta_0, delta_inf = case
    try:
        AddRemoveUser(delta_0, delta_inf).check(left, right)
    except ValueError:
        return False
    return True


def sensitivity_cases(size: int) -> Iterator[tuple[int, int]]:
    """(D_0, D_inf) up to ``size``."""
    return product(range(1, size + 1), range(1, size + 1))


def largest_squared_shift(delta_0: int, delta_inf: int) -> int:
    """Largest squared l2 distance of neighbours on ``D_0 + 1`` labels, by enumeration."""
    return max(
        sum(d * d for d in shift)
        for shift in product(range(delta_inf + 1), repeat=delta_0 + 1)
        if sum(d > 0 for d in shift) <= delta_0
    )


def printed_l2(case: tuple[int, int]) -> bool:
    """``Delta_2^2 = D_inf^2 D_inf``."""
    delta_0, delta_inf = case
    return largest_squared_shift(delta_0, delta_inf) == delta_inf**3


def true_l2(case: tuple[int, int]) -> bool:
    """``Delta_2^2 = D_inf^2 D_0``."""
    delta_0, delta_inf = case
    return largest_squared_shift(delta_0, delta_inf) == delta_inf**2 * delta_0


# --- identities between rho's -----------------------------------------------------------------------------------------


def rho_through_l1(A: Arithmetic, *, delta_0: Any, delta_inf: Any, b: Any) -> Any:
    """``(D_0 D_inf / b)^2 / 2``: pure DP of the joint Laplace mechanism, then Theorem 3."""
    epsilon = A.number(delta_0) * delta_inf / b
    return epsilon * epsilon / 2


def rho_squared_l0(A: Arithmetic, *, delta_0: Any, delta_inf: Any, b: Any) -> Any:
    """``D_0^2 D_inf^2 / (2 b^2)``."""
    return A.number(delta_0) ** 2 * delta_inf**2 / (2 * A.number(b) ** 2)


def rho_by_composition(A: Arithmetic, *, delta_0: Any, delta_inf: Any, b: Any) -> Any:
    """D_0 univariate mechanisms of ``(D_inf/b)^2/2`` each, composed."""
    epsilon = A.number(delta_inf) / b
    return delta_0 * (epsilon * epsilon / 2)


def rho_single_l0(A: Arithmetic, *, delta_0: Any, delta_inf: Any, b: Any) -> Any:
    """``D_0 D_inf^2 / (2 b^2)``."""
    return A.number(delta_0) * delta_inf**2 / (2 * A.number(b) ** 2)


def std_as_printed(A: Arithmetic, *, delta_inf: Any, epsilon: Any) -> Any:
    """``D_inf / b`` with the proof's ``b = D_inf / epsilon``."""
    return A.number(delta_inf) / (A.number(delta_inf) / epsilon)


def std_of_theorem(A: Arithmetic, *, delta_inf: Any, epsilon: Any) -> Any:
    """``D_inf / epsilon``."""
    return A.number(delta_inf) / epsilon


# --- the remark after Theorem 7 ---------------------------------------------------------------------------------------


def single_epsilon_printed(A: Arithmetic, *, epsilon: Any, delta: Any) -> Any:
    """``epsilon^2/2 + epsilon sqrt(2 log(1/delta))``: the remark's epsilon with the mechanism's own delta."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon / 2 + epsilon * A.sqrt(-2 * A.log(A.number(delta)))


def single_delta(A: Arithmetic, *, epsilon: Any, delta: Any) -> Any:
    """Exact delta of one shared count at the remark's epsilon."""
    return gaussian_profile(A, single_epsilon_printed(A, epsilon=epsilon, delta=delta), A.number(epsilon))


def converted_first(A: Arithmetic, *, epsilon: Any, delta_prime: Any) -> Any:
    """``epsilon' = epsilon^2 + 2 epsilon sqrt(2 log(1/delta'))``: two DP guarantees composed."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon + 2 * epsilon * A.sqrt(-2 * A.log(A.number(delta_prime)))


def converted_last(A: Arithmetic, *, epsilon: Any, delta_prime: Any) -> Any:
    """``epsilon'' = epsilon^2 + 2 epsilon sqrt(log(1/delta'))``: two CDP guarantees composed, then converted."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon + 2 * epsilon * A.sqrt(-A.log(A.number(delta_prime)))


def converted_first_repaired(A: Arithmetic, *, epsilon: Any, delta_prime: Any) -> Any:
    """``epsilon^2 + 2 epsilon sqrt(2 log(2/delta'))``: delta'/2 for each of the two conversions."""
    return converted_first(A, epsilon=epsilon, delta_prime=A.number(delta_prime) / 2)


def conversion_of_composed(A: Arithmetic, *, epsilon: Any, delta_prime: Any) -> Any:
    """Theorem 3 at ``rho = epsilon^2``."""
    epsilon = A.number(epsilon)
    return cdp_to_dp_epsilon_upper(A, rho=epsilon * epsilon, delta=delta_prime)


def two_gaussians_delta_at_first(A: Arithmetic, *, epsilon: Any, delta_prime: Any) -> Any:
    """Exact delta of two Gaussian counts at epsilon'."""
    level = converted_first(A, epsilon=epsilon, delta_prime=delta_prime)
    return gaussian_profile(A, level, A.sqrt(2) * A.number(epsilon))


def just_delta_prime(A: Arithmetic, *, delta_prime: Any, **_parameters: Any) -> Any:
    """``delta'``."""
    return A.number(delta_prime)


def basic_composition(A: Arithmetic, *, delta: Any, delta_prime: Any) -> Any:
    """``2 (delta + delta')``: deltas of two (epsilon, delta + delta')-DP releases under basic composition."""
    return 2 * (A.number(delta) + A.number(delta_prime))


def remark_total(A: Arithmetic, *, delta: Any, delta_prime: Any) -> Any:
    """``2 delta + delta'``, the remark's total."""
    return 2 * A.number(delta) + A.number(delta_prime)


def basic_composition_of_halves(A: Arithmetic, *, delta: Any, delta_prime: Any) -> Any:
    """``2 (delta + delta'/2)``."""
    return 2 * (A.number(delta) + A.number(delta_prime) / 2)


def sqrt_two_converted_last(A: Arithmetic, *, epsilon: Any, delta_prime: Any) -> Any:
    """``sqrt(2) epsilon''``."""
    return A.sqrt(2) * converted_last(A, epsilon=epsilon, delta_prime=delta_prime)


def _gap_of_conversions(A: Arithmetic, *, epsilon: Any, s: Any) -> Any:
    return (epsilon * epsilon + 2 * epsilon * A.sqrt(2) * s) - (epsilon * epsilon + 2 * epsilon * s)


def _gap_factored(A: Arithmetic, *, epsilon: Any, s: Any) -> Any:
    return 2 * epsilon * s * (A.sqrt(2) - 1)


def _ratio_gap(A: Arithmetic, *, epsilon: Any, s: Any) -> Any:
    return A.sqrt(2) * (epsilon * epsilon + 2 * epsilon * s) - (epsilon * epsilon + 2 * epsilon * A.sqrt(2) * s)


def _ratio_gap_factored(A: Arithmetic, *, epsilon: Any, s: Any) -> Any:
    return (A.sqrt(2) - 1) * epsilon * epsilon


# --- laws -------------------------------------------------------------------------------------------------------------


def anything_printed(keys: tuple[str, ...], values: Any) -> Any:
    """Whether at least one key was released."""
    return ~np.isnan(values).all(axis=1)


def audit_new_mass(A: Arithmetic) -> Any:
    """``1 - (1 - delta/D_0)^{D_0}`` at delta = .05, D_0 = 3."""
    return above_any(A, 3, A.number(Fraction(1, 60)))


THREE_NEW = {"a": 1, "b": 1, "c": 1}
_T_BOX = Box((DELTA_0, DELTA_INF, EPSILON, DELTA))
_RATIO_BOX = Box((DELTA_0, DELTA_INF, SCALE))
_RENYI_BOX = Box((ALPHA, DELTA_0, DELTA_INF, SIGMA))
_CASES = {"quick": 2, "standard": 3, "deep": 4}
_REMARK_EPSILON = replace(EPSILON, lower="1e-6", upper=100)
_PROPER_DELTA_PRIME = replace(DELTA_PRIME, open_upper=True)
_REMARK_BOX = Box((_REMARK_EPSILON, _PROPER_DELTA_PRIME))
_ORDER_BOX = Box((replace(ALPHA, upper=1000), EPSILON))


def _identity(left: Any, right: Any, name: str, *symbols: str) -> Identity:
    return Identity(left, right, Proof((SymbolicIdentity(name, left, right, symbols, positive=symbols),)))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.def.l0linf",
        source=printed("Section 4"),
        title="(Delta_0, Delta_inf)-sensitive histograms",
        statement=r"h \ge h',\ |\{i : c_i \ne c'_i\}| \le \Delta_0,\ |c_i - c'_i| \le \Delta_\infty",
        kind=Definition(
            accepts=is_monotone_neighbour,
            members=(({"a": 3, "b": 1}, {"a": 1}, 2, 2), ({}, {"a": 1}, 1, 1)),
            non_members=(
                ({"a": 3}, {"a": 1}, 1, 1),
                ({"a": 1, "b": 1}, {}, 1, 1),
                ({"a": 2, "b": 1}, {"a": 1, "b": 2}, 2, 1),
            ),
        ),
        note="Each example is (h, h', Delta_0, Delta_inf). One user added or removed: all changes of one sign; the "
        "paper uses this silently in Theorems 7 to 10.",
    ),
    *(
        Claim(
            id=f"rogers2024.alg1{suffix}",
            source=printed("Algorithm 1"),
            title=f"Algorithm 1 with {noise} noise: mass of three new items",
            statement=r"\Pr[\text{some new item is printed}] = 1 - (1 - \delta/\Delta_0)^{\Delta_0}",
            kind=Law(
                mechanism=f"unknown_domain_{noise.lower()}",
                settings={"delta_0": 3, "delta_inf": 1, scale: 1, "delta": Fraction(1, 20)},
                histogram=THREE_NEW,
                event=anything_printed,
                probability=audit_new_mass,
            ),
            quantity=QuantityKind.PROBABILITY,
        )
        for suffix, noise, scale in (("", "Gaussian", "sigma"), (".laplace", "Laplace", "b"))
    ),
    Claim(
        id="rogers2024.alg1.ext_cmin",
        source=printed("Section 4.1"),
        title="Extension to items of count at least c_min",
        statement=r"T = (c_{\min} - 1) + \Delta_\infty + \sigma z(\delta/\Delta_0)",
        kind=Calibration(cmin_threshold, cmin_new_mass, tight=False),
        domain=Box(
            (
                Parameter(
                    "c_min", "least count that the input lists", "counts", lower=1, upper=10**6, integer=True, log=True
                ),
                *_T_BOX.parameters,
            )
        ),
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        note="The paper says straightforward and prints no formula; a new item may have count c_min - 1 + Delta_inf.",
    ),
    Claim(
        id="rogers2024.alg1.ext_cmin.as_printed",
        source=printed("Section 4.1"),
        title="The printed threshold with items of count at least c_min",
        statement=r"\Pr[\neg E] \le \delta \text{ with } T = \Delta_\infty + \sigma z(\delta/\Delta_0)",
        kind=Inequality(cmin_mass_at_printed_threshold, target_delta),
        domain=Box(
            (
                Parameter("c_min", "least count that the input lists", "counts", lower=1, upper=1000, integer=True),
                *_T_BOX.parameters,
            )
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.alg1.ext_cmin",
    ),
    Claim(
        id="rogers2024.thm7.laplace.T",
        source=printed("Theorem 7"),
        title="Laplace threshold of Algorithm 1",
        statement=r"T = \Delta_\infty + \frac{\Delta_\infty}{\varepsilon}\log\frac{\Delta_0}{2\delta}",
        kind=Calibration(laplace_threshold, laplace_new_mass, tight=False),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=(
            {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},
            {"delta_0": 1, "delta_inf": 1, "epsilon": "0.3", "delta": "3/4"},
            {"delta_0": 5, "delta_inf": 3, "epsilon": 1, "delta": "1e-300"},
        ),
        loose="1 - (1 - delta)^(1/Delta_0) may replace delta/Delta_0 (rogers2024.sharp.threshold)",
        note="Holds for delta > Delta_0/2 as well, where T < Delta_inf: e^-x/2 >= tail(x) for every real x.",
    ),
    Claim(
        id="rogers2024.thm7.laplace.T_positive",
        source=printed("Algorithm 1 with Theorem 7"),
        title="E24: the threshold that Algorithm 1 requires to be positive",
        statement=r"T > 0 \text{ for } 0 < \delta \le 1",
        kind=Inequality(zero, laplace_threshold, Relation.LESS),
        domain=Box((replace(DELTA_0, upper=10), DELTA_INF, EPSILON, replace(DELTA_LINEAR, open_upper=False))),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.laplace.T_positive.corrected",
        note="Negative exactly when Delta_0 = 1, epsilon < log 2 and delta > e^epsilon / 2.",
    ),
    Claim(
        id="rogers2024.thm7.laplace.T_positive.corrected",
        source=printed("Algorithm 1 with Theorem 7"),
        title="The Laplace threshold is positive for delta <= Delta_0/2",
        statement=r"T > 0 \text{ for } 0 < \delta \le \Delta_0/2",
        kind=Inequality(zero, laplace_threshold, Relation.LESS),
        domain=Box(
            (DELTA_0, DELTA_INF, EPSILON, DELTA_LINEAR),
            lambda delta_0, delta, **_rest: 2 * delta <= delta_0,
            "2 delta <= delta_0",
        ),
        note="The Gaussian threshold needs delta < Delta_0 to be finite.",
    ),
    Claim(
        id="rogers2024.thm7.laplace.rho",
        source=printed("Theorem 7"),
        title="Algorithm 1 with Laplace noise: each shared count costs epsilon^2/2",
        statement=r"D_\alpha \le \alpha\varepsilon^2/2 \text{ for each of } \Delta_0 \text{ counts}",
        kind=Inequality(
            laplace_renyi,
            alpha_rho,
            proof=Proof(
                (
                    ByClaim("rogers2024.thm1.laplace", "one count is epsilon-DP: its profile vanishes at epsilon"),
                    ByClaim("rogers2024.thm3.dp_to_cdp", "epsilon-DP is epsilon^2/2-CDP"),
                    ByClaim("rogers2024.thm6", "D_0 independent counts add up to D_0 epsilon^2/2"),
                )
            ),
        ),
        domain=_ORDER_BOX,
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        loose="rho = Delta_0 (epsilon - 1 + e^-epsilon) is exact (rogers2024.sharp.laplace)",
    ),
    Claim(
        id="rogers2024.thm7.laplace.profile",
        source=ours("Theorem 7 and its best conversion"),
        title="Privacy profile that Theorem 7 promises, Laplace noise",
        statement=(
            r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = "
            r"\Delta_0\Delta_\infty^2/(2b^2)"
        ),
        kind=DeltaBound(laplace_bound, exact=laplace_worst_known),
        domain=Box((LEVEL, DELTA_0, DELTA_INF, SCALE, DELTA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        max_examples=60,
    ),
    Claim(
        id="rogers2024.thm7.gaussian.T",
        source=printed("Theorem 7"),
        title="Gaussian threshold of Algorithm 1",
        statement=r"T = \Delta_\infty + \frac{\Delta_\infty}{\varepsilon}\Phi^{-1}(1 - \delta/\Delta_0)",
        kind=Calibration(gaussian_threshold, gaussian_new_mass, tight=False),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=(
            {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},
            {"delta_0": 10, "delta_inf": 5, "epsilon": "1/2", "delta": "1e-8"},
            {"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-300"},
        ),
        loose="Pr[not E] = 1 - (1 - delta/Delta_0)^Delta_0, below delta for Delta_0 > 1",
        note="Needs delta < Delta_0 (E24).",
    ),
    Claim(
        id="rogers2024.thm7.gaussian.rho",
        source=printed("Theorem 7"),
        title="Algorithm 1 with Gaussian noise: rho = Delta_0 epsilon^2/2",
        statement=r"D_\alpha = \alpha\Delta_0\varepsilon^2/2",
        kind=_identity(
            gaussian_renyi, renyi_from_l2, "Theorem 4 at l2-sensitivity", "alpha", "delta_0", "delta_inf", "sigma"
        ),
        domain=_RENYI_BOX,
        quantity=QuantityKind.RHO,
        evaluates=lambda A, **p: renyi_from_l2(A, **{**p, "alpha": 1}),
        note="Attained by the pair A1.high; thresholding is post-processing.",
    ),
    Claim(
        id="rogers2024.thm7.gaussian.profile",
        source=ours("Theorem 7 and its best conversion"),
        title="Privacy profile that Theorem 7 promises, Gaussian noise",
        statement=r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ "
        r"\rho = \Delta_0\Delta_\infty^2/(2\sigma^2)",
        kind=DeltaBound(gaussian_bound, exact=gaussian_worst_known),
        domain=Box((LEVEL, DELTA_0, DELTA_INF, SIGMA, DELTA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        max_examples=60,
    ),
    Claim(
        id="rogers2024.thm7.proof.PE",
        source=printed("Theorem 7, proof item 1"),
        title="Probability of the good event",
        statement=(
            r"\Pr[E] = \prod_{j \in h \setminus h'} \Pr[c_j + Z \le T] \ge \Pr[\Delta_\infty + Z \le "
            r"T]^{\Delta_0}"
        ),
        kind=FiniteStatement(algorithm_1_cases, event_bound_holds, _CASES, "largest count"),
    ),
    Claim(
        id="rogers2024.thm7.proof.laplace_bernoulli",
        source=printed("Theorem 7, proof item 1, Laplace"),
        title="Union bound with Laplace noise",
        statement=(
            r"(1 - \tfrac12 e^{-(T-\Delta_\infty)/b})^{\Delta_0} = (1 - \delta/\Delta_0)^{\Delta_0} \ge 1 - "
            r"\delta"
        ),
        kind=Inequality(one_minus_delta, survival, proof=BERNOULLI),
        domain=Box((DELTA_0, DELTA)),
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_bernoulli",
        source=printed("Theorem 7, proof item 1, Gaussian"),
        title="Union bound with Gaussian noise",
        statement=r"\Phi((T-\Delta_\infty)/\sigma)^{\Delta_0} \ge 1 - \delta",
        kind=Inequality(one_minus_delta, gaussian_survival, proof=BERNOULLI),
        domain=Box((DELTA_0, DELTA)),
    ),
    Claim(
        id="rogers2024.thm7.proof.Eprime",
        source=printed("Theorem 7, proof item 1"),
        title="The smaller histogram has no own labels",
        statement=r"\text{labels}(h') \subseteq \text{labels}(h),\ \Pr[E'] = 1,\ Q = Q'",
        kind=FiniteStatement(algorithm_1_cases, smaller_side_is_inside, _CASES, "largest count"),
        assumptions=("monotone adjacency",),
    ),
    Claim(
        id="rogers2024.thm7.proof.factor",
        source=printed("Theorem 7, proof item 2"),
        title="The law factors on common outcomes",
        statement=r"P(y) = \Pr[E] P'(y),\ y \in S",
        kind=FiniteStatement(algorithm_1_cases, law_factors, _CASES, "largest count"),
        assumptions=("independent noise",),
        note="Exact law under a noise law with four rational atoms.",
    ),
    Claim(
        id="rogers2024.thm7.proof.l1route",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="Rho through the l1-sensitivity",
        statement=r"(\Delta_0\Delta_\infty/b)^2/2 = \Delta_0^2\Delta_\infty^2/(2b^2)",
        kind=_identity(rho_through_l1, rho_squared_l0, "pure DP converted", "delta_0", "delta_inf", "b"),
        domain=_RATIO_BOX,
        quantity=QuantityKind.RHO,
        evaluates=rho_through_l1,
    ),
    Claim(
        id="rogers2024.thm7.proof.univariate",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="Univariate mechanisms composed",
        statement=r"\Delta_0 (\Delta_\infty/b)^2/2 = \Delta_0\Delta_\infty^2/(2b^2)",
        kind=_identity(rho_by_composition, rho_single_l0, "D_0 univariate mechanisms", "delta_0", "delta_inf", "b"),
        domain=_RATIO_BOX,
        quantity=QuantityKind.RHO,
        evaluates=rho_by_composition,
    ),
    Claim(
        id="rogers2024.thm7.proof.nolambda",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="E6: the Renyi bound without its order",
        statement=r"D_\alpha(P'\|Q') \le \Delta_0\Delta_\infty^2/(2b^2)",
        kind=Inequality(laplace_renyi, rho_without_order),
        domain=_ORDER_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.proof.nolambda.corrected",
        note="Written for one count with epsilon = Delta_inf/b; at epsilon = 1 it fails for alpha > 1.44929.",
    ),
    Claim(
        id="rogers2024.thm7.proof.nolambda.corrected",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="The Renyi bound with its order",
        statement=r"D_\alpha(P'\|Q') \le \alpha\Delta_0\Delta_\infty^2/(2b^2)",
        kind=Inequality(laplace_renyi, alpha_rho),
        domain=_ORDER_BOX,
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_std",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="E9: noise standard deviation Delta_inf/b",
        statement=r"\Delta_\infty/b = \Delta_\infty/\varepsilon,\ b = \Delta_\infty/\varepsilon",
        kind=Identity(std_as_printed, std_of_theorem),
        domain=Box((DELTA_INF, EPSILON)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.gaussian.rho",
        note="The theorem's sigma is Delta_inf/epsilon.",
    ),
    Claim(
        id="rogers2024.thm7.proof.l2sens",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="E8: l2-sensitivity Delta_inf sqrt(Delta_inf)",
        statement=r"\Delta_2 = \Delta_\infty\sqrt{\Delta_\infty}",
        kind=FiniteStatement(
            sensitivity_cases, printed_l2, {"quick": 3, "standard": 4, "deep": 5}, "Delta_0, Delta_inf"
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.proof.l2sens.corrected",
    ),
    Claim(
        id="rogers2024.thm7.proof.l2sens.corrected",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="l2-sensitivity Delta_inf sqrt(Delta_0)",
        statement=r"\Delta_2 = \Delta_\infty\sqrt{\Delta_0}",
        kind=FiniteStatement(sensitivity_cases, true_l2, {"quick": 3, "standard": 4, "deep": 5}, "Delta_0, Delta_inf"),
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_half",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="Rho of the Gaussian bullet, as a bound",
        statement=r"D_\alpha \le \alpha\Delta_\infty^2\Delta_0/\sigma^2",
        kind=Inequality(gaussian_renyi, renyi_without_half),
        domain=_RENYI_BOX,
        loose="twice the exact value: the 1/2 of Theorem 4 is missing (E9)",
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_half.as_printed",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="E9: rho from Theorem 4 without the half",
        statement=r"\Delta_2^2/(2\sigma^2) = \Delta_\infty^2\Delta_0/\sigma^2",
        kind=Identity(gaussian_renyi, renyi_without_half),
        domain=_RENYI_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.gaussian.rho",
    ),
    Claim(
        id="rogers2024.thm7.proof.final_line",
        source=printed("Theorem 7, proof, last paragraph"),
        title="Rho of the final line, as a bound",
        statement=r"\Delta_0\Delta_\infty^2/(2b^2) \le \Delta_0^2\Delta_\infty^2/(2b^2)",
        kind=Inequality(rho_single_l0, rho_squared_l0),
        domain=_RATIO_BOX,
        loose="Delta_0 times the theorem's rho (E7)",
    ),
    Claim(
        id="rogers2024.thm7.proof.final_line.as_printed",
        source=printed("Theorem 7, proof, last paragraph"),
        title="E7: the final line's rho is the theorem's",
        statement=r"\Delta_0\Delta_\infty^2/(2b^2) = \Delta_0^2\Delta_\infty^2/(2b^2)",
        kind=Identity(rho_single_l0, rho_squared_l0),
        domain=_RATIO_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.proof.univariate",
    ),
    Claim(
        id="rogers2024.rem7.dp_route",
        source=printed("Section 4.1, remark"),
        title="Rho through approximate DP",
        statement=r"(\varepsilon\Delta_0, \delta)\text{-DP} \Rightarrow \varepsilon^2\Delta_0^2/2\text{-CDP}",
        kind=_identity(rho_through_l1, rho_squared_l0, "Theorem 3 at epsilon Delta_0", "delta_0", "delta_inf", "b"),
        domain=_RATIO_BOX,
        quantity=QuantityKind.RHO,
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
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        max_examples=60,
    ),
    Claim(
        id="rogers2024.rem7.gain",
        source=printed("Section 4.1, remark"),
        title="The CDP analysis gains a factor Delta_0",
        statement=r"\varepsilon^2\Delta_0/2 \le \varepsilon^2\Delta_0^2/2",
        kind=Inequality(rho_single_l0, rho_squared_l0),
        domain=_RATIO_BOX,
    ),
    Claim(
        id="rogers2024.rem7.single",
        source=printed("Section 4.1, remark"),
        title="E13: one release, with log(1/delta) in print",
        statement=r"H_{\varepsilon^2/2 + \varepsilon\sqrt{2\log(1/\delta)}} \le \delta",
        kind=Inequality(
            single_delta,
            target_delta,
            proof=Proof(
                (
                    ByClaim(
                        "rogers2024.thm3.cdp_to_dp",
                        "at rho = epsilon^2/2 and delta' = delta the conversion gives this epsilon, so a shared count "
                        "has H <= delta; a new item has H = delta; both are within delta + delta'",
                    ),
                )
            ),
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
        kind=Inequality(two_gaussians_delta_at_first, just_delta_prime),
        domain=_REMARK_BOX,
        quantity=QuantityKind.EPSILON,
        evaluates=converted_first,
        note="The claim is true because epsilon'' <= epsilon'; its derivation is not (E14).",
    ),
    Claim(
        id="rogers2024.rem7.eps1.as_printed",
        source=printed("Section 4.1, remark"),
        title="E14: basic composition gives 2 delta + delta'",
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
        kind=_identity(basic_composition_of_halves, remark_total, "two halves", "delta", "delta_prime"),
        domain=Box((DELTA, DELTA_PRIME)),
    ),
    Claim(
        id="rogers2024.rem7.eps2",
        source=printed("Section 4.1, remark"),
        title="Two releases composed before conversion",
        statement=r"\varepsilon'' = \varepsilon^2 + 2\varepsilon\sqrt{\log(1/\delta')}",
        kind=Identity(converted_last, conversion_of_composed),
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
        kind=Inequality(
            converted_last,
            converted_first,
            Relation.LESS,
            Proof(
                (
                    SymbolicIdentity(
                        "difference",
                        _gap_of_conversions,
                        _gap_factored,
                        ("epsilon", "s"),
                        argument="positive with s = sqrt(log(1/delta')) > 0",
                    ),
                )
            ),
        ),
        domain=_REMARK_BOX,
    ),
    Claim(
        id="rogers2024.rem7.cmp.ratio",
        source=ours("Section 4.1, remark"),
        title="... by less than sqrt(2)",
        statement=r"\varepsilon' < \sqrt2\,\varepsilon''",
        kind=Inequality(
            converted_first,
            sqrt_two_converted_last,
            Relation.LESS,
            Proof((SymbolicIdentity("difference", _ratio_gap, _ratio_gap_factored, ("epsilon", "s")),)),
        ),
        domain=_REMARK_BOX,
    ),
)
