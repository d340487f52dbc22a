"""Theorem 7: Algorithm 1."""
