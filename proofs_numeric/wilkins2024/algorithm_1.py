r"""Section 3: Algorithm 1 and what its two thresholds mean."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np

from proofs_numeric.expression import larger
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes
from proofs_numeric.statements.profiles import SparseRows
from proofs_numeric.wilkins2024.finite import RATIOS, least_delta, printed_row_law, row_law
from proofs_numeric.wilkins2024.neighbours import by_thresholds
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.collapse import larger_delta, rows_at
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact, delta_on_pairs

MECHANISM_ID = "gaussian_sparse_histogram"
"""Id of the reference implementation of Algorithm 1."""


def any_released(chosen: tuple[str, ...], keys: tuple[str, ...], values: Any) -> Any:
    """Whether at least one of the chosen keys was released, per release."""
    return np.any(~np.isnan(values[:, [key in chosen for key in keys]]), axis=1)


def chance(
    row: str,
    locator: str,
    title: str,
    statement: str,
    of: tuple[Mapping[str, Value], Mapping[str, int], tuple[str, ...]],
    probability: Expression,
    note: str = "",
) -> Claim:
    """A claim of the probability that one of some keys is released, ``of`` settings, a histogram and these keys."""
    settings, histogram, chosen = of
    law = Law(MECHANISM_ID, settings, histogram, partial(any_released, chosen), probability)
    return stated(row, locator, title, statement, law, quantity=QuantityKind.PROBABILITY, note=note)


tau, tau_star = symbols("tau tau_star")
emission_probability = Phi((symbol("count") - tau_star) / sigma)
"""``Phi((count - tau*)/sigma)``: a group whose count is at least tau is released."""

_effective_gap = tau_star - larger(1, tau)
_ROWS = rows_at(_effective_gap)
delta_of_thresholds = delta_exact(gap=_effective_gap)
"""Exact delta of Algorithm 1 from its thresholds; ``tau >= 0`` an integer.

Only nonempty groups are visited, so the least count that can be released is ``max(1, tau)``.
"""
printed_delta_of_thresholds = delta_exact(gap=tau_star - tau)
"""Theorem 5.4 read literally."""
delta_of_thresholds_on_pairs = algorithm(delta_on_pairs)(gap=tau_star - tau)
"""The same from the law of the worst pairs, by quadrature; ``tau >= 1``."""

_Row = tuple[int, int, Fraction, int]
_Shifted = tuple[Fraction, int, int, Fraction, int, int]


def _rows(least_tau: int, size: int) -> Iterator[_Row]:
    stars = [Fraction(n, 2) for n in range(-1, 2 * size + 1)]
    yield from product(range(size + 1), range(least_tau, size + 1), stars, (1, 2))


def _row_seen(case: _Row) -> dict[str, object]:
    at = dict(zip(("count", "tau", "tau*", "width of the noise"), case, strict=True))
    return {**at, "law of the row": row_law(*case), "by the formula": printed_row_law(*case)}


def row_formula_agrees(case: _Row) -> bool:
    """Whether the row formula gives Algorithm 1's law for (count, tau, tau*, noise width)."""
    return row_law(*case) == printed_row_law(*case)


def _datasets(size: int) -> Iterator[tuple[int, tuple[frozenset[int], ...]]]:
    groups = range(3)
    for c_u in (1, 2, 3):
        choices = [frozenset(chosen) for n in range(c_u + 1) for chosen in combinations(groups, n)]
        yield from ((c_u, users) for users in product(choices, repeat=size))


def one_user_changes_few_counts(case: tuple[int, tuple[frozenset[int], ...]]) -> bool:
    """Removing any user lowers at most ``c_u`` counts, each by one."""
    c_u, users = case
    counts = [sum(g in user for user in users) for g in range(3)]
    for j in range(len(users)):
        rest = [sum(g in user for user in (*users[:j], *users[j + 1 :])) for g in range(3)]
        changes = [before - after for before, after in zip(counts, rest, strict=True)]
        if any(change not in (0, 1) for change in changes) or sum(changes) > c_u:
            return False
    return True


def _shifts(size: int) -> Iterator[_Shifted]:
    stars = (Fraction(0), Fraction(1), Fraction(3, 2), Fraction(3))
    for ratio, c_u, tau, gap, shift in product(RATIOS, (1, 2), (1, 2), stars, range(1, size + 1)):
        yield ratio, c_u, tau, tau + gap, 1, shift


def delta_survives_a_shift(case: _Shifted) -> bool:
    """Least delta by Definition 2.2 at (tau, tau*) and at both thresholds moved up by ``shift``."""
    ratio, c_u, tau, tau_star, width, shift = case
    at = partial(least_delta, ratio, groups=c_u, c_u=c_u, width=width)
    return at(tau=tau, tau_star=tau_star) == at(tau=tau + shift, tau_star=tau_star + shift)


_SETTINGS = {"c_u": 2, "sigma": 2, "gap": 4, "mu_o": 0, "tau": 3}
_HISTOGRAM = {"k0": 2, "k1": 3, "k2": 6, "k3": 9}
_TAU_0 = Parameter("tau", "lower threshold on the true count, nonnegative as Table 1 says", "counts", 0, integer=True)


def _emission(key: str, where: str, title: str) -> Claim:
    count = _HISTOGRAM[key]
    released = count >= _SETTINGS["tau"]
    return chance(
        f"alg1{where}", "Algorithm 1", title, r"P(\text{group of } c \text{ users is released}) = " + (
            r"\Phi((c - \tau^*)/\sigma), \ c \ge \tau" if released else r"0, \ c < \tau"
        ),
        (_SETTINGS, _HISTOGRAM, (key,)),
        emission_probability(count=count, tau_star=7, sigma=2) if released else lift(0),
        f"tau = 3, tau* = 7, sigma = 2; the group has {count} users.",
    )  # fmt: skip


CLAIMS = (
    _emission("k2", "", "A group is released with the probability of passing tau*"),
    _emission("k1", ".least", "A group of exactly tau users is released with the same formula"),
    _emission("k0", ".below", "A group of fewer than tau users is never released"),
    stated(
        "alg1.row", "Section 3, row formula", "The row formula is Algorithm 1 for tau >= 1",
        r"M(X)_i = \emptyset \iff C < \tau \text{ or } C + v < \tau^*",
        FiniteStatement(partial(_rows, 1), row_formula_agrees, sizes(5, 8, 16), "counts and thresholds"),
        note="The law of one row with integer noise, in rationals; thresholds tau* in halves, tau* <= tau included.",
    ),
    refuted(
        "alg1.row.unrestricted", "Section 3, row formula; Table 1", "The row formula for nonnegative tau",
        r"M(X)_i = \emptyset \iff C < \tau \text{ or } C + v < \tau^*, \ \tau \ge 0",
        FiniteStatement(
            partial(_rows, 0), row_formula_agrees, sizes(5, 8, 16), "counts and thresholds", describe=_row_seen
        ),
        by="alg1.row", note="At tau = 0 the formula releases empty groups, which Algorithm 1 never visits.",
    ),
    stated(
        "sec3.cu", "Section 3", "A user changes at most C_u counts, each by at most one",
        r"|\{i : C(X,G_i) \ne C(X_{-j},G_i)\}| \le C_u, \quad C(X,G_i) - C(X_{-j},G_i) \in \{0, 1\}",
        FiniteStatement(_datasets, one_user_changes_few_counts, sizes(2, 3, 4), "three groups, C_u <= 3, users"),
    ),
    stated(
        "intro.diff", "Section 1", "Only the difference of the thresholds matters",
        r"\delta(\varepsilon; \tau, \tau^*) = \delta(\varepsilon; \tau + s, \tau^* + s), \ \tau \ge 1",
        FiniteStatement(_shifts, delta_survives_a_shift, sizes(1, 2, 3), "C_u <= 2, tau <= 2, shift"),
        partial="bounded integer noise and C_u <= 2; normal noise is left out",
        note="Least delta by Definition 2.2 over every pair of histograms, with integer noise, in rationals; integer "
        "tau >= 1 (see tab1.tau and sec4.scope for other tau).",
    ),
    uncheckable(
        "sec3.d", "Section 3", "The number of groups and of aggregates",
        r"d = \#\text{countries} \times \#\text{URLs}, \quad m = 3",
        Editorial(
            printed="d ... is equal to the number of countries times the number of URLs ... times the number of "
            "aggregates per group, m, is three",
            corrected="d is the number of countries times the number of URLs; the number of aggregates per group, m, "
            "is three",
            reason="two sentences run into one: d counts rows, m columns",
        ),
    ),
    stated(
        "tab1.tau", "Table 1", "Which thresholds the analysis allows",
        r"\delta = (5.8) \text{ at } \tau^* - \tau, \ \tau \in \{1, 2, \ldots\}, \ \tau^* \in \mathbb R",
        DeltaBound(
            delta_of_thresholds, oracle=delta_of_thresholds_on_pairs, pairs=SparseRows(*_ROWS),
            proof=larger_delta(*_ROWS),
            oracle_points=points(
                "epsilon c_u sigma tau tau_star mu_o", ("0.3", 3, 1, 2, 1, 0), (1, 2, 2, 5, "5/2", "1/4"),
                ("1/2", 4, 3, 1, 9, 0),
            ),
        ),
        domain=(EPSILON, C_U, SIGMA, TAU, TAU_STAR, MU_O), falls=("epsilon", "tau_star"), rises=("c_u", "mu_o"),
        privacy=by_thresholds(_effective_gap),
        note="Holds for integer tau >= 1; tau* > tau, which Table 1 asks for, is not needed.",
    ),
    refuted(
        "tab1.tau.unrestricted", "Table 1", "Nonnegative tau, with tau = 0",
        r"\delta \le (5.8) \text{ at } \tau^* - \tau, \ \tau \in \{0, 1, \ldots\}",
        delta_of_thresholds <= printed_delta_of_thresholds, by="tab1.tau",
        domain=(EPSILON, C_U, SIGMA, _TAU_0, TAU_STAR, MU_O),
        points=points("epsilon c_u sigma tau tau_star mu_o", (5, 1, 1, 0, 4, 0)),
        note="Only nonempty groups are visited, so tau = 0 acts as tau = 1 and the gap is overstated by one: delta is "
        "understated by a factor 42.6 at C_u = 1, sigma = 1, epsilon = 5, tau* = 4.",
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
"""Claims of Section 3, with Table 1 and the introduction's remark on the thresholds."""
