"""Theorem 21: the discrete correlated stability histogram."""
