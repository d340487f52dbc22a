"""Section 4.2: quantiles by interactive search and by hierarchical histograms (Lemmas 8 and 9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.composition import RATE, basic, least_path
from proofs_numeric.bharadwaj2022.parameters import ALPHA, EPSILON_TO_ONE, P_S, TAU, own, refuted, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement, Identity, Inequality, Quantity

N = Parameter("n", "clients", unit="clients", lower=1000, upper=10**12, integer=True, log=True)
N_SMALL = replace(N, lower=400, upper=20_000)
LEVELS = Parameter("levels", "depth of the trie", unit="levels", lower=1, upper=30, integer=True)
BETA = Parameter("beta", "branching factor", unit="children", lower=2, upper=16, integer=True)
SHARE = Parameter("share", "fraction of clients below the split", lower=0, upper=1)

Chunk = tuple[int, int]
"""(level, index): the interval [index, index + 1] beta^-level."""


def chunks(r: Fraction, beta: int, levels: int) -> list[Chunk]:
    """Greedy cover of [0, r]: at each level the whole buckets left of r that no coarser one covers."""
    covered, found = Fraction(0), []
    for level in range(1, levels + 1):
        width = Fraction(1, beta**level)
        while covered + width <= r:
            found.append((level, int(covered / width)))
            covered += width
    return found


def bucket(x: Fraction, beta: int, level: int) -> tuple[Fraction, Fraction]:
    """The bucket of a level that holds x."""
    index = int(x * beta**level)
    return Fraction(index, beta**level), Fraction(index + 1, beta**level)


Query = tuple[Fraction, int, int]


def queries(size: int) -> Iterator[Query]:
    """(r, beta, L) with r a multiple of beta^-L in [0, 1]."""
    for beta, levels in product((2, 3, 4), range(1, min(size, 4) + 1)):
        for index in range(beta**levels + 1):
            yield Fraction(index, beta**levels), beta, levels


def proper_queries(size: int) -> Iterator[Query]:
    """The same with r < 1."""
    return (query for query in queries(size) if query[0] < 1)


def few_probes(query: Query) -> bool:
    """Whether the greedy cover has at most L (beta - 1) chunks."""
    r, beta, levels = query
    return len(chunks(r, beta, levels)) <= levels * (beta - 1)


Leaves = tuple[tuple[int, ...], int, Fraction]


def sampled_leaves(size: int) -> Iterator[Leaves]:
    """(sampled weights of four leaves, tau, r): beta = 2, L = 2."""
    for weights in product(range(min(size, 5)), repeat=4):
        for tau in (2, 3):
            for index in range(4):
                yield weights, tau, Fraction(index, 4)


def pruning_error_bounded(case: Leaves) -> bool:
    """Whether pruning loses less than tau for each of at most L (beta - 1) chunks."""
    weights, tau, r = case
    lost = 0
    for level, index in chunks(r, 2, 2):
        span = 4 // 2**level
        weight = sum(weights[index * span : (index + 1) * span])
        lost += weight if weight < tau else 0
    return lost <= 2 * (tau - 1)


def examples_of_section(size: int) -> Iterator[int]:
    """The two worked examples, once."""
    return iter(range(min(size, 1)))


def one_third(_case: int) -> bool:
    """Whether 1/3 lies in [1/4, 1/2] at level 1 and in [5/16, 6/16] at level 2."""
    first, second = (bucket(Fraction(1, 3), 4, level) for level in (1, 2))
    return first == (Fraction(1, 4), Fraction(1, 2)) and second == (Fraction(5, 16), Fraction(6, 16))


def seven_tenths(_case: int) -> bool:
    """Whether [0, 0.7] starts with two chunks at level 1 and [8/16 .. 11/16] at level 2."""
    return chunks(Fraction(7, 10), 4, 2) == [(1, 0), (1, 1), (2, 8), (2, 9), (2, 10)]


def split_error(A: Arithmetic, *, n: int, p_s: Any, share: Any) -> Any:
    """``P[|B - E B| > 3 sqrt(m)]`` for the sampled count B of the clients below a split, m = n p."""
    below = cells.floor_of(A, n * A.number(share) + A.number("1/3"))
    mean, reach = below * A.number(p_s), 3 * A.sqrt(n * A.number(p_s))
    high = cells.floor_of(A, mean + reach) + 1
    low = -cells.floor_of(A, reach - mean) - 1
    return cells.upper_tail(A, below, p_s, high) + cells.lower_tail(A, below, p_s, low)


def bernstein(A: Arithmetic, *, n: int, p_s: Any, share: Any) -> Any:
    """``2 exp(-(9/2)/(1 + 1/sqrt(m)))``: Bernstein at 3 sqrt(m) with variance at most m."""
    del share
    return 2 * A.exp(-A.number("9/2") / (1 + 1 / A.sqrt(n * A.number(p_s))))


def printed_error(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Any) -> Any:
    """``(L tau)^2/(epsilon n)`` (Lemma 9)."""
    del A
    return (levels * tau) ** 2 / (epsilon * n)


def printed_sample(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Any) -> Any:
    """``m = epsilon n/(L tau)``: the setting behind Lemma 9."""
    del A
    return epsilon * n / (levels * tau)


def node_deviation(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Any) -> Any:
    """Standard deviation of the sampled weight of one node that holds half of the clients, over m."""
    m = printed_sample(A, n=n, levels=levels, tau=tau, epsilon=epsilon)
    return A.sqrt((1 - m / n) / (2 * m))


def corrected_error(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Any) -> Any:
    """``(L tau)^2/(epsilon n) + sqrt(L tau/(epsilon n))``: pruning and one standard deviation of sampling."""
    point = {"n": n, "levels": levels, "tau": tau, "epsilon": epsilon}
    return printed_error(A, **point) + 1 / A.sqrt(printed_sample(A, **point))


def _sample_exists(*, n: Any, levels: Any, tau: Any, epsilon: Any) -> bool:
    return bool(epsilon * n >= levels * tau)


def pruning_total(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Any, alpha: Any, beta: int) -> Any:
    """``L (beta - 1) tau/m`` at Section 3's m = alpha (1 - e^-epsilon) n, a level's epsilon."""
    m = n * cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)
    return levels * (beta - 1) * tau / m


def pruning_as_printed(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Any, alpha: Any, beta: int) -> Any:
    """``(beta - 1)(L tau)^2/(epsilon n)``."""
    del alpha
    return (beta - 1) * printed_error(A, n=n, levels=levels, tau=tau, epsilon=epsilon)


_LEMMA_9 = Box((N, LEVELS, replace(TAU, upper=100), EPSILON_TO_ONE), _sample_exists, "epsilon n >= levels tau")
_PRUNING = (N, LEVELS, replace(TAU, upper=100), EPSILON_TO_ONE, replace(ALPHA, lower="1/10"), BETA)
_SMALL = {"quick": 3, "standard": 4, "deep": 4}
_ONCE = {"quick": 1, "standard": 1, "deep": 1}
_LEVELS: dict[str, Any] = {
    "kind": DeltaBound(basic, exact=least_path),
    "domain": RATE,
    "quantity": QuantityKind.DELTA,
    "role": Role.UPPER,
    "cost": 5,
}

CLAIMS = (
    stated(
        "lem8.stmt",
        "Lemma 8",
        "One split's rank is off by more than 3/sqrt(m) with probability below Bernstein's bound",
        r"f\pm2^{-h}\text{ is a }\phi\pm O(m^{-1/2})\text{ quantile}",
        Inequality(split_error, bernstein),
        domain=Box((N_SMALL, P_S, SHARE)),
        note="For constant tau (tau <= sqrt m) and phi < 1 - tau/m, which the statement omits; the union over h steps "
        "adds sqrt(log h).",
    ),
    own(
        "lem8.rate",
        "Lemma 8",
        "L steps of the search at total epsilon: L times the exact delta of a step at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)",
        assumptions=("a fresh independent sample at each step",),
        privacy=neighbours.SPLIT,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one of a step's two buckets.",
        **_LEVELS,
    ),
    stated(
        "sec42.ex13",
        "Section 4.2",
        "1/3 falls in [0.25, 0.5] and [5/16, 6/16]",
        r"\tfrac13\in[\tfrac14,\tfrac12],[\tfrac5{16},\tfrac6{16}]",
        FiniteStatement(examples_of_section, one_third, _ONCE, "example", complete=True),
    ),
    stated(
        "sec42.ex07",
        "Section 4.2",
        "[0, 0.7] is two chunks at level 1 and three at level 2",
        r"[0,0.7]",
        FiniteStatement(examples_of_section, seven_tenths, _ONCE, "example", complete=True),
    ),
    refuted(
        "sec42.probes",
        "Section 4.2",
        "Any prefix query is answered with L (beta - 1) probes",
        r"\le L(\beta-1)",
        FiniteStatement(queries, few_probes, _SMALL, "L"),
        by="sec42.probes.corrected",
        note="E16: r = 1 at L = 1 needs beta probes.",
    ),
    own(
        "sec42.probes.corrected",
        "Section 4.2",
        "Every query with r < 1 is answered with L (beta - 1) probes",
        r"r<1",
        FiniteStatement(proper_queries, few_probes, _SMALL, "L"),
    ),
    stated(
        "sec42.prune",
        "Section 4.2",
        "Pruning loses at most (beta - 1) tau/m a level",
        r"L(\beta-1)\tau/m",
        FiniteStatement(sampled_leaves, pruning_error_bounded, {"quick": 4, "standard": 5, "deep": 5}, "weight"),
        note="Of sampled weight.",
    ),
    refuted(
        "sec42.m",
        "Section 4.2",
        "Section 3's sample size is epsilon n/(L tau)",
        r"\alpha(1-e^{-\epsilon})n=\epsilon n/(L\tau)",
        Identity(
            lambda A, *, n, levels, tau, epsilon, alpha: n * cells.sampling_rate(A, epsilon=epsilon, alpha=alpha),  # noqa: ARG005
            lambda A, *, n, levels, tau, epsilon, alpha: printed_sample(  # noqa: ARG005
                A, n=n, levels=levels, tau=tau, epsilon=epsilon
            ),
        ),
        by="sec42.m.corrected",
        domain=Box(_PRUNING[:-1]),
        note="The factor tau is TrieHH's setting; Section 3 has m = alpha (1 - e^-epsilon) n a level.",
    ),
    own(
        "sec42.m.corrected",
        "Section 4.2",
        "At Section 3's sample size the printed total still bounds the pruning error when tau is at least 16",
        r"L(\beta-1)\tau/m\le(\beta-1)(L\tau)^2/(\epsilon n)",
        Inequality(pruning_total, pruning_as_printed),
        domain=Box((N, LEVELS, replace(TAU, lower=16, upper=100), *_PRUNING[3:])),
    ),
    refuted(
        "lem9.stmt",
        "Lemma 9",
        "The rank error is (L tau)^2/(epsilon n): one node's standard deviation is below it",
        r"\phi\pm O((L\tau)^2/\epsilon n)",
        Inequality(node_deviation, printed_error),
        by="lem9.stmt.corrected",
        domain=_LEMMA_9,
        note="E11: the sampling error is missing and dominates for large n; the resolution is beta^-L.",
    ),
    own(
        "lem9.stmt.corrected",
        "Lemma 9",
        "With the sampling term one standard deviation is covered",
        r"\phi\pm O((L\tau)^2/\epsilon n+\sqrt{1/m})",
        Inequality(node_deviation, corrected_error),
        domain=_LEMMA_9,
    ),
    own(
        "lem9.rate",
        "Lemma 9",
        "A hierarchical histogram of L levels at total epsilon: L times the exact delta of a level at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)",
        assumptions=("a fresh independent sample at each level",),
        privacy=neighbours.VALUE,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one bucket of a level.",
        **_LEVELS,
    ),
    stated(
        "lem9.num",
        "Section 4.2",
        "The bound is 1e4/n at tau = L = 10, epsilon = 1",
        r"10^4/n",
        Quantity(lambda A: printed_error(A, n=1, levels=10, tau=10, epsilon=A.number(1)), "10000"),
        note="At n = 1e6 the omitted sampling error is of the same size.",
    ),
)
