"""Sample-and-threshold as deployed: m is fixed, and every client takes part with probability m over their number.

When a client leaves, the rate of all the others changes from m/n to m/(n - 1), which every item's count tells of. The
exact delta is `bharadwaj2022.thm2.mfixed.exact`. Source: bharadwaj2022 Section 3.1.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.histogram import Histogram, Released, validate
from mechanisms.laws.privacy_loss import DiscreteLoss
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as AT_A_RATE
from mechanisms.sample_and_threshold.mechanism import SampleAndThreshold, check_tau, check_whole, integer, stick
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.lemma_7.composition import Laws, cell_laws, composed_laws
from proofs_numeric.bharadwaj2022.neighbours import FIXED_M
from proofs_numeric.statements.neighbours import Direction, Neighbours

_MOST_OUTCOMES = 10**4


@dataclass(frozen=True)
class FixedM(BatchMechanism):
    """The histogram of a Poisson sample at the rate m/n of the n clients there are, small counts left out.

    Attributes:
        m: expected sample size (clients).
        tau: threshold on sampled counts (clients), an integer >= 1.
    """

    m: int
    tau: int

    def __post_init__(self) -> None:
        """Refuse a sample size or a threshold that is none."""
        check_whole("m", self.m, "clients")
        check_tau(self.tau)

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of sampled counts: one column a key in the order of names, NaN where not shown.

        Raises:
            ValueError: the histogram is not one (`mechanisms.histogram.validate`), or has no more than m clients.
        """
        validate(histogram)
        clients = sum(histogram.values())
        if clients <= self.m:
            raise ValueError(f"expected more than m={self.m} clients, got n={clients}; sample fewer")
        return SampleAndThreshold(self.m / clients, self.tau).release_many(histogram, n, rng)


@of_numbers
def build(*, n: Value, m: Value, tau: Value) -> FixedM:
    """The mechanism by the names of its claim; its neighbours have n clients and n - 1."""
    if integer("m", m) > integer("n", n) - 2:
        raise ValueError(f"expected m <= n - 2 (clients), got m={m}, n={n}; sample fewer")
    return FixedM(integer("m", m), integer("tau", tau))


def joint_laws(A: Arithmetic, *, m: int, tau: int, left: tuple[int, ...], right: tuple[int, ...]) -> Laws:
    """(P, Q) by outcome of independent cells with these counts, at the rates of their sums; nothing shown is first."""
    rates = [A.number(Fraction(m, sum(side))) for side in (left, right)]
    both = (zip(two, rates, strict=True) for two in zip(left, right, strict=True))
    return composed_laws([cell_laws(tau, *each) for each in both])


def profile(A: Arithmetic, epsilon: Number, direction: Direction, **cells_of: Any) -> Any:
    """Exact profile of all cells together, outcome by outcome."""
    return stick(A, epsilon, direction, joint_laws(A, **cells_of))


def loss(direction: Direction, **cells_of: Any) -> DiscreteLoss:
    """Law of the privacy loss; it is infinite where all copies of the leaving client's item are sampled and shown."""
    laws = [(float(p), float(q)) for p, q in joint_laws(Float64(), **cells_of)]
    if direction is Direction.BACKWARD:
        laws = [(q, p) for p, q in laws]
    finite = [(math.log(p / q), p) for p, q in laws if p > 0 and q > 0]
    total = 1 - math.fsum(p for p, q in laws if q == 0)
    # What the probabilities miss from 1 is mass at infinity: rounding must not pass for it.
    scale = total / math.fsum(p for _loss, p in finite) * (1 + 1e-15)
    return DiscreteLoss(tuple(value for value, _p in finite), tuple(p * scale for _value, p in finite))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where the cells have few joint outcomes and more than m clients on either side."""
    m, tau = integer("m", parameters["m"]), integer("tau", parameters["tau"])
    keys = sorted({*neighbours.left, *neighbours.right})
    left, right = (tuple(side.get(key, 0) for key in keys) for side in (neighbours.left, neighbours.right))
    outcomes = 1
    for two in zip(left, right, strict=True):
        outcomes *= max(1, max(two) - tau + 2)
    if outcomes > _MOST_OUTCOMES or min(sum(left), sum(right)) <= m:
        return ExactLaw()
    at: dict[str, Any] = {"m": m, "tau": tau, "left": left, "right": right}
    return ExactLaw(partial(profile, **at), partial(loss, **at))


MECHANISM = MechanismSpec(
    id="sample_and_threshold_fixed_m", title="Sample-and-threshold histogram at the rate m/n, m fixed", build=build,
    parameters={"n": 40, "m": 12, "tau": 5}, guarantee_claim="bharadwaj2022.thm2.mfixed.exact",
    source="bharadwaj2022, Section 3.1", privacy=FIXED_M, law=law,
)  # fmt: skip

CALIBRATOR = replace(AT_A_RATE, id=MECHANISM.id, claim=MECHANISM.guarantee_claim)
