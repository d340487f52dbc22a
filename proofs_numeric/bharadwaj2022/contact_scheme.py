"""Section 3.2: exact replacement delta of fixed-size samples and of Lemma 4's contact scheme."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.fixed_size import contact_law, fixed_size_law
from proofs_numeric.bharadwaj2022.parameters import EPSILON, own
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.kinds import DeltaBound

LEVEL = Parameter(EPSILON.name, EPSILON.description, unit="nats", lower=0, upper=10)
N = Parameter("n", "clients", unit="clients", lower=3, upper=10**6, integer=True, log=True)
M = Parameter("m", "sample size", unit="clients", lower=2, upper=10**6, integer=True, log=True)
TAU = Parameter("tau", "threshold", unit="clients", lower=2, upper=10**6, integer=True, log=True)
FEW = Parameter("n", "clients", unit="clients", lower=3, upper=12, integer=True)
MEAN = Parameter("m", "expected sample size", unit="clients", lower=1, upper=12, integer=True)
CONTACTS = Parameter("contacts", "clients contacted", unit="clients", lower=1, upper=12, integer=True)
LOW = Parameter("tau", "threshold", unit="clients", lower=2, upper=6, integer=True)

Triple = tuple[int, int, int]
Excess = tuple[tuple[Fraction, Fraction], ...]


def triples(n: int) -> Iterator[Triple]:
    """Counts (a, b, others) of n clients with at least one a, whose value is replaced by b."""
    return ((a, b, n - a - b) for a in range(1, n + 1) for b in range(n - a + 1))


@functools.lru_cache(maxsize=4096)
def histogram_law(counts: Triple, m: int, contacts: int, tau: int) -> Mapping[Triple, Fraction]:
    """Law of the thresholded counts of three items when s clients are contacted and take part at m/s, as fractions.

    Given the size t ~ Bin(s, m/s) all samples of t clients are alike: a joint count (x, y, z) has probability
    C(a, x) C(b, y) C(c, z) P[t]/C(n, t).
    """
    rate, n = Fraction(m, contacts), sum(counts)
    weight = [
        math.comb(contacts, t) * rate**t * (1 - rate) ** (contacts - t) / math.comb(n, t) for t in range(contacts + 1)
    ]
    found: dict[Triple, Fraction] = {}
    for x, y, z in product(*(range(count + 1) for count in counts)):
        if x + y + z <= contacts:
            shown = (x if x >= tau else 0, y if y >= tau else 0, z if z >= tau else 0)
            ways = math.comb(counts[0], x) * math.comb(counts[1], y) * math.comb(counts[2], z)
            found[shown] = found.get(shown, Fraction(0)) + ways * weight[x + y + z]
    return found


@functools.lru_cache(maxsize=64)
def excesses(m: int, contacts: int, n: int, tau: int) -> tuple[Excess, ...]:
    """For every neighbouring pair the outcomes (P, Q) with P > Q.

    Three items are enough: given the two that change and the size, the others' counts have one law on both sides, and
    one item shows their total whenever any split of it shows a part.
    """
    pairs = []
    for a, b, c in triples(n):
        left, right = (histogram_law(counts, m, contacts, tau) for counts in ((a, b, c), (a - 1, b + 1, c)))
        apart = ((mass, right.get(key, Fraction(0))) for key, mass in left.items())
        pairs.append(tuple((x, y) for x, y in apart if x > y))
    return tuple(pairs)


def contact_delta(A: Arithmetic, *, epsilon: Any, m: int, contacts: int, n: int, tau: int) -> Any:
    """Exact replacement delta of the contact scheme at epsilon >= 0: the largest hockey stick over all histograms."""
    factor, zero = A.exp(A.number(epsilon)), A.number(0)

    def stick(outcomes: Excess) -> Any:
        return A.sum(A.maximum(zero, A.number(x) - factor * A.number(y)) for x, y in outcomes)

    return A.maximum(zero, *map(stick, excesses(m, contacts, n, tau)))


def contact_delta_by_sizes(A: Arithmetic, *, epsilon: Any, m: int, contacts: int, n: int, tau: int) -> Any:
    """The same with each law mixed from samples of every size, over all histograms of three items."""
    factor, rate = A.exp(A.number(epsilon)), Fraction(m, contacts)
    best = A.number(0)
    for a, b, c in triples(n):
        left, right = (contact_law(counts, contacts, rate, tau) for counts in ((a, b, c), (a - 1, b + 1, c)))
        total = A.number(0)
        for key in left:
            total += A.maximum(A.number(0), A.number(left[key]) - factor * A.number(right.get(key, Fraction(0))))
        best = A.maximum(best, total)
    return best


def fixed_delta(A: Arithmetic, *, epsilon: Any, m: int, n: int, tau: int) -> Any:
    """``m/n``: with the replaced client outside the sample nothing changes, and the paper's pair attains it."""
    del epsilon, tau
    return A.number(Fraction(m, n))


def fixed_delta_by_samples(A: Arithmetic, *, epsilon: Any, m: int, n: int, tau: int) -> Any:
    """The same from the laws of all histograms of three items."""
    factor = A.exp(A.number(epsilon))
    best = A.number(0)
    for a, b, c in triples(n):
        left, right = (fixed_size_law(counts, m, tau) for counts in ((a, b, c), (a - 1, b + 1, c)))
        total = A.number(0)
        for key in left:
            total += A.maximum(A.number(0), A.number(left[key]) - factor * A.number(right.get(key, Fraction(0))))
        best = A.maximum(best, total)
    return best


CLAIMS = (
    own(
        "fix.delta",
        "Section 3.2",
        "A sample of fixed size has delta m/n at every epsilon",
        r"\delta(\epsilon)=m/n",
        DeltaBound(
            fixed_delta,
            oracle=fixed_delta_by_samples,
            oracle_points=(
                {"epsilon": 1, "m": 4, "n": 8, "tau": 2},
                {"epsilon": "1/10", "m": 3, "n": 7, "tau": 3},
                {"epsilon": 0, "m": 5, "n": 6, "tau": 2},
            ),
        ),
        domain=Box((LEVEL, M, N, TAU), lambda *, epsilon, m, n, tau: tau <= m <= n, "tau <= m <= n"),  # noqa: ARG005
        points=({"epsilon": 1, "m": 12, "n": 41, "tau": 5}, {"epsilon": 1, "m": 105, "n": 1000, "tau": 20}),
        quantity=QuantityKind.DELTA,
        privacy=neighbours.FIXED_SIZE,
        note="Replacement neighbours. At tau = 1 the labels tell as much; with m < tau nothing is shown.",
    ),
    own(
        "lem4.delta",
        "Lemma 4",
        "Exact replacement delta of the contact scheme",
        r"\max_{k_a+k_b+k_c=n}H_{e^\epsilon}(P_{k_a,k_b,k_c}\|P_{k_a-1,k_b+1,k_c})",
        DeltaBound(
            contact_delta,
            oracle=contact_delta_by_sizes,
            oracle_points=(
                {"epsilon": "1/2", "m": 3, "contacts": 4, "n": 6, "tau": 2},
                {"epsilon": 0, "m": 3, "contacts": 3, "n": 5, "tau": 2},
            ),
        ),
        domain=Box(
            (LEVEL, MEAN, CONTACTS, FEW, LOW),
            lambda *, epsilon, m, contacts, n, tau: m <= contacts <= n,  # noqa: ARG005
            "m <= contacts <= n",
        ),
        points=({"epsilon": 1, "m": 5, "contacts": 7, "n": 10, "tau": 2},),
        quantity=QuantityKind.DELTA,
        privacy=neighbours.CONTACTS,
        cost=7,
        note="One contact beyond m already removes the leak m/n of fix.delta; sizes follow Bin(s, m/s) (lem4.real).",
    ),
)
