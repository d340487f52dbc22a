"""Theorem 11: add-the-deltas for the correlated stability histogram."""
