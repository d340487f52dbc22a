"""Many mechanisms of bounded range, exponential mechanisms for one, all fixed in advance.

Each is at worst a pair of two outcomes with losses `t` and `t - eta`, one t for all of them (Dong, Durfee and Rogers
2020, Optimal differential privacy composition for exponential mechanisms). The outcomes that gain are those with at
most l losses of the smaller kind, and the derivative by t of what they gain has the one root
`t = (epsilon + (l + 1) eta)/(k + 1)`. Who sees each answer before asking for the next does better:
`rogers2024.range.gumbel`.
"""

import functools
from typing import Any

from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import binomial_pmf, binomial_tail
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.standard.parameters import *


def larger(A: Arithmetic, t: Number, eta: Number) -> tuple[Any, Any]:
    """Probability of the larger loss under either law: that which has the record, and the other."""
    whole = A.expm1(-eta)
    return A.expm1(t - eta) / whole, A.exp(-t) * A.expm1(t - eta) / whole


def composed(A: Arithmetic, *, epsilon: Number, eta: Number, k: int) -> Any:
    """The largest gain over l, each at its best t; 0 where no sum of losses exceeds epsilon."""
    epsilon, eta = A.number(epsilon), A.number(eta)
    best = A.number(0)
    for least in range(1, k + 1):  # the fewest larger losses of what gains: k - l
        t = A.minimum((epsilon + (k - least + 1) * eta) / (k + 1), eta)
        here, there = larger(A, t, eta)
        best = A.maximum(best, binomial_tail(A, k, here, least) - A.exp(epsilon) * binomial_tail(A, k, there, least))
    return best


_GRID = 200
_STEPS = 66
"""Of golden section: the place of a maximum is told to half the digits that it has."""


def _laws(A: Arithmetic, t: Number, eta: Number, k: int) -> list[tuple[Any, Any]]:
    """Of each number of larger losses its mass without the record, and its likelihood ratio."""
    there = (A.exp(-t) - A.exp(-eta)) / (1 - A.exp(-eta))
    return [(binomial_pmf(A, k, there, n), A.exp(k * t - (k - n) * eta)) for n in range(k + 1)]


@functools.lru_cache(maxsize=4)
def _on_grid(A: Arithmetic, eta: Any, k: int) -> list[list[tuple[Any, Any]]]:
    """The same at every t of the grid: no level changes it."""
    return [_laws(A, eta * step / _GRID, eta, k) for step in range(1, _GRID)]


def _by_search(A: Arithmetic, *, epsilon: Number, eta: Any, k: int) -> Any:
    """Every number of larger losses, at the best t of a grid and then by golden section."""
    factor, eta = A.exp(A.number(epsilon)), A.number(eta)

    def delta(laws: list[tuple[Any, Any]]) -> Any:
        return A.sum(mass * (ratio - factor) for mass, ratio in laws if ratio > factor)

    values = [delta(laws) for laws in _on_grid(A, eta, k)]
    lower, upper = (eta * (values.index(max(values)) + step) / _GRID for step in (0, 2))
    return peak_value(A, lambda t: delta(_laws(A, t, eta, k)), lower, upper, _STEPS)


MANY = Parameter("k", "number of mechanisms", "mechanisms", 1, 200, integer=True, log=True, default=1)

CLAIMS = (
    own(
        "bounded_range.composition", "bounded range, k exponential mechanisms",
        "Exact delta of k mechanisms of bounded range that are fixed in advance",
        r"\max_l (P[B_{p e^t} \ge k-l] - e^\varepsilon P[B_p \ge k-l]), \; t = (\varepsilon+(l+1)\eta)/(k+1), \; p = "
        r"(e^{-t}-e^{-\eta})/(1-e^{-\eta})",
        DeltaBound(composed, _by_search, points("epsilon eta k", (1, "0.3", 10), (0, 1, 3), ("2.5", 2, 2))),
        float64_lost="1e-15", domain=(EPSILON, ETA, MANY), falls=("epsilon",), rises=("eta", "k"),
        note="Dong, Durfee and Rogers 2020, optimal where no mechanism is chosen after an answer.", cost=20,
    ),
)  # fmt: skip
