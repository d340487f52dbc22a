"""Thresholds, rho and conversions of the unknown-domain theorems: the numbers are those of certified claims."""

from __future__ import annotations

from fractions import Fraction

import pytest

from auditor.experiments.unknown_domain_thresholds import conversions, rhos, thresholds
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.rogers2024.theorem_8 import statement as theorem_8
from proofs_numeric.rogers2024.thresholds import gumbel_threshold, threshold_of_proof
from proofs_numeric.statements.concentrated import canonne_epsilon_upper, cdp_to_dp_epsilon_upper


def test_theorem_8_meets_delta_at_the_least_threshold_only():
    """Balls: the mass at the least T is delta, and the printed T lies above."""
    row = next(row for row in thresholds().rows if row[:2] == ["Theorem 8", "0.05"])
    at = {"delta_0": 10, "delta_inf": 1, "epsilon": 1, "delta": Fraction(1, 20)}
    mass = enclose(lambda A, **p: theorem_8.top_new_mass(A, value=A.number(row[4]), **p), at, 10)
    assert float(mass.lower) == pytest.approx(0.05, rel=1e-5)
    assert float(row[2]) > float(row[4])


@pytest.mark.parametrize(
    ("name", "formula", "at"),
    [
        ("Theorem 9", gumbel_threshold, {"k_bar": 100, "epsilon": 1, "delta": Fraction(1, 10**6)}),
        (
            "Theorem 11, proof",
            threshold_of_proof,
            {"L": 1000, "delta_0": 10, "epsilon": 1, "delta": Fraction(1, 10**6)},
        ),
    ],
)
def test_printed_thresholds_are_those_of_the_claims(name, formula, at):
    """To the digits shown."""
    row = next(row for row in thresholds().rows if row[:2] == [name, "1e-06"])
    assert float(row[2]) == pytest.approx(float(enclose(formula, at, 12).lower), rel=1e-6)


def test_no_threshold_is_below_the_least_one():
    """The printed ones keep the promise: exact mass at most delta."""
    assert all(float(row[2]) >= float(row[4]) * (1 - 1e-6) and float(row[3]) <= 1 + 1e-9 for row in thresholds().rows)


def test_the_sharper_rho_is_never_larger():
    """And the conversions are ordered: exact, best, printed."""
    assert all(float(row[3]) < float(row[2]) for row in rhos().rows)
    assert all(float(row[4]) < float(row[3]) < float(row[2]) for row in conversions().rows)


def test_known_conversions_are_reproduced():
    """Rho = 1/2, delta = 1e-6: 5.75652 by Theorem 3, 5.22153 at best, 4.88655 exactly."""
    row = next(row for row in conversions().rows if row[:2] == ["1/2", "1e-6"])
    assert [float(x) for x in row[2:5]] == pytest.approx([5.756522, 5.221534, 4.886554], rel=1e-6)


def test_conversions_that_are_bounds_are_rounded_up():
    """Balls: no shown epsilon of Theorem 3, or of the best order, lies below the exact value."""
    for rho, delta, *shown in (row[:4] for row in conversions().rows):
        at = {"rho": Fraction(rho), "delta": Fraction(delta)}
        for text, formula in zip(shown, (cdp_to_dp_epsilon_upper, canonne_epsilon_upper), strict=True):
            assert enclose(formula, at, 12).upper <= Fraction(text)
