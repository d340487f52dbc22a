"""Lemma 4 of bharadwaj2022: s clients are contacted and each takes part with probability m/s.

The sample's size is Bin(s, m/s), not the Bin(n, m/n) of a Poisson sample: the lemma's coupling does not apply, and the
likelihood ratio is another one, ((k - v)/k) (1 + (s - t) m/((s - m)(n - t))) with t clients in the sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Boundary, MechanismSpec, of_numbers, of_pairs
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold.fixed_size_sample import DrawnSample, adjacency, check_size
from mechanisms.sample_and_threshold.mechanism import check_tau, check_whole, integer
from mechanisms.sample_and_threshold.replacement import named
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.contact_scheme import histogram_law
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


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
def build(*, m: Exact, contacts: Exact, n: Exact, tau: Exact) -> ContactScheme:
    """The mechanism by the names of its claim, for a population of n."""
    asked = integer("contacts", contacts)
    check_size("contacts", asked, integer("n", n))
    return ContactScheme(integer("m", m), asked, integer("tau", tau))


def replaced(
    A: Any, epsilon: Any, direction: Direction, *, counts: tuple[int, int, int], m: int, contacts: int, tau: int
) -> Any:
    """Exact profile of (a, b, c) against (a - 1, b + 1, c) clients, from the joint laws in fractions."""
    a, b, c = counts
    laws = [histogram_law(side, m, contacts, tau) for side in ((a, b, c), (a - 1, b + 1, c))]
    keys = sorted(set(laws[0]) | set(laws[1]))
    left, right = ([A.number(law.get(key, 0)) for key in keys] for law in laws)
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def contact_pair(pair_id: str, counts: tuple[int, int, int], parameters: Parameters, description: str) -> Pair:
    """Items k0, k1, k2 with these counts in left; one client moves from k0 to k1."""
    m, contacts, tau = (integer(name, parameters[name]) for name in ("m", "contacts", "tau"))
    a, b, c = counts
    profile = partial(replaced, counts=counts, m=m, contacts=contacts, tau=tau)
    return Pair(pair_id, named(a, b, c), named(a - 1, b + 1, c), description, adjacency(parameters), profile)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """The pair of the fixed-size leak, one item at tau, and two items that share the clients."""
    n, tau = integer("n", parameters["n"]), integer("tau", parameters["tau"])
    return (
        contact_pair("unique", (1, n - 1, 0), parameters, "a unique item beside n - 1 copies: the fixed-size leak"),
        contact_pair("at_tau", (tau, n - tau, 0), parameters, "tau copies beside the other clients"),
        contact_pair("apart", (tau, 0, n - tau), parameters, "tau copies, one of which becomes a new item"),
    )


MECHANISM = MechanismSpec(
    id="sample_and_threshold_contacts",
    title="Sample-and-threshold histogram, Lemma 4's contact scheme",
    build=build,
    parameters={"m": 5, "contacts": 7, "n": 10, "tau": 2},
    guarantee_claim="bharadwaj2022.lem4.delta",
    **of_pairs(adjacency, pairs),
    source="bharadwaj2022, Section 3.2, Lemma 4",
)
