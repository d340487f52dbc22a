"""Worst-case neighbours WC1 to WC6 of the Gaussian sparse histogram mechanism, and those of the Gaussian mechanism.

One user, in `left` and not in `right`, holds one record in each changed row. A changed row is
at the threshold   count tau in left, tau - 1 in right: only left can release it;
far above          count N in left, N - 1 in right, N > tau* + 40 sigma: a Gaussian mechanism up to Phi(-40) < 1e-349;
                   N is a power of two, at which the grid of doubles changes;
near               count within 2 sigma of tau* on both sides: a normal censored at tau*.

WC1 has every changed row at the threshold, WC2 has every one far above, WC3 has both kinds; WC4 is WC3 in the direction
BACKWARD. WC5 has near rows and WC6 an untouched row beside the changed ones: no worse for the correct mechanism, and
where several faults show. Source: wilkins2024 Lemmas 5.1 to 5.3.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, Always, ByParameters, Neighbours, Privacy
from proofs_numeric.statements.releases import Noisy
from proofs_numeric.statements.thresholds import by_gap

FAR = 40
"""Standard deviations between tau* and the count of a row that is said to be far above it."""
adjacency = ByParameters(AddRemoveUser, {"c_u": "c_u"})
"""One user in at most c_u groups, one record in each (wilkins2024 Definition 2.1, Section 3)."""


def thresholds(parameters: Mapping[str, Any]) -> tuple[int, Fraction]:
    """Least count that Algorithm 1 can release, max(1, ceil(tau)), and tau*, given itself or as tau + gap."""
    tau = Fraction(parameters.get("tau", 1))
    tau_star = Fraction(parameters["tau_star"]) if "tau_star" in parameters else tau + Fraction(parameters["gap"])
    return max(1, math.ceil(tau)), tau_star


def far_count(*, tau_star: int | Fraction, sigma: int | Fraction) -> int:
    """The least power of two N >= 2 with N - 1 >= tau* + 40 sigma: a grid that follows counts is finer below it."""
    return 1 << max(1, math.ceil(tau_star + FAR * sigma)).bit_length()


def changed_rows(name: str, counts: Sequence[int], description: str, untouched: Sequence[int] = ()) -> Neighbours:
    """Keys k0, k1, ...: `counts` in left and one less in right, then the untouched rows in both."""
    rest = {f"k{len(counts) + i}": count for i, count in enumerate(untouched)}
    left = {f"k{i}": count for i, count in enumerate(counts)} | rest
    right = {f"k{i}": count - 1 for i, count in enumerate(counts) if count > 1} | rest
    return Neighbours(name, left, right, description)


def worst_cases(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """WC1, WC2, WC3 (half the rows at the threshold), WC5 and WC6.

    Args:
        parameters: c_u, sigma, gap or tau_star, and mu_o (0 unless given) and tau (1).

    """
    sigma, (tau, tau_star) = Fraction(parameters["sigma"]), thresholds(parameters)
    c_u = int(parameters["c_u"])
    rows = min(c_u, MOST_CHANGED_KEYS)
    capped = "" if rows == c_u else f" ({rows} rows of the {c_u} that a user may touch)"
    far = max(far_count(tau_star=tau_star, sigma=sigma), tau + 1)
    pairs = [
        changed_rows("wc1", [tau] * rows, f"all changed rows at tau: only left can release them{capped}"),
        changed_rows("wc2", [far] * rows, f"all changed rows far above tau*: a Gaussian mechanism{capped}"),
        changed_rows("wc6", [far] * rows, f"changed rows far above tau* beside an untouched one{capped}", [far]),
    ]
    if rows > 1:
        half = rows // 2
        kinds = f"{half} changed rows at tau, {rows - half} far above (backward: WC4){capped}"
        pairs.insert(2, changed_rows("wc3", [tau] * half + [far] * (rows - half), kinds))
    near = {"below": math.ceil(tau_star - sigma), "at": math.ceil(tau_star), "above": math.ceil(tau_star + sigma)}
    lies = {"below": "one sigma below tau*", "at": "the first from tau* on", "above": "one sigma above tau*"}
    pairs += [
        changed_rows(f"wc5.{side}", [count], f"one changed row with count {count}, {lies[side]}")
        for side, count in near.items()
        if count > tau
    ]
    if rows > 1 and Fraction(parameters.get("mu_o", 0)) == 0 and near["above"] > tau:
        two = f"two changed rows with count {near['above']}, one sigma above tau*"
        pairs.append(changed_rows("wc5.two", [near["above"]] * 2, two))
    return tuple(pairs)


_RELEASE = Noisy(
    parameter_named("sigma"), keys=parameter_named("c_u"), margin=parameter_named("gap"), beside=parameter_named("mu_o")
)
SPARSE_HISTOGRAM = Privacy(adjacency, worst_cases, reads=by_gap, release=_RELEASE)
"""Of claims about Algorithm 1 on the gap of its thresholds."""


def by_thresholds(gap: Formula) -> Privacy:
    """Of claims about Algorithm 1 on both thresholds; ``gap``: the higher less the least count that is released."""
    return Privacy(adjacency, worst_cases, release=replace(_RELEASE, margin=gap))


def sparse_histogram_at(complete: Callable[..., Mapping[str, Any]]) -> Privacy:
    """Of claims that fix or answer some of Algorithm 1's parameters.

    Args:
        complete: the claim's parameters by keyword -> the missing ones.

    """
    return Privacy(partial(_completed, adjacency, complete), partial(_completed, worst_cases, complete))


def _completed(
    of: Callable[[Mapping[str, Any]], Any], complete: Callable[..., Mapping[str, Any]], parameters: Mapping[str, Any]
) -> Any:
    return of({**parameters, **complete(**parameters)})


def one_record_more(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """One record more in the first group, beside an untouched second."""
    del parameters
    return (Neighbours("one", {"k0": 1, "k1": 5}, {"k1": 5}, "one record in an empty group"),)


GAUSSIAN = Privacy(
    Always(AddRemoveUser(c_u=1)), one_record_more, release=Noisy(lambda A, *, mu, **_rest: 1 / A.number(mu))
)
"""Of claims about the Gaussian mechanism over a declared universe: every pair of neighbours has the same profile."""
