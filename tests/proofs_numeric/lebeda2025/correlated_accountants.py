"""Accountants of the correlated stability histogram, wrong by little."""

from __future__ import annotations

from mechanisms.correlated_stability_histogram import accountant


def rounded_down(epsilon, k, sigma, gap):
    """A relative 1e-9 below the exact delta."""
    return accountant.delta(epsilon, k=k, sigma=sigma, gap=gap) * (1 - 1e-9)


def lower_end(epsilon, k, sigma, gap):
    """The two unmixed pairs, whether or not the certificate says that they are enough."""
    return accountant.report(epsilon, k=k, sigma=sigma, gap=gap).lower
