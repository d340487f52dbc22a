"""Convolution of two sequences, in every number system by its own product of polynomials."""

import functools
from collections.abc import Sequence
from typing import Any

import flint
import numpy as np

from proofs_numeric.arithmetic.arithmetic import Arithmetic
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.float64 import Float64


@functools.singledispatch
def convolved(A: Arithmetic, left: Sequence[Any], right: Sequence[Any]) -> Sequence[Any]:
    """``sum over j of left[j] right[i - j]``, i from 0 on: masses of a sum of independent lattice variables, say."""
    entries = [A.number(0)] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            entries[i + j] = entries[i + j] + x * y
    return entries


@convolved.register
def _(A: Ball, left: Sequence[Any], right: Sequence[Any]) -> Sequence[Any]:
    product = flint.arb_poly(list(left)) * flint.arb_poly(list(right))
    return [product[i] for i in range(len(left) + len(right) - 1)]


@convolved.register
def _(A: Float64, left: Sequence[Any], right: Sequence[Any]) -> Any:
    return np.convolve(left, right)
