"""What the unknown-domain theorems give away: thresholds, rho and conversions, printed and least."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from auditor.report.model import Table
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import decimal_string
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.rogers2024 import orders, sharpenings
from proofs_numeric.rogers2024.theorem_5 import em_rho
from proofs_numeric.rogers2024.theorem_7 import statement as theorem_7
from proofs_numeric.rogers2024.theorem_8 import statement as theorem_8
from proofs_numeric.rogers2024.theorem_9 import statement as theorem_9
from proofs_numeric.rogers2024.theorem_11 import statement as theorem_11
from proofs_numeric.rogers2024.thresholds import (
    gaussian_threshold,
    gumbel_threshold,
    laplace_threshold,
    threshold_of_proof,
    threshold_of_statement,
    top_threshold,
)
from proofs_numeric.statements.concentrated import (
    canonne_epsilon_upper,
    cdp_to_dp_epsilon_upper,
    dp_to_cdp_rho,
    dp_to_cdp_rho_upper,
    gaussian_epsilon,
)

EPSILON, DELTA_0, K_BAR, ROUNDS = 1.0, 10, 100, 1000
"""Where thresholds are compared: the noise parameter, items of a user, items of a query, rounds."""
DELTAS = (0.05, 1e-6)
CONVERSIONS = (("1/200", "1e-3"), ("1/10", "1e-6"), ("1/2", "1e-6"), ("8", "1e-9"))
"""(rho, delta)."""
_A = Float64()


def _text(value: float, digits: int = 7) -> str:
    return f"{value:.{digits}g}"


def _text_up(value: float, digits: int = 7) -> str:
    # Two units in the twelfth place are far more than float64 loses in these formulas.
    return decimal_string(Fraction(value) * (1 + Fraction(2, 10**12)), digits, 1)


def least_threshold(mass: Any, delta: float, printed: float) -> float:
    """The threshold at which `mass(T)` is delta; `printed` is one at which it is at most that."""
    return float(increasing_root(_A, lambda T: math.log(delta / float(mass(T))), printed / 4, printed + 1e-6))


def thresholds() -> Table:
    """Printed threshold, exact new-item mass there, and the least threshold that keeps the promise."""
    user = {"delta_0": DELTA_0, "delta_inf": 1, "epsilon": EPSILON}
    query = {"k_bar": K_BAR, "epsilon": EPSILON}
    stream = {"L": ROUNDS, "delta_0": DELTA_0, "epsilon": EPSILON}
    cases: tuple[tuple[str, Any, Any, dict[str, Any]], ...] = (
        ("Theorem 7, Laplace", laplace_threshold, theorem_7.laplace_new_mass, user),
        ("Theorem 7, Gaussian", gaussian_threshold, theorem_7.gaussian_new_mass, user),
        ("Theorem 8", top_threshold, theorem_8.top_new_mass, user),
        ("Theorem 9", gumbel_threshold, theorem_9.gumbel_new_mass, query),
        ("Theorem 11, statement", threshold_of_statement, theorem_11.union_mass, stream),
        ("Theorem 11, proof", threshold_of_proof, theorem_11.union_mass, stream),
    )
    rows = []
    for name, threshold, mass, parameters in cases:
        for delta in DELTAS:
            at = {**parameters, "delta": delta}
            printed = float(threshold(_A, **at))
            least = least_threshold(lambda T, mass=mass, at=at: mass(_A, value=T, **at), delta, printed)
            share = float(mass(_A, value=printed, **at)) / delta
            rows.append([name, f"{delta:g}", _text(printed), _text(share, 4), _text(least)])
    return Table(
        caption=f"Thresholds (counts) at epsilon = {EPSILON:g}, {DELTA_0} items a user, {K_BAR} items a query, "
        f"{ROUNDS} rounds; for Theorem 11 the exact union over rounds stands for the mass",
        columns=["theorem", "delta", "printed T", "exact mass / delta", "least T"],
        rows=rows,
    )


def rhos() -> Table:
    """Printed rho and the exact or sharper one."""
    rows = []
    for epsilon in (0.1, 1.0, 3.0):
        for name, printed, sharp, claim in (
            ("Theorem 3, pure DP", dp_to_cdp_rho_upper, dp_to_cdp_rho, "rogers2024.sharp.pure"),
            ("Theorem 5, one pick", em_rho, sharpenings.em_exact_rho, "rogers2024.sharp.em"),
            ("Theorem 7, one Laplace count", dp_to_cdp_rho_upper, orders.laplace_rho, "rogers2024.sharp.laplace"),
        ):
            before, after = float(printed(_A, epsilon=epsilon)), float(sharp(_A, epsilon=epsilon))
            rows.append([name, _text(epsilon), _text(before), _text(after), _text(after / before, 4), claim])
    cells = (ROUNDS.bit_length(), ROUNDS.bit_length() - 1)
    before, after = (count * EPSILON**2 / 2 for count in cells)
    claim = "rogers2024.sharp.binary.rho"
    rows.append(
        [f"Theorem 11, {ROUNDS} rounds", _text(EPSILON), _text(before), _text(after), _text(after / before, 4), claim]
    )
    return Table(
        caption="rho (nats) of the theorems and sharper ones; the claim of each says how far it is decided",
        columns=["theorem", "epsilon", "printed rho", "sharper rho", "ratio", "claim"],
        rows=rows,
    )


def conversions() -> Table:
    """Epsilon of rho-CDP by the two conversions, and that of the Gaussian mechanism that is exactly rho-CDP."""
    rows = []
    for rho, delta in CONVERSIONS:
        at = {"rho": _A.number(Fraction(rho)), "delta": _A.number(Fraction(delta))}
        printed, best = float(cdp_to_dp_epsilon_upper(_A, **at)), float(canonne_epsilon_upper(_A, **at))
        exact = float(gaussian_epsilon(Fraction(rho), Fraction(delta), 10).upper)
        rows.append([rho, delta, *map(_text_up, (printed, best)), _text(exact), _text(printed / exact, 4)])
    return Table(
        caption="epsilon (nats) at delta of rho-CDP",
        columns=["rho", "delta", "Theorem 3", "best through Renyi orders", "exact Gaussian", "Theorem 3 / exact"],
        rows=rows,
    )
