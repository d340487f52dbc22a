"""Least gaps of the correlated stability histogram are those of certified claims."""

from __future__ import annotations

from fractions import Fraction

import pytest

from auditor.experiments.correlated_gaps import (
    DELTA,
    EPSILON,
    figure_3,
    least_gaps,
    least_sigma,
    theorem_12_gap,
)
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.theorem_12 import theorem_12


@pytest.mark.parametrize(
    ("k", "theorem_11", "exact", "alone"),
    [(10, 142.138524, 96.753015889, 147.019014456), (51914, 7860.542759, 7005.638328965, 13950.051328064)],
)
def test_least_gaps_are_those_published(k, theorem_11, exact, alone):
    """Each at its best sigma; the exact ones at an integer number of changed counters."""
    gaps = least_gaps(k)
    assert gaps["Theorem 11"] == pytest.approx(theorem_11, rel=1e-8)
    assert exact * (1 - 3e-3) <= gaps["exact"] <= exact * (1 + 1e-6)
    assert gaps["exact, without shared noise"] == pytest.approx(alone, rel=1e-6)


@pytest.mark.parametrize("k", [2, 51, 1000])
def test_the_exact_analysis_needs_the_least_gap(k):
    """No bound is below the exact gap, which balls confirm: it meets delta, a gap 1e-6 shorter does not."""
    gaps = least_gaps(k)
    assert gaps["exact"] == min(gaps.values())

    def released(factor: str):
        gap = Fraction(gaps["exact"]) * Fraction(factor)
        return enclose(delta_infinite, {"k": k, "sigma": Fraction(least_sigma(k)), "gap": gap}, 12)

    assert released("1").upper <= Fraction(DELTA) * (1 + Fraction(1, 10**9)) < released("0.999999").lower


def test_theorem_12_meets_delta_at_its_gap():
    """The gap of Theorem 12 gives delta back, in balls."""
    sigma = least_sigma(10)
    at = {"epsilon": Fraction(EPSILON), "k": 10, "sigma": Fraction(sigma), "gap": Fraction(theorem_12_gap(10, sigma))}
    assert float(enclose(theorem_12, at, 12).upper) == pytest.approx(DELTA, rel=1e-6)


def test_gaps_in_figure_3_are_ordered():
    """At every total deviation the exact gap is the least of the four analyses of the correlated mechanism."""
    lines = {line.name: [float(y) for y in line.y] for line in figure_3(10, points=5).series}
    for name in ("Theorem 11", "Theorem 12", "Slepian added to delta_gauss"):
        assert all(low <= high for low, high in zip(lines["exact"], lines[name], strict=True))
