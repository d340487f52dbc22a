"""Audit of somebody's mechanism: what it promises, on which neighbours, how it is sampled, and what came out."""
