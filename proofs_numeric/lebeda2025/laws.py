"""What the paper's mechanisms show of neighbours, as laws that the kernel's tactics speak of."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.noise_maximum import unreleased
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.statements.noise import Exactly
from proofs_numeric.statements.shared import Named, SharedCounters
from proofs_numeric.statements.tactics import ByClaim, Increasing, Part, Product, Split, Sum, Symbolic, Tactic


def _own(A: Arithmetic, *, sigma: Number, **_rest: Any) -> Any:
    return A.number(sigma)


def _ratio(A: Arithmetic, *, k: int, **_rest: Any) -> Any:
    return A.sqrt(A.number(k))


def _gap(A: Arithmetic, *, gap: Number, **_rest: Any) -> Any:
    return A.number(gap)


QUERIES = SharedCounters("k", _own, _ratio)
"""Algorithm 1: k counting queries, counters that are all shown."""
COUNTERS = replace(QUERIES, gap=_gap)
"""Algorithm 2 on k-sparse monotonic neighbours."""
PAIR = replace(COUNTERS, pair=("l", "j"))
"""One pair of them, either way round."""


def silent_loss(A: Arithmetic, *, k: int, sigma: Number, gap: Number, l: int, **_rest: Any) -> Any:
    """``-log(1 - A_l)``: none of l new counters is released."""
    return -A.log(unreleased(A, l=l, t=A.number(gap) / A.number(sigma), b=shared_slope(A, k)))


def all_silent_loss(A: Arithmetic, *, k: int, **at: Any) -> Any:
    """``-log(1 - A_k)``."""
    return silent_loss(A, k=k, l=k, **at)


def of_pair(changed: Tactic, unchanged: Tactic) -> Split:
    """That a formula bounds the profile of the pair (l, j), by what `Named` leaves of it at j = 0 and above."""
    below = Exactly(Symbolic())
    return Split("j", 0, Named(silent_loss, below, unchanged), Named(silent_loss, below, changed))


def distance_of(square: Formula) -> Formula:
    """The root of a squared distance."""
    return lambda A, **at: A.sqrt(square(A, **at))


def epsilon_of(A: Arithmetic, *, epsilon: Number, **_rest: Any) -> Any:
    """The level itself."""
    return A.number(epsilon)


def profile_at(square: Formula, level: Formula = epsilon_of) -> Formula:
    """The Gaussian profile at a squared distance."""
    return lambda A, **at: gaussian_profile(A, level(A, **at), distance_of(square)(A, **at))


def grows(less: Formula, more: Formula, proof: Tactic, level: Formula = epsilon_of) -> ByClaim:
    """That a Gaussian profile at one squared distance is at most that at another."""
    return ByClaim(
        "wilkins2024.thm2.2.mono",
        {"mu": distance_of(less), "mu_2": distance_of(more), "epsilon": level},
        {"mu < mu_2": Increasing("sqrt", less, more, proof)},
    )


def positive(square: Formula, level: Formula = epsilon_of) -> ByClaim:
    """That a Gaussian profile is."""
    return ByClaim("wilkins2024.thm2.2.positive", {"mu": distance_of(square), "epsilon": level})


def added(loss: Formula, less: Formula, more: Formula, proof: Tactic) -> Tactic:
    """``1 - e^-loss (1 - f) <= 1 - e^-loss + f'``, f and f' at squared distances of which the first is the smaller."""

    def passed(A: Arithmetic, **at: Any) -> Any:
        return -A.expm1(-A.number(loss(A, **at)))

    first, second = profile_at(less), profile_at(more)
    return Sum(
        (
            Part(lambda A, **at: second(A, **at) - first(A, **at), grows(less, more, proof)),
            Part(
                lambda A, **at: passed(A, **at) * first(A, **at), Product((Part(passed), Part(first, positive(less))))
            ),
        )
    )


def mixed(loss: Formula, less: Formula, more: Formula, proof: Tactic) -> Product:
    """``1 - e^-loss (1 - f) <= 1 - e^-loss (1 - f')`` of such."""
    first, second = profile_at(less), profile_at(more)
    return Product(
        (
            Part(lambda A, **at: A.exp(-A.number(loss(A, **at)))),
            Part(lambda A, **at: second(A, **at) - first(A, **at), grows(less, more, proof)),
        )
    )
