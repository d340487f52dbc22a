"""Section 4.2: ranges as chunks of a hierarchical histogram, and what pruning loses."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.quantiles import LEVELS, N, n, printed_error, printed_sample
from proofs_numeric.expression.vocabulary import *

BETA = Parameter("beta", "branching factor", "children", 2, 16, integer=True)
Chunk = tuple[int, int]
"""(level, index): the interval [index, index + 1] beta^-level."""


def chunks(r: Fraction, beta: int, levels: int) -> list[Chunk]:
    """Greedy cover of [0, r]: at each level the whole buckets left of r that no coarser one covers."""
    covered, results = Fraction(0), []
    for level in range(1, levels + 1):
        width = Fraction(1, beta**level)
        while covered + width <= r:
            results.append((level, int(covered / width)))
            covered += width
    return results


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


def _probes(query: Query) -> dict[str, Fraction | int]:
    r, beta, levels = query
    sides = {"probes": len(chunks(r, beta, levels)), "L (beta - 1)": levels * (beta - 1)}
    return {"r": r, "beta": beta, "L": levels, **sides}


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


beta, depth, least = symbols("beta levels tau")
_sample = n * sampling_rate
"""Section 3's ``m = alpha (1 - e^-epsilon) n``, a level's epsilon."""
_PRUNING = (N, LEVELS, replace(TAU, upper=100), EPSILON_TO_ONE, replace(ALPHA, lower="1/10"), BETA)
_SMALL = sizes(3, 4, 4)
_ONCE = sizes(1, 1, 1)

_rate = -expm1(-epsilon)

CLAIMS = (
    stated(
        "sec42.ex13", "Section 4.2", "1/3 falls in [0.25, 0.5] and [5/16, 6/16]",
        r"\tfrac13\in[\tfrac14,\tfrac12],[\tfrac5{16},\tfrac6{16}]",
        FiniteStatement(examples_of_section, one_third, _ONCE, "example", complete=True),
    ),
    stated(
        "sec42.ex07", "Section 4.2", "[0, 0.7] is two chunks at level 1 and three at level 2", r"[0,0.7]",
        FiniteStatement(
            examples_of_section,
            lambda _case: chunks(Fraction(7, 10), 4, 2) == [(1, 0), (1, 1), (2, 8), (2, 9), (2, 10)], _ONCE, "example",
            complete=True,
        ),
    ),
    refuted(
        "sec42.probes", "Section 4.2", "Any prefix query is answered with L (beta - 1) probes", r"\le L(\beta-1)",
        FiniteStatement(queries, few_probes, _SMALL, "L", describe=_probes), by="sec42.probes.corrected",
        note="r = 1 at L = 1 needs beta probes.",
    ),
    own(
        "sec42.probes.corrected", "Section 4.2", "Every query with r < 1 is answered with L (beta - 1) probes", r"r<1",
        FiniteStatement(lambda size: (query for query in queries(size) if query[0] < 1), few_probes, _SMALL, "L"),
    ),
    stated(
        "sec42.prune", "Section 4.2", "Pruning loses at most (beta - 1) tau/m a level", r"L(\beta-1)\tau/m",
        FiniteStatement(sampled_leaves, pruning_error_bounded, sizes(4, 5, 5), "weight"), note="Of sampled weight.",
    ),
    refuted(
        "sec42.m", "Section 4.2", "Section 3's sample size is epsilon n/(L tau)",
        r"\alpha(1-e^{-\epsilon})n=\epsilon n/(L\tau)", eq(_sample, printed_sample), by="sec42.m.corrected",
        domain=Box(_PRUNING[:-1]),
        note="The factor tau is TrieHH's setting; Section 3 has m = alpha (1 - e^-epsilon) n a level.",
    ),
    own(
        "sec42.m.corrected", "Section 4.2",
        "At Section 3's sample size the printed total still bounds the pruning error when tau is at least 16",
        r"L(\beta-1)\tau/m\le(\beta-1)(L\tau)^2/(\epsilon n)",
        depth * (beta - 1) * least / _sample <= (beta - 1) * printed_error,
        proof=product_of(
            (beta - 1) * depth * least / (n * epsilon * alpha * _rate),
            (
                depth * least * alpha * _rate - epsilon,
                sum_of(
                    (lift("8/5") * _rate - epsilon, Boxes()), factors(16 * (alpha - lift("1/10")), _rate),
                    factors((depth * least - 16) * alpha, _rate),
                ),
            ),
        ),
        domain=(N, LEVELS, replace(TAU, lower=16, upper=100), *_PRUNING[3:]),
    ),
)  # fmt: skip
