"""Hockey sticks beside a fixed law: its outcomes are sorted by their likelihood ratio once."""

import math
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import Any


class Beside:
    """``sum over (x, y) of (p x - q y)_+`` for any p, q >= 0 and a law of masses (x, y) under either of two data sets.

    What counts are the outcomes whose ratio x/y exceeds q/p: the first few. For numbers with an order, no balls.
    """

    def __init__(self, masses: Iterable[tuple[Any, Any]]) -> None:
        outcomes = sorted(((-x / y if y else -math.inf, x, y) for x, y in masses if x), key=lambda outcome: outcome[0])
        self._ratios = [ratio for ratio, _x, _y in outcomes]
        self._left = list(accumulate((x for _ratio, x, _y in outcomes), initial=0))
        self._right = list(accumulate((y for _ratio, _x, y in outcomes), initial=0))

    def stick(self, p: Any, q: Any) -> Any:
        """The sum at one p and q."""
        count = bisect_left(self._ratios, -q / p) if p else 0
        return p * self._left[count] - q * self._right[count]
