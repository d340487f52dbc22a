"""The certified maximum over all pairs: a search that leaves out a pair is refused, whatever it leaves out."""

import sys
import types
from fractions import Fraction
from pathlib import Path

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.lebeda2025.exact import analysis
from proofs_numeric.lebeda2025.exact.cover import Bounds, Cell, CoverError, check_cover, first_uncovered

POINT = {"epsilon": Fraction(0), "k": 20, "sigma": Fraction(100_000), "gap": Fraction("541385.345262")}
"""The largest pair has 13 new counters, and 4 of 7 shared ones change."""
SOURCE = Path(analysis.__file__).read_text(encoding="utf-8")


def mutant(old, new):
    """The module of the search with one text of its source replaced."""
    assert SOURCE.count(old) == 1, (old, SOURCE.count(old))
    module = sys.modules["mutant_of_the_search"] = types.ModuleType("mutant_of_the_search")
    exec(compile(SOURCE.replace(old, new), "mutant", "exec"), module.__dict__)  # noqa: S102 - our own source
    return module


def test_the_largest_pair_is_found_and_certified():
    """As in the issue: 1.00425583668e-5, where the larger unmixed pair has 9.8e-6."""
    enclosure = evaluate_in(Ball(64), analysis.exact_delta, POINT)
    assert float(enclosure.lower()) <= 1.0042558366892e-05 * (1 + 1e-12)
    assert float(enclosure.upper()) >= 1.0042558366892e-05 * (1 - 1e-12)
    assert enclosure.rel_accuracy_bits() >= 20


SPLIT = "            push((l0 + l1) // 2 + 1, l1, j0, j1, lower)\n"
LEFT_OUT = {
    "few new counters only": ("push(1, k - 1, 1, k - 1, None)", "push(1, 2, 1, k - 1, None)"),
    "few changes only": ("push(1, k - 1, 1, k - 1, None)", "push(1, k - 1, 1, 2, None)"),
    "many changes only": ("push(1, k - 1, 1, k - 1, None)", "push(1, k - 1, 2, k - 1, None)"),
    "the upper part of l": (SPLIT, ""),
    "the lower part of l": ("            push(l0, (l0 + l1) // 2, j0, j1, lower)\n", ""),
    "one l between the parts": (SPLIT, SPLIT.replace("+ 1, l1", "+ 2, l1")),
    "the upper part of j": ("            push(l0, l1, middle, j1, lower)\n", ""),
    "the lower part of j": ("            push(l0, l1, j0, middle, lower)\n", ""),
    "what is bounded by too little": ("if bound <= best:", "if bound <= 2 * best:"),
    "what the heap holds": ("while heap and heap[0][-2] <= best:", "while heap and heap[0][-2] <= 2 * best:"),
    "the largest pair": ("if not value < near)", "if not value < near * 2)"),
    "a largest pair that is found": ("return Proposal(pairs, top, cells)", "return Proposal(pairs[1:], top, cells)"),
    "cells that are found": ("return Proposal(pairs, top, cells)", "return Proposal(pairs, top, ())"),
    "some counters": ("A, k = bounds.A, bounds.k", "A, k = bounds.A, bounds.k - 8"),
    "pairs below twice the ceilings": ("(bounds, bounds.two)", "(bounds, 2 * bounds.two)"),
    "pairs below any ceiling": ("if bounds.is_below_ceiling(cell, best):", "if True:"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_search_that_leaves_out_pairs_is_refused(old, new):
    """Loudly: no number is printed as certified."""
    with pytest.raises(CoverError, match=r"expected (cells|a cell)"):
        evaluate_in(Ball(64), mutant(old, new).exact_delta, POINT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[(1, k - 1)] if k > 1", "[(1, 2)] if k > 1"),
        ("blocks += [(a, middle), (middle + 1, b)]", "blocks += [(a, middle)]"),
    ],
)
def test_blocks_that_leave_out_new_counters_are_refused(old, new):
    """Where all ceilings are certified to be at most the larger unmixed pair, in several blocks."""
    with Ball(128) as A:
        at = {"epsilon": A.number(Fraction("0.349")), "k": 51914, "sigma": A.number(1117), "gap": A.number(7006)}
        bounds, broken = Bounds(A, **at), mutant(old, new)
        assert analysis.cells_below_ceilings(bounds, bounds.two) is not None
        with pytest.raises(CoverError, match="expected cells that cover all pairs"):
            broken.exact_delta(A, **at)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        push(middle + 1, b)\n", ""),
        ("        push(a, middle - 1)\n", ""),
        ("        if highest <= best:\n", "        if highest <= 2 * best:\n"),
    ],
)
def test_a_maximum_over_blocks_that_leave_out_integers_is_refused(old, new):
    """Of a parabola, given a bound that is met in blocks of one integer."""
    with Ball(64) as A:
        bound = lambda a, b: A.number(400 - (max(a - 17, 17 - b, 0)) ** 2)
        assert analysis.maximum_by_blocks(A, bound, 0, 40, A.number(0)) == 400
        broken = mutant(old, new)
        with pytest.raises(CoverError, match=r"expected (blocks that cover 0 to 40|a block whose values)"):
            broken.maximum_by_blocks(A, bound, 0, 40, A.number(0))


@pytest.mark.parametrize(
    ("cells", "missing"),
    [
        ([Cell(1, 4, 1, 4)], None),
        ([Cell(1, 2, 1, 4), Cell(3, 4, 1, 2)], None),
        ([Cell(1, 2, 1, 4), Cell(4, 4, 1, 1)], (3, 1)),
        ([Cell(1, 4, 1, 2), Cell(1, 1, 4, 4)], (1, 3)),
        ([Cell(1, 4, 2, 4)], (1, 1)),
        ([Cell(2, 4, 1, 4)], (1, 1)),
        ([], (1, 1)),
    ],
)
def test_the_first_pair_outside_all_cells_is_named(cells, missing):
    """Of the pairs with l + j <= 5, by enumeration."""
    pairs = [(l, j) for l in range(1, 5) for j in range(1, 6 - l)]
    outside = [(l, j) for l, j in pairs if not any(c.l0 <= l <= c.l1 and c.j0 <= j <= c.j1 for c in cells)]
    assert (outside[0] if outside else None) == missing
    assert first_uncovered(cells, 5) == missing


def test_a_cell_above_the_maximum_is_refused():
    """The whole triangle is one cell, whose bound is above the largest unmixed pair."""
    with Ball(64) as A:
        at = {name: A.number(value) if name != "k" else value for name, value in POINT.items()}
        bounds = Bounds(A, **at)
        with pytest.raises(CoverError, match="expected a cell whose pairs are at most"):
            check_cover(bounds, [Cell(1, 19, 1, 19)], (), bounds.two)
        check_cover(bounds, [Cell(1, 19, 1, 19)], (), A.number(1))
