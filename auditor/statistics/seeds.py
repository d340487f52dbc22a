"""Generators of blocks, seeded by stable paths: independent of the machine and of the order of the blocks."""

import hashlib

import numpy as np


def stable_path(*names: str | int) -> tuple[int, ...]:
    """Return the spawn key of a list of names: eight 32-bit words of their SHA-256.

    The hash covers the type and length of each name, so two different lists share no path by concatenation.
    """
    digest = hashlib.sha256()
    for name in names:
        text = f"{type(name).__name__}:{name}".encode()
        digest.update(len(text).to_bytes(8, "big") + text)
    return tuple(int(word) for word in np.frombuffer(digest.digest(), dtype=">u4"))


def block_generator(seed: int, *names: str | int) -> np.random.Generator:
    """Return the generator of one block: PCG64(SeedSequence(seed, stable_path(names))).

    Its `bit_generator.seed_seq` has `entropy` and `spawn_key`, for samplers in another process.
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy=seed, spawn_key=stable_path(*names))))


def seed_of(seed: int, *names: str | int) -> int:
    """Return a 63-bit seed for a search, determined by the run's seed and the names alone."""
    text = "\x1f".join([str(seed), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
