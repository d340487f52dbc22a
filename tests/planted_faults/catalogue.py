"""Faults of the catalogue as somebody's plain files: families of papers in a dozen lines, what broke them in one.

Parameters are round and have room: each right version keeps its claim.
"""

from tests.planted_faults.programs import Fault, Kind, Program

SPARSE = Program(
    "sparse",
    '''"""Users of each query where enough of them asked it: Gaussian noise between two thresholds."""
SIGMA = 4.4
TAU = 5
TAU_STAR = TAU + 20.0


def release(histogram, rng):
    released = {}
    for query in sorted(histogram):
        users = histogram[query]
        if users < TAU:
            continue
        noisy = users + rng.normal(0, SIGMA)
        if noisy >= TAU_STAR:
            released[query] = round(noisy, 2)
    return released
''',
    "release",
    {"epsilon": "1", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "SIGMA = 4.4", "SIGMA = 2.2"),
        Fault(Kind.SCALE, "SIGMA = 4.4", "SIGMA = 4.4 ** 0.5"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA)", "rng.laplace(0, SIGMA)"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA)", "abs(rng.normal(0, SIGMA))"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA)", "max(-6.0, min(6.0, rng.normal(0, SIGMA)))"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA)", "rng.normal(0, SIGMA / users)"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA)", "10 * round(rng.normal(0, SIGMA) / 10)"),
        Fault(Kind.THRESHOLD, "if noisy >= TAU_STAR", "if users >= TAU_STAR"),
        Fault(Kind.THRESHOLD, "TAU_STAR = TAU + 20.0", "TAU_STAR = TAU + 16.0"),
        Fault(Kind.THRESHOLD, "if noisy >= TAU_STAR", "if noisy >= max(histogram.values()) / 2"),
        Fault(Kind.OUTPUT, "round(noisy, 2)", "users"),
        Fault(Kind.OUTPUT, "round(noisy, 2)", "users + rng.normal(0, SIGMA / 3)"),
    ),
)
SHARED = Program(
    "shared",
    '''"""Four counters that a user moves together: each has noise of its own, and all have one in common."""
K = 4
SIGMA = 2.5
COMMON = SIGMA / K**0.25
COUNTERS = ("a", "b", "c", "d")


def counters(histogram, rng):
    together = rng.normal(0, COMMON)
    return {key: histogram.get(key, 0) + together + rng.normal(0, SIGMA) for key in COUNTERS}
''',
    "counters",
    {"epsilon": "1", "delta": "0.01", "c_u": 4, "keys": ("a", "b", "c", "d")},
    (
        Fault(Kind.DRAW, "together = rng.normal(0, COMMON)", "together = 0.0"),
        Fault(Kind.SCALE, "COMMON = SIGMA / K**0.25", "COMMON = SIGMA / K**2"),
        Fault(Kind.SCALE, "SIGMA = 2.5", "SIGMA = 1.0"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA) for key", "rng.normal(0, SIGMA / K) for key"),
        Fault(
            Kind.OUTPUT, "histogram.get(key, 0) + together + rng.normal(0, SIGMA)", "histogram.get(key, 0) + together"
        ),
    ),
)
UNKNOWN = Program(
    "unknown",
    '''"""Items that nobody listed before: Gaussian counts above a threshold for three new ones."""
import numpy as np
from scipy.stats import norm

DELTA = 1e-5
ITEMS = 3
SIGMA = 4.4 * ITEMS**0.5
THRESHOLD = 1 + SIGMA * norm.isf(DELTA / (10 * ITEMS))


def found(histogram, rng):
    items = sorted(histogram)
    counts = np.array([histogram[item] for item in items], dtype=float)
    noisy = counts + rng.normal(0, SIGMA, counts.size)
    return {item: float(value) for item, value in zip(items, noisy) if value > THRESHOLD}
''',
    "found",
    {"epsilon": "1", "delta": "1e-5", "c_u": 3},
    (
        Fault(Kind.SCALE, "SIGMA = 4.4 * ITEMS**0.5", "SIGMA = 4.4 / ITEMS"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA, counts.size)", "rng.normal(0, SIGMA)"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA, counts.size)", "rng.laplace(0, SIGMA, counts.size)"),
        Fault(Kind.DRAW, "rng.normal(0, SIGMA, counts.size)", "rng.normal(size=counts.size)"),
        Fault(Kind.THRESHOLD, "norm.isf(DELTA / (10 * ITEMS))", "norm.isf(DELTA ** 0.5)"),
        Fault(Kind.THRESHOLD, "THRESHOLD = 1 + SIGMA * norm", "THRESHOLD = 1 + norm"),
        Fault(Kind.THRESHOLD, "if value > THRESHOLD", "if value > THRESHOLD / 2"),
    ),
)
TOP = Program(
    "top",
    '''"""The two largest counts, above a noisy threshold that follows the third."""
import math

SIGMA = 12.0
LEAD = 1 + math.sqrt(2) * SIGMA * 4.9


def largest(histogram, rng):
    ranked = sorted(histogram.items(), key=lambda item: -item[1])
    following = ranked[2][1] if len(ranked) > 2 else 0
    bar = following + LEAD + rng.normal(0, SIGMA)
    noisy = [(name, count + rng.normal(0, SIGMA)) for name, count in ranked[:2]]
    return sorted(name for name, value in noisy if value > bar)
''',
    "largest",
    {"epsilon": "1", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "SIGMA = 12.0", "SIGMA = 0.3"),
        Fault(Kind.THRESHOLD, "LEAD = 1 + math.sqrt(2) * SIGMA * 4.9", "LEAD = 1 + SIGMA * 4.0"),
        Fault(Kind.THRESHOLD, "bar = following + LEAD + rng", "bar = following + 1 + rng"),
        Fault(Kind.OUTPUT, "sorted(name for name, value in noisy if value > bar)", "sorted(name for name, _ in noisy)"),
    ),
)
GUMBEL = Program(
    "gumbel",
    '''"""Labels in the order of noisy counts, down to a noisy threshold."""
import math


class Labels:
    def __init__(self, epsilon, delta, most):
        self.beta = 2 * most / epsilon
        self.bottom = 1 + self.beta * math.log(most / delta)
        self.most = most

    def __call__(self, histogram, rng):
        scored = [(count + rng.gumbel(0, self.beta), label) for label, count in histogram.items()]
        least = self.bottom + rng.gumbel(0, self.beta)
        return [label for score, label in sorted(scored, reverse=True)[: self.most] if score > least]


labels = Labels(1.0, 1e-5, 2)
''',
    "labels",
    {"epsilon": "1", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "self.beta = 2 * most / epsilon", "self.beta = epsilon / (2 * most)"),
        Fault(Kind.THRESHOLD, "self.bottom = 1 + self.beta * math.log(most / delta)", "self.bottom = 1 + self.beta"),
        Fault(Kind.THRESHOLD, "math.log(most / delta)", "math.log(most)"),
        Fault(Kind.OUTPUT, "return [label for", "return [round(score - histogram[label], 3) + histogram[label] for"),
    ),
)
SAMPLED = Program(
    "sampled",
    '''"""Tags of a sample of the posts, where the sample has enough of them."""
RATE = 0.25
LEAST = 20


def tags(histogram, rng):
    drawn = {tag: int(rng.binomial(posts, RATE)) for tag, posts in histogram.items()}
    return {tag: posts for tag, posts in drawn.items() if posts >= LEAST}
''',
    "tags",
    {"epsilon": "1", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "RATE = 0.25", "RATE = 0.9"),
        Fault(Kind.DRAW, "int(rng.binomial(posts, RATE))", "int(RATE * posts)"),
        Fault(Kind.DRAW, "rng.binomial(posts, RATE)", "rng.binomial(posts, 1 - RATE / 4)"),
        Fault(Kind.THRESHOLD, "LEAST = 20", "LEAST = 1"),
        Fault(Kind.THRESHOLD, "if posts >= LEAST", "if histogram[tag] >= LEAST"),
        Fault(Kind.OUTPUT, "{tag: posts for tag, posts in drawn", "{tag: histogram[tag] for tag, posts in drawn"),
    ),
)
CENTRAL = Program(
    "central",
    '''"""A table of known wards for replaced voters: Laplace noise for what moves from one to another."""
EPSILON, MOVES = 1.0, 2
WARDS = ("north", "south", "west")


def table(histogram, rng):
    counts = [histogram.get(ward, 0) for ward in WARDS]
    return [count + rng.laplace(0.0, MOVES / EPSILON) for count in counts]
''',
    "table",
    {"epsilon": "1", "adjacency": "replace", "keys": ("north", "south", "west")},
    (
        Fault(Kind.SCALE, "EPSILON, MOVES = 1.0, 2", "EPSILON, MOVES = 1.0, 1"),
        Fault(Kind.DRAW, "rng.laplace(0.0, MOVES / EPSILON)", "rng.laplace(0.0, EPSILON / MOVES)"),
        Fault(Kind.DRAW, "count + rng.laplace(0.0, MOVES / EPSILON)", "count + rng.laplace(0.0, 2.0) * (count > 0)"),
        Fault(Kind.DRAW, "rng.laplace(0.0, MOVES / EPSILON)", "rng.laplace(0.0, MOVES / EPSILON, 1000).mean()"),
    ),
)
COINS = Program(
    "coins",
    '''"""Counts of wards with coins of the crowd on top."""
TOSSES = 100
WARDS = ("north", "south")


def tally(histogram, rng):
    return {ward: histogram.get(ward, 0) + int(rng.binomial(TOSSES, 0.5)) for ward in WARDS}
''',
    "tally",
    {"epsilon": "1", "delta": "0.01", "keys": ("north", "south")},
    (
        Fault(Kind.SCALE, "TOSSES = 100", "TOSSES = 4"),
        Fault(Kind.DRAW, "rng.binomial(TOSSES, 0.5)", "rng.binomial(TOSSES, 0.999)"),
        Fault(Kind.DRAW, "int(rng.binomial(TOSSES, 0.5))", "int(rng.binomial(TOSSES, 0.5)) * 2"),
    ),
)
DISCRETE = Program(
    "discrete",
    '''"""Integers all the way: the difference of two geometric numbers, and a threshold on the sum."""
import numpy as np

P = -np.expm1(-1.0)
CUT = 5


def integers(histogram, rng):
    out = {}
    for word, count in histogram.items():
        value = count + int(rng.geometric(P)) - int(rng.geometric(P))
        if value > CUT:
            out[word] = value
    return out
''',
    "integers",
    {"epsilon": "1", "delta": "0.005"},
    (
        Fault(Kind.SCALE, "P = -np.expm1(-1.0)", "P = -np.expm1(-4.0)"),
        Fault(Kind.THRESHOLD, "if value > CUT", "if value >= CUT"),
        Fault(Kind.THRESHOLD, "CUT = 5", "CUT = 3"),
        Fault(Kind.DRAW, "int(rng.geometric(P)) - int(rng.geometric(P))", "int(rng.geometric(P))"),
        Fault(Kind.OUTPUT, "out[word] = value", "out[word] = count"),
    ),
)
CATALOGUE = (SPARSE, SHARED, UNKNOWN, TOP, GUMBEL, SAMPLED, CENTRAL, COINS, DISCRETE)
