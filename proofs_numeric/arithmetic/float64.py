"""IEEE double precision over NumPy: curves, searches, fast accountants."""

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number


@dataclass(frozen=True)
class Float64(Arithmetic):
    """IEEE double precision over NumPy; formulas are vectorised, no direction of rounding is promised."""

    name = "float64"
    bits = 64

    def number(self, value: Number | str) -> Any:
        if isinstance(value, str):
            return np.float64(np.inf) if value == "infinity" else np.float64(float(Fraction(value)))
        if isinstance(value, int | Fraction):
            return np.float64(float(value))
        return np.asarray(value, dtype=np.float64)[()]

    @property
    def pi(self) -> Any:
        return np.float64(np.pi)

    def exp(self, x: Any) -> Any:
        return np.exp(x)

    def expm1(self, x: Any) -> Any:
        return np.expm1(x)

    def log(self, x: Any) -> Any:
        return np.log(x)

    def log1p(self, x: Any) -> Any:
        return np.log1p(x)

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(x)

    def power(self, x: Any, y: Any) -> Any:
        return np.power(self.number(x), y)

    def maximum(self, *xs: Any) -> Any:
        return functools.reduce(np.maximum, xs)

    def minimum(self, *xs: Any) -> Any:
        return functools.reduce(np.minimum, xs)
