"""Theorem 11: the Unknown Domain Binary Mechanism."""
