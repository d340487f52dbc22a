"""Sample-and-threshold: each client takes part with probability p; a sampled count is shown iff it reaches tau.

There is no noise: all randomness is in who takes part, and released values are integers, so a release in doubles is the
mechanism itself. Source: bharadwaj2022 Section 3.1. The exact delta is `bharadwaj2022.tight.rate`.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.laws.privacy_loss import DiscreteLoss
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, Parameters, check_doubles, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composition
from proofs_numeric.bharadwaj2022.neighbours import ITEM
from proofs_numeric.statements.neighbours import Direction, Neighbours

Changes = tuple[tuple[int, int], ...]
"""Counts (left, right) of the items that change."""
_ROUNDING = Fraction(1, 10**9)


@dataclass(frozen=True)
class SampleAndThreshold(BatchMechanism):
    """The histogram of a Poisson sample, small counts left out.

    Attributes:
        p: probability that a client takes part, 0 < p < 1.
        tau: threshold on sampled counts (clients), an integer: at least 1 under >=, at least 0 under >.
        rule: whether a sampled count equal to tau is shown.
    """

    p: float
    tau: int
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        check_rate(self.p)
        check_tau(self.tau, self.rule)

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of sampled counts: one column a key in the order of names, NaN where not shown.

        Raises:
            ValueError: the histogram is not one (`mechanisms.histogram.validate`).
        """
        validate(histogram)
        keys = tuple(sorted(histogram))
        values = sampled(np.array([histogram[key] for key in keys], dtype=np.int64), self.p, n, rng)
        values[values < least_count(self.tau, self.rule)] = np.nan
        return keys, values

    def frequencies(self, released: dict[str, float], population: int) -> dict[str, float]:
        """Relative frequencies in the population from a release: counts over p and the (public) population size.

        They may exceed the true ones; dividing by the sample's size instead would leak it.
        """
        check_whole("population", population, "clients")
        return {key: count / (self.p * population) for key, count in released.items()}


def sampled(counts: NDArray[np.int64], p: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Sampled counts, shape (n, len(counts)): independent Bin(count, p)."""
    return rng.binomial(counts, p, size=(n, counts.size)).astype(np.float64)


def check_rate(p: float) -> None:
    """Refuse a sampling probability outside (0, 1)."""
    if not 0 < p < 1:
        raise ValueError(f"expected a sampling probability 0 < p < 1, got p={p}")


def least_count(tau: int, rule: Boundary) -> int:
    """Smallest sampled count that is shown: the tau of the claims."""
    return tau if rule is Boundary.INCLUSIVE else tau + 1


def check_tau(tau: object, rule: Boundary = Boundary.INCLUSIVE) -> None:
    """Refuse a threshold that is no integer, or under which an item that nobody sampled would be shown."""
    if not isinstance(rule, Boundary):
        raise ValueError(f"expected a rule of Boundary.INCLUSIVE (>=) or Boundary.EXCLUSIVE (>), got rule={rule!r}")  # noqa: TRY004
    least, way = (1, "up") if rule is Boundary.INCLUSIVE else (0, "down")
    if not _is_whole(tau, least):
        raise ValueError(
            f"expected an integer tau >= {least} (clients; shown iff the sampled count is {rule.value} tau), "
            f"got tau={tau}; round a real threshold {way}"
        )
    check_doubles(tau=tau)


def check_whole(name: str, value: object, unit: str) -> None:
    """Refuse a number of clients, levels or items that is no integer >= 1."""
    if not _is_whole(value, 1):
        raise ValueError(f"expected an integer {name} >= 1 ({unit}), got {name}={value}")
    check_doubles(**{name: value})


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= least)


def integer(name: str, value: Value) -> int:
    """An exact parameter as an integer; refuses fractions."""
    number = Fraction(value)
    if number.denominator != 1:
        raise ValueError(f"expected an integer {name}, got {name}={value}")
    return int(number)


@of_numbers
def build(*, p: Value, tau: Value) -> SampleAndThreshold:
    """The mechanism by the names of its claim."""
    return SampleAndThreshold(p=float(Fraction(p)), tau=integer("tau", tau))


def stick(A: Arithmetic, epsilon: Number, direction: Direction, laws: composition.Laws) -> Any:
    """Exact hockey stick at epsilon (nats, any real) of a law given as (P, Q) by outcome, left against right."""
    left, right = ([pair[side] for pair in laws] for side in (0, 1))
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def profile(A: Arithmetic, epsilon: Number, direction: Direction, *, p: Value, tau: int, changes: Changes) -> Any:
    """Exact profile of independent cells with these counts on the left and on the right, outcome by outcome."""
    rate = A.number(Fraction(p))
    laws = [composition.cell_laws(tau, (left, rate), (right, rate)) for left, right in changes]
    return stick(A, epsilon, direction, composition.composed_laws(laws))


def loss(direction: Direction, *, p: Value, tau: int, k: int) -> DiscreteLoss:
    """Law of the privacy loss of k against k - 1 copies, from Lemma 1's ratio (1 - p) k/(k - v) and the laws of v.

    With all k copies sampled (and k >= tau) the loss is infinite; nothing shown has the ratio of the two lower tails.
    """
    rate, counts = float(Fraction(p)), np.arange(tau, k)
    sizes = (k, k - 1)
    hidden = [float(stats.binom.cdf(tau - 1, size, rate)) for size in sizes]
    ratios = np.concatenate([[hidden[0] / hidden[1]], (1 - rate) * k / (k - counts)])
    side, sign = (0, 1.0) if direction is Direction.FORWARD else (1, -1.0)
    probabilities = np.concatenate([[hidden[side]], stats.binom.pmf(counts, sizes[side], rate)])
    if direction is Direction.BACKWARD:
        # Every loss is finite: a sum rounded below 1 must not pass for mass at infinity.
        probabilities *= 1 + 1e-15
    return DiscreteLoss(tuple((sign * np.log(ratios)).tolist()), tuple(probabilities.tolist()))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where at most two items change; the others have the same law on both sides, and say nothing."""
    p, tau = Fraction(parameters["p"]), integer("tau", parameters["tau"])
    changes = tuple(neighbours.changes.values())
    if not 1 <= len(changes) <= 2:
        return ExactLaw()
    exact = partial(profile, p=p, tau=tau, changes=changes)
    k = max(changes[0])
    # The mass p^k at infinity is what a loss's probabilities miss from 1: in doubles it must be well above rounding.
    declared = changes == ((k, k - 1),) and tau <= k and p**k > _ROUNDING
    return ExactLaw(exact, partial(loss, p=p, tau=tau, k=k) if declared else None)


MECHANISM = MechanismSpec(
    id="sample_and_threshold", title="Sample-and-threshold histogram, Poisson sampling", build=build,
    parameters={"p": "3/10", "tau": 5}, guarantee_claim="bharadwaj2022.tight.rate", source="bharadwaj2022, Section 3.1",
    privacy=ITEM, law=law,
)  # fmt: skip


CALIBRATOR = Calibrator(id=MECHANISM.id, claim="bharadwaj2022.tight.rate", release="samples", users={}, threshold="tau")
CALIBRATORS = (
    replace(
        CALIBRATOR, id=f"{MECHANISM.id}_share", mechanism=MECHANISM.id, claim="bharadwaj2022.tight",
        release="samples_at_share",
    ),
)  # fmt: skip
"""The rate as a share of the largest rate of Theorem 2."""
