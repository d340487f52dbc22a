"""Theorem 9: Algorithm 3."""
