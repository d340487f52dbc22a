"""Right mechanisms as somebody writes them in a file of their own, and the one line that makes each of them wrong.

A fault is a line and what replaces it; its kind says what the line is: a draw, a threshold, a scale (or a constant that
one is made of), or an output, where what is drawn is right and something else is released. A fault is not always on the
line that draws.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


class Kind(StrEnum):
    """What the changed line is."""

    DRAW = "draw"
    THRESHOLD = "threshold"
    SCALE = "scale"
    OUTPUT = "output"


@dataclass(frozen=True)
class Fault:
    """A line of a program, and what replaces it.

    Attributes:
        kind: what the line is.
        old: text that the program holds once, within one line.
        new: what replaces it.
    """

    kind: Kind
    old: str
    new: str


@dataclass(frozen=True)
class Program:
    """A mechanism in a file, what it keeps, and its faults.

    Attributes:
        name: of the file.
        source: the file.
        entry: what of it releases.
        options: of `audit_mechanism`.
        faults: each makes it break what it keeps.
    """

    name: str
    source: str
    entry: str
    options: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def line(self, fault: Fault) -> int:
        """Return the number of the changed line."""
        before, found, after = self.source.partition(fault.old)
        if not found or fault.old in after or "\n" in fault.old + fault.new:
            raise ValueError(f"expected {fault.old!r} once, within a line of {self.name}")
        return before.count("\n") + 1

    def write(self, folder: Path, fault: Fault | None = None) -> str:
        """Write the file, with a fault or without, and return the target."""
        source = self.source if fault is None else self.source.replace(fault.old, fault.new)
        path = folder / f"{self.name}.py"
        path.write_text(source, "utf-8")
        return f"{path}:{self.entry}"


def faults(programs: Iterable[Program]) -> Iterator[tuple[Program, Fault]]:
    """Yield every fault with its program."""
    for program in programs:
        for fault in program.faults:
            yield program, fault


PAGES = Program(
    "pages",
    '''"""Visits of pages, by Laplace noise and a threshold."""
import math

EPSILON = 1.0
DELTA = 1e-5
SCALE = 1 / EPSILON
THRESHOLD = 1 + SCALE * math.log(1 / (2 * DELTA))


def release(histogram, rng):
    released = {}
    for page, visits in histogram.items():
        noisy = visits + rng.laplace(0, SCALE)
        if noisy > THRESHOLD:
            released[page] = noisy
    return released
''',
    "release",
    {"epsilon": "1", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "SCALE = 1 / EPSILON", "SCALE = 0.5 / EPSILON"),
        Fault(Kind.SCALE, "SCALE = 1 / EPSILON", "SCALE = EPSILON / 4"),
        Fault(Kind.THRESHOLD, "= 1 + SCALE * math.log", "= SCALE * math.log"),
        Fault(Kind.THRESHOLD, "math.log(1 / (2 * DELTA))", "math.log10(1 / (2 * DELTA))"),
        Fault(Kind.DRAW, "rng.laplace(0, SCALE)", "rng.exponential(SCALE)"),
        Fault(Kind.DRAW, "rng.laplace(0, SCALE)", "rng.laplace(0, 1 / visits)"),
        Fault(Kind.DRAW, "rng.laplace(0, SCALE)", "rng.laplace(0, SCALE / 3)"),
        Fault(Kind.THRESHOLD, "if noisy > THRESHOLD:", "if visits > THRESHOLD:"),
        Fault(Kind.THRESHOLD, "if noisy > THRESHOLD:", "if noisy > 4:"),
        Fault(Kind.OUTPUT, "released[page] = noisy", "released[page] = visits"),
    ),
)
WORDS = Program(
    "words",
    '''"""Counts of words, by Gaussian noise and a threshold."""
SIGMA = 4.4
TAU = 1 + 5.0 * SIGMA


def counts(histogram, rng):
    noisy = {word: n + rng.normal(scale=SIGMA) for word, n in histogram.items()}
    return {word: round(value) for word, value in noisy.items() if value >= TAU}
''',
    "counts",
    {"epsilon": "1", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "SIGMA = 4.4", "SIGMA = 1.0"),
        Fault(Kind.SCALE, "SIGMA = 4.4", "SIGMA = 0.44"),
        Fault(Kind.THRESHOLD, "TAU = 1 + 5.0 * SIGMA", "TAU = 2.5 * SIGMA"),
        Fault(Kind.DRAW, "rng.normal(scale=SIGMA)", "rng.normal()"),
        Fault(Kind.DRAW, "rng.normal(scale=SIGMA)", "abs(rng.normal(scale=SIGMA))"),
        Fault(Kind.DRAW, "rng.normal(scale=SIGMA)", "rng.normal(scale=SIGMA / max(1, n))"),
        Fault(Kind.THRESHOLD, "if value >= TAU", "if value >= 1"),
        Fault(Kind.THRESHOLD, "if value >= TAU", "if value >= TAU or histogram[word] > 20"),
    ),
)
ARRAYS = Program(
    "arrays",
    '''"""Users by country, in NumPy."""
import numpy as np

EPSILON, SENSITIVITY = 0.5, 1.0
CUTOFF = 27.0


def publish(histogram, rng):
    names = sorted(histogram)
    counts = np.array([histogram[name] for name in names], dtype=float)
    noise = rng.laplace(size=len(names), scale=SENSITIVITY / EPSILON)
    noisy = counts + noise
    keep = noisy >= CUTOFF
    return {name: float(value) for name, value, kept in zip(names, noisy, keep) if kept}
''',
    "publish",
    {"epsilon": "1/2", "delta": "1e-5"},
    (
        Fault(Kind.SCALE, "EPSILON, SENSITIVITY = 0.5, 1.0", "EPSILON, SENSITIVITY = 2.0, 1.0"),
        Fault(Kind.THRESHOLD, "CUTOFF = 27.0", "CUTOFF = 12.0"),
        Fault(Kind.SCALE, "scale=SENSITIVITY / EPSILON", "scale=SENSITIVITY * EPSILON"),
        Fault(Kind.DRAW, "size=len(names), scale", "size=1, scale"),
        Fault(Kind.DRAW, "rng.laplace(size=len(names), scale=SENSITIVITY / EPSILON)", "rng.uniform(-4, 4, len(names))"),
        Fault(Kind.THRESHOLD, "keep = noisy >= CUTOFF", "keep = counts + 10 >= CUTOFF"),
        Fault(Kind.THRESHOLD, "keep = noisy >= CUTOFF", "keep = noisy >= counts.mean()"),
        Fault(Kind.OUTPUT, "in zip(names, noisy, keep)", "in zip(names, counts, keep)"),
    ),
)
PUBLISHER = Program(
    "publisher",
    '''"""An object with its settings, for users who have two items each."""
import math


class Publisher:
    def __init__(self, epsilon, delta, items):
        self.scale = items / epsilon
        tail = math.log(items / (2 * delta))
        self.threshold = 1 + self.scale * tail

    def noise(self, rng):
        return rng.laplace(0.0, self.scale)

    def publish(self, histogram, rng):
        out = []
        for item, users in histogram.items():
            value = users + self.noise(rng)
            if value < self.threshold:
                continue
            out.append([item, value])
        return out


publish = Publisher(1.0, 1e-6, 2).publish
''',
    "publish",
    {"epsilon": "1", "delta": "1e-6", "c_u": 2},
    (
        Fault(Kind.SCALE, "self.scale = items / epsilon", "self.scale = 1 / epsilon"),
        Fault(Kind.THRESHOLD, "self.threshold = 1 + self.scale * tail", "self.threshold = 1 + tail"),
        Fault(Kind.THRESHOLD, "tail = math.log(items / (2 * delta))", "tail = math.log(items / delta) / 2"),
        Fault(Kind.DRAW, "rng.laplace(0.0, self.scale)", "rng.normal(0.0, self.scale)"),
        Fault(Kind.DRAW, "rng.laplace(0.0, self.scale)", "rng.laplace(0.0, self.scale / 2)"),
        Fault(Kind.DRAW, "users + self.noise(rng)", "users + self.noise(rng) / 4"),
        Fault(Kind.THRESHOLD, "if value < self.threshold", "if users < self.threshold"),
        Fault(Kind.SCALE, "Publisher(1.0, 1e-6, 2)", "Publisher(4.0, 1e-6, 2)"),
        Fault(Kind.THRESHOLD, "Publisher(1.0, 1e-6, 2)", "Publisher(1.0, 1e-3, 2)"),
    ),
)
REGIONS = Program(
    "regions",
    '''"""Patients by region, of which all are known: the difference of two geometric variables."""
import math

EPSILON = 0.8
REGIONS = ("north", "south", "east")


def two_sided(rng):
    p = 1 - math.exp(-EPSILON)
    return int(rng.geometric(p)) - int(rng.geometric(p))


def by_region(histogram, rng):
    return {region: histogram.get(region, 0) + two_sided(rng) for region in REGIONS}
''',
    "by_region",
    {"epsilon": "4/5", "keys": ("north", "south", "east")},
    (
        Fault(Kind.SCALE, "EPSILON = 0.8", "EPSILON = 1.6"),
        Fault(Kind.SCALE, "p = 1 - math.exp(-EPSILON)", "p = EPSILON"),
        Fault(Kind.DRAW, "int(rng.geometric(p)) - int(rng.geometric(p))", "int(rng.geometric(p)) - 1"),
        Fault(Kind.DRAW, "int(rng.geometric(p)) - int(rng.geometric(p))", "int(rng.poisson(1 / p))"),
        Fault(
            Kind.OUTPUT, "histogram.get(region, 0) + two_sided(rng)", "max(histogram.get(region, 0), two_sided(rng))"
        ),
    ),
)
INVERSE = Program(
    "inverse",
    '''"""Laplace noise by inversion, and rounding to tens."""
import math


def noise(rng, scale):
    u = rng.random() - 0.5
    return -scale * math.copysign(math.log(1 - 2 * abs(u)), u)


def answer(histogram, rng):
    b = 2.0
    total = sum(histogram.values())
    return round((total + noise(rng, b)) / 4) * 4
''',
    "answer",
    {"epsilon": "1/2"},
    (
        Fault(Kind.SCALE, "b = 2.0", "b = 0.5"),
        Fault(Kind.DRAW, "u = rng.random() - 0.5", "u = rng.random() / 2"),
        Fault(Kind.DRAW, "-scale * math.copysign", "-math.copysign"),
        Fault(Kind.DRAW, "math.copysign(math.log(1 - 2 * abs(u)), u)", "2 * u"),
    ),
)
WINNER = Program(
    "winner",
    '''"""The favourite of the voters."""
CANDIDATES = ["ann", "bob", "cid"]
EPSILON = 0.5


def winner(histogram, rng):
    noisy = [histogram.get(name, 0) + rng.gumbel(scale=2 / EPSILON) for name in CANDIDATES]
    return CANDIDATES[noisy.index(max(noisy))]
''',
    "winner",
    {"epsilon": "1/2", "keys": ("ann", "bob", "cid")},
    (
        Fault(Kind.SCALE, "EPSILON = 0.5", "EPSILON = 4"),
        Fault(Kind.DRAW, "scale=2 / EPSILON", "scale=EPSILON"),
        Fault(Kind.DRAW, "rng.gumbel(scale=2 / EPSILON)", "rng.uniform(-5, 5)"),
        Fault(Kind.OUTPUT, "return CANDIDATES[noisy.index(max(noisy))]", "return max(noisy)"),
    ),
)
COIN = Program(
    "coin",
    '''"""Names of topics, each kept by a coin that gets better with its readers."""
import math

EPSILON = 1.0
DELTA = 1e-4


def chance(readers):
    p = 0.0
    for _ in range(min(readers, 60)):
        p = min(math.exp(EPSILON) * p + DELTA, 1 - math.exp(-EPSILON) * (1 - p - DELTA), 1.0)
    return p


def topics(histogram, rng):
    return sorted(topic for topic, readers in histogram.items() if rng.random() < chance(readers))
''',
    "topics",
    {"epsilon": "1", "delta": "1e-4"},
    (
        Fault(Kind.SCALE, "EPSILON = 1.0", "EPSILON = 2.0"),
        Fault(Kind.THRESHOLD, "DELTA = 1e-4", "DELTA = 1e-3"),
        Fault(Kind.THRESHOLD, "p = 0.0", "p = 0.001"),
        Fault(
            Kind.THRESHOLD,
            "min(math.exp(EPSILON) * p + DELTA, 1 - math",
            "min(math.exp(3 * EPSILON) * p + DELTA, 1 - math",
        ),
        Fault(Kind.THRESHOLD, "rng.random() < chance(readers)", "rng.random() < chance(2 * readers)"),
        Fault(Kind.DRAW, "rng.random() < chance(readers)", "rng.random() ** 2 < chance(readers)"),
    ),
)
PROGRAMS = (PAGES, WORDS, ARRAYS, PUBLISHER, REGIONS, INVERSE, WINNER, COIN)
