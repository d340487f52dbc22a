"""What is computed once of past releases is what the cells count of any sample."""

from fractions import Fraction

import numpy as np
import pytest

from auditor.search.events import atoms_of
from auditor.search.features import FractionalPart, LowestBit, Value
from auditor.search.partitions import among, crossed, half_tables, table_of, thresholds_of
from auditor.search.past import PastReleases
from auditor.statistics.sample import Sample

KEYS = ("a", "b", "c")


def past_of(n: int, seed: int = 0) -> PastReleases:
    """Noise on a grid, some of it missing."""
    rng = np.random.default_rng(seed)
    sides = (np.rint(64 * rng.laplace(shift, 1.0, (n, 3))) / 64 for shift in (1.0, 0.0))
    return PastReleases(*(Sample(KEYS, np.where(side > -1.0, side, np.nan)) for side in sides))


@pytest.mark.parametrize("n", [50, 30_000], ids=["few", "many"])
def test_halves_are_counted_as_samples_are(n: int) -> None:
    """By thresholds, by two features at once, and by the values that one side alone gave."""
    past = past_of(n)
    value, bit = Value("a"), LowestBit("a")
    for cells in (thresholds_of(value, past), thresholds_of(FractionalPart("b"), past), crossed(value, bit, past)):
        for table, half in zip(half_tables(cells, past), past.halves, strict=True):
            np.testing.assert_array_equal(table, table_of(cells, *half))
    atoms = atoms_of(value, past)
    for cells, table, half in zip(atoms.halves, atoms.tables, past.halves, strict=True):
        np.testing.assert_array_equal(table, table_of(cells, *half))


def test_values_that_one_side_alone_gave_are_those_of_the_other_half() -> None:
    """Even releases are counted by what the odd ones gave."""
    past = past_of(500)
    even, _odd = atoms_of(Value("a"), past).halves
    left, right = (side.column("a") for side in past.halves[1])
    first = set(left[np.isfinite(left)].tolist()) - set(right.tolist())
    assert set(even.left.tolist()) == first
    assert not among(even.left, right).any()


def test_pooled_values_are_the_finite_ones_in_order() -> None:
    """Infinities and gaps have no place among them."""
    left = Sample(("a",), np.array([[3.0], [np.inf], [np.nan], [1.0]]))
    past = PastReleases(left, Sample(("a",), np.array([[2.0], [-np.inf], [-1.0], [np.nan]])))
    assert past.increasing(Value("a")).tolist() == [-1.0, 1.0, 2.0, 3.0]
    assert len(past) == 4


def test_the_lowest_bit_is_that_of_the_exact_fraction() -> None:
    """Of doubles of all sizes, subnormal ones among them: value / 2^exponent is an odd integer."""
    bits = np.random.default_rng(1).integers(0, 2**63 - 2**52, 2000, dtype=np.int64)
    bits[:500] >>= 12
    values = np.concatenate([bits.view(np.float64), [5e-324, 2.0**-1022, -3.5, 1.7976931348623157e308]])
    values = values[np.isfinite(values) & (values != 0)]
    result = LowestBit("a").column(Sample(("a",), values[:, None]))
    for value, exponent in zip(values.tolist(), result.astype(int).tolist(), strict=True):
        odd = Fraction(value) / Fraction(2) ** exponent
        assert odd.denominator == 1
        assert odd.numerator % 2
