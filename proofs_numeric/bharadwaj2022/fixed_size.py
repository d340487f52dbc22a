"""Section 3.2: fixed-size samples and their leak, Lemma 4, and the contact scheme with its exact likelihood ratio."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import own, refuted, stated, uncheckable
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import Editorial, FiniteStatement, Identity, Inequality, Relation

M = Parameter("m", "expected sample size", unit="clients", lower=1, upper=300, integer=True)
C = Parameter("c", "standard deviations beyond m", lower=0, upper=10)
N = Parameter("n", "clients", unit="clients", lower=300, upper=10**6, integer=True, log=True)
EXTRA = Parameter("extra", "contacts beyond m", unit="clients", lower=1, upper=100, integer=True)
T = Parameter("t", "sample size", unit="clients", lower=0, upper=300, integer=True)

Joint = dict[tuple[int, ...], Fraction]


def fixed_size_law(counts: tuple[int, ...], m: int, tau: int) -> Joint:
    """Law of the thresholded histogram of ``m`` clients drawn without replacement."""
    law: Joint = {}
    for drawn in product(*(range(count + 1) for count in counts)):
        if sum(drawn) == m:
            shown = tuple(v if v >= tau else 0 for v in drawn)
            ways = math.prod(math.comb(count, v) for count, v in zip(counts, drawn, strict=True))
            law[shown] = law.get(shown, Fraction(0)) + Fraction(ways, math.comb(sum(counts), m))
    return law


def contact_law(counts: tuple[int, ...], contacts: int, rate: Fraction, tau: int) -> Joint:
    """Law of the thresholded histogram when ``contacts`` clients are drawn and each takes part at ``rate``."""
    law: Joint = {}
    for t in range(contacts + 1):
        mass = math.comb(contacts, t) * rate**t * (1 - rate) ** (contacts - t)
        for shown, given in fixed_size_law(counts, t, tau).items():
            law[shown] = law.get(shown, Fraction(0)) + mass * given
    return law


def stick(left: Joint, right: Joint, factor: Fraction) -> Fraction:
    """Hockey stick of two finite laws."""
    excess = (mass - factor * right.get(key, Fraction(0)) for key, mass in left.items())
    return sum((x for x in excess if x > 0), Fraction(0))


Fixed = tuple[int, int, int, Fraction]


def fixed_settings(size: int) -> Iterator[Fixed]:
    """(n, m, tau, e^epsilon) with m >= tau >= 2."""
    for n in range(3, size + 1):
        for m in range(2, n):
            for tau in range(2, m):
                for factor in (Fraction(11, 10), Fraction(3)):
                    yield n, m, tau, factor


def leak_is_rate(case: Fixed) -> bool:
    """Whether the pair (n - 1 copies and a unique item, n copies) has delta exactly m / n."""
    n, m, tau, factor = case
    left, right = fixed_size_law((n - 1, 1), m, tau), fixed_size_law((n, 0), m, tau)
    return stick(left, right, factor) == Fraction(m, n)


def leak_is_worst(case: Fixed) -> bool:
    """Whether no replacement of one client over three items exceeds m / n."""
    n, m, tau, factor = case
    return all(
        stick(fixed_size_law((a, b, n - a - b), m, tau), fixed_size_law((a - 1, b + 1, n - a - b), m, tau), factor)
        <= Fraction(m, n)
        for a in range(1, n + 1)
        for b in range(n - a + 1)
    )


def contact_ratio(k: int, others: int, contacts: int, rate: Fraction, v: int, t: int) -> Fraction:
    """Ratio P_D'/P_D of a joint count: v of the item, t in all, D = (k a, n - k c), D' = (k - 1 a, 1 b, n - k c).

    ``((k - v)/k) [1 + (s - t) r / ((1 - r)(n - t))]``, s contacts at rate r; b is hidden by the threshold.
    """
    n = k + others
    return Fraction(k - v, k) * (1 + Fraction(contacts - t) * rate / ((1 - rate) * (n - t)))


Contact = tuple[int, int, int, Fraction]


def contact_settings(size: int) -> Iterator[Contact]:
    """(k, other clients, contacts, rate)."""
    for n in range(3, min(size, 8) + 1):
        for k in range(1, n):
            for contacts in range(1, n):
                for rate in (Fraction(1, 3), Fraction(3, 4)):
                    yield k, n - k, contacts, rate


def contact_ratio_exact(case: Contact) -> bool:
    """Whether the ratio formula is the ratio of the joint laws of the two visible cells, at every count."""
    k, others, contacts, rate = case
    left = contact_law((k, 0, others), contacts, rate, 0)
    right = contact_law((k - 1, 1, others), contacts, rate, 0)
    visible: Joint = {}
    for (v, _unique, w), mass in right.items():
        visible[(v, 0, w)] = visible.get((v, 0, w), Fraction(0)) + mass
    return all(
        visible.get(key, Fraction(0)) == mass * contact_ratio(k, others, contacts, rate, key[0], key[0] + key[2])
        for key, mass in left.items()
    )


def typically_above_one_over_n(case: Fixed) -> bool:
    """Whether m / n exceeds 1 / n, the usual size of delta."""
    n, m, _tau, _factor = case
    return Fraction(m, n) > Fraction(1, n)


def distinguishable_abstention(case: Contact) -> bool:
    """Whether counting abstentions gives the sample size away: sizes of all samples are then known, and leak p.

    With the size known, (k copies and one unique item) shows a gap of one with probability rate; k + 1 copies never do.
    """
    k, _others, contacts, rate = case
    n, tau = k + 1, 2
    joint: Joint = {}
    for t in range(min(contacts, n) + 1):
        mass = math.comb(min(contacts, n), t) * rate**t * (1 - rate) ** (min(contacts, n) - t)
        for shown, given in fixed_size_law((k, 1), t, tau).items():
            joint[(*shown, t)] = joint.get((*shown, t), Fraction(0)) + mass * given
    gap = sum((m for (a, b, t), m in joint.items() if a >= tau and a + b == t - 1), Fraction(0))
    reach = sum((m for (a, _b, _t), m in joint.items() if a >= tau), Fraction(0))
    return gap > 0 or reach == 0 or contacts < tau + 1


def sample_exceeds(A: Arithmetic, *, m: int, c: Any, n: int) -> Any:
    """``P[Bin(n, m/n) > m + c sqrt(m)]``."""
    p = A.number(m) / n
    return cells.upper_tail(A, n, p, cells.floor_of(A, m + c * A.sqrt(A.number(m))) + 1)


def chernoff_third(A: Arithmetic, *, m: int, c: Any, n: int) -> Any:
    """``exp(-c^2/3)``."""
    del m, n
    return A.exp(-c * c / 3)


def _within_root(*, m: Any, c: Any, n: Any) -> bool:
    del n
    return bool(c * c <= m)


def poisson_size(A: Arithmetic, *, m: int, extra: int, n: int, t: int) -> Any:
    """``P[Bin(n, m/n) = t]``."""
    del extra
    p = A.number(m) / n
    return A.number(math.comb(n, t)) * p**t * (1 - p) ** (n - t)


def contact_size(A: Arithmetic, *, m: int, extra: int, n: int, t: int) -> Any:
    """``P[Bin(s, m/s) = t]``, s = m + extra contacts."""
    del n
    s = m + extra
    p = A.number(m) / s
    return A.number(math.comb(s, t)) * p**t * (1 - p) ** (s - t)


_CHERNOFF = Box((M, C, N))

CLAIMS = (
    stated(
        "fix.ce",
        "Section 3.2",
        "A fixed-size sample has delta m/n on the paper's pair",
        r"\delta\ge m/n",
        FiniteStatement(fixed_settings, leak_is_rate, {"quick": 8, "standard": 12, "deep": 20}, "n"),
        note="For m > tau >= 2: with m < tau both outputs are empty. Exactly m/n at every epsilon.",
    ),
    own(
        "fix.tight",
        "Section 3.2",
        "No other replacement pair over three items exceeds m/n",
        r"\delta=m/n",
        FiniteStatement(fixed_settings, leak_is_worst, {"quick": 6, "standard": 8, "deep": 12}, "n"),
    ),
    stated(
        "fix.typ",
        "Section 3.2",
        "m/n is above 1/n",
        r"m/n>1/n",
        FiniteStatement(fixed_settings, typically_above_one_over_n, {"quick": 6, "standard": 8, "deep": 12}, "n"),
    ),
    refuted(
        "lem4.chern",
        "Lemma 4",
        "The sample exceeds m + c sqrt(m) with probability at most exp(-c^2/3)",
        r"\Pr[s>m+c\sqrt m]\le\exp(-c^2/3)",
        Inequality(sample_exceeds, chernoff_third),
        by="lem4.chern.corrected",
        domain=_CHERNOFF,
        note="E7: needs c <= sqrt(m); the recommended c = 10 fails for every m <= 15.",
    ),
    own(
        "lem4.chern.corrected",
        "Lemma 4",
        "The bound holds for c <= sqrt(m)",
        r"c\le\sqrt m",
        Inequality(sample_exceeds, chernoff_third),
        domain=Box((M, C, N), _within_root, "c^2 <= m"),
    ),
    stated(
        "lem4.num",
        "Lemma 4",
        "c = 10 makes the probability negligible (m = 100, n = 1e6)",
        r"\Pr[s>m+10\sqrt m]<10^{-13}",
        Inequality(lambda A: sample_exceeds(A, m=100, c=10, n=10**6), lambda A: A.number("1e-13"), Relation.LESS),
        note="For m >= 16.",
    ),
    refuted(
        "lem4.real",
        "Lemma 4",
        "Contacting m + c sqrt(m) clients at rate m/s realises the Poisson sample",
        r"\mathrm{Bin}(s,m/s)=\mathrm{Bin}(n,m/n)",
        Identity(contact_size, poisson_size),
        by="lem4.fix",
        domain=Box((M, EXTRA, N, T), lambda *, m, extra, n, t: t <= m + extra <= n, "t <= m + extra <= n"),
        cost=2,
        note="E7: the variance is m (s - m)/s, not m (1 - m/n); total variation 0.67 at n = 1e6, m = 1e5, c = 10.",
    ),
    own(
        "lem4.fix",
        "Lemma 4",
        "Drawing T ~ Bin(n, p) first and contacting T clients is the Poisson sample, up to P[T > s]",
        r"\Pr[T>m+10\sqrt m]\le10^{-20},\ n=10^6,\ m=10^5",
        Inequality(lambda A: sample_exceeds(A, m=10**5, c=10, n=10**6), lambda A: A.number("1e-20"), Relation.LESS),
    ),
    stated(
        "lem4.priv",
        "Lemma 4",
        "The contact scheme has its own exact likelihood ratio",
        r"\tfrac{P_{D'}}{P_D}=\tfrac{k-v}k\left[1+\tfrac{(s-t)p'}{(1-p')(n-t)}\right]",
        FiniteStatement(contact_settings, contact_ratio_exact, {"quick": 5, "standard": 6, "deep": 8}, "n"),
        note="The mechanism stays (epsilon, delta)-DP by this ratio, not by the coupling of the printed proof.",
    ),
    stated(
        "lem4.abst",
        "Lemma 4",
        "Abstentions that can be counted give the sample size away",
        r"T=s-A",
        FiniteStatement(contact_settings, distinguishable_abstention, {"quick": 6, "standard": 7, "deep": 8}, "n"),
        note="The paper says an abstention is an item nobody holds; if it is recognisable, the size is known.",
    ),
    uncheckable(
        "lem4.abst.hash",
        "Lemma 4",
        "A hash of the client's identifier as the unique item",
        r"h(\mathrm{id})",
        Editorial(
            "an item based on a hash of its identifier",
            "an item outside the set of buckets",
            "A hash may collide with a real label, and then adds to its count.",
        ),
    ),
)
