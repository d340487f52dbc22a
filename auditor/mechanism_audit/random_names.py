"""Names of keys that no input but one holds: random, and long enough that e^epsilon guesses are worth nothing.

A name has 160 random bits and as many more as e^epsilon takes. A release of at most 2^31 bytes holds at most 2^31 texts
of its length. Let the input of the neighbour not depend on `keys` names, drawn distinct among fewer than half of all.
Then its release holds one of them with probability at most keys 2^32 / 2^bits, over the names. For the names drawn this
probability is at most 1 / paid times as large, but with probability `paid` (Markov), which is taken from alpha.
"""

import base64
import math

import numpy as np

BYTES_AT_LEAST = 20
STEP_BYTES = 5
"""Bytes of eight letters in base 32: a name is a whole number of them."""
TEXTS_LOG2 = 32
"""Twice the texts of one release, as a power of 2."""
PAID_SHARE = 1e-3
"""Share of the level of a test that pays for a name which the neighbour might release."""


def name_bytes(epsilon: float) -> int:
    """Return the bytes of a name: bits beyond the first 160 outweigh e^epsilon."""
    return BYTES_AT_LEAST + STEP_BYTES * math.ceil(epsilon / (8 * STEP_BYTES * math.log(2)))


def random_name(rng: np.random.Generator, epsilon: float) -> str:
    """Return a name in lower-case letters and digits of base 32."""
    return base64.b32encode(rng.bytes(name_bytes(epsilon))).decode().lower()


def largest_probability(keys: int, epsilon: float, paid: float) -> float:
    """Return the largest probability, > 0, that the neighbour gives the release of any of `keys` names.

    Args:
        keys: names in the event, >= 1.
        epsilon: claimed.
        paid: probability with which the bound may fail for the names drawn.
    """
    log = (TEXTS_LOG2 - 8 * name_bytes(epsilon)) * math.log(2) + math.log(keys / paid)
    return max(math.exp(log), math.ulp(0.0))
