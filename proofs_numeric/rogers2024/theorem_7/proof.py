"""Section 4.1: the steps of Theorem 7's proof."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.enumeration import Items
from proofs_numeric.rogers2024.laws import gaussian_tail, laplace_renyi
from proofs_numeric.rogers2024.neighbours import LAPLACE_HISTOGRAM
from proofs_numeric.rogers2024.orders import laplace_rho
from proofs_numeric.rogers2024.parameters import ALPHA, DELTA, DELTA_0, DELTA_INF, EPSILON, SCALE, printed
from proofs_numeric.rogers2024.theorem_7.statement import (
    ORDER_BOX,
    RENYI_BOX,
    alpha_rho,
    cases,
    gaussian_renyi,
    new_items,
    rho_of_ratio,
)
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import FiniteStatement, Identity, Inequality
from proofs_numeric.statements.tactics import ByClaim, Derivative, Part, Product, Rewrite, Sign, Symbolic, Through
from proofs_numeric.statements.verdict import Expectation


def rho_without_order(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    """``epsilon^2 / 2``, the order forgotten."""
    return rho_of_ratio(A, delta_0=1, epsilon=epsilon)


def renyi_without_half(A: Arithmetic, *, alpha: Number, delta_0: Number, delta_inf: Number, sigma: Number) -> Number:
    """``alpha D_inf^2 D_0 / sigma^2``, as printed."""
    return 2 * gaussian_renyi(A, alpha=alpha, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma)


# --- steps of the proof -----------------------------------------------------------------------------------------------


def survival(A: Arithmetic, *, delta_0: Number, delta: Number) -> Number:
    """``(1 - delta/D_0)^{D_0}``."""
    return A.exp(delta_0 * A.log1p(-A.number(delta) / delta_0))


def one_minus_delta(A: Arithmetic, *, delta: Number, **_parameters: Any) -> Number:
    """``1 - delta``."""
    return 1 - A.number(delta)


def gaussian_survival(A: Arithmetic, *, delta_0: Number, delta: Number) -> Number:
    """``Phi(z(delta/D_0))^{D_0}``, through the quantile and back."""
    tail = gaussian_tail(A, normal_quantile_complement(A, A.number(delta) / delta_0))
    return A.exp(delta_0 * A.log1p(-tail))


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


def probability_no_new(larger: Items, smaller: Items) -> Fraction:
    """``Pr[E]``: no item of h that is absent from h' passes."""
    mass = Fraction(1)
    for _label, count in new_items(larger, smaller):
        mass *= sum((m for step, m in COUNT_NOISE.items() if count + step <= COUNT_THRESHOLD), Fraction(0))
    return mass


def event_bound_holds(case: tuple[Items, Items, int, int]) -> bool:
    """``Pr[E] >= Pr[D_inf + Noise <= T]^{D_0}``: at most D_0 factors, each with count at most D_inf."""
    larger, smaller, delta_0, delta_inf = case
    one = sum((m for step, m in COUNT_NOISE.items() if delta_inf + step <= COUNT_THRESHOLD), Fraction(0))
    return probability_no_new(larger, smaller) >= one**delta_0


def smaller_side_is_inside(case: tuple[Items, Items, int, int]) -> bool:
    """Labels of h' are labels of h, so ``Pr[E'] = 1`` and ``Q = Q'``."""
    larger, smaller, _delta_0, _delta_inf = case
    return not new_items(smaller, larger)


def law_factors(case: tuple[Items, Items, int, int]) -> bool:
    """``P(y) = Pr[E] P'(y)`` for every outcome on common labels, P' being Algorithm 1 on the common items."""
    larger, smaller, _delta_0, _delta_inf = case
    kept = dict(smaller)
    common = tuple(item for item in larger if item[0] in kept)
    law = thresholded_law(larger, COUNT_NOISE, COUNT_THRESHOLD)
    good = thresholded_law(common, COUNT_NOISE, COUNT_THRESHOLD)
    mass = probability_no_new(larger, smaller)
    return all(law[outcome] == mass * probability for outcome, probability in good.items())


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


def rho_through_l1(A: Arithmetic, *, delta_0: Number, delta_inf: Number, b: Number) -> Number:
    """``(D_0 D_inf / b)^2 / 2``: pure DP of the joint Laplace mechanism, then Theorem 3."""
    epsilon = A.number(delta_0) * delta_inf / b
    return epsilon * epsilon / 2


def rho_squared_l0(A: Arithmetic, *, delta_0: Number, delta_inf: Number, b: Number) -> Number:
    """``D_0^2 D_inf^2 / (2 b^2)``."""
    return A.number(delta_0) ** 2 * delta_inf**2 / (2 * A.number(b) ** 2)


def rho_by_composition(A: Arithmetic, *, delta_0: Number, delta_inf: Number, b: Number) -> Number:
    """D_0 univariate mechanisms of ``(D_inf/b)^2/2`` each, composed."""
    epsilon = A.number(delta_inf) / b
    return delta_0 * (epsilon * epsilon / 2)


def rho_single_l0(A: Arithmetic, *, delta_0: Number, delta_inf: Number, b: Number) -> Number:
    """``D_0 D_inf^2 / (2 b^2)``."""
    return A.number(delta_0) * delta_inf**2 / (2 * A.number(b) ** 2)


def std_as_printed(A: Arithmetic, *, delta_inf: Number, epsilon: Number) -> Number:
    """``D_inf / b`` with the proof's ``b = D_inf / epsilon``."""
    return A.number(delta_inf) / (A.number(delta_inf) / epsilon)


def std_of_theorem(A: Arithmetic, *, delta_inf: Number, epsilon: Number) -> Number:
    """``D_inf / epsilon``."""
    return A.number(delta_inf) / epsilon


RATIO_BOX = Box((DELTA_0, DELTA_INF, SCALE))
_CASES = {"quick": 2, "standard": 3, "deep": 4}

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm7.proof.PE",
        source=printed("Theorem 7, proof item 1"),
        title="Probability of the good event",
        statement=(
            r"\Pr[E] = \prod_{j \in h \setminus h'} \Pr[c_j + Z \le T] \ge \Pr[\Delta_\infty + Z \le "
            r"T]^{\Delta_0}"
        ),
        kind=FiniteStatement(cases, event_bound_holds, _CASES, "largest count"),
    ),
    Claim(
        id="rogers2024.thm7.proof.laplace_bernoulli",
        source=printed("Theorem 7, proof item 1, Laplace"),
        title="Union bound with Laplace noise",
        statement=(
            r"(1 - \tfrac12 e^{-(T-\Delta_\infty)/b})^{\Delta_0} = (1 - \delta/\Delta_0)^{\Delta_0} \ge 1 - "
            r"\delta"
        ),
        kind=Inequality(
            one_minus_delta,
            survival,
            proof=Derivative(
                "delta",
                "lower",
                Rewrite(
                    Sign(),
                    right=lambda A, *, delta_0, delta, **_rest: (
                        1 - A.exp((delta_0 - 1) * A.log1p(-A.number(delta) / delta_0))
                    ),
                ),
            ),
        ),
        domain=Box((DELTA_0, DELTA)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_bernoulli",
        source=printed("Theorem 7, proof item 1, Gaussian"),
        title="Union bound with Gaussian noise",
        statement=r"\Phi((T-\Delta_\infty)/\sigma)^{\Delta_0} \ge 1 - \delta",
        kind=Inequality(
            one_minus_delta,
            gaussian_survival,
            proof=Derivative(
                "delta",
                "lower",
                Rewrite(
                    Sign(),
                    right=lambda A, *, delta_0, delta, **_rest: (
                        1 - A.exp((delta_0 - 1) * A.log1p(-A.number(delta) / delta_0))
                    ),
                ),
            ),
        ),
        domain=Box((DELTA_0, DELTA)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm7.proof.Eprime",
        source=printed("Theorem 7, proof item 1"),
        title="The smaller histogram has no own labels",
        statement=r"\text{labels}(h') \subseteq \text{labels}(h),\ \Pr[E'] = 1,\ Q = Q'",
        kind=FiniteStatement(cases, smaller_side_is_inside, _CASES, "largest count"),
        assumptions=("monotone adjacency",),
    ),
    Claim(
        id="rogers2024.thm7.proof.factor",
        source=printed("Theorem 7, proof item 2"),
        title="The law factors on common outcomes",
        statement=r"P(y) = \Pr[E] P'(y),\ y \in S",
        kind=FiniteStatement(cases, law_factors, _CASES, "largest count"),
        assumptions=("independent noise",),
        note="Exact law under a noise law with four rational atoms.",
    ),
    Claim(
        id="rogers2024.thm7.proof.l1route",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="Rho through the l1-sensitivity",
        statement=r"(\Delta_0\Delta_\infty/b)^2/2 = \Delta_0^2\Delta_\infty^2/(2b^2)",
        kind=Identity(rho_through_l1, rho_squared_l0, Symbolic()),
        domain=RATIO_BOX,
        quantity=QuantityKind.RHO,
        privacy=LAPLACE_HISTOGRAM,
        evaluates=rho_through_l1,
    ),
    Claim(
        id="rogers2024.thm7.proof.univariate",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="Univariate mechanisms composed",
        statement=r"\Delta_0 (\Delta_\infty/b)^2/2 = \Delta_0\Delta_\infty^2/(2b^2)",
        kind=Identity(rho_by_composition, rho_single_l0, Symbolic()),
        domain=RATIO_BOX,
        quantity=QuantityKind.RHO,
        privacy=LAPLACE_HISTOGRAM,
        evaluates=rho_by_composition,
    ),
    Claim(
        id="rogers2024.thm7.proof.nolambda",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="The Renyi bound without its order",
        statement=r"D_\alpha(P'\|Q') \le \Delta_0\Delta_\infty^2/(2b^2)",
        kind=Inequality(laplace_renyi, rho_without_order),
        domain=ORDER_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.proof.nolambda.corrected",
        note="Written for one count with epsilon = Delta_inf/b; at epsilon = 1 it fails for alpha > 1.44929.",
    ),
    Claim(
        id="rogers2024.thm7.proof.nolambda.corrected",
        source=printed("Theorem 7, proof item 3, Laplace"),
        title="The Renyi bound with its order",
        statement=r"D_\alpha(P'\|Q') \le \alpha\Delta_0\Delta_\infty^2/(2b^2)",
        kind=Inequality(
            laplace_renyi,
            alpha_rho,
            proof=Through(
                lambda A, *, alpha, epsilon: alpha * laplace_rho(A, epsilon=epsilon),
                ByClaim("rogers2024.sharp.laplace"),
                Derivative(
                    "epsilon",
                    "lower",
                    Product(
                        (
                            Part(lambda A, *, alpha, epsilon: alpha),
                            Part(
                                lambda A, *, alpha, epsilon: laplace_rho(A, epsilon=epsilon),
                                Derivative("epsilon", "lower"),
                            ),
                        )
                    ),
                ),
            ),
        ),
        domain=Box((ALPHA, EPSILON)),
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_std",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="Noise standard deviation Delta_inf/b",
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
        title="l2-sensitivity Delta_inf sqrt(Delta_inf)",
        statement=r"\Delta_2 = \Delta_\infty\sqrt{\Delta_\infty}",
        kind=FiniteStatement(
            sensitivity_cases,
            printed_l2,
            {"quick": 3, "standard": 4, "deep": 5},
            "Delta_0, Delta_inf",
            seen=lambda case: {
                "Delta_0": case[0],
                "Delta_inf": case[1],
                "squared l2-sensitivity": largest_squared_shift(*case),
                "Delta_inf^3": case[1] ** 3,
            },
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
        kind=Inequality(gaussian_renyi, renyi_without_half, proof=Sign()),
        domain=RENYI_BOX,
        loose="twice the exact value: the 1/2 of Theorem 4 is missing",
    ),
    Claim(
        id="rogers2024.thm7.proof.gauss_half.as_printed",
        source=printed("Theorem 7, proof item 3, Gaussian"),
        title="rho from Theorem 4 without the half",
        statement=r"\Delta_2^2/(2\sigma^2) = \Delta_\infty^2\Delta_0/\sigma^2",
        kind=Identity(gaussian_renyi, renyi_without_half),
        domain=RENYI_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.gaussian.rho",
    ),
    Claim(
        id="rogers2024.thm7.proof.final_line",
        source=printed("Theorem 7, proof, last paragraph"),
        title="Rho of the final line, as a bound",
        statement=r"\Delta_0\Delta_\infty^2/(2b^2) \le \Delta_0^2\Delta_\infty^2/(2b^2)",
        kind=Inequality(rho_single_l0, rho_squared_l0, proof=Sign()),
        domain=RATIO_BOX,
        loose="Delta_0 times the theorem's rho",
    ),
    Claim(
        id="rogers2024.thm7.proof.final_line.as_printed",
        source=printed("Theorem 7, proof, last paragraph"),
        title="The final line's rho is the theorem's",
        statement=r"\Delta_0\Delta_\infty^2/(2b^2) = \Delta_0^2\Delta_\infty^2/(2b^2)",
        kind=Identity(rho_single_l0, rho_squared_l0),
        domain=RATIO_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.proof.univariate",
    ),
)
