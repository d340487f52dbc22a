"""Theorem 8: Algorithm 2."""
