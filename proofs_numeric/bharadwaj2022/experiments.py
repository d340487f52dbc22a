"""Section 5: what its statements about data and drops can be held to without the plots."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.parameters import own, refuted, stated, uncheckable
from proofs_numeric.claim import Box, Editorial, FiniteStatement, Inequality, Parameter, Relation

LOG_B = Parameter("log2_b", "log2 of the number of buckets", lower=6, upper=14, integer=True)


def binomial_mode(A: Arithmetic, *, log2_b: int) -> Any:
    """Largest probability of Bin(B, 1/2): ``C(B, B/2)/2^B``."""
    size = 2**log2_b
    return A.number(math.comb(size, size // 2)) / A.number(2**size)


def buckets(size: int) -> Iterator[int]:
    """B = 2^6 .. 2^14, the first ``size`` of them."""
    return (2**e for e in range(6, 6 + min(size, 9)))


def fits(b: int) -> bool:
    """Whether the values 0 .. B of Bin(B, 1/2) fit in B buckets."""
    return len(range(b + 1)) <= b


def fits_with_one_more(b: int) -> bool:
    """Whether they fit in B + 1 buckets."""
    return len(range(b + 1)) <= b + 1


def dropped(A: Arithmetic) -> Any:
    """Probability that an item of frequency 0.1% is dropped: epsilon = 0.2, n = 1e6, alpha = 1/6, tau = 20."""
    p = cells.sampling_rate(A, epsilon=A.number("1/5"), alpha=A.number("1/6"))
    return cells.lower_tail(A, 1000, p, 19)


def _below_mode(A: Arithmetic, *, log2_b: int) -> Any:
    del log2_b
    return A.number("1/20")


_FIGURE = "Stands on a plot of simulations; the curves are not in the text and the experiment is not re-run here."
_SIZES = {"quick": 3, "standard": 9, "deep": 9}


def _plotted(row: str, title: str, printed: str, read: str, reason: str = _FIGURE) -> Any:
    return uncheckable(row, "Section 5", title, title, Editorial(printed, read, reason))


CLAIMS = (
    refuted(
        "exp.mode",
        "Section 5",
        "The most popular item has at most 5% (Binomial data)",
        r"\binom{B}{B/2}2^{-B}\le0.05",
        Inequality(binomial_mode, _below_mode),
        by="exp.mode.corrected",
        domain=Box((LOG_B,)),
        note="E16: 9.9% at B = 64 and 0.62% at B = 2^14.",
    ),
    own(
        "exp.mode.corrected",
        "Section 5",
        "The most popular item has at most sqrt(2/(pi B)), 0.62% to 10%",
        r"\binom{B}{B/2}2^{-B}\le\sqrt{2/(\pi B)}",
        Inequality(binomial_mode, lambda A, *, log2_b: A.sqrt(2 / (A.pi * A.number(2**log2_b)))),
        domain=Box((LOG_B,)),
    ),
    refuted(
        "exp.support",
        "Section 5",
        "Binomial(B, 1/2) draws a bucket out of B",
        r"|\{0,\dots,B\}|\le B",
        FiniteStatement(buckets, fits, _SIZES, "number of sizes"),
        by="exp.support.corrected",
        note="E16: B + 1 values; the geometric law has no end. A wrap or clip rule is needed.",
    ),
    own(
        "exp.support.corrected",
        "Section 5",
        "Binomial(B, 1/2) needs B + 1 buckets",
        r"|\{0,\dots,B\}|=B+1",
        FiniteStatement(buckets, fits_with_one_more, _SIZES, "number of sizes"),
    ),
    stated(
        "exp.01pct",
        "Section 5",
        "At epsilon = 0.2 an item of frequency 0.1% is dropped with probability below 2%",
        r"\Pr[\mathrm{Bin}(1000,p)<20]<0.02",
        Inequality(dropped, lambda A: A.number("1/50"), Relation.LESS),
    ),
    _plotted("exp.trivial", "Reporting zero is above every graph", "above the range of each graph", "error 1/B"),
    _plotted("exp.ldp", "Local DP is much weaker", "much weaker", "error flat in B"),
    _plotted("exp.shuf", "The shuffle model is worse at small epsilon", "higher error for small epsilon", "the same"),
    _plotted(
        "exp.lap",
        "Sample-and-threshold often beats central Laplace noise",
        "often achieves less error",
        "at unequal privacy: the baseline is not amplified (rem.fair)",
    ),
    _plotted(
        "exp.range",
        "All mechanisms have guarantees for epsilon in [0.1, 1]",
        "the range where all the mechanisms have privacy guarantees",
        "not under replacement at epsilon = 0.1",
        "Fair coins are the most the shuffle mechanism can add: exact delta 2.07e-8 > 1e-8 at epsilon = 0.1, m = 15860 "
        "(mechanisms.shuffle_bernoulli and its test).",
    ),
    _plotted("exp.decB", "The error falls with B", "decreases as the histogram size increases", "the same"),
    _plotted("exp.recall", "Near-perfect recall at B = 2^8", "close to perfect recall", "the tie rule must be fixed"),
    _plotted("exp.shakes", "Curves on Shakespeare", "Figures 1 and 2", "the same"),
)
