"""Lemma 1: the ratio of probabilities of a shown count."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_numeric.arithmetic.finite_laws import binomial, released
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *

K = Parameter("k", "copies of the item", "clients", 1, integer=True)
V = Parameter("v", "sampled count", "clients", 0, integer=True)

v = symbol("v")
_PKV = Box((P, K, V), lambda *, p, k, v: v < k, "v < k")

ratio = (1 - p) * k / (k - v)
ratio_from_law = mass(k, p, v) / mass(k - 1, p, v)
"""``P[Bin(k, p) = v] / P[Bin(k - 1, p) = v]`` from the two laws."""


Cell = tuple[Fraction, int, int]


def cells_up_to(size: int) -> Iterator[Cell]:
    """(p, k, tau), p rational."""
    yield from product((Fraction(1, 10), Fraction(1, 3), Fraction(3, 4)), range(1, 2 * size), range(1, size))


def nothing_is_between(case: Cell) -> bool:
    """Whether the ratio of "nothing shown" lies in [1 - p, 1], exactly."""
    p, k, tau = case
    more, fewer = (released(binomial(copies, p), tau)[0] for copies in (k, k - 1))
    return bool(1 - p <= more / fewer <= 1)


def all_copies_sampled(case: Cell) -> bool:
    """Whether v = k has probability p^k under k copies and none under k - 1, and is shown iff k >= tau."""
    p, k, tau = case
    all_k, without = binomial(k, p), binomial(k - 1, p)
    return bool(all_k[k] == p**k) and k not in without and (k in released(all_k, tau)) == (k >= tau)


CLAIMS = (
    stated(
        "lem1.ratio", "Lemma 1", "The ratio of probabilities of a shown count is (1 - p) k/(k - v)", None,
        Identity(ratio_from_law, ratio, digits=25, proof=Symbolic()), domain=_PKV,
        note="An equality, not only a bound.",
    ),
    refuted(
        "lem1.ocr", "Lemma 1", "The ratio as printed, (1 - p)^k/(k - v)", None,
        eq(ratio_from_law, (1 - p) ** k / (k - v)), by="lem1.ratio", domain=_PKV,
        note="Printed three times; the appendix and (3) use the product.",
    ),
    stated(
        "lem1.domain", "Lemma 1", "v = k: mass p^k, none on the other side", r"k>v",
        FiniteStatement(cells_up_to, all_copies_sampled, CASES, "copies"),
        note="The omitted case: at k = tau it is the unavoidable atom p^tau of infinite loss.",
    ),
    stated(
        "lem1.cell", "Lemma 1", '"Nothing shown" has ratio in [1 - p, 1]', r"1-p\le S^c_k/S^c_{k-1}\le1",
        FiniteStatement(cells_up_to, nothing_is_between, CASES, "copies"),
        note="The paper does not treat this outcome; it never hurts.",
    ),
    stated(
        "lem1.mono", "Lemma 1", "The ratio grows with the shown count", None,
        Monotonicity(ratio, "v", increasing=True, proof=Slope()), domain=_PKV,
    ),
)  # fmt: skip
