"""The least rho of zCDP: the largest Renyi divergence of order alpha divided by alpha, over all orders above 1.

Of the mechanisms here it is the Kullback-Leibler divergence, the limit at order 1. For permute-and-flip it is bounded
on both sides. Its largest deltas are those of Laplace noise with a loss of at most epsilon_0, at every epsilon, so that
no divergence is above that of the Laplace laws. Two candidates attain the lower bound: the worse one wins with
probability `1 - 1/(2 + epsilon_0)` after its score rises, and with `(2 + epsilon_0) e^-epsilon_0 / 4` before.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic.finite_laws import lattice
from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import integral, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.orders import laplace_rho, pure_rho
from proofs_numeric.rogers2024.range_one import em_exact_rho
from proofs_numeric.standard.parameters import *
from proofs_numeric.thresholds.integer import gaussian_weight

gaussian = 1 / (2 * sigma**2)
sensitivity = symbol("sensitivity")
discrete_gaussian = sensitivity**2 / (2 * sigma**2)
laplace, permute_and_flip = laplace_rho(epsilon=1 / scale), laplace_rho(epsilon=epsilon_0)
pure, bounded_range = pure_rho(epsilon=epsilon_0), em_exact_rho(epsilon=eta)
_wins, _neighbour_wins = 1 - 1 / (2 + epsilon_0), (2 + epsilon_0) * exp(-epsilon_0) / 4
two_candidates = _wins * (log(_wins) - log(_neighbour_wins)) + (1 - _wins) * (log1p(-_wins) - log1p(-_neighbour_wins))

ORDERS = (Fraction(5, 4), Fraction(2), Fraction(7))
"""Orders above 1 at which the oracles look for more than the Kullback-Leibler divergence."""


def _least(A: Arithmetic, total: Callable[[Callable[[Any, Any], Any]], Any]) -> Any:
    """The largest of `D_alpha/alpha`; `total(f)` sums f(p, q) over the outcomes."""
    orders = [A.number(order) for order in ORDERS]

    def of_order(a: Any) -> Any:
        return A.log(total(lambda p, q: p**a * q ** (1 - a))) / (a * (a - 1))

    return max(total(lambda p, q: p * A.log(p / q)), *map(of_order, orders))


def _over(A: Arithmetic, p: Callable[[Any], Any], q: Callable[[Any], Any], ends: Iterable[Any]) -> Any:
    cells = [*pairwise(ends)]
    return _least(A, lambda f: A.sum(integral(A, lambda _A, x: f(p(x), q(x)), a, b) for a, b in cells))


def _gaussian_by_quadrature(A: Arithmetic, *, sigma: Number) -> Any:
    sigma = A.number(sigma)

    def density(x: Any) -> Any:
        return normal_pdf(A, x / sigma) / sigma

    reach = 20 + math.ceil(float(8 / sigma))
    return _over(A, lambda x: density(x - 1), density, [sigma * step for step in range(-20, reach)])


def _gaussian_by_masses(A: Arithmetic, *, sigma: Number, sensitivity: int) -> Any:
    spread = A.number(sigma)
    reach = math.ceil(float(16 * spread)) + sensitivity * math.ceil(max(ORDERS))
    law = lattice(A, lambda x: gaussian_weight(A, x, spread), reach)
    pairs = [(law[x - sensitivity], law[x]) for x in range(sensitivity - reach, reach + 1)]
    return _least(A, lambda f: A.sum(f(p, q) for p, q in pairs))


def _laplace_by_quadrature(A: Arithmetic, b: Any, moved: Any) -> Any:
    """Laplace noise of scale b on a value that moves."""

    def density(x: Any) -> Any:
        return A.exp(-abs(x) / b) / (2 * b)

    ends = [-b * step for step in range(90, 0, -1)] + [moved * step / 8 for step in range(9)]
    ends += [moved + b * step for step in range(1, 90)]
    return _over(A, density, lambda x: density(x - moved), ends)


def _pure_by_answers(A: Arithmetic, *, epsilon_0: Number) -> Any:
    """The two laws of two answers whose losses are epsilon_0 and -epsilon_0."""
    odds = A.exp(A.number(epsilon_0))
    pairs = ((odds / (1 + odds), 1 / (1 + odds)), (1 / (1 + odds), odds / (1 + odds)))
    return _least(A, lambda f: A.sum(f(p, q) for p, q in pairs))


def _range_by_search(A: Arithmetic, *, eta: Number) -> Any:
    """The worst pair of two outcomes, whose losses are t and t - eta, by golden section over t."""
    eta = A.number(eta)

    def largest(t: Any) -> Any:
        mass = (A.exp(-t) - A.exp(-eta)) / (1 - A.exp(-eta))
        pairs = ((mass * A.exp(t), mass), ((1 - mass) * A.exp(t - eta), 1 - mass))
        return _least(A, lambda f: A.sum(f(p, q) for p, q in pairs))

    return peak_value(A, largest, eta / 10**6, eta * (1 - A.number(1) / 10**6), 120)


_AT_ORDER_ONE = Unchecked("order one", "the bound is the Kullback-Leibler divergence of the pair, the limit at order 1")


def _claim(name: str, of: str, statement: str, bound: DeltaBound, *parameters: Parameter, **more: Any) -> Claim:
    return own(
        f"rho.{name}", f"zero-concentrated privacy, {of}", f"Least rho of {of}", statement, bound, domain=parameters,
        quantity=QuantityKind.RHO, **more,
    )  # fmt: skip


CLAIMS = (
    _claim(
        "gaussian", "one release with Gaussian noise", r"1/(2\sigma^2)",
        DeltaBound(gaussian, _gaussian_by_quadrature, ({"sigma": 1}, {"sigma": "2.5"})), SIGMA, falls=("sigma",),
    ),
    _claim(
        "discrete_gaussian", "one release with discrete Gaussian noise", r"d^2/(2\sigma^2)",
        DeltaBound(discrete_gaussian, _gaussian_by_masses, points("sigma sensitivity", (1, 1), ("0.3", 2), ("2.5", 3))),
        NARROW, SENSITIVITY, falls=("sigma",), rises=("sensitivity",),
        note="Canonne, Kamath and Steinke 2020: no order costs more. Order 2 costs as much.",
    ),
    _claim(
        "laplace", "one release with Laplace noise", r"1/b - 1 + e^{-1/b}",
        DeltaBound(
            laplace, lambda A, *, scale: _laplace_by_quadrature(A, A.number(scale), A.number(1)),
            ({"scale": 1}, {"scale": "0.3"}),
            proof=derived(Premise("rogers2024.sharp.laplace", "no order costs more"), _AT_ORDER_ONE),
        ),
        SCALE, falls=("scale",), float64_lost="1e-15",
    ),
    _claim(
        "pure", "all epsilon_0-DP mechanisms", r"\varepsilon_0 \tanh(\varepsilon_0/2)",
        DeltaBound(
            pure, _pure_by_answers, ({"epsilon_0": 1}, {"epsilon_0": "0.2"}, {"epsilon_0": 6}),
            proof=derived(Premise("rogers2024.sharp.pure", "no order costs more"), _AT_ORDER_ONE),
        ),
        EPSILON_0, rises=("epsilon_0",),
        note="Randomised response of two answers attains it, and geometric noise where a count changes by 1.",
    ),
    _claim(
        "bounded_range", "all mechanisms of a bounded range", r"u - 1 - \log u, \; u = \eta/(e^\eta - 1)",
        DeltaBound(
            bounded_range, _range_by_search, ({"eta": 1}, {"eta": "0.2"}, {"eta": 6}),
            proof=derived(
                Premise("rogers2024.sharp.em", "no order costs more for two outcomes"),
                Unchecked("two outcomes", "the worst pair of the class has two outcomes, whose losses differ by eta"),
                _AT_ORDER_ONE,
            ),
        ),
        ETA, rises=("eta",), float64_lost="1e-15",
        note="An exponential mechanism of range eta costs at most this, and candidates of two scores approach it.",
    ),
    _claim(
        "permute_and_flip", "one selection by permute-and-flip", r"\varepsilon_0 - 1 + e^{-\varepsilon_0}",
        DeltaBound(
            permute_and_flip, lambda A, *, epsilon_0: _laplace_by_quadrature(A, 2 / A.number(epsilon_0), A.number(2)),
            ({"epsilon_0": 1}, {"epsilon_0": "0.2"}, {"epsilon_0": 6}), exact=two_candidates,
            proof=derived(
                Premise("standard.permute_and_flip", "its deltas are those of Laplace noise with loss epsilon_0"),
                Unchecked("divergence", "a Renyi moment is an integral of deltas over epsilon with positive weights"),
                Premise("rogers2024.sharp.laplace", "the rho of the Laplace laws"),
            ),
        ),
        EPSILON_0, role=Role.UPPER, rises=("epsilon_0",), float64_lost="1e-15",
        loose="the divergence of two candidates, below which nothing is safe, is at least .844 of it",
        note="The noise has scale 2/epsilon_0 for scores that a record changes by at most 1.",
    ),
)  # fmt: skip
