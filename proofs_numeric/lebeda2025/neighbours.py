"""Worst-case neighbours of the paper's mechanisms, and who is a neighbour of whom, for every claim about privacy.

Neighbours of Algorithm 2 differ in what becomes of a counter: it is *new* (at the lower threshold with the user, below
it without), or shared and *far* above the threshold, where it is never held back, or shared and *near* it. Histograms
have at most `MOST_CHANGED_KEYS` counters; for a larger k the description says how many are present.

Parameters are k (counters), sigma (users) and, where there is a threshold, gap = tau* - tau and tau (users, 1 if not
given).
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.exact.pair import worst_change
from proofs_numeric.statements.adjacency import AddRemoveUser, SparseMonotone
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, Always, ByParameters, Neighbours, Privacy
from proofs_numeric.statements.releases import Noisy
from proofs_numeric.statements.thresholds import by_gap

Values = Mapping[str, Any]
FAR = 40
"""Deviations above the threshold at which a counter counts as never held back."""
_ANY = 10**6
"""Bound on the keys of one user that the relation of Algorithm 3 checks; it needs none."""
_FLOOR = 5
"""Count that Algorithm 3 takes off."""
_HALF = 3
"""Counters more than k that change, and as many that do not, in an input of which Algorithm 3 keeps nothing."""


def far_count(*, threshold: Fraction, sigma: Fraction) -> int:
    """A count 40 total deviations (at most sqrt(2) sigma each) above the threshold."""
    return math.ceil(max(threshold, Fraction(0)) + 2 * FAR * sigma) + 2


def is_far(count: int, *, threshold: Fraction, sigma: Fraction) -> bool:
    """Whether a count is as far above the threshold, one less than `far_count` included."""
    return count >= max(threshold, Fraction(0)) + 2 * FAR * sigma


def counters(
    pair_id: str, description: str, parameters: Values, *, new: int = 0, shared: tuple[int, ...] = (), changed: int = 0
) -> Neighbours:
    """Neighbours with keys k0, k1, ...: ``new`` counters at tau on the left only, then ``shared`` right-hand counts.

    The first ``changed`` shared counts are one larger on the left.
    """
    tau = int(parameters.get("tau", 1))
    left = {f"k{i}": tau for i in range(new)}
    right = {f"k{i}": tau - 1 for i in range(new) if tau > 1}
    for i, count in enumerate(shared):
        left[f"k{new + i}"] = count + (i < changed)
        right[f"k{new + i}"] = count
    return Neighbours(pair_id, left, right, description + _cap(parameters))


def _cap(parameters: Values) -> str:
    k = int(parameters["k"])
    return f" ({MOST_CHANGED_KEYS} counters present, of k = {k})" if k > MOST_CHANGED_KEYS else ""


def _present(parameters: Values) -> int:
    return min(int(parameters["k"]), MOST_CHANGED_KEYS)


def far_above(parameters: Values) -> int:
    """The far count of a mechanism with these parameters."""
    threshold = int(parameters.get("tau", 1)) + Fraction(parameters["gap"])
    return far_count(threshold=threshold, sigma=Fraction(parameters["sigma"]))


sparse_monotone = ByParameters(SparseMonotone, {"k": "k"})
"""Definition 9."""


def stability_histogram(parameters: Values) -> tuple[Neighbours, ...]:
    """N1 to N6 of Algorithm 2, N2 also with all counters changed; those that need k >= 2 are left out at k = 1."""
    k, n, far = int(parameters["k"]), _present(parameters), far_above(parameters)
    tau = int(parameters.get("tau", 1))
    near = max(tau, math.ceil(tau + Fraction(parameters["gap"])))
    worst, half = worst_change(k, n), max(1, (n - 1) // 2)
    pairs = [_all_new(parameters), _shared(parameters, worst)]
    if worst < n:
        pairs.append(_shared(parameters, n, "n2.all"))
    if k > 1:
        described = "one new counter, about half of the shared ones changed"
        pairs.append(counters("n3", described, parameters, new=1, shared=(far,) * (n - 1), changed=half))
    beside = (max(tau, near - 2),) + (near,) * (k > 1) + (far,) * max(0, n - 2)
    described = "a shared counter just below the threshold on both sides changes, beside one at it"
    pairs.append(counters("n4", described, parameters, shared=beside, changed=1))
    if k > 1:
        described = "one shared counter unchanged, all others new"
        pairs.append(counters("n5", described, parameters, new=n - 1, shared=(far,)))
        described = "all counters changed and at the threshold"
        pairs.append(counters("n6", described, parameters, shared=(near,) * n, changed=n))
    return tuple(pairs)


def _all_new(parameters: Values) -> Neighbours:
    described = "all counters new: only left can release them"
    return counters("n1", described, parameters, new=_present(parameters))


def _shared(parameters: Values, changed: int, pair_id: str = "n2") -> Neighbours:
    n = _present(parameters)
    described = f"all counters shared and far above the threshold, {changed} of {n} changed"
    return counters(pair_id, described, parameters, shared=(far_above(parameters),) * n, changed=changed)


def unmixed(parameters: Values) -> tuple[Neighbours, ...]:
    """N1 and N2: all counters new, or all shared and far."""
    worst = worst_change(int(parameters["k"]), _present(parameters))
    return (_all_new(parameters), _shared(parameters, worst))


def uncorrelated(parameters: Values) -> tuple[Neighbours, ...]:
    """All counters new, all changed, and half of each: Algorithm 1, whose shared counters hide nothing together."""
    n, far = _present(parameters), far_above(parameters)
    described = "half of the counters new, the others changed"
    mixed = counters("n3", described, parameters, new=n // 2, shared=(far,) * (n - n // 2), changed=n - n // 2)
    return (_all_new(parameters), _shared(parameters, n), *((mixed,) if n > 1 else ()))


def aggregates(parameters: Values) -> tuple[Neighbours, ...]:
    """N1, N2 at the worst number of changes with their columns (distance mu_o each), and N3 where there is room."""
    n, far = _present(parameters), far_above(parameters)
    each = float(1 + (Fraction(parameters["sigma"]) * Fraction(parameters["mu_o"])) ** 2)
    worst = worst_of(n, n + math.sqrt(int(parameters["k"])), each)
    described = "one new counter, the shared ones changed"
    mixed = counters("n3", described, parameters, new=1, shared=(far,) * (n - 1), changed=n - 1)
    return (_all_new(parameters), _shared(parameters, worst), *((mixed,) if n > 1 else ()))


def whole_sums(parameters: Values) -> tuple[Neighbours, ...]:
    """Those of a column of aggregates at its distance, C/sigma_s."""
    return aggregates({**parameters, "mu_o": Fraction(parameters["per_sum"]) / Fraction(parameters["sigma_s"])})


def worst_of(most: int, reach: float, each: float = 1) -> int:
    """The number j of changes, at most ``most``, that maximises ``each j - j^2/reach``."""
    return max(range(1, most + 1), key=lambda j: each * j - j * j / reach)


def top_k(parameters: Values) -> tuple[Neighbours, ...]:
    """N1 and N2 on a shared floor, which Algorithm 3 takes off; N3, a floor that moves; and more counters than k.

    The floor is the count of one counter more than k. With fewer than k counters present there is none.
    """
    k, n, far = int(parameters["k"]), _present(parameters), far_above(parameters)
    if n < k:
        return unmixed(parameters)

    def lifted(pair_id: str, description: str, count: int, changed: int) -> Neighbours:
        right = {f"k{i}": _FLOOR + count for i in range(k)} | {"z": _FLOOR}
        left = {key: value + (key != "z" and int(key[1:]) < changed) for key, value in right.items()}
        return Neighbours(pair_id, left, right, description)

    wide, fall = {f"k{i}": far for i in range(2 * (k + _HALF))}, worst_change(k, k)
    high = dict.fromkeys(list(wide)[:k], far)
    return (
        lifted("n1", "k counters tied at the floor, all changed: only left keeps them", 0, k),
        lifted("n2", "k counters far above the floor, the worst number changed", far, fall),
        Neighbours(
            "n3", high, {key: count + (i >= fall) for i, (key, count) in enumerate(high.items())} | {"z": 1},
            "a counter more than k: the floor rises, and the worst number of the k counters above it fall",
        ),
        Neighbours(
            "wide", {key: count + (i % 2) for i, (key, count) in enumerate(wide.items())}, wide,
            "more than 2k counters far above the threshold, half of them changed: none is kept",
        ),
    )  # fmt: skip


def misra_gries(parameters: Values) -> tuple[Neighbours, ...]:
    """One further element, the last of the stream, that lowers all k counters, or raises its own, or is one of many.

    With fewer than k counters present a further element lowers none: it is counted, or its counter is new.
    """
    n, far = _present(parameters), far_above(parameters)
    ones, high = ({f"k{i}": count for i in range(n)} for count in (1, far))
    one = Neighbours("one", high | {"k0": far + 1}, high, "an element that its counter counts" + _cap(parameters))
    if n < int(parameters["k"]):
        return (Neighbours("new", {"k0": 1}, {}, "the only element: its counter is new"), one)
    many = {f"k{i}": far for i in range(2 * n)}
    return (
        Neighbours("n1", ones, ones | {"z": 1}, "k counters at 1, all emptied by the element z"),
        Neighbours("all", high, high | {"z": 1}, "counters far above the threshold, all lowered by the element z"),
        one,
        Neighbours("many", many | {"z": 1}, many, "2k elements far above the threshold, and one more"),
    )


def counting_queries(parameters: Values) -> tuple[Neighbours, ...]:
    """The worst number of changes among k counters that are all released, and all of them changed."""
    k, n = int(parameters["k"]), _present(parameters)

    def changed(pair_id: str, j: int) -> Neighbours:
        remark = f" ({n} at most are, of {j})" if j > n else ""
        return Neighbours(pair_id, {f"k{i}": 1 for i in range(min(j, n))}, {}, f"{j} of {k} counters changed{remark}")

    return (changed("worst", worst_change(k, k)), changed("all", k))


_UNCORRELATED = Noisy(parameter_named("sigma"), keys=parameter_named("k"), margin=parameter_named("gap"))
_CORRELATED = replace(_UNCORRELATED, shared=lambda A, *, k, **_rest: A.sqrt(A.number(k)))
STABILITY_HISTOGRAM = Privacy(sparse_monotone, stability_histogram, by_gap, release=_CORRELATED)
"""Algorithm 2."""
AGGREGATES = Privacy(sparse_monotone, aggregates, by_gap, release=replace(_CORRELATED, beside=parameter_named("mu_o")))
"""Algorithm 2 with a column of aggregates beside every counter (Section 6); mu_o is a parameter too."""
DISCRETE = Privacy(sparse_monotone, unmixed, by_gap)
"""Algorithm 4 on the support, with a threshold (Theorem 21)."""
DISCRETE_SUMS = Privacy(sparse_monotone, whole_sums, by_gap)
"""The same with a whole sum beside every counter; sigma_s and per_sum are parameters too."""
UNCORRELATED = Privacy(sparse_monotone, uncorrelated, by_gap, release=_UNCORRELATED)
"""Algorithm 1."""
COUNTING_QUERIES = Privacy(
    ByParameters(AddRemoveUser, {"c_u": "k"}), counting_queries, release=replace(_CORRELATED, margin=None)
)
"""Correlated noise on k counters that are all released (Lemmas 8 and 19)."""
TOP_K = Privacy(Always(AddRemoveUser(c_u=_ANY)), top_k, release=replace(_CORRELATED, keys=None))
"""Algorithm 3."""
MISRA_GRIES = Privacy(Always(AddRemoveUser(c_u=1)), misra_gries)
"""A Misra-Gries sketch, released by Algorithm 2."""
