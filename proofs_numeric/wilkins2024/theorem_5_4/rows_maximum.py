"""The maximum of a term of (5.8) or (7.1) over ``a_=``, certified at any ``C_u`` by branch and bound.

It shares nothing with the collapse to two deltas and is what that is compared with.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.largest import largest_term
from proofs_numeric.arithmetic.special import as_fraction, normal_cdf, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.kernel.boxes import maximum_over_integers
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

# The terms are compared on the scale -log(1 - delta), where neither tail saturates.  With s the tilt (+1 second,
# -1 third, 0 f-DP) and r the rate of the prefactor (L, 0, L), the score of a is  r a - log c(mu(C - a), eps + s a L),
# c = 1 - f; its slope is  r - h (mu/(2n) + s L m) / (1 + h m),  h = phi/Phi at x = eps'/mu - mu/2, m = Mills at x + mu.

_CERTAIN = 2**16
"""A score beyond this is a delta within e^-65536 of one: not resolved further."""


def _on_ends(function: Any, x: Any) -> Any:
    """Enclosure of a monotone function of one real, tight on wide balls."""
    return function(x) if x.is_exact() else function(x.lower()).union(function(x.upper()))


def _minus_log_complement(A: Ball, epsilon: Number, mu: Number) -> Any:
    """``-log(1 - f(mu, epsilon))`` at exact points: two expressions, one tight for f near 0, one for f near 1."""
    x, y = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    lower = A.exp(epsilon) * normal_cdf(A, -y)
    return both(-A.log(normal_cdf(A, x) + lower), -A.log1p(lower - normal_cdf(A, -x)))


class _Score:
    """Score of one term as a function of ``a_=``, enclosed on ranges by its monotone parts and by its mean value."""

    def __init__(self, A: Ball, tilt: int, *, epsilon: Number, c_u: int, prefactor: bool, **at: Number) -> None:
        self.epsilon, self.c_u, self.tilt = A.number(epsilon), c_u, tilt
        self.rate = loss_rate(A, sigma=at["sigma"], gap=at["gap"])
        self.prefactor = self.rate if prefactor else A.number(0)
        self.unit = distance(A, rows=1, sigma=at["sigma"], mu_o=at["mu_o"])

    def level(self, a: Number) -> Any:
        """``eps' = eps + s a L``."""
        return self.epsilon + self.tilt * (a * self.rate)

    def at(self, A: Ball, a: Number) -> Any:
        """Score at an exact ``a``."""
        mu = self.unit * A.sqrt(self.c_u - a)
        return a * self.prefactor + _minus_log_complement(A, self.level(a), mu)

    def __call__(self, A: Ball, a: Any) -> Any:
        """Score on a range of ``a``."""
        if a.is_exact():
            return self.at(A, a)
        n, level = self.c_u - a, self.level(a)
        mu = self.unit * A.sqrt(n)
        # f grows with mu (A.9) and falls with epsilon (A.10).
        growth = _minus_log_complement(A, level.upper(), mu.lower()).union(
            _minus_log_complement(A, level.lower(), mu.upper())
        )
        direct = a * self.prefactor + growth
        # The hazard and the Mills ratio decrease.
        hazard = _on_ends(lambda x: normal_pdf(A, x) / normal_cdf(A, x), level / mu - mu / 2)
        mills = _on_ends(lambda x: normal_cdf(A, -x) / normal_pdf(A, x), level / mu + mu / 2)
        slope = self.prefactor - hazard * (mu / (2 * n) + self.tilt * (self.rate * mills)) / (1 + hazard * mills)
        middle = a.mid()
        by_slope = self.at(A, middle) + slope * (a - middle)
        return both(direct, by_slope)


def maximum_over_rows(A: Ball, tilt: int, *, prefactor: bool, **parameters: Any) -> tuple[int, Any]:
    """Argument and value of the largest of ``1 - e^-score(a)``, ``0 <= a < C_u``; (0, [1 - e^-65536, 1]) near one.

    ``tilt`` and ``prefactor`` choose the term: (+1, True) second, (-1, False) third, (0, True) f-DP.
    """
    score = _Score(A, tilt, prefactor=prefactor, **parameters)
    last = score.c_u - 1
    # -log c >= x^2/2 for x < 0 <= x + mu, and c(mu, e) <= e^e: bounds that need no tail of a huge argument.
    x = score.epsilon / (score.unit * A.sqrt(A.number(score.c_u))) - score.unit * A.sqrt(A.number(score.c_u)) / 2
    lost = score.rate * last
    certain = A.number(1).union(-A.expm1(A.number(-_CERTAIN)))
    if x < 0 and x * x > 2 * _CERTAIN:
        return 0, certain
    if (prefactor and lost > _CERTAIN) or (tilt < 0 and lost - score.epsilon > _CERTAIN):
        return last, certain
    best = maximum_over_integers(score, 0, last, A.bits)
    value = A.number(best.enclosure.lower).union(A.number(best.enclosure.upper))
    return best.argument, -A.expm1(-value)


def argument_over_rows(tilt: int, *, prefactor: bool, **parameters: Any) -> int:
    """The maximising ``a_=`` of a term at parameters of any arithmetic, found in balls."""
    ball = Ball(192)
    with ball:
        exact = {name: int(v) if name == "c_u" else ball.number(as_fraction(v)) for name, v in parameters.items()}
        return maximum_over_rows(ball, tilt, prefactor=prefactor, **exact)[0]


def term_of_rows(
    A: Arithmetic, a_equal: int, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number
) -> Any:
    """The larger of second and third at ``a_equal`` rows, from 0 to ``c_u - 1``."""
    at = {"epsilon": epsilon, "a_equal": a_equal, "a_plus": c_u - a_equal, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    return A.maximum(second_term(A, **at), third_term(A, **at))


def branch_and_bound_maximum(
    A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, gap: Number, mu_o: Number
) -> Number:
    """(5.8), the literal maximum at any ``C_u``, by certified branch and bound over ``a_=``; ``epsilon >= 0``."""
    at: dict[str, Any] = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    return A.maximum(delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap), largest_over_rows(A, term_of_rows, BOTH, **at))


BOTH = ((1, True), (-1, False))
"""The scores of second and third: tilt and prefactor."""


def largest_over_rows(A: Arithmetic, term: Formula, scores: Sequence[tuple[int, bool]], **at: Any) -> Any:
    """Largest ``term(A, a_equal, **at)`` over ``0 <= a_equal < c_u``, found as the largest of the scores'."""
    return largest_term(
        A, lambda a: term(A, a, **at), at["c_u"], lambda B: _largest_of_scores(B, term, tuple(scores), at)
    )


@functools.singledispatch
def _largest_of_scores(A: Arithmetic, term: Formula, scores: Sequence[tuple[int, bool]], at: Mapping[str, Any]) -> Any:
    at = {**at, "c_u": int(at["c_u"])}
    places = (argument_over_rows(tilt, prefactor=prefactor, **at) for tilt, prefactor in scores)
    return A.maximum(*(term(A, place, **at) for place in places))


@_largest_of_scores.register
def _(A: Ball, _term: Formula, scores: Sequence[tuple[int, bool]], at: Mapping[str, Any]) -> Any:
    return A.maximum(*(maximum_over_rows(A, tilt, prefactor=prefactor, **at)[1] for tilt, prefactor in scores))


@_largest_of_scores.register
def _(A: Float64, term: Formula, scores: Sequence[tuple[int, bool]], at: Mapping[str, Any]) -> Any:
    one = _largest_of_scores.dispatch(object)
    scalar = np.vectorize(lambda *values: float(one(A, term, scores, dict(zip(at, values, strict=True)))))
    return scalar(*at.values())[()]
