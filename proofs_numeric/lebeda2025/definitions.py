"""Definitions 2, 3, 4 and 16: neighbours, approximate and concentrated privacy, and sensitivity."""

from fractions import Fraction
from typing import Any

from proofs_numeric.lebeda2025.parameters import *


def _one_user_apart(case: tuple[tuple[Any, ...], tuple[Any, ...]]) -> bool:
    left, right = (sorted(side) for side in case)
    small, large = sorted((left, right), key=len)
    return len(large) == len(small) + 1 and any(large[:i] + large[i + 1 :] == small for i in range(len(large)))


def _is_dp(case: tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction, Fraction]) -> bool:
    """(e^epsilon, delta)-DP of two laws on the same outcomes, both directions, by the best event."""
    p, q, factor, delta = case
    sticks = (sum(max(Fraction(0), a - factor * b) for a, b in zip(*laws, strict=True)) for laws in ((p, q), (q, p)))
    return max(sticks) <= delta


def _satisfies_definition_4(case: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], Fraction]) -> bool:
    """Whether the set of differences is the sensitivity space of these answers, with this squared l2 sensitivity."""
    answers, space, squared = case
    differences = {tuple(x - y for x, y in zip(a, b, strict=True)) for a in answers for b in answers if a != b}
    return differences == set(space) and max(sum(c * c for c in v) for v in differences) == squared


def _approximates(case: tuple[Fraction, tuple[tuple[Fraction, Fraction], ...]]) -> bool:
    """rho-zCDP of a divergence given as (alpha, D_alpha) pairs."""
    rho, divergences = case
    return all(alpha > 1 and divergence <= rho * alpha for alpha, divergence in divergences)


CLAIMS = (
    stated(
        "def2", "Definition 2", "neighbouring datasets: one data point added or removed",
        r"D \sim D' \iff D = D' \cup \{x\} \text{ or } D' = D \cup \{x\}",
        Definition(
            _one_user_apart, ((("a",), ("a", "b")), (("a", "b"), ("b",)), ((), ("a",))),
            ((("a",), ("b",)), (("a",), ("a",)), (("a",), ("a", "b", "c"))),
        ),
    ),
    stated(
        "def3", "Definition 3", "(epsilon, delta)-differential privacy",
        r"P[M(D) \in S] \le e^\epsilon P[M(D') \in S] + \delta",
        Definition(
            _is_dp,
            (
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), Fraction(3), Fraction(0)),
                ((Fraction(1), Fraction(0)), (Fraction(9, 10), Fraction(1, 10)), Fraction(1), Fraction(1, 10)),
            ),
            (
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), Fraction(2), Fraction(0)),
                ((Fraction(1), Fraction(0)), (Fraction(9, 10), Fraction(1, 10)), Fraction(1), Fraction(1, 20)),
            ),
        ),
    ),
    stated(
        "def4", "Definition 4", "sensitivity space and l2 sensitivity",
        r"\Delta f = \{f(D) - f(D')\}, \quad \Delta_2 = \max_{v \in \Delta f} \|v\|_2",
        Definition(
            _satisfies_definition_4,
            ((((0, 0), (1, 1)), ((1, 1), (-1, -1)), Fraction(2)), (((0,), (1,)), ((1,), (-1,)), Fraction(1))),
            ((((0, 0), (1, 1)), ((1, 1),), Fraction(2)), (((0, 0), (1, 1)), ((1, 1), (-1, -1)), Fraction(1))),
        ),
    ),
    stated(
        "def16", "Definition 16", "zero-concentrated differential privacy",
        r"D_\alpha(M(D) \| M(D')) \le \rho \alpha \text{ for all } \alpha > 1",
        Definition(
            _approximates, ((Fraction(1, 2), ((Fraction(2), Fraction(1)), (Fraction(3), Fraction(3, 2)))),),
            ((Fraction(1, 2), ((Fraction(2), Fraction(9, 8)),)),),
        ),
    ),
)  # fmt: skip
