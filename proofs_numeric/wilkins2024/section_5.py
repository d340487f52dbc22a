r"""Section 5, before its lemmas: which rows matter, and the loss as a sum over rows."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.wilkins2024.finite import (
    RATIOS,
    Counts,
    hockey_stick,
    joint,
    least_delta,
    loss_difference,
    loss_law,
    loss_sum,
    masses,
    output_law,
    row_law,
)
from proofs_numeric.wilkins2024.outcomes import EQUAL, RATIO, UNTOUCHED, of_sums
from proofs_numeric.wilkins2024.parameters import *

# --- which rows matter ------------------------------------------------------------------------------------------------
_Rows = tuple[Fraction, int, Fraction, Counts, int, int]


def _row_cases(size: int) -> Iterator[_Rows]:
    for ratio, tau, gap in product(RATIOS, (1, 2), (Fraction(0), Fraction(1), Fraction(5, 2))):
        for affecting in product(range(tau, tau + size + 1), repeat=2):
            for below in range(1, tau + 1):
                for untouched in (0, tau, tau + size):
                    yield ratio, tau, tau + gap, affecting, below - 1, untouched


def row_sums(case: _Rows) -> Iterator[Instance]:
    """Hockey sticks of two affecting rows beside a touched row below tau and an untouched row, and alone."""
    ratio, tau, tau_star, affecting, below, untouched = case
    smaller = tuple(count - 1 for count in affecting)
    one, other = (output_law(counts, tau, tau_star, 1) for counts in (affecting, smaller))
    one_beside = output_law((*affecting, below, untouched), tau, tau_star, 1)
    other_beside = output_law((*smaller, max(0, below - 1), untouched), tau, tau_star, 1)
    rest = output_law((below, untouched), tau, tau_star, 1)
    for left, right, beside in ((one, other, (one_beside, other_beside)), (other, one, (other_beside, one_beside))):
        steps = ({"p": p, "q": q, "u": u} for (p, q), u in product(masses(left, right), rest.values()))
        yield of_sums({"ratio": ratio}, steps, hockey_stick(*beside, ratio), hockey_stick(left, right, ratio))


other_rows_do_not_matter = Instances(row_sums)

_Split = tuple[int, Fraction, int, int, int]


def _splits(size: int) -> Iterator[_Split]:
    gaps = (Fraction(0), Fraction(3, 2), Fraction(3))
    for tau, gap, above, at, extra in product((1, 2), gaps, (1, 2), (0, 1, 2), range(1, size + 1)):
        yield tau, tau + gap, above, at, extra


def loss_splits(case: _Split) -> bool:
    """Law of the joint loss against the sum of the losses of the rows above tau and at tau, both orders."""
    tau, tau_star, above, at, extra = case
    higher = [joint(*[row_law(tau + extra - j, tau, tau_star, 1)] * above) for j in (0, 1)]
    equal = [joint(*[row_law(tau - j, tau, tau_star, 1)] * at) for j in (0, 1)]
    whole = [output_law((tau + extra - j,) * above + (tau - j,) * at, tau, tau_star, 1) for j in (0, 1)]
    return all(
        loss_law(whole[i], whole[j]) == loss_sum(loss_law(higher[i], higher[j]), loss_law(equal[i], equal[j]))
        for i, j in ((0, 1), (1, 0))
    )


_Setting = tuple[Fraction, int, int, Fraction, int]


def _settings(size: int) -> Iterator[_Setting]:
    gaps = (Fraction(0), Fraction(1), Fraction(5, 2))
    for ratio, c_u, tau, gap, width in product(RATIOS[2:], (1, 2), (1, 2), gaps, range(1, size + 1)):
        yield ratio, c_u, tau, tau + gap, width


def loss_conditions_are_the_definition(case: _Setting) -> bool:
    """Least delta by Definition 2.2, against both losses of (5.3) over rows at or above tau only."""
    ratio, c_u, tau, tau_star, width = case
    largest = max(math.ceil(tau_star) + width + 1, tau + 1)
    best = Fraction(0)
    for rows in range(1, c_u + 1):
        for counts in product(range(tau, largest + 1), repeat=rows):
            less = tuple(count - 1 for count in counts)
            left, right = (output_law(each, tau, tau_star, width) for each in (counts, less))
            best = max(best, loss_difference(left, right, ratio), loss_difference(right, left, ratio))
    return best == least_delta(ratio, groups=c_u, c_u=c_u, tau=tau, tau_star=tau_star, width=width)


# --- the other columns' distance --------------------------------------------------------------------------------------
_Matrix = tuple[tuple[Fraction, ...], ...]
_Change = tuple[tuple[int, ...], tuple[int, ...]]
"""By how much each column moves, and the variance of its own noise; all columns share a noise of variance 1."""


def _changes(size: int) -> Iterator[_Change]:
    for columns in range(1, size + 1):
        for change, variances in product(product((-1, 0, 2), repeat=columns), product((1, 3), repeat=columns)):
            if any(change):
                yield change, variances


def _inverse(variances: tuple[int, ...]) -> _Matrix:
    """Of the covariance, by Sherman and Morrison."""
    u = [Fraction(1, variance) for variance in variances]
    return tuple(tuple(u[i] * (i == j) - u[i] * u[j] / (1 + sum(u)) for j in range(len(u))) for i in range(len(u)))


def _times(first: _Matrix, second: _Matrix) -> _Matrix | None:
    """Their product; None where the first has not as many columns as the second has rows."""
    if len(first[0]) != len(second):
        return None
    return tuple(
        tuple(sum((a * b for a, b in zip(row, c, strict=True)), Fraction()) for c in zip(*second, strict=True))
        for row in first
    )


def _form(case: _Change, *, transposed: bool) -> _Matrix | None:
    """The product of (5.1), with its first factor transposed or not."""
    change, variances = case
    column = tuple((Fraction(part),) for part in change)
    first: _Matrix = tuple(zip(*column, strict=True)) if transposed else column
    half = _times(first, _inverse(variances))
    return half and _times(half, column)


def printed_form_is_a_number(case: _Change) -> bool:
    """Whether the product as printed is defined, and one number."""
    form = _form(case, transposed=False)
    return form is not None and (len(form), len(form[0])) == (1, 1)


def transposed_form_is_the_distance(case: _Change) -> bool:
    """Whether it is the largest squared distance of a sum of columns, in deviations of its noise, among some sums."""
    change, variances = case
    form = _form(case, transposed=True)
    if form is None or (len(form), len(form[0])) != (1, 1):
        return False

    def squared(weights: tuple[Fraction | int, ...]) -> Fraction:
        moved = sum((Fraction(w) * d for w, d in zip(weights, change, strict=True)), Fraction())
        each = sum((Fraction(w) ** 2 * v for w, v in zip(weights, variances, strict=True)), Fraction())
        return moved**2 / (each + Fraction(sum(weights)) ** 2)

    best = tuple(row[0] for row in _times(_inverse(variances), tuple((Fraction(d),) for d in change)) or ())
    others = (weights for weights in product((-1, 0, 1, 2), repeat=len(change)) if any(weights))
    return squared(best) == form[0][0] and all(squared(weights) <= form[0][0] for weights in others)


def _factors(case: _Change) -> dict[str, Any]:
    columns = len(case[0])
    return {"columns": columns, "shapes of the factors": f"{columns} x 1, {columns} x {columns}, {columns} x 1"}


_COLUMNS = sizes(2, 3, 3)

CLAIMS = (
    refuted(
        "eq5.1", "Section 5", "The other columns' distance", r"\mu_o^2 = \max (A - A') \Sigma^{-1} (A - A')",
        FiniteStatement(_changes, printed_form_is_a_number, _COLUMNS, "columns", describe=_factors), equation="5.1",
        by="eq5.1.corrected",
        note="The transpose is missing: a product of two columns and a matrix between is defined for one column alone.",
    ),
    own(
        "eq5.1.corrected", "Section 5", "The other columns' distance, with the first factor transposed",
        r"\mu_o^2 = \max (A - A')^T \Sigma^{-1} (A - A') = \max\max_c (c^T (A - A'))^2 / c^T \Sigma c",
        FiniteStatement(_changes, transposed_form_is_the_distance, _COLUMNS, "columns", describe=_factors),
        note="In deviations of the noise of the best sum of columns.",
    ),
    stated(
        "sec5.rows", "Section 5", "Rows below tau and untouched rows do not affect the privacy loss",
        r"L_\pm(a_+, a_=, a_-, \text{untouched}) = L_\pm(a_+, a_=)",
        FiniteStatement(
            _row_cases, other_rows_do_not_matter, sizes(2, 3, 5), "two affecting rows, counts up to tau + size, size",
            every=UNTOUCHED, proof=EQUAL,
        ),
        domain=(RATIO,), note="A row below tau shows nothing on either side.",
        partial="laws of rows on finitely many outcomes; normal noise is left out",
    ),
    stated(
        "eq5.2", "Section 5", "The loss is the sum over rows above and at tau",
        r"L_+ = L_+^+ + L_+^=, \quad L_- = L_-^+ + L_-^=",
        FiniteStatement(
            _splits, loss_splits, sizes(2, 4, 8), "at most two rows of each kind, counts up to tau + size, size"
        ),
        equation="5.2", partial="bounded integer noise and at most two rows of each kind; normal noise is left out",
        note="Convolution of exact loss laws, infinite losses included.",
    ),
    stated(
        "eq5.3", "Section 5", "Both orders of the loss condition over a_+ + a_= <= C_u are the definition",
        r"(\varepsilon, \delta)\text{-DP} \iff (5.3) \ \forall \, a_+ + a_= \le C_u",
        FiniteStatement(
            _settings, loss_conditions_are_the_definition, sizes(1, 1, 2), "C_u <= 2, tau <= 2, noise width",
            proof=derived(
                Premise("wilkins2024.sec5.rows", "the loss of a pair is that of its touched rows at or above tau"),
                Unchecked(
                    "loss form of the definition",
                    "each condition is the definition for the pairs with that a_+ and a_= in its loss form, both "
                    "ways round; a user touches at most C_u rows, and any a_+ + a_= <= C_u is some pair's",
                ),
            ),
        ),
        equation="5.3",
        note="Least delta over every pair of histograms against the two losses on touched rows at or above tau.",
        partial="bounded integer noise and C_u <= 2; normal noise is left out",
    ),
)  # fmt: skip
"""Claims of Section 5 before its lemmas."""
