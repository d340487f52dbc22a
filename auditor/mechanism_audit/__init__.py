"""Audit of a user's mechanism: claim, neighbouring pairs, sampling and result."""
