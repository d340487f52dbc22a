"""Approximate concentrated differential privacy: conversions, refuters, composition and a budget ledger.

Symbols: ``rho`` and ``delta`` are those of delta-approximate rho-CDP (rogers2024 Definition 2.2), ``alpha > 1`` a Renyi
order, ``epsilon`` a point of the privacy profile (nats).  Divergences are in nats.

Which way a number errs is in its name: ``*_upper`` is at least the truth for every mechanism that keeps the promise.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from proofs_numeric.arithmetic import Arithmetic, Ball, Exact, Float64, exact, gaussian
from proofs_numeric.arithmetic.arithmetic import Number
from proofs_numeric.arithmetic.enclosure import Enclosure, decimal_string, enclose
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile

Outcome = TypeVar("Outcome", bound=Hashable)
FiniteLaw = Mapping[Outcome, Any]
"""Probability by outcome: Fractions for exact work, or values of one arithmetic."""


# --- conversions --------------------------------------------------------------------------------------------------


def cdp_to_dp_epsilon_upper(A: Arithmetic, *, rho: Number, delta: Number) -> Number:
    """``rho + 2 sqrt(rho log(1/delta))``: the epsilon of rho-CDP at ``0 < delta <= 1`` (Bun and Steinke 2016).

    Source: rogers2024 Theorem 3, with the conversion's delta' named ``delta``.
    """
    rho = A.number(rho)
    return rho + 2 * A.sqrt(-rho * A.log(A.number(delta)))


def renyi_tail_upper(A: Arithmetic, *, rho: Number, epsilon: Number) -> Number:
    """``exp(-(epsilon - rho)^2 / (4 rho))``, the delta of rho-CDP behind :func:`cdp_to_dp_epsilon_upper`."""
    rho, excess = A.number(rho), A.number(epsilon) - A.number(rho)
    return A.exp(-excess * excess / (4 * rho))


def delta_at_order_upper(A: Arithmetic, *, rho: Number, epsilon: Number, alpha: Number) -> Number:
    """Delta of rho-CDP at ``epsilon`` from the Renyi order ``alpha > 1`` alone.

    ``exp((alpha-1)(alpha rho - epsilon)) (1/alpha) (1 - 1/alpha)^(alpha-1)`` (Canonne, Kamath and Steinke 2020,
    Proposition 12 and Corollary 13).  Any order gives a valid bound; :func:`delta_upper` takes the best.
    """
    return _delta_at_excess(A, rho, epsilon, A.number(alpha) - 1)


def _delta_at_excess(A: Arithmetic, rho: Number, epsilon: Number, excess: Number) -> Number:
    """The bound at ``alpha = 1 + excess``: orders as near to one as ``1 + e^-rho`` keep their digits."""
    return A.exp(excess * ((1 + excess) * rho - epsilon - A.log1p(1 / excess)) - A.log1p(excess))


def best_log_excess(A: Arithmetic, rho: Number, epsilon: Number) -> Number:
    """``log(a - 1)``, ``a`` the order of least :func:`delta_at_order_upper`: ``(2a-1) rho - epsilon + log(1-1/a) = 0``.

    The left side increases from minus to plus infinity on ``a > 1``, so the root is unique; enclosures enclose it.
    """
    rho, epsilon = A.number(rho), A.number(epsilon)

    def slope(log_excess: Number, rho: Number, epsilon: Number) -> Number:
        excess = A.exp(log_excess)
        return (1 + 2 * excess) * rho - epsilon - A.log1p(1 / excess)

    # With s = sqrt(2 rho) the slope is negative at 1/expm1(c), c = max(rho - epsilon, 0) + s, as 2 rho/expm1(c) < s,
    # and positive at max(epsilon, 0)/(2 rho) + 1/s, as log(1 + 1/x) < 1/x.
    s = A.sqrt(2 * rho)
    c = A.maximum(rho - epsilon, 0) + s
    lower = -c - A.log1p(-A.exp(-c))
    if isinstance(A, Float64):
        lower = A.maximum(lower, _LEAST_LOG)
    return increasing_root(A, slope, lower, A.log(A.maximum(epsilon, 0) / (2 * rho) + 1 / s), rho, epsilon)


_LEAST_LOG = -300.0
"""Logarithms of what doubles hold with a reciprocal are above it."""


def delta_upper(A: Arithmetic, *, rho: Number, epsilon: Number) -> Number:
    """Least delta that rho-CDP implies at ``epsilon`` through Renyi orders: the infimum over ``alpha > 1``.

    Canonne, Kamath and Steinke 2020; never above :func:`renyi_tail_upper`, never below the Gaussian's own delta.
    """
    rho, epsilon = A.number(rho), A.number(epsilon)
    return _delta_at_excess(A, rho, epsilon, A.exp(best_log_excess(A, rho, epsilon)))


def approximate_delta_upper(A: Arithmetic, *, rho: Number, delta: Number, epsilon: Number) -> Number:
    """Delta at ``epsilon`` of delta-approximate rho-CDP: ``delta + (1 - delta)`` times :func:`delta_upper`."""
    delta = A.number(delta)
    return delta + (1 - delta) * delta_upper(A, rho=rho, epsilon=epsilon)


def canonne_epsilon_upper(A: Arithmetic, *, rho: Number, delta: Number) -> Number:
    """Best epsilon of rho-CDP at ``0 < delta < 1`` through Renyi orders (Canonne, Kamath and Steinke 2020).

    ``inf_alpha alpha rho + log(1 - 1/alpha) - log(alpha delta) / (alpha - 1)``, at the root of
    ``rho (alpha-1)^2 = -log(alpha delta)``; an ``alpha`` off the root gives a larger, still valid epsilon.
    """
    rho, delta = A.number(rho), A.number(delta)
    log_inverse = -A.log(delta)

    def slope(x: Number, rho: Number, log_inverse: Number) -> Number:
        return rho * x * x + A.log1p(x) - log_inverse

    x = increasing_root(A, slope, A.number(0), A.sqrt(log_inverse / rho), rho, log_inverse)
    alpha = 1 + x
    return alpha * rho + A.log1p(-1 / alpha) + (log_inverse - A.log(alpha)) / x


def gaussian_epsilon(rho: Exact, delta: Exact, digits: int = 30) -> Enclosure:
    """Exact epsilon at ``delta`` of the Gaussian mechanism that is exactly rho-CDP (distance ``mu = sqrt(2 rho)``).

    The yardstick of every conversion: no conversion of rho-CDP can promise less.  Raises ValueError when the
    Gaussian's delta at epsilon 0 is already below ``delta``.
    """
    with Ball() as A:
        if not gaussian_profile(A, 0, A.sqrt(2 * A.number(rho))) > A.number(delta):
            raise ValueError(f"expected delta below the Gaussian's at epsilon 0, got {delta} at rho = {rho}")
    return enclose(lambda A: gaussian.gaussian_epsilon(A, delta=delta, mu=A.sqrt(2 * A.number(rho))), {}, digits)


def pure_delta(A: Arithmetic, *, epsilon: Number, promised: Number) -> Number:
    """Exact delta at ``epsilon >= 0`` that ``promised``-DP implies, attained by randomised response.

    ``(e^promised - e^epsilon)_+ / (e^promised + 1)``, written so that it vanishes exactly at ``epsilon = promised``.
    """
    promised = A.number(promised)
    return A.maximum(0, -A.expm1(A.number(epsilon) - promised)) / (1 + A.exp(-promised))


# --- finite laws: divergences and the three refuters --------------------------------------------------------------


def hockey_stick(left: FiniteLaw[Outcome], right: FiniteLaw[Outcome], ratio: Number) -> Any:
    """``sum_y max(0, P(y) - ratio Q(y))`` with ``ratio = e^epsilon`` exact (rational laws)."""
    return sum((max(p - ratio * right.get(y, 0), Fraction(0)) for y, p in left.items()), Fraction(0))


def impossible_mass(left: FiniteLaw[Outcome], right: FiniteLaw[Outcome]) -> Any:
    """Refuter R1: the mass P puts on outcomes impossible under Q.  Above delta, no rho saves the claim."""
    return sum((p for y, p in left.items() if not right.get(y, 0)), Fraction(0))


def renyi_divergence(A: Arithmetic, left: FiniteLaw[Outcome], right: FiniteLaw[Outcome], alpha: Exact) -> Number:
    """``D_alpha(P||Q)`` of finite laws with exact probabilities, ``alpha >= 1``; 1 is the Kullback-Leibler divergence.

    Infinite where P has mass outside the support of Q.
    """
    if impossible_mass(left, right):
        return A.infinity
    terms = [(A.number(p), A.number(right[y])) for y, p in left.items() if p]
    if alpha == 1:
        return A.sum(p * (A.log(p) - A.log(q)) for p, q in terms)
    order = A.number(alpha)
    return A.log(A.sum(p * A.exp((order - 1) * (A.log(p) - A.log(q))) for p, q in terms)) / (order - 1)


@dataclass(frozen=True)
class Decomposition:
    """R3: a certificate ``P >= (1 - delta) P'``, ``Q >= (1 - delta) Q'`` with close good parts P', Q'."""

    left: FiniteLaw[Any]
    right: FiniteLaw[Any]
    left_good: FiniteLaw[Any]
    right_good: FiniteLaw[Any]

    def covers(self, delta: Exact) -> bool:
        """Whether both good parts are laws and fit under ``P/(1-delta)`` and ``Q/(1-delta)`` (exact)."""
        return all(
            sum(good.values()) == 1 and all(law.get(y, 0) >= (1 - delta) * mass for y, mass in good.items())
            for law, good in ((self.left, self.left_good), (self.right, self.right_good))
        )

    def certifies(self, delta: Exact, rho: Number, orders: tuple[Exact, ...], bits: int = 128) -> bool:
        """Whether the certificate shows delta-approximate rho-CDP on this pair at the given orders.

        ``rho`` may be a ball.  An equality of divergence and bound that balls cannot separate does not count.
        """
        ball = Ball(bits)
        with ball:
            bound = ball.number(rho)
            return self.covers(delta) and all(
                not self._exceeds(ball, first, second, order, bound)
                for first, second in ((self.left_good, self.right_good), (self.right_good, self.left_good))
                for order in orders
            )

    @staticmethod
    def _exceeds(ball: Ball, first: FiniteLaw[Any], second: FiniteLaw[Any], order: Exact, bound: Number) -> bool:
        divergence = renyi_divergence(ball, first, second, order)
        return not (divergence <= ball.number(order) * bound or dict(first) == dict(second))


# --- composition and the ledger -----------------------------------------------------------------------------------


def composed_delta(delta_1: Number, delta_2: Number) -> Any:
    """``delta_1 + delta_2 - delta_1 delta_2`` (rogers2024 Theorem 6, adaptive composition)."""
    return delta_1 + delta_2 - delta_1 * delta_2


class BudgetError(ValueError):
    """A release would overdraw the budget of a ledger."""


def _check_budget(rho: Exact | str, delta: Exact | str, of: str) -> None:
    if exact(rho) < 0:
        raise ValueError(f"expected rho >= 0 (nats), got rho={rho}{of}")
    if not 0 <= exact(delta) < 1:
        raise ValueError(f"expected 0 <= delta < 1, got delta={delta}{of}")


@dataclass(frozen=True)
class Spending:
    """One release's price: delta-approximate rho-CDP, exact, with a label for people.

    Raises:
        ValueError: rho < 0, or delta outside [0, 1).
    """

    label: str
    rho: Exact | str
    delta: Exact | str = 0

    def __post_init__(self) -> None:
        """Refuse a price that is none."""
        _check_budget(self.rho, self.delta, f" for {self.label!r}")


@dataclass(frozen=True)
class Ledger:
    """An adaptive stream of releases against a fixed budget (rogers2024 Theorem 6).

    Immutable: ``spend`` returns a new ledger.  Totals are exact rationals.

    Raises:
        ValueError: a budget with rho < 0 or delta outside [0, 1).
        BudgetError: the releases cost more than the budget, in one line.
    """

    rho_budget: Exact | str
    delta_budget: Exact | str
    releases: tuple[Spending, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a budget that is none, and releases that it does not cover."""
        _check_budget(self.rho_budget, self.delta_budget, " as a budget")
        for name, total, budget in (
            ("rho", self.rho, exact(self.rho_budget)),
            ("delta", self.delta, exact(self.delta_budget)),
        ):
            if total > budget:
                raise BudgetError(
                    f"expected {name} <= {_short(budget)} in all, got {name}={_short(total)} after "
                    f"{self.releases[-1].label!r}; release less or add noise"
                )

    @property
    def rho(self) -> Exact:
        """Rho spent so far: the sum."""
        return sum((exact(release.rho) for release in self.releases), Fraction(0))

    @property
    def delta(self) -> Exact:
        """Delta spent so far: ``1 - prod (1 - delta_i)``."""
        return functools.reduce(composed_delta, (exact(release.delta) for release in self.releases), Fraction(0))

    def spend(self, release: Spending) -> Ledger:
        """Return the ledger after one more release; raise BudgetError in one line when the budget does not cover it."""
        return replace(self, releases=(*self.releases, release))

    def epsilon_upper(self, A: Arithmetic, delta: Exact | str) -> Number:
        """Epsilon at total failure probability ``delta`` of everything released so far.

        Needs ``delta`` above the delta spent: with ``delta' = (delta - spent) / (1 - spent)`` the good part is
        converted by :func:`canonne_epsilon_upper`.
        """
        spent, total = self.delta, exact(delta)
        if not spent < total < 1:
            raise ValueError(f"expected {_short(spent)} < delta < 1 (delta already spent), got delta={delta}")
        if self.rho == 0:
            return A.number(0)
        rest = (Fraction(total) - spent) / (1 - Fraction(spent))
        return A.maximum(0, canonne_epsilon_upper(A, rho=self.rho, delta=rest))


def _short(value: Exact) -> str:
    return decimal_string(Fraction(value), 6, 0)
