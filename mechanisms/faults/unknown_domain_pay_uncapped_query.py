"""Algorithm 4 lets the last query print k entries whatever is left of k*."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import finite, users
from mechanisms.unknown_domain.pay_what_you_get import mechanism as correct
from mechanisms.unknown_domain.release import encode
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class Uncapped(correct.PayWhatYouGet):
    """Algorithm 4 that checks its budget between queries only."""

    def places(self, left: NDArray[np.int64]) -> NDArray[np.int64]:
        """K entries while anything is left."""
        return np.where(left > 0, self.query.k, 0)


def build(*, l_star: Exact, k_star: Exact, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> Uncapped:
    """Algorithm 4 that checks its budget between queries only."""
    return Uncapped(**vars(correct.build(l_star=l_star, k_star=k_star, k_bar=k_bar, k=k, beta=beta, delta=delta)))


def law(A: Any, *, moved: int) -> dict[str, Any]:
    """Kinds (moved or not) of the six labels printed, of six and six; their own order adds nothing.

    `moved` is 1 where the six counts of the first kind are one higher. Exact up to e^-30: no bottom.
    """
    weight = A.exp(A.number(moved) * 2)
    laws: dict[str, Any] = {"": A.number(1)}
    for _pick in range(6):
        grown = {}
        for kinds, probability in laws.items():
            first, second = 6 - kinds.count("m"), 6 - kinds.count("o")
            total = first * weight + second
            grown[kinds + "m"] = probability * first * weight / total
            grown[kinds + "o"] = probability * second / total
        laws = grown
    return laws


_MOVED, _OTHERS = [f"a{i}" for i in range(6)], [f"b{i}" for i in range(6)]
_PARAMETERS: Parameters = {"l_star": 1, "k_star": 1, "k_bar": 12, "k": 6, "beta": "1/2", "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_pay_uncapped_query",
    title="the last query is not capped",
    mechanism="unknown_domain_pay_what_you_get",
    violates="rogers2024.thm10.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "d.uncapped",
        encode([dict.fromkeys(_MOVED, 51) | dict.fromkeys(_OTHERS, 50)]),
        encode([dict.fromkeys([*_MOVED, *_OTHERS], 50)]),
        "six of twelve high counts move; six labels are printed instead of one",
        users({}),
        partial(finite, left=partial(law, moved=1), right=partial(law, moved=0)),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="Up to k* + k - 1 entries are printed where k* are paid for.",
)
