"""The Poisson sample with known contacts: draw T ~ Bin(n, p), then contact T clients.

What Lemma 4 of bharadwaj2022 wants. Each set of clients is drawn with the probability it has when clients decide alone,
so the law is that of `mechanism` beside it. With a budget of contacts a release fails when T exceeds it
(`bharadwaj2022.lem4.fix`).
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.mechanism import Boundary, MechanismSpec, of_numbers
from mechanisms.sample_and_threshold.fixed_size_sample import DrawnSample
from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as ONE_SAMPLE
from mechanisms.sample_and_threshold.mechanism import MECHANISM as POISSON
from mechanisms.sample_and_threshold.mechanism import check_rate, check_tau, integer
from proofs_numeric.arithmetic.formula import Value


@dataclass(frozen=True)
class PoissonByContacts(DrawnSample):
    """The Poisson sample, by its size first.

    Attributes:
        p: probability that a client takes part; fixed, whatever the population.
        tau: threshold on sampled counts (clients).
        rule: whether a sampled count equal to tau is shown.
    """

    p: float
    tau: int
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        check_rate(self.p)
        check_tau(self.tau, self.rule)

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sizes Bin(population, p)."""
        return rng.binomial(population, self.p, size=n)


@of_numbers
def build(*, p: Value, tau: Value) -> PoissonByContacts:
    """The mechanism by the names of its claim."""
    return PoissonByContacts(p=float(Fraction(p)), tau=integer("tau", tau))


MECHANISM = MechanismSpec(
    id="sample_and_threshold_by_contacts",
    title="Sample-and-threshold histogram, Poisson sampling by drawing its size first", build=build,
    parameters=POISSON.parameters, guarantee_claim=POISSON.guarantee_claim,
    source="bharadwaj2022, Section 3.2; the realisation is ours", privacy=POISSON.privacy, law=POISSON.law,
)  # fmt: skip

CALIBRATOR = replace(ONE_SAMPLE, id=MECHANISM.id)
