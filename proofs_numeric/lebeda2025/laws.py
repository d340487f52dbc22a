"""What the paper's mechanisms show of neighbours, as laws that the kernel's tactics speak of."""

from proofs_numeric.arithmetic.noise_maximum import unreleased
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.noise import OfSharedNoise
from proofs_numeric.statements.shared import CounterProfile, SharedCounters

QUERIES = SharedCounters("k", sigma, sqrt(k))
"""Algorithm 1: k counting queries, counters that are all shown."""
COUNTERS = replace(QUERIES, gap=gap)
"""Algorithm 2 on k-sparse monotonic neighbours."""
PAIR = replace(COUNTERS, pair=("l", "j"))
"""One pair of them, either way round."""
silent_loss = -log(algorithm(unreleased)(t=gap / sigma, b=shared_slope))
"""``-log(1 - A_l)``: none of l new counters is released."""
all_silent_loss = silent_loss(l=k)
"""``-log(1 - A_k)``."""


BELOW = OfSharedNoise(Symbolic())
"""How likely new counters stay below the threshold, as it is."""


def of_pair(changed: Tactic, unchanged: Tactic, loss: Expression = silent_loss, below: OfSharedNoise = BELOW) -> Split:
    """A formula bounds the profile of the pair (l, j), by what `CounterProfile` leaves of it at j = 0 and above."""
    return Split("j", 0, CounterProfile(unchanged, loss, below), CounterProfile(changed, loss, below))


def grows(less: Expression, more: Expression, proof: Tactic, level: Expression = epsilon) -> ByClaim:
    """That a Gaussian profile at one squared distance is at most that at another."""
    return ByClaim(
        "wilkins2024.thm2.2.mono",
        {"mu": sqrt(less), "mu_2": sqrt(more), "epsilon": level},
        {"mu < mu_2": Increasing("sqrt", less, more, proof)},
    )


def positive(square: Expression, level: Expression = epsilon) -> ByClaim:
    """That a Gaussian profile is."""
    return ByClaim("wilkins2024.thm2.2.positive", {"mu": sqrt(square), "epsilon": level})


def added(loss: Expression, less: Expression, more: Expression, proof: Tactic) -> Sum:
    """``1 - e^-loss (1 - f) <= 1 - e^-loss + f'``, f and f' at squared distances of which the first is the smaller."""
    first, second = profile(epsilon, sqrt(less)), profile(epsilon, sqrt(more))
    return sum_of((second - first, grows(less, more, proof)), factors(-expm1(-loss), (first, positive(less))))


def mixed(loss: Expression, less: Expression, more: Expression, proof: Tactic) -> Product:
    """``1 - e^-loss (1 - f) <= 1 - e^-loss (1 - f')`` of such."""
    first, second = profile(epsilon, sqrt(less)), profile(epsilon, sqrt(more))
    return product_of(exp(-loss), (second - first, grows(less, more, proof)))
