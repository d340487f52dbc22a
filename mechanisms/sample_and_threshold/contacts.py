"""Lemma 4 of bharadwaj2022: s clients are contacted and each takes part with probability m/s.

The sample's size is Bin(s, m/s), not the Bin(n, m/n) of a Poisson sample: the lemma's coupling does not apply, and the
likelihood ratio is another one, ((k - v)/k) (1 + (s - t) m/((s - m)(n - t))) with t clients in the sample.
"""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.mechanism import Boundary, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.fixed_size_sample import DrawnSample, check_size
from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as ONE_SAMPLE
from mechanisms.sample_and_threshold.mechanism import check_tau, check_whole, integer, stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.lemma_4 import histogram_law
from proofs_numeric.bharadwaj2022.neighbours import CONTACTS
from proofs_numeric.bharadwaj2022.section_3_2 import Triple
from proofs_numeric.statements.neighbours import Direction, Neighbours


@dataclass(frozen=True)
class ContactScheme(DrawnSample):
    """A sample by contacts.

    Attributes:
        m: expected sample size (clients).
        contacts: number s >= m of clients contacted.
        tau: threshold on sampled counts (clients).
        rule: whether a sampled count equal to tau is shown.
    """

    m: int
    contacts: int
    tau: int
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse fewer contacts than the sample needs, and a threshold that is none."""
        check_tau(self.tau, self.rule)
        check_whole("m", self.m, "clients")
        check_whole("contacts", self.contacts, "clients")
        if self.m > self.contacts:
            raise ValueError(f"expected 1 <= m <= contacts={self.contacts} (clients), got m={self.m}; contact more")

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sizes Bin(s, m/s)."""
        check_size("contacts", self.contacts, population)
        return rng.binomial(self.contacts, self.m / self.contacts, size=n)


def contacts_for(m: int, c: float) -> int:
    """Lemma 4's number of contacts, ``m + ceil(c sqrt(m))``; m < 1 or a negative or infinite c is a ValueError."""
    check_whole("m", m, "clients")
    if not 0 <= c < math.inf:
        raise ValueError(f"expected 0 <= c < infinity (standard deviations), got c={c}")
    return m + math.ceil(c * math.sqrt(m))


@of_numbers
def build(*, m: Value, contacts: Value, n: Value, tau: Value) -> ContactScheme:
    """The mechanism by the names of its claim, for a population of n."""
    contact_count = integer("contacts", contacts)
    check_size("contacts", contact_count, integer("n", n))
    return ContactScheme(integer("m", m), contact_count, integer("tau", tau))


def profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    left: Triple,
    right: Triple,
    m: int,
    contacts: int,
    tau: int,
) -> Any:
    """Exact profile of three items with these counts on the two sides, from the joint laws in fractions."""
    laws = [histogram_law(counts, m, contacts, tau) for counts in (left, right)]
    keys = sorted({*laws[0], *laws[1]})
    return stick(
        A, epsilon, direction, [(A.number(laws[0].get(key, 0)), A.number(laws[1].get(key, 0))) for key in keys]
    )


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of histograms of at most three items."""
    keys = sorted({*neighbours.left, *neighbours.right})
    if len(keys) > 3:
        return ExactLaw()
    a, b, c = (*keys, "", "")[:3]  # the empty string is no item: its count is 0
    left, right = ((side.get(a, 0), side.get(b, 0), side.get(c, 0)) for side in (neighbours.left, neighbours.right))
    m, contacts, tau = (integer(name, parameters[name]) for name in ("m", "contacts", "tau"))
    return ExactLaw(partial(profile, left=left, right=right, m=m, contacts=contacts, tau=tau))


MECHANISM = MechanismSpec(
    id="sample_and_threshold_contacts", title="Sample-and-threshold histogram, Lemma 4's contact scheme", build=build,
    parameters={"m": 5, "contacts": 7, "n": 10, "tau": 2}, guarantee_claim="bharadwaj2022.lem4.delta",
    source="bharadwaj2022, Section 3.2, Lemma 4", privacy=CONTACTS, law=law,
)  # fmt: skip

CALIBRATOR = replace(ONE_SAMPLE, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="contacted_samples")
