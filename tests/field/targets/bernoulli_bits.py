"""A count with geometric noise, whose coin is made of the binary digits of its probability. Promise: epsilon 1."""

import math

GO_ON = math.exp(-1.0)


def coin(probability, rng, first):
    """Return a digit of the probability, chosen by tosses of a fair coin: digit i with probability 2^-i."""
    digit = first
    while rng.random() < 0.5:
        digit += 1
    return int(probability * 2**digit) % 2 == 1


def noisy_count(histogram, rng, first):
    """Add a difference of two geometric variables."""
    noise = 0
    for sign in (1, -1):
        while coin(GO_ON, rng, first):
            noise += sign
    return histogram.get("visitors", 0) + noise


def wrong(histogram, rng):
    """Begin one digit too early: the coin comes up half as often."""
    return noisy_count(histogram, rng, 0)


def right(histogram, rng):
    """Begin at the first digit after the point."""
    return noisy_count(histogram, rng, 1)
