"""Seeds: one stream per (run seed, names), the same on every machine and for any number of workers."""

from __future__ import annotations

import hashlib

import numpy as np


def seed_of(seed: int, *names: str | int) -> int:
    """A 63-bit integer that depends on the run's seed and on nothing but the names."""
    text = "\x1f".join([str(seed), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """An independent PCG64 stream for the names."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed_of(seed, *names))))
