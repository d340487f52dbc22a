"""Binary digits of an integer, and sums over the integers up to one by how many of their digits are 1."""

import functools
from collections.abc import Callable
from math import comb
from typing import Any

from proofs_numeric.arithmetic.arithmetic import Arithmetic


@functools.singledispatch
def binary_digits(A: Arithmetic, n: int) -> int:
    """``ceil(log2(n + 1))``: how many binary digits an integer ``n >= 1`` has, by integers alone."""
    return int(n).bit_length()


@functools.singledispatch
def sum_by_ones(A: Arithmetic, n: int, term: Callable[[Any], Any]) -> Any:
    """``sum_(1 <= r <= n) term(ones(r))``, ``ones(r)`` how many binary digits of r are 1."""
    return A.sum(numbers * term(ones) for ones, numbers in numbers_by_ones(n).items())


def numbers_by_ones(n: int) -> dict[int, int]:
    """How many of 1..n have each number of binary digits 1, in O(log^2 n)."""
    counts: dict[int, int] = {}
    above = 0
    for bit in range(n.bit_length() - 1, -1, -1):
        if n >> bit & 1:
            for ones in range(bit + 1):
                counts[above + ones] = counts.get(above + ones, 0) + comb(bit, ones)
            above += 1
    counts[above] = counts.get(above, 0) + 1
    counts[0] -= 1
    return {ones: count for ones, count in sorted(counts.items()) if count}
