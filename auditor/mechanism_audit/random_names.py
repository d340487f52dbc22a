"""Random names of keys that only one input holds, so long that e^epsilon guesses do not find them.

A name has 160 random bits plus the bits that e^epsilon requires. A release of at most 2^31 bytes holds at most 2^31
texts of the length of a name. Let the input of the neighbour be independent of `keys` distinct names, drawn from a set
of more than twice as many. Its release then holds one of the names with probability at most keys 2^32 / 2^bits, over
the random names. By Markov's inequality, the probability for the names drawn is at most 1 / paid times as large, except
with probability `paid`. This probability is taken from alpha.
"""

import base64
import math

import numpy as np

BYTES_AT_LEAST = 20
STEP_BYTES = 5
"""Bytes of eight base-32 letters: a name is a whole number of such blocks."""
TEXTS_LOG2 = 32
"""Base-2 logarithm of twice the number of texts in one release."""
PAID_SHARE = 1e-3
"""Share of a test's alpha that covers names which the neighbour might release by chance."""


def name_bytes(epsilon: float) -> int:
    """Return the length of a name in bytes: the bits beyond the first 160 outweigh e^epsilon."""
    return BYTES_AT_LEAST + STEP_BYTES * math.ceil(epsilon / (8 * STEP_BYTES * math.log(2)))


def random_name(rng: np.random.Generator, epsilon: float) -> str:
    """Return a random name in lower-case letters and digits of base 32."""
    return base64.b32encode(rng.bytes(name_bytes(epsilon))).decode().lower()


def largest_probability(keys: int, epsilon: float, paid: float) -> float:
    """Return the largest probability, > 0, with which the neighbour releases any of `keys` names.

    Args:
        keys: number of names in the event, >= 1.
        epsilon: claimed epsilon.
        paid: probability with which the bound may fail for the names drawn.
    """
    log = (TEXTS_LOG2 - 8 * name_bytes(epsilon)) * math.log(2) + math.log(keys / paid)
    return max(math.exp(log), math.ulp(0.0))
