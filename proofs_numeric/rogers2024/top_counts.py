"""Section 4.2: Algorithm 2 over the top (k_bar + 1) counts, Theorem 8 and Lemma 4.1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball
from proofs_numeric.claim import (
    Box,
    ByClaim,
    Calibration,
    Claim,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Law,
    Parameter,
    Proof,
    QuantityKind,
    Role,
    SymbolicIdentity,
    Trusted,
)
from proofs_numeric.rogers2024.enumeration import (
    Items,
    count_at,
    histograms,
    neighbour_pairs,
    neighbours,
    top,
    tops_under_any_tie_order,
)
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail, normal_average, window
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    DELTA,
    DELTA_0,
    DELTA_INF,
    EPSILON,
    LEVEL,
    SIGMA,
    ours,
    printed,
)
from proofs_numeric.rogers2024.positive_counts import (
    COUNT_NOISE,
    COUNT_THRESHOLD,
    THREE_NEW,
    anything_printed,
    gaussian_bound,
    rho_of_ratio,
)
from proofs_numeric.special import (
    gaussian_profile,
    integral,
    log_normal_cdf,
    normal_cdf,
    normal_pdf,
    normal_quantile_complement,
)
from proofs_numeric.verdict import Expectation

# --- threshold and new items ------------------------------------------------------------------------------------------


def top_threshold(A: Arithmetic, *, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """``T = D_inf + sqrt(2) (D_inf/epsilon) z(delta/D_0)`` (counts)."""
    quantile = normal_quantile_complement(A, A.number(delta) / delta_0)
    return delta_inf + A.sqrt(2) * delta_inf / A.number(epsilon) * quantile


def mass_above_noisy_threshold(A: Arithmetic, *, items: Any, margin: Any) -> Any:
    """``1 - E[Phi(margin + Z)^items]``: some of ``items`` equal counts beats one shared noisy threshold.

    ``margin`` is the threshold's lead in noise standard deviations; item and threshold noise are N(0, 1).
    """
    return normal_average(A, lambda B, u: above_any(B, items, normal_cdf(B, -(margin + u))), margin / A.sqrt(2))


def top_new_mass(A: Arithmetic, *, value: Any, delta_0: Any, delta_inf: Any, epsilon: Any, delta: Any) -> Any:
    """Exact Pr[not E] of Algorithm 2 at the threshold ``value``: D_0 new items of count c_(k_bar+1) + D_inf."""
    margin = (A.number(value) - delta_inf) * epsilon / delta_inf
    return mass_above_noisy_threshold(A, items=delta_0, margin=margin)


def new_item_mass(A: Arithmetic, *, delta_0: Any, delta: Any) -> Any:
    """Exact Pr[not E] of Algorithm 2 at its own threshold: ``1 - E[Phi(sqrt(2) z(delta/D_0) + Z)^{D_0}]``."""
    margin = A.sqrt(2) * normal_quantile_complement(A, A.number(delta) / delta_0)
    return mass_above_noisy_threshold(A, items=delta_0, margin=margin)


def new_item_mass_from_maximum(A: Arithmetic, *, delta_0: Any, delta: Any) -> Any:
    """The same mass from the density of the largest of D_0 noises: ``integral n phi Phi^(n-1) Phi(x - sqrt(2) z)``."""
    margin = A.sqrt(2) * normal_quantile_complement(A, A.number(delta) / delta_0)

    def density(B: Arithmetic, x: Any) -> Any:
        return delta_0 * normal_pdf(B, x) * normal_cdf(B, x) ** (delta_0 - 1) * normal_cdf(B, x - margin)

    return A.sum(integral(A, density, i, i + 2) for i in range(-14, 30, 2))


def union_of_new_items(A: Arithmetic, *, delta_0: Any, delta: Any) -> Any:
    """``D_0 (1 - Phi(T^/(sqrt(2) sigma)))`` with ``T^ = sqrt(2) sigma z(delta/D_0)``."""
    lead = A.sqrt(2) * normal_quantile_complement(A, A.number(delta) / delta_0)
    return delta_0 * gaussian_tail(A, lead / A.sqrt(2))


def union_glyph_printed(A: Arithmetic, *, delta_0: Any, delta: Any, sigma: Any) -> Any:
    """``D_0 (1 - Phi(T^/sqrt(2 sigma)))``, the root drawn over sigma as printed."""
    lead = A.sqrt(2) * A.number(sigma) * normal_quantile_complement(A, A.number(delta) / delta_0)
    return delta_0 * gaussian_tail(A, lead / A.sqrt(2 * A.number(sigma)))


def just_delta(A: Arithmetic, *, delta: Any, **_parameters: Any) -> Any:
    """``delta``."""
    return A.number(delta)


def shared_counts_delta(A: Arithmetic, *, epsilon: Any, delta_0: Any, delta_inf: Any, sigma: Any, delta: Any) -> Any:
    """Exact profile of D_0 shared high counts that each move by D_inf (pair B3)."""
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(delta_0)) * delta_inf / sigma)


# --- Lemma 4.1 --------------------------------------------------------------------------------------------------------


def _log_mass(A: Arithmetic, theta: Any, mass: Any) -> Any:
    return theta * theta / 2 + A.log(mass)


def _renyi_from_log_mass(A: Arithmetic, alpha: Any, left: Any, right: Any, mass: Any) -> Any:
    """``[L(a t + (1-a) u) - a L(t) - (1-a) L(u)] / (a-1)`` with ``L(theta) = log integral_K e^(theta z - z^2/2)``."""
    alpha, left, right = A.number(alpha), A.number(left), A.number(right)
    middle = alpha * left + (1 - alpha) * right
    return (
        _log_mass(A, middle, mass(middle))
        - alpha * _log_mass(A, left, mass(left))
        + (alpha - 1) * _log_mass(A, right, mass(right))
    ) / (alpha - 1)


def renyi_on_interval(A: Arithmetic, *, alpha: Any, left: Any, right: Any, start: Any, width: Any) -> Any:
    """``D_alpha`` of N(left, 1) and N(right, 1), both conditioned on ``[start, start + width]``."""
    start = A.number(start)
    end = start + width
    return _renyi_from_log_mass(A, alpha, left, right, lambda t: normal_cdf(A, end - t) - normal_cdf(A, start - t))


def renyi_on_two_rays(A: Arithmetic, *, alpha: Any, left: Any, right: Any, radius: Any) -> Any:
    """``D_alpha`` of N(left, 1) and N(right, 1), both conditioned on ``|z| >= radius`` (not convex)."""
    radius = A.number(radius)
    return _renyi_from_log_mass(A, alpha, left, right, lambda t: normal_cdf(A, t - radius) + normal_cdf(A, -radius - t))


def gaussian_renyi_bound(A: Arithmetic, *, alpha: Any, left: Any, right: Any, **_region: Any) -> Any:
    """``alpha m G^2 / (2 mu)`` for unit Gaussians: ``alpha (left - right)^2 / 2``."""
    difference = A.number(left) - right
    return alpha * difference * difference / 2


def difference_of_squares(A: Arithmetic, *, z: Any, h: Any, h_other: Any) -> Any:
    """``(z - h)^2 - (z - h')^2``, one coordinate."""
    z, h, h_other = A.number(z), A.number(h), A.number(h_other)
    return (z - h) ** 2 - (z - h_other) ** 2


def difference_linear(A: Arithmetic, *, z: Any, h: Any, h_other: Any) -> Any:
    """``-2 (h - h') z + h^2 - h'^2``: its gradient has length ``2 |h - h'|``."""
    z, h, h_other = A.number(z), A.number(h), A.number(h_other)
    return -2 * (h - h_other) * z + h * h - h_other * h_other


def lemma_constant(A: Arithmetic, *, delta_0: Any, delta_inf: Any, sigma: Any) -> Any:
    """``m G^2 / (2 mu)`` at ``m = 1/(2 sigma^2)``, ``G = 2 sqrt(D_0) D_inf``, ``mu = 2``."""
    sigma = A.number(sigma)
    return (1 / (2 * sigma * sigma)) * (4 * A.number(delta_0) * A.number(delta_inf) ** 2) / 4


def theorem_constant(A: Arithmetic, *, delta_0: Any, delta_inf: Any, sigma: Any) -> Any:
    """``D_0 D_inf^2 / (2 sigma^2)``."""
    return rho_of_ratio(A, delta_0=delta_0, epsilon=A.number(delta_inf) / sigma)


# --- Section 4.2.1 ----------------------------------------------------------------------------------------------------


def swap_kl(A: Arithmetic, *, epsilon: Any, lead: Any) -> Any:
    """Kullback-Leibler divergence of Algorithm 2's output, k_bar = 1, {a: N, b: t} against {a: N+1, b: t+1} (B7).

    ``lead = (N - t - T)/sigma``; with x the item's noise:
    ``E[Phi(x + lead) (epsilon^2/2 - epsilon x + log Phi(x + lead) - log Phi(x + lead - epsilon))]``.
    """
    epsilon, lead = A.number(epsilon), A.number(lead)

    def integrand(B: Arithmetic, x: Any) -> Any:
        ratio = log_normal_cdf(B, x + lead) - log_normal_cdf(B, x + lead - epsilon)
        return normal_pdf(B, x) * normal_cdf(B, x + lead) * (epsilon * epsilon / 2 - epsilon * x + ratio)

    reach = window(A, lead)
    cuts = 1 if isinstance(A, Ball) else 8
    width = 2 * reach / cuts
    value = A.sum(integral(A, integrand, -reach + i * width, -reach + (i + 1) * width) for i in range(cuts))
    if not isinstance(A, Ball):
        return value
    # Phi(y) |log Phi(y) - log Phi(y - epsilon)| <= epsilon (|y| + epsilon + 1): the reversed hazard of a normal at y
    # is at most |y| + 1.  Beyond the window the integrand is below phi(x) epsilon (2|x| + |lead| + 2 epsilon + 1).
    rest = 2 * epsilon * (2 * normal_pdf(A, reach) + (abs(lead) + 2 * epsilon + 1) * normal_cdf(A, -reach))
    return value + (-rest).union(rest)


def rho_by_k_bar(A: Arithmetic, *, epsilon: Any, lead: Any) -> Any:
    """``k_bar epsilon^2/2`` at ``k_bar = 1``."""
    return rho_of_ratio(A, delta_0=1, epsilon=epsilon)


def rho_by_k_bar_plus_one(A: Arithmetic, *, epsilon: Any, lead: Any) -> Any:
    """``min(D_0, k_bar + 1) epsilon^2/2`` at ``k_bar = 1``, ``D_0 = 2``."""
    return rho_of_ratio(A, delta_0=2, epsilon=epsilon)


# --- combinatorics of tops --------------------------------------------------------------------------------------------

TopCase = tuple[Items, Items, int, int, int]
"""(h, h', k_bar, D_0, D_inf)."""


def top_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on three labels with counts up to ``size``; at size 4 four labels with counts up to 5."""
    labels, largest = (4, 5) if size >= 4 else (3, size)
    for delta_0, delta_inf in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(labels, largest, delta_0, delta_inf):
            for k_bar in range(1, labels + 1):
                yield larger, smaller, k_bar, delta_0, delta_inf


def tie_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on four labels with counts up to ``size``, unit changes of one label."""
    for larger in histograms(4, size):
        for smaller in neighbours(larger, 1, 1):
            for k_bar in (1, 2, 3):
                yield larger, smaller, k_bar, 1, 1


def own_labels(case: TopCase) -> tuple[list[str], list[str]]:
    """Labels of one top only: (of h, of h')."""
    larger, smaller, k_bar, _delta_0, _delta_inf = case
    left, right = top(larger, k_bar), top(smaller, k_bar)
    return sorted(set(left) - set(right)), sorted(set(right) - set(left))


def few_own_labels(case: TopCase) -> bool:
    r"""``|top(h) \ top(h')| <= min(k_bar, D_0)`` with a fixed label order."""
    return len(own_labels(case)[0]) <= min(case[2], case[3])


def few_own_labels_any_ties(case: TopCase) -> bool:
    """The same for every way of breaking ties on either side."""
    larger, smaller, k_bar, delta_0, _delta_inf = case
    return all(
        len(left - right) <= min(k_bar, delta_0)
        for left in tops_under_any_tie_order(larger, k_bar)
        for right in tops_under_any_tie_order(smaller, k_bar)
    )


def chain_printed(case: TopCase) -> bool:
    """``c_j <= c'_j + D <= c'_(k_bar) + D <= c_(k_bar) + D <= c_(k_bar+1) + D`` for items of h's top only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    before, after = dict(larger), dict(smaller)
    return all(
        before[j] <= after.get(j, 0) + delta_inf
        and after.get(j, 0) <= count_at(smaller, k_bar) <= count_at(larger, k_bar) <= count_at(larger, k_bar + 1)
        for j in own_labels(case)[0]
    )


def chain_corrected(case: TopCase) -> bool:
    """``c_j <= c'_j + D <= c'_(k_bar+1) + D <= c_(k_bar+1) + D`` for items of h's top only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    before, after = dict(larger), dict(smaller)
    return all(
        before[j] <= after.get(j, 0) + delta_inf
        and after.get(j, 0) <= count_at(smaller, k_bar + 1) <= count_at(larger, k_bar + 1)
        for j in own_labels(case)[0]
    )


def chain_of_smaller(case: TopCase) -> bool:
    """``c'_j <= c_j <= c_(k_bar+1) <= c'_(k_bar+1) + D`` for items of the top of h' only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    before, after = dict(larger), dict(smaller)
    return all(
        after[j] <= before[j] <= count_at(larger, k_bar + 1) <= count_at(smaller, k_bar + 1) + delta_inf
        for j in own_labels(case)[1]
    )


def relabelled_shifts(case: TopCase) -> Iterator[list[int]]:
    """Coordinate changes of the relabelled vectors for every matching of own items; the threshold comes last.

    Tops are padded with zero counts to ``k_bar`` entries, so both sides have as many own items.
    """
    larger, smaller, k_bar, _delta_0, _delta_inf = case
    left, right = top(larger, k_bar), top(smaller, k_bar)
    own, other = own_labels(case)
    padding = len(own) - len(other)
    shared = [left[label] - right[label] for label in left if label in right]
    threshold = count_at(larger, k_bar + 1) - count_at(smaller, k_bar + 1)
    counts = [right[label] for label in other] + [0] * padding
    for matched in set(permutations(counts)):
        yield [*shared, *(left[a] - b for a, b in zip(own, matched, strict=True)), threshold]


def few_coordinates_move(case: TopCase) -> bool:
    """At most D_0 coordinates move, the threshold among them, each by at most D_inf, for any matching."""
    _larger, _smaller, _k_bar, delta_0, delta_inf = case
    return all(
        sum(s != 0 for s in shifts) <= delta_0 and max(map(abs, shifts)) <= delta_inf
        for shifts in relabelled_shifts(case)
    )


def l2_is_bounded(case: TopCase) -> bool:
    """Squared l2 distance of the relabelled vectors, threshold included, is at most ``D_0 D_inf^2``."""
    _larger, _smaller, _k_bar, delta_0, delta_inf = case
    return all(sum(s * s for s in shifts) <= delta_0 * delta_inf**2 for shifts in relabelled_shifts(case))


def l2_is_bounded_by_k_bar(case: TopCase) -> bool:
    """The same with ``min(D_0, k_bar + 1) D_inf^2``."""
    _larger, _smaller, k_bar, delta_0, delta_inf = case
    bound = min(delta_0, k_bar + 1) * delta_inf**2
    return all(sum(s * s for s in shifts) <= bound for shifts in relabelled_shifts(case))


def factor_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on two labels, for the exact law under finite noise."""
    for delta_0, delta_inf in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(2, size, delta_0, delta_inf):
            for k_bar in (1, 2):
                yield larger, smaller, k_bar, delta_0, delta_inf


def top_law_factors(case: TopCase) -> bool:
    """``P(y) = Pr[E] P(y | E)`` for every outcome possible given E: no own item beats the noisy threshold."""
    larger, _smaller, k_bar, _delta_0, _delta_inf = case
    own = set(own_labels(case)[0])
    entries = sorted(top(larger, k_bar).items())
    base = count_at(larger, k_bar + 1) + COUNT_THRESHOLD
    law: dict[tuple[frozenset[tuple[str, int]], bool], Fraction] = {}
    for steps in product(COUNT_NOISE, repeat=len(entries) + 1):
        mass = Fraction(1)
        for step in steps:
            mass *= COUNT_NOISE[step]
        bar = base + steps[-1]
        shown = {(label, count + s) for (label, count), s in zip(entries, steps, strict=False) if count + s > bar}
        good = all(count + s <= bar for (label, count), s in zip(entries, steps, strict=False) if label in own)
        key = (frozenset(shown), good)
        law[key] = law.get(key, Fraction(0)) + mass
    return all((outcome, False) not in law for outcome, good in law if good)


def region_cases(size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of integer points (z_b1, z_b2, z_bot) of the region."""
    points = [z for z in product(range(-size, size + 1), repeat=3) if z[0] <= z[2] and z[1] <= z[2]]
    return product(points, points)


def midpoint_stays(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """The sum of two points satisfies ``z_b <= z_bot`` again (twice the midpoint; half-spaces through 0)."""
    total = [x + y for x, y in zip(*case, strict=True)]
    return total[0] <= total[2] and total[1] <= total[2]


def top_audit_mass(A: Arithmetic) -> Any:
    """Mass of three new items at delta = .05, D_0 = 3."""
    return new_item_mass(A, delta_0=3, delta=A.number(Fraction(1, 20)))


# --- claims -----------------------------------------------------------------------------------------------------------

_SIZES = {"quick": 2, "standard": 3, "deep": 4}
_SIZE_TEXT = "largest count, three labels (at 4: four labels, counts up to 5)"
_T_BOX = Box((replace(DELTA_0, upper=10**6), DELTA_INF, EPSILON, DELTA))
_MEANS = (
    Parameter("left", "mean of P", "standard deviations", lower=-3, upper=3),
    Parameter("right", "mean of Q", "standard deviations", lower=-3, upper=3),
)
_SWAP_BOX = Box(
    (
        Parameter("epsilon", "noise parameter", "nats", lower="0.1", upper=2),
        Parameter("lead", "(N - t - T)/sigma", "standard deviations", lower=-4, upper=4),
    )
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.alg2",
        source=printed("Algorithm 2"),
        title="Algorithm 2: mass of three new items",
        statement=r"\Pr[\text{some new item is printed}] = 1 - E[\Phi(\sqrt2 z(\delta/\Delta_0) + Z)^{\Delta_0}]",
        kind=Law(
            mechanism="unknown_domain_top",
            settings={"k_bar": 3, "delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": Fraction(1, 20)},
            histogram=THREE_NEW,
            event=anything_printed,
            probability=top_audit_mass,
        ),
        quantity=QuantityKind.PROBABILITY,
        note="One threshold noise for all items; padding entries have count 0 and are dropped after the comparison. "
        "Needs a tie order fixed before the data (E4). In print h_(k_bar+1) is defined and h_(k_bar) used (E25).",
    ),
    Claim(
        id="rogers2024.thm8.T",
        source=printed("Theorem 8"),
        title="Threshold of Algorithm 2",
        statement=r"T = \Delta_\infty + \frac{\sqrt2\Delta_\infty}{\varepsilon}\Phi^{-1}(1-\delta/\Delta_0)",
        kind=Calibration(top_threshold, top_new_mass, tight=False),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=({"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},),
        max_examples=5,
        loose="min(Delta_0, k_bar) may replace Delta_0; the union bound costs up to 1.3 per cent at Delta_0 = 20",
        note="Needs delta < Delta_0.",
    ),
    Claim(
        id="rogers2024.thm8.new_item_mass",
        source=ours("Theorem 8"),
        title="Exact mass of new items under Algorithm 2",
        statement=r"\Pr[\neg E] = 1 - E[\Phi(\sqrt2 z(\delta/\Delta_0) + Z)^{\Delta_0}]",
        kind=DeltaBound(
            new_item_mass,
            oracle=new_item_mass_from_maximum,
            oracle_points=(
                {"delta_0": 2, "delta": "1e-6"},
                {"delta_0": 3, "delta": "1/20"},
                {"delta_0": 20, "delta": "1e-3"},
            ),
        ),
        domain=Box((replace(DELTA_0, upper=10**6), DELTA)),
        quantity=QuantityKind.PROBABILITY,
        points=({"delta_0": 2, "delta": "1e-6"},),
        max_examples=12,
    ),
    Claim(
        id="rogers2024.thm8.rho",
        source=printed("Theorem 8"),
        title="Algorithm 2: rho = Delta_0 epsilon^2/2",
        statement=r"\|\text{relabelled } h - h'\|_2^2 \le \Delta_0\Delta_\infty^2 \Rightarrow D_\alpha \le "
        r"\alpha\Delta_0\varepsilon^2/2",
        kind=FiniteStatement(top_cases, l2_is_bounded, _SIZES, _SIZE_TEXT),
        domain=Box((DELTA_0, EPSILON)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=rho_of_ratio,
        note="Certificate of the l2 lemma for any matching of own items; Lemma 4.1 on the region turns it into rho.",
        loose="min(Delta_0, k_bar + 1) may replace Delta_0 (rogers2024.sharp.top)",
    ),
    Claim(
        id="rogers2024.thm8.profile",
        source=ours("Theorem 8 and its best conversion"),
        title="Privacy profile that Theorem 8 promises",
        statement=r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ "
        r"\rho = \Delta_0\Delta_\infty^2/(2\sigma^2)",
        kind=DeltaBound(gaussian_bound, exact=shared_counts_delta),
        domain=Box((LEVEL, replace(DELTA_0, upper=10**4), DELTA_INF, SIGMA, DELTA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        max_examples=60,
    ),
    Claim(
        id="rogers2024.thm8.lem5.2",
        source=printed("Theorem 8, proof", "Lemma 5.2 of [6]"),
        title="Few items differ between the tops",
        statement=r"|\text{top}(h) \setminus \text{top}(h')| \le \min(\bar k, \Delta_0)",
        kind=FiniteStatement(top_cases, few_own_labels, _SIZES, _SIZE_TEXT),
        assumptions=("ties are broken by an order of labels fixed before the data",),
    ),
    Claim(
        id="rogers2024.thm8.lem5.2.as_printed",
        source=printed("Algorithm 2", "breaking ties arbitrarily"),
        title="E4: few items differ however ties are broken",
        statement=r"|\text{top}(h) \setminus \text{top}(h')| \le \min(\bar k, \Delta_0) \text{ for any ties}",
        kind=FiniteStatement(
            tie_cases, few_own_labels_any_ties, {"quick": 1, "standard": 2, "deep": 3}, "largest count"
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.lem5.2",
        note="With tops {a, b} and {c, d} of five equal counts the disjoint mass is 1.4033e-6 at delta = 1e-6.",
    ),
    Claim(
        id="rogers2024.thm8.chain",
        source=printed("Theorem 8, proof item 1"),
        title="E5: chain of counts",
        statement=r"c_j \le c'_j + \Delta_\infty \le c'_{(\bar k)} + \Delta_\infty \le c_{(\bar k)} + \Delta_\infty "
        r"\le c_{(\bar k+1)} + \Delta_\infty",
        kind=FiniteStatement(top_cases, chain_printed, _SIZES, _SIZE_TEXT),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.chain.corrected",
        note="The last step is backwards: c_(k_bar) >= c_(k_bar+1).",
    ),
    Claim(
        id="rogers2024.thm8.chain.corrected",
        source=printed("Theorem 8, proof item 1"),
        title="Chain of counts through c'_(k_bar+1)",
        statement=(
            r"c_j \le c'_j + \Delta_\infty \le c'_{(\bar k+1)} + \Delta_\infty \le c_{(\bar k+1)} + "
            r"\Delta_\infty"
        ),
        kind=FiniteStatement(top_cases, chain_corrected, _SIZES, _SIZE_TEXT),
    ),
    Claim(
        id="rogers2024.thm8.Eprime",
        source=printed("Theorem 8, proof item 1", "the analysis of E' is similar"),
        title="Own items of the smaller side",
        statement=r"c'_j \le c_j \le c_{(\bar k+1)} \le c'_{(\bar k+1)} + \Delta_\infty",
        kind=FiniteStatement(top_cases, chain_of_smaller, _SIZES, _SIZE_TEXT),
    ),
    Claim(
        id="rogers2024.thm8.sum",
        source=printed("Theorem 8, proof item 1"),
        title="Union bound over new items",
        statement=r"\Delta_0 (1 - \Phi(\hat T/(\sqrt2\sigma))) = \delta",
        kind=Identity(union_of_new_items, just_delta),
        domain=Box((DELTA_0, DELTA)),
    ),
    Claim(
        id="rogers2024.thm8.sum.as_printed",
        source=printed("Theorem 8, proof item 1"),
        title="E25: the root drawn over sigma",
        statement=r"\Delta_0 (1 - \Phi(\hat T/\sqrt{2\sigma})) = \delta",
        kind=Identity(union_glyph_printed, just_delta),
        domain=Box((DELTA_0, DELTA, SIGMA)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.sum",
    ),
    Claim(
        id="rogers2024.thm8.factor",
        source=printed("Theorem 8, proof item 2"),
        title="The law factors on the good event",
        statement=r"P(y) = \Pr[E] P(y \mid E),\ y \in S",
        kind=FiniteStatement(factor_cases, top_law_factors, {"quick": 2, "standard": 3, "deep": 5}, "largest count"),
        note="Exact enumeration of a noise law with four atoms: the good event is a function of the outcome.",
    ),
    Claim(
        id="rogers2024.thm8.lem6.4",
        source=printed("Theorem 8, proof item 2", "Lemma 6.4 of [17]"),
        title="E21: at most Delta_0 coordinates move, threshold included",
        statement=r"\|\text{relabelled } h - h'\|_0 \le \Delta_0,\ \|\cdot\|_\infty \le \Delta_\infty",
        kind=FiniteStatement(top_cases, few_coordinates_move, _SIZES, _SIZE_TEXT),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.lem6.4.corrected",
        note="Needs Delta_inf >= 2: an own pair and the threshold can both move.",
    ),
    Claim(
        id="rogers2024.thm8.lem6.4.corrected",
        source=printed("Theorem 8, proof item 2"),
        title="Squared l2 distance of the relabelled vectors",
        statement=r"\|\text{relabelled } h - h'\|_2^2 \le \Delta_0\Delta_\infty^2",
        kind=FiniteStatement(top_cases, l2_is_bounded, _SIZES, _SIZE_TEXT),
        note="A matched pair that spends Delta_inf - s leaves s for the threshold: (Delta_inf - s)^2 + s^2 <= "
        "Delta_inf^2; otherwise a spare changed label pays s^2.",
    ),
    Claim(
        id="rogers2024.lem4.1",
        source=printed("Lemma 4.1"),
        title="Truncation to a convex set keeps the Gaussian Renyi bound",
        statement=r"D_\alpha(P\|Q) \le \alpha m G^2/(2\mu),\ K \text{ convex}",
        kind=Inequality(
            renyi_on_interval,
            gaussian_renyi_bound,
            proof=Proof(
                (
                    Trusted(
                        "L(theta) = log integral_K exp(theta z - |z|^2/2) has Hessian Cov <= I on convex K "
                        "(Brascamp-Lieb), and D_alpha = [L(a t + (1-a) u) - a L(t) - (1-a) L(u)]/(a-1), so "
                        "D_alpha <= a |t-u|^2/2"
                    ),
                )
            ),
        ),
        domain=Box(
            (
                replace(ALPHA, upper=10, log=False),
                *_MEANS,
                Parameter("start", "left end of K", lower=-4, upper=4),
                Parameter("width", "length of K", lower="0.1", upper=5),
            )
        ),
        note="Gaussians on an interval. In print e^-mF'' stands for e^-mF' and k for m (E20).",
    ),
    Claim(
        id="rogers2024.lem4.1.as_printed",
        source=printed("Lemma 4.1", "K a subset of R^d"),
        title="E20: truncation to any set",
        statement=r"D_\alpha(P\|Q) \le \alpha m G^2/(2\mu),\ K \subseteq R^d",
        kind=Inequality(renyi_on_two_rays, gaussian_renyi_bound),
        domain=Box(
            (replace(ALPHA, upper=10, log=False), *_MEANS, Parameter("radius", "K = {|z| >= radius}", lower=0, upper=4))
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.lem4.1",
    ),
    Claim(
        id="rogers2024.lem4.1.instance",
        source=printed("Theorem 8, proof, after Lemma 4.1"),
        title="Lipschitz constant of the difference of squares",
        statement=r"\|z-h\|^2 - \|z-h'\|^2 \text{ is } 2\|h-h'\|\text{-Lipschitz}",
        kind=Identity(
            difference_of_squares,
            difference_linear,
            Proof(
                (
                    SymbolicIdentity("linear in z", difference_of_squares, difference_linear, ("z", "h", "h_other")),
                    SymbolicIdentity(
                        "m G^2/(2 mu) is the theorem's rho",
                        lemma_constant,
                        theorem_constant,
                        ("delta_0", "delta_inf", "sigma"),
                        positive=("delta_0", "delta_inf", "sigma"),
                    ),
                )
            ),
        ),
        domain=Box(tuple(Parameter(n, "coordinate", lower=-1000, upper=1000) for n in ("z", "h", "h_other"))),
    ),
    Claim(
        id="rogers2024.thm8.region",
        source=printed("Theorem 8, proof item 3"),
        title="The region of good noise is convex",
        statement=r"K = \{z : z_{b_j} \le z_\bot\ \forall j\} \text{ is convex}",
        kind=FiniteStatement(region_cases, midpoint_stays, {"quick": 1, "standard": 1, "deep": 2}, "coordinate"),
        note="An intersection of half-spaces.",
    ),
    Claim(
        id="rogers2024.sec421.kbar",
        source=printed("Section 4.2.1"),
        title="E22: rho of Algorithm 2 bounded by k_bar epsilon^2/2",
        statement=r"D_1(P\|Q) \le \bar k\varepsilon^2/2 \text{ for any } \Delta_0",
        kind=Inequality(swap_kl, rho_by_k_bar),
        domain=_SWAP_BOX,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.sec421.kbar.corrected",
        max_examples=16,
        note=(
            "The text says only that rho is bounded in terms of k_bar; read as k_bar epsilon^2/2 it fails at k_bar = 1."
        ),
    ),
    Claim(
        id="rogers2024.sec421.kbar.corrected",
        source=printed("Section 4.2.1"),
        title="Rho of Algorithm 2 is at most min(Delta_0, k_bar + 1) epsilon^2/2",
        statement=r"D_1(P\|Q) \le \min(\Delta_0, \bar k + 1)\varepsilon^2/2",
        kind=Inequality(
            swap_kl,
            rho_by_k_bar_plus_one,
            proof=Proof((ByClaim("rogers2024.sharp.top", "the l2 lemma with min(D_0, k_bar + 1)"),)),
        ),
        domain=_SWAP_BOX,
        max_examples=8,
    ),
)
