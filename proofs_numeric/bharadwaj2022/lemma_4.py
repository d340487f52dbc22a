"""Lemma 4: the contact scheme, its likelihood ratio and its exact replacement delta."""

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic.finite_laws import Masses, binomial, image, released
from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.section_3_2 import Triple, contact_law, over_histograms
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves

M = Parameter("m", "expected sample size", "clients", 1, 300, integer=True)
C = Parameter("c", "standard deviations beyond m", lower=0, upper=10)
N = Parameter("n", "clients", "clients", 300, 10**6, integer=True, log=True)
EXTRA = Parameter("extra", "contacts beyond m", "clients", 1, 100, integer=True)
T = Parameter("t", "sample size", "clients", 0, 300, integer=True)


Contact = tuple[int, int, int, Fraction]


def contact_settings(size: int) -> Iterator[Contact]:
    """(k, other clients, contacts, rate)."""
    for n in range(3, min(size, 8) + 1):
        rates = (Fraction(1, 3), Fraction(3, 4))
        yield from ((k, n - k, contacts, rate) for k, contacts, rate in product(range(1, n), range(1, n), rates))


def contact_ratio_exact(case: Contact) -> bool:
    """Whether the ratio of the joint laws of the two visible cells is the claim's, at every count.

    P_D'/P_D of v of the item and t in all, D = (k a, n - k c), D' = (k - 1 a, 1 b, n - k c), is
    ``((k - v)/k) [1 + (s - t) r / ((1 - r)(n - t))]``, s contacts at rate r; b is hidden by the threshold.
    """
    k, others, contacts, rate = case
    left, right = (contact_law(counts, contacts, rate, 0) for counts in ((k, 0, others), (k - 1, 1, others)))
    visible = image(right, lambda output: (output[0], 0, output[2]))
    odds = rate / (1 - rate)

    def ratio(v: int, t: int) -> Fraction:
        return Fraction(k - v, k) * (1 + (contacts - t) * odds / (k + others - t))

    return all(visible.get((v, u, w), 0) == mass * ratio(v, v + w) for (v, u, w), mass in left.items())


m, c, n, t, extra = symbols("m c n t extra")
sample_exceeds = tail(n, m / n, floor(m + c * sqrt(m)) + 1)
"""``P[Bin(n, m/n) > m + c sqrt(m)]``."""
chernoff_third = exp(-c * c / 3)
poisson_size = mass(n, m / n, t)
contact_size = mass(m + extra, m / (m + extra), t)
"""``P[Bin(s, m/s) = t]``, s = m + extra contacts."""
FEW = Parameter("n", "clients", "clients", 3, 12, integer=True)
MEAN = Parameter("m", "expected sample size", "clients", 1, 12, integer=True)
CONTACTS = Parameter("contacts", "clients contacted", "clients", 1, 12, integer=True)
LOW = Parameter("tau", "threshold", "clients", 2, 6, integer=True)
Excess = tuple[tuple[Fraction, Fraction], ...]


@functools.lru_cache(maxsize=4096)
def histogram_law(counts: Triple, m: int, contacts: int, tau: int) -> Masses:
    """Masses of the thresholded counts of three items when s clients are contacted and take part at m/s, as fractions.

    Given the size t ~ Bin(s, m/s) all samples of t clients are alike: a joint count (x, y, z) has probability
    C(a, x) C(b, y) C(c, z) P[t]/C(n, t).
    """
    weight = {t: mass / math.comb(sum(counts), t) for t, mass in binomial(contacts, Fraction(m, contacts)).items()}
    sampled = (v for v in product(*(range(count + 1) for count in counts)) if sum(v) <= contacts)
    return released({v: math.prod(map(math.comb, counts, v)) * weight[sum(v)] for v in sampled}, tau)


@functools.lru_cache(maxsize=64)
def excesses(m: int, contacts: int, n: int, tau: int) -> tuple[Excess, ...]:
    """For every neighbouring pair the outcomes (P, Q) with P > Q.

    Three items are enough: given the two that change and the size, the others' counts have one law on both sides, and
    one item shows their total whenever any split of it shows a part.
    """
    pairs = []
    for a, b in product(range(1, n + 1), range(n)):
        if (c := n - a - b) < 0:
            continue
        here, there = (histogram_law(counts, m, contacts, tau) for counts in ((a, b, c), (a - 1, b + 1, c)))
        pairs.append(tuple((x, y) for key, x in here.items() if x > (y := there.get(key, Fraction(0)))))
    return tuple(pairs)


def contact_delta(A: Arithmetic, *, epsilon: Number, m: int, contacts: int, n: int, tau: int) -> Number:
    """Exact replacement delta of the contact scheme at epsilon >= 0: the largest hockey stick over all histograms."""
    factor, zero = A.exp(A.number(epsilon)), A.number(0)

    def stick(outcomes: Excess) -> Any:
        return A.sum(A.maximum(zero, A.number(x) - factor * A.number(y)) for x, y in outcomes)

    return A.maximum(zero, *map(stick, excesses(m, contacts, n, tau)))


def contact_delta_by_sizes(A: Arithmetic, *, epsilon: Number, m: int, contacts: int, n: int, tau: int) -> Any:
    """The same with each law mixed from samples of every size."""
    return over_histograms(A, epsilon, n, lambda counts: contact_law(counts, contacts, Fraction(m, contacts), tau))


CLAIMS = (
    refuted(
        "lem4.chern", "Lemma 4", "The sample exceeds m + c sqrt(m) with probability at most exp(-c^2/3)",
        r"\Pr[s>m+c\sqrt m]\le\exp(-c^2/3)", sample_exceeds <= chernoff_third, by="lem4.chern.corrected",
        domain=(M, C, N), note="Needs c <= sqrt(m); the recommended c = 10 fails for every m <= 15.", **PROBABILITY,
    ),
    own(
        "lem4.chern.corrected", "Lemma 4", "The bound holds for c <= sqrt(m)", r"c\le\sqrt m",
        sample_exceeds <= chernoff_third, domain=Box((M, C, N), at_most(c * c, m), "c^2 <= m"), **PROBABILITY,
    ),
    stated(
        "lem4.num", "Lemma 4", "c = 10 makes the probability negligible (m = 100, n = 1e6)",
        r"\Pr[s>m+10\sqrt m]<10^{-13}", sample_exceeds(m=100, c=10, n=10**6) < lift("1e-13"), note="For m >= 16.",
    ),
    refuted(
        "lem4.real", "Lemma 4", "Contacting m + c sqrt(m) clients at rate m/s realises the Poisson sample", None,
        eq(contact_size, poisson_size), by="lem4.fix",
        domain=Box((M, EXTRA, N, T), lambda *, m, extra, n, t: t <= m + extra <= n, "t <= m + extra <= n"), cost=2,
        note="The variance is m (s - m)/s, not m (1 - m/n); total variation 0.67 at n = 1e6, m = 1e5, c = 10.",
    ),
    own(
        "lem4.fix", "Lemma 4",
        "Drawing T ~ Bin(n, p) first and contacting T clients is the Poisson sample, up to P[T > s]",
        r"\Pr[T>m+10\sqrt m]\le10^{-20},\ n=10^6,\ m=10^5", sample_exceeds(m=10**5, c=10, n=10**6) < lift("1e-20"),
    ),
    stated(
        "lem4.priv", "Lemma 4", "The contact scheme has its own exact likelihood ratio",
        r"\tfrac{P_{D'}}{P_D}=\tfrac{k-v}k\left[1+\tfrac{(s-t)p'}{(1-p')(n-t)}\right]",
        FiniteStatement(contact_settings, contact_ratio_exact, sizes(5, 6, 8), "n"),
        note="The mechanism stays (epsilon, delta)-DP by this ratio, not by the coupling of the printed proof.",
    ),
    uncheckable(
        "lem4.abst.hash", "Lemma 4", "A hash of the client's identifier as the unique item", r"h(\mathrm{id})",
        Editorial(
            "an item based on a hash of its identifier", "an item outside the set of buckets",
            "A hash may collide with a real label, and then adds to its count.",
        ),
    ),
    own(
        "lem4.delta", "Lemma 4", "Exact replacement delta of the contact scheme",
        r"\max_{k_a+k_b+k_c=n}H_{e^\epsilon}(P_{k_a,k_b,k_c}\|P_{k_a-1,k_b+1,k_c})",
        DeltaBound(
            contact_delta, contact_delta_by_sizes,
            points("epsilon m contacts n tau", ("1/2", 3, 4, 6, 2), (0, 3, 3, 5, 2)),
        ),
        domain=Box(
            (LEVEL_TO_TEN, MEAN, CONTACTS, FEW, LOW), lambda *, epsilon, m, contacts, n, tau: m <= contacts <= n,
            "m <= contacts <= n",
        ),
        points=({"epsilon": 1, "m": 5, "contacts": 7, "n": 10, "tau": 2},), falls=("epsilon", "tau"), rises=("m",),
        moves={"tau": moves.THRESHOLD, "m": moves.THINNED}, privacy=neighbours.CONTACTS, cost=7,
        note="One contact beyond m already removes the leak m/n of fix.delta; sizes follow Bin(s, m/s) (lem4.real).",
    ),
)  # fmt: skip
