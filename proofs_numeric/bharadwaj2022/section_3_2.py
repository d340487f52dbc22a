"""Section 3.2: samples of fixed size and their leak, with its exact replacement delta."""

import functools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic.finite_laws import Masses, binomial, collected, numbers, released, stick
from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.kinds import AllOf
from proofs_numeric.statements.profiles import OfSamples, Samples


def fixed_size_law(counts: tuple[int, ...], m: int, tau: int) -> Masses:
    """Masses of the thresholded histogram of ``m`` clients drawn without replacement."""
    samples = (v for v in product(*(range(count + 1) for count in counts)) if sum(v) == m)
    return released(
        {v: Fraction(math.prod(map(math.comb, counts, v)), math.comb(sum(counts), m)) for v in samples}, tau
    )


def contact_law(counts: tuple[int, ...], contacts: int, rate: Fraction, tau: int) -> Masses:
    """Masses of the thresholded histogram when ``contacts`` clients are drawn and each takes part at ``rate``."""
    sizes = binomial(contacts, rate).items()
    masses = (
        (output, mass * conditional)
        for t, mass in sizes
        for output, conditional in fixed_size_law(counts, t, tau).items()
    )
    return collected(masses)


Fixed = tuple[int, int, int, Fraction]


def fixed_settings(size: int) -> Iterator[Fixed]:
    """(n, m, tau, e^epsilon) with m >= tau >= 2."""
    sizes = ((n, m, tau) for n in range(3, size + 1) for m in range(2, n) for tau in range(2, m))
    yield from ((*at, factor) for at in sizes for factor in (Fraction(11, 10), Fraction(3)))


def leak_is_rate(case: Fixed) -> bool:
    """Whether the pair (n - 1 copies and a unique item, n copies) has delta exactly m / n."""
    n, m, tau, factor = case
    left, right = fixed_size_law((n - 1, 1), m, tau), fixed_size_law((n, 0), m, tau)
    return bool(stick(left, right, factor) == Fraction(m, n))


N = Parameter("n", "clients", "clients", 3, 10**6, integer=True, log=True)
M = Parameter("m", "sample size", "clients", 2, 10**6, integer=True, log=True)
TAU = Parameter("tau", "threshold", "clients", 2, 10**6, integer=True, log=True)
Triple = tuple[int, int, int]


def triples(n: int) -> Iterator[Triple]:
    """Counts (a, b, others) of n clients with at least one a, whose value is replaced by b."""
    return ((a, b, n - a - b) for a in range(1, n + 1) for b in range(n - a + 1))


n, m, tau = symbols("n m tau")
fixed_delta = m / n
"""With the replaced client outside the sample nothing changes, and the paper's pair attains it."""


def over_histograms(A: Arithmetic, epsilon: Number, n: int, law: Callable[[Triple], Masses], *, joins: int = 1) -> Any:
    """The largest hockey stick of both orders over all histograms of three items of n clients, one of whom moves.

    The client leaves the first item and joins the second, or with ``joins`` = 0 none.
    """
    factor = A.exp(A.number(epsilon))
    pairs = ([numbers(A, law(side)) for side in ((a, b, c), (a - 1, b + joins, c))] for a, b, c in triples(n))
    orders = (order for pair in pairs for order in (pair, pair[::-1]))
    return A.maximum(*(stick(here, there, factor) for here, there in orders))


def fixed_delta_by_samples(A: Arithmetic, *, epsilon: Number, m: int, n: int, tau: int, joins: int = 1) -> Any:
    """The same from the laws of all histograms of three items."""
    return over_histograms(A, epsilon, n, lambda counts: fixed_size_law(counts, m, tau), joins=joins)


_AT_LEAST_TAU = at_most(tau, m)

CLAIMS = (
    stated(
        "fix.ce", "Section 3.2", "A fixed-size sample has delta m/n on the paper's pair", r"\delta\ge m/n",
        FiniteStatement(fixed_settings, leak_is_rate, sizes(8, 12, 20), "n"),
        note="For m > tau >= 2: with m < tau both outputs are empty. Exactly m/n at every epsilon.",
    ),
    own(
        "fix.removed", "Section 3.2", "A sample of fixed size has delta m/n when a client leaves, too",
        r"\max\{H_{e^\epsilon}(P_n\|P_{n-1}),H_{e^\epsilon}(P_{n-1}\|P_n)\}=m/n",
        DeltaBound(
            fixed_delta, functools.partial(fixed_delta_by_samples, joins=0),
            points("epsilon m n tau", (1, 4, 8, 2), ("1/10", 3, 7, 3), (0, 5, 6, 2)), pairs=Samples(m, n, tau),
            proof=OfSamples(),
        ),
        domain=Box((LEVEL_TO_TEN, M, N, TAU), AllOf((_AT_LEAST_TAU, at_most(m, n - 1))), "tau <= m <= n - 1"),
        points=({"epsilon": 1, "m": 10**4, "n": 10**6, "tau": 20},), privacy=neighbours.LEAVES,
        note="m of n drawn without putting back: no epsilon and no threshold up to m helps. Each client drawn at the "
        "rate m/n is another matter (thm2.mfixed.exact).",
        quoted=(
            Quoted(
                "1e4 of a million clients, drawn without putting back",
                {"epsilon": 1, "n": 1000000, "m": 10000, "tau": 20},
            ),
        ),
    ),
    own(
        "fix.delta", "Section 3.2", "A sample of fixed size has delta m/n at every epsilon", None,
        DeltaBound(
            fixed_delta, fixed_delta_by_samples,
            points("epsilon m n tau", (1, 4, 8, 2), ("1/10", 3, 7, 3), (0, 5, 6, 2)),
            pairs=Samples(m, n, tau, replaced=True), proof=OfSamples(),
        ),
        domain=Box((LEVEL_TO_TEN, M, N, TAU), AllOf((_AT_LEAST_TAU, at_most(m, n))), "tau <= m <= n"),
        falls=("epsilon", "n"), rises=("m",),
        points=points("epsilon m n tau", (1, 12, 41, 5), (1, 105, 1000, 20)), privacy=neighbours.FIXED_SIZE,
        note="Replacement neighbours. At tau = 1 the labels tell as much; with m < tau nothing is shown.",
    ),
)  # fmt: skip
