"""Exact output laws of Algorithms 3 and 4: Gumbel noise and a threshold are a peeling exponential mechanism.

With ``w = e^epsilon`` rational every probability is rational: item ``i`` weighs ``w^c_i`` and the threshold
``w^(c_(k_bar+1) + T) = w^(c_(k_bar+1) + 1) k_bar / delta``.  Source: Durfee and Rogers 2019; rogers2024 Algorithm 3.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.enumeration import Items, common, count_at, top
from proofs_numeric.statements.concentrated import Decomposition
from proofs_numeric.statements.instances import BOTTOM, Outcome

FiniteLaw = dict[Any, Any]


def peel(weights: Mapping[str, Any], bottom: Number, k: int) -> FiniteLaw:
    """Law of the list of at most ``k`` labels picked one by one in proportion to their weights until ``bottom`` wins.

    Values are of the weights' own type (Fraction, gmpy2.mpq, float, ball).
    """
    law: FiniteLaw = {}

    def grow(
        prefix: Outcome, left: tuple[tuple[str, Any], ...], rest: Number, probability: Number, places: int
    ) -> None:
        share = probability / rest
        law[(*prefix, BOTTOM)] = share * bottom
        if places == 1:
            law.update({(*prefix, label): share * weight for label, weight in left})
            return
        for index, (label, weight) in enumerate(left):
            grow((*prefix, label), left[:index] + left[index + 1 :], rest - weight, share * weight, places - 1)

    total = bottom + sum(weights.values(), start=bottom * 0)
    grow((), tuple(weights.items()), total, bottom / bottom, k)
    return law


def weights_of(items: Items, k_bar: int, base: Fraction) -> dict[str, Fraction]:
    """Weights of the top ``k_bar`` items, ``base = e^epsilon``."""
    return {label: base**count for label, count in top(items, k_bar).items()}


def bottom_weight(items: Items, k_bar: int, base: Fraction, delta: Fraction) -> Fraction:
    """Weight of the threshold with the T of Theorem 9."""
    return base ** (count_at(items, k_bar + 1) + 1) * k_bar / delta


def gumbel_law(items: Items, *, k_bar: int, k: int, base: Fraction, delta: Fraction) -> FiniteLaw:
    """Exact law of Algorithm 3 with the threshold of Theorem 9."""
    return peel(weights_of(items, k_bar, base), bottom_weight(items, k_bar, base, delta), k)


def good_parts(
    larger: Items, smaller: Items, *, k_bar: int, base: Fraction, delta: Fraction
) -> tuple[dict[str, Fraction], Fraction, Fraction, dict[str, Fraction], Fraction, Fraction]:
    """The repaired decomposition of Theorem 9: (weights, merged threshold, Pr[E0]) of either side.

    Given that the threshold beats every item of one top only (the event E0), the threshold's exponential clock runs at
    the sum of all their rates and is independent of the common items.  Where the smaller side's top has fewer own
    items, virtual items of count 0 that are never printed make up the number.
    """
    ours, theirs = weights_of(larger, k_bar, base), weights_of(smaller, k_bar, base)
    both = common(ours, theirs)
    alone, other = ([side[label] for label in side if label not in both] for side in (ours, theirs))
    other += [Fraction(1)] * (len(alone) - len(other))
    bottom, other_bottom = (bottom_weight(items, k_bar, base, delta) for items in (larger, smaller))
    merged, other_merged = bottom + sum(alone), other_bottom + sum(other)
    return (
        {label: ours[label] for label in both}, merged, bottom / merged, {label: theirs[label] for label in both},
        other_merged, other_bottom / other_merged,
    )  # fmt: skip


def gumbel_decomposition(
    larger: Items, smaller: Items, *, k_bar: int, k: int, base: Fraction, delta: Fraction
) -> Decomposition:
    """R3 certificate of Theorem 9 on one pair."""
    settings: dict[str, Any] = {"k_bar": k_bar, "base": base, "delta": delta}
    weights, merged, _mass, other, other_merged, _other_mass = good_parts(larger, smaller, **settings)
    left, right = (gumbel_law(items, k=k, **settings) for items in (larger, smaller))
    return Decomposition(left, right, peel(weights, merged, k), peel(other, other_merged, k))


def pay_what_you_get(round_law: Callable[[int, int], FiniteLaw], rounds: int, k_star: int, k: int) -> FiniteLaw:
    """Exact law of Algorithm 4 over a stream: tuples of lists, stopped when ``k_star`` entries are out.

    ``round_law(i, k_i)`` is the law of round ``i`` that may print ``k_i = min(k, k_star - printed)`` entries; bottom
    counts as an entry.
    """
    law: FiniteLaw = {(): 1}
    for index in range(rounds):
        grown: FiniteLaw = {}
        for lists, probability in law.items():
            left = k_star - sum(map(len, lists))
            if not left:
                grown[lists] = grown.get(lists, 0) + probability
                continue
            for outcome, share in round_law(index, min(k, left)).items():
                grown[(*lists, outcome)] = probability * share
        law = grown
    return law


def stream_law(
    stream: tuple[Items, ...], *, k_bar: int, k: int, k_star: int, base: Fraction, delta: Fraction
) -> FiniteLaw:
    """Exact law of Algorithm 4 on a fixed stream with the threshold of Theorem 9 in every round."""
    return pay_what_you_get(
        lambda i, k_i: gumbel_law(stream[i], k_bar=k_bar, k=k_i, base=base, delta=delta), len(stream), k_star, k
    )


def stream_decomposition(larger: tuple[Items, ...], smaller: tuple[Items, ...], **settings: Any) -> Decomposition:
    """R3 certificate of Theorem 10 on one pair of streams: the certificate of Theorem 9 applied round by round."""
    one = {name: settings[name] for name in ("k_bar", "base", "delta")}
    parts = [good_parts(left, right, **one) for left, right in zip(larger, smaller, strict=True)]
    picks = len(parts), settings["k_star"], settings["k"]
    return Decomposition(
        stream_law(larger, **settings), stream_law(smaller, **settings),
        pay_what_you_get(lambda i, k_i: peel(parts[i][0], parts[i][1], k_i), *picks),
        pay_what_you_get(lambda i, k_i: peel(parts[i][3], parts[i][4], k_i), *picks),
    )  # fmt: skip
