"""Randomized response: whether a site was visited at all, at epsilon = 1 unless said."""

import math

SITES = ("a.org", "b.org", "c.org")
TRUTH = math.e / (1 + math.e)


def response(histogram, rng):
    """Right."""
    return {site: bool(histogram.get(site, 0) > 0) == bool(rng.random() < TRUTH) for site in SITES}


def response_wrong_probability(histogram, rng):
    """Wrong: nine of ten tell the truth."""
    return {site: bool(histogram.get(site, 0) > 0) == bool(rng.random() < 0.9) for site in SITES}


def response_with_its_coin(histogram, rng):
    """Wrong: the coin is released."""
    coin = bool(rng.random() < 0.5)
    truth = histogram.get("a.org", 0) > 0
    return {"answer": truth if coin else bool(rng.random() < 0.5), "coin": coin}


def response_of_coins(histogram, rng):
    """Right, at epsilon = log 3 = 1.0986 (here 1.1): the truth or a coin."""
    truth = histogram.get("a.org", 0) > 0
    return {"answer": truth if rng.random() < 0.5 else bool(rng.random() < 0.5)}


def unary(histogram, rng, p=0.75, q=0.25):
    """Wrong: a user moves two bits of three, so that epsilon is log 9 (replacement, claimed log 3 = 1.0986)."""
    return [int(rng.random() < (p if histogram.get(site, 0) > 0 else q)) for site in SITES]


def unary_right(histogram, rng):
    """Right, at log 3."""
    p = math.sqrt(3) / (1 + math.sqrt(3))
    return unary(histogram, rng, p, 1 - p)


def bloom(histogram, rng, f=0.5):
    """Wrong: four bits of a filter at f = .5 are epsilon = 4 log 3, claimed 1.1 (Erlingsson et al. 2014)."""
    bits = [0] * 16
    for site, visits in histogram.items():
        for i in range(4 if visits > 0 else 0):
            bits[(sum(site.encode()) * (2 * i + 1) + i) % 16] = 1
    return "".join(str(bit if rng.random() >= f else int(rng.random() < 0.5)) for bit in bits)


def bloom_right(histogram, rng):
    """Right: 4 log((1 - f / 2) / (f / 2)) is 1.1 at f = .864."""
    return bloom(histogram, rng, 0.865)


def flags(histogram, rng):
    """Wrong: what is frequent is told exactly."""
    return [bool(histogram.get(site, 0) >= 10) for site in SITES]


def flags_noisy(histogram, rng):
    """Right."""
    return [bool(histogram.get(site, 0) + rng.laplace(0, 1) >= 10) for site in SITES]


def flags_little_noise(histogram, rng):
    """Wrong: half the noise."""
    return [bool(histogram.get(site, 0) + rng.laplace(0, 0.5) >= 10) for site in SITES]
