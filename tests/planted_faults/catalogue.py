"""Faults of the catalogue as somebody's plain files: families of papers in a dozen lines, what broke them in one.

Parameters are round and have room: each right version keeps its claim.
"""

from tests.planted_faults.programs import draw, output, program, scale, threshold

SPARSE = program(
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
    {"epsilon": "1", "delta": "1e-5"},
    scale("SIGMA = 4.4", "SIGMA = 2.2"),
    scale("SIGMA = 4.4", "SIGMA = 4.4 ** 0.5"),
    draw("rng.normal(0, SIGMA)", "rng.laplace(0, SIGMA)"),
    draw("rng.normal(0, SIGMA)", "abs(rng.normal(0, SIGMA))"),
    draw("rng.normal(0, SIGMA)", "max(-6.0, min(6.0, rng.normal(0, SIGMA)))"),
    draw("rng.normal(0, SIGMA)", "rng.normal(0, SIGMA / users)"),
    draw("rng.normal(0, SIGMA)", "10 * round(rng.normal(0, SIGMA) / 10)"),
    threshold("if noisy >= TAU_STAR", "if users >= TAU_STAR"),
    threshold("TAU_STAR = TAU + 20.0", "TAU_STAR = TAU + 16.0"),
    threshold("if noisy >= TAU_STAR", "if noisy >= max(histogram.values()) / 2"),
    output("round(noisy, 2)", "users"),
    output("round(noisy, 2)", "users + rng.normal(0, SIGMA / 3)"),
)
SHARED = program(
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
    {"epsilon": "1", "delta": "0.01", "c_u": 4, "keys": ("a", "b", "c", "d")},
    draw("together = rng.normal(0, COMMON)", "together = 0.0"),
    scale("COMMON = SIGMA / K**0.25", "COMMON = SIGMA / K**2"),
    scale("SIGMA = 2.5", "SIGMA = 1.0"),
    draw("rng.normal(0, SIGMA) for key", "rng.normal(0, SIGMA / K) for key"),
    output("histogram.get(key, 0) + together + rng.normal(0, SIGMA)", "histogram.get(key, 0) + together"),
)
UNKNOWN = program(
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
    {"epsilon": "1", "delta": "1e-5", "c_u": 3},
    scale("SIGMA = 4.4 * ITEMS**0.5", "SIGMA = 4.4 / ITEMS"),
    draw("rng.normal(0, SIGMA, counts.size)", "rng.normal(0, SIGMA)"),
    draw("rng.normal(0, SIGMA, counts.size)", "rng.laplace(0, SIGMA, counts.size)"),
    draw("rng.normal(0, SIGMA, counts.size)", "rng.normal(size=counts.size)"),
    threshold("norm.isf(DELTA / (10 * ITEMS))", "norm.isf(DELTA ** 0.5)"),
    threshold("THRESHOLD = 1 + SIGMA * norm", "THRESHOLD = 1 + norm"),
    threshold("if value > THRESHOLD", "if value > THRESHOLD / 2"),
)
TOP = program(
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
    {"epsilon": "1", "delta": "1e-5"},
    scale("SIGMA = 12.0", "SIGMA = 0.3"),
    threshold("LEAD = 1 + math.sqrt(2) * SIGMA * 4.9", "LEAD = 1 + SIGMA * 4.0"),
    threshold("bar = following + LEAD + rng", "bar = following + 1 + rng"),
    output("sorted(name for name, value in noisy if value > bar)", "sorted(name for name, _ in noisy)"),
)
GUMBEL = program(
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
    {"epsilon": "1", "delta": "1e-5"},
    scale("self.beta = 2 * most / epsilon", "self.beta = epsilon / (2 * most)"),
    threshold("self.bottom = 1 + self.beta * math.log(most / delta)", "self.bottom = 1 + self.beta"),
    threshold("math.log(most / delta)", "math.log(most)"),
    output("return [label for", "return [round(score - histogram[label], 3) + histogram[label] for"),
)
SAMPLED = program(
    "sampled",
    '''"""Tags of a sample of the posts, where the sample has enough of them."""
RATE = 0.25
LEAST = 20


def tags(histogram, rng):
    drawn = {tag: int(rng.binomial(posts, RATE)) for tag, posts in histogram.items()}
    return {tag: posts for tag, posts in drawn.items() if posts >= LEAST}
''',
    {"epsilon": "1", "delta": "1e-5"},
    scale("RATE = 0.25", "RATE = 0.9"),
    draw("int(rng.binomial(posts, RATE))", "int(RATE * posts)"),
    draw("rng.binomial(posts, RATE)", "rng.binomial(posts, 1 - RATE / 4)"),
    threshold("LEAST = 20", "LEAST = 1"),
    threshold("if posts >= LEAST", "if histogram[tag] >= LEAST"),
    output("{tag: posts for tag, posts in drawn", "{tag: histogram[tag] for tag, posts in drawn"),
)
CENTRAL = program(
    "central",
    '''"""A table of known wards for replaced voters: Laplace noise for what moves from one to another."""
EPSILON, MOVES = 1.0, 2
WARDS = ("north", "south", "west")


def table(histogram, rng):
    counts = [histogram.get(ward, 0) for ward in WARDS]
    return [count + rng.laplace(0.0, MOVES / EPSILON) for count in counts]
''',
    {"epsilon": "1", "adjacency": "replace", "keys": ("north", "south", "west")},
    scale("EPSILON, MOVES = 1.0, 2", "EPSILON, MOVES = 1.0, 1"),
    draw("rng.laplace(0.0, MOVES / EPSILON)", "rng.laplace(0.0, EPSILON / MOVES)"),
    draw("count + rng.laplace(0.0, MOVES / EPSILON)", "count + rng.laplace(0.0, 2.0) * (count > 0)"),
    draw("rng.laplace(0.0, MOVES / EPSILON)", "rng.laplace(0.0, MOVES / EPSILON, 1000).mean()"),
)
COINS = program(
    "coins",
    '''"""Counts of wards with coins of the crowd on top."""
TOSSES = 100
WARDS = ("north", "south")


def tally(histogram, rng):
    return {ward: histogram.get(ward, 0) + int(rng.binomial(TOSSES, 0.5)) for ward in WARDS}
''',
    {"epsilon": "1", "delta": "0.01", "keys": ("north", "south")},
    scale("TOSSES = 100", "TOSSES = 4"),
    draw("rng.binomial(TOSSES, 0.5)", "rng.binomial(TOSSES, 0.999)"),
    draw("int(rng.binomial(TOSSES, 0.5))", "int(rng.binomial(TOSSES, 0.5)) * 2"),
)
DISCRETE = program(
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
    {"epsilon": "1", "delta": "0.005"},
    scale("P = -np.expm1(-1.0)", "P = -np.expm1(-4.0)"),
    threshold("if value > CUT", "if value >= CUT"),
    threshold("CUT = 5", "CUT = 3"),
    draw("int(rng.geometric(P)) - int(rng.geometric(P))", "int(rng.geometric(P))"),
    output("out[word] = value", "out[word] = count"),
)
CATALOGUE = (SPARSE, SHARED, UNKNOWN, TOP, GUMBEL, SAMPLED, CENTRAL, COINS, DISCRETE)
