"""Where the randomness of a block comes from: stable paths, the same on every machine and in every order."""

import hashlib

import numpy as np


def stable_path(*names: str | int) -> tuple[int, ...]:
    """Return the spawn key that names these: eight 32-bit words of their SHA-256.

    Each name enters with its type and length, so that no two different lists of names share a path by concatenation.
    """
    digest = hashlib.sha256()
    for name in names:
        text = f"{type(name).__name__}:{name}".encode()
        digest.update(len(text).to_bytes(8, "big") + text)
    return tuple(int(word) for word in np.frombuffer(digest.digest(), dtype=">u4"))


def block_generator(seed: int, *names: str | int) -> np.random.Generator:
    """Return the generator of one block: PCG64(SeedSequence(seed, stable_path(names))).

    Its `bit_generator.seed_seq` has `entropy` and `spawn_key`, for samplers that live in another process.
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy=seed, spawn_key=stable_path(*names))))


def seed_of(seed: int, *names: str | int) -> int:
    """A 63-bit integer that depends on the run's seed and on nothing but the names: what searches start from."""
    text = "\x1f".join([str(seed), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
