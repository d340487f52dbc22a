"""Right mechanisms as somebody writes them in a file of their own, and the one line that makes each of them wrong.

A fault is a line and what replaces it; its kind says what the line is: a draw, a threshold, a scale (or a constant that
one is made of), or an output, where what is drawn is right and something else is released. A fault is not always on the
line that draws.
"""

import ast
import functools
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


draw, threshold, scale, output = (functools.partial(Fault, kind) for kind in Kind)


def program(name: str, source: str, options: Mapping[str, Any], *planted: Fault) -> Program:
    """Return the program of a source whose last statement defines what releases."""
    last: Any = ast.parse(source).body[-1]
    return Program(name, source, last.targets[0].id if isinstance(last, ast.Assign) else last.name, options, planted)


def faults(programs: Iterable[Program]) -> Iterator[tuple[Program, Fault]]:
    """Yield every fault with its program."""
    for program in programs:
        for fault in program.faults:
            yield program, fault


PAGES = program(
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
    {"epsilon": "1", "delta": "1e-5"},
    scale("SCALE = 1 / EPSILON", "SCALE = 0.5 / EPSILON"),
    scale("SCALE = 1 / EPSILON", "SCALE = EPSILON / 4"),
    threshold("= 1 + SCALE * math.log", "= SCALE * math.log"),
    threshold("math.log(1 / (2 * DELTA))", "math.log10(1 / (2 * DELTA))"),
    draw("rng.laplace(0, SCALE)", "rng.exponential(SCALE)"),
    draw("rng.laplace(0, SCALE)", "rng.laplace(0, 1 / visits)"),
    draw("rng.laplace(0, SCALE)", "rng.laplace(0, SCALE / 3)"),
    threshold("if noisy > THRESHOLD:", "if visits > THRESHOLD:"),
    threshold("if noisy > THRESHOLD:", "if noisy > 4:"),
    output("released[page] = noisy", "released[page] = visits"),
)
WORDS = program(
    "words",
    '''"""Counts of words, by Gaussian noise and a threshold."""
SIGMA = 4.4
TAU = 1 + 5.0 * SIGMA


def counts(histogram, rng):
    noisy = {word: n + rng.normal(scale=SIGMA) for word, n in histogram.items()}
    return {word: round(value) for word, value in noisy.items() if value >= TAU}
''',
    {"epsilon": "1", "delta": "1e-5"},
    scale("SIGMA = 4.4", "SIGMA = 1.0"),
    scale("SIGMA = 4.4", "SIGMA = 0.44"),
    threshold("TAU = 1 + 5.0 * SIGMA", "TAU = 2.5 * SIGMA"),
    draw("rng.normal(scale=SIGMA)", "rng.normal()"),
    draw("rng.normal(scale=SIGMA)", "abs(rng.normal(scale=SIGMA))"),
    draw("rng.normal(scale=SIGMA)", "rng.normal(scale=SIGMA / max(1, n))"),
    threshold("if value >= TAU", "if value >= 1"),
    threshold("if value >= TAU", "if value >= TAU or histogram[word] > 20"),
)
ARRAYS = program(
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
    {"epsilon": "1/2", "delta": "1e-5"},
    scale("EPSILON, SENSITIVITY = 0.5, 1.0", "EPSILON, SENSITIVITY = 2.0, 1.0"),
    threshold("CUTOFF = 27.0", "CUTOFF = 12.0"),
    scale("scale=SENSITIVITY / EPSILON", "scale=SENSITIVITY * EPSILON"),
    draw("size=len(names), scale", "size=1, scale"),
    draw("rng.laplace(size=len(names), scale=SENSITIVITY / EPSILON)", "rng.uniform(-4, 4, len(names))"),
    threshold("keep = noisy >= CUTOFF", "keep = counts + 10 >= CUTOFF"),
    threshold("keep = noisy >= CUTOFF", "keep = noisy >= counts.mean()"),
    output("in zip(names, noisy, keep)", "in zip(names, counts, keep)"),
)
PUBLISHER = program(
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
    {"epsilon": "1", "delta": "1e-6", "c_u": 2},
    scale("self.scale = items / epsilon", "self.scale = 1 / epsilon"),
    threshold("self.threshold = 1 + self.scale * tail", "self.threshold = 1 + tail"),
    threshold("tail = math.log(items / (2 * delta))", "tail = math.log(items / delta) / 2"),
    draw("rng.laplace(0.0, self.scale)", "rng.normal(0.0, self.scale)"),
    draw("rng.laplace(0.0, self.scale)", "rng.laplace(0.0, self.scale / 2)"),
    draw("users + self.noise(rng)", "users + self.noise(rng) / 4"),
    threshold("if value < self.threshold", "if users < self.threshold"),
    scale("Publisher(1.0, 1e-6, 2)", "Publisher(4.0, 1e-6, 2)"),
    threshold("Publisher(1.0, 1e-6, 2)", "Publisher(1.0, 1e-3, 2)"),
)
REGIONS = program(
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
    {"epsilon": "4/5", "keys": ("north", "south", "east")},
    scale("EPSILON = 0.8", "EPSILON = 1.6"),
    scale("p = 1 - math.exp(-EPSILON)", "p = EPSILON"),
    draw("int(rng.geometric(p)) - int(rng.geometric(p))", "int(rng.geometric(p)) - 1"),
    draw("int(rng.geometric(p)) - int(rng.geometric(p))", "int(rng.poisson(1 / p))"),
    output("histogram.get(region, 0) + two_sided(rng)", "max(histogram.get(region, 0), two_sided(rng))"),
)
INVERSE = program(
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
    {"epsilon": "1/2"},
    scale("b = 2.0", "b = 0.5"),
    draw("u = rng.random() - 0.5", "u = rng.random() / 2"),
    draw("-scale * math.copysign", "-math.copysign"),
    draw("math.copysign(math.log(1 - 2 * abs(u)), u)", "2 * u"),
)
WINNER = program(
    "winner",
    '''"""The favourite of the voters."""
CANDIDATES = ["ann", "bob", "cid"]
EPSILON = 0.5


def winner(histogram, rng):
    noisy = [histogram.get(name, 0) + rng.gumbel(scale=2 / EPSILON) for name in CANDIDATES]
    return CANDIDATES[noisy.index(max(noisy))]
''',
    {"epsilon": "1/2", "keys": ("ann", "bob", "cid")},
    scale("EPSILON = 0.5", "EPSILON = 4"),
    draw("scale=2 / EPSILON", "scale=EPSILON"),
    draw("rng.gumbel(scale=2 / EPSILON)", "rng.uniform(-5, 5)"),
    output("return CANDIDATES[noisy.index(max(noisy))]", "return max(noisy)"),
)
COIN = program(
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
    {"epsilon": "1", "delta": "1e-4"},
    scale("EPSILON = 1.0", "EPSILON = 2.0"),
    threshold("DELTA = 1e-4", "DELTA = 1e-3"),
    threshold("p = 0.0", "p = 0.001"),
    threshold("min(math.exp(EPSILON) * p + DELTA, 1 - math", "min(math.exp(3 * EPSILON) * p + DELTA, 1 - math"),
    threshold("rng.random() < chance(readers)", "rng.random() < chance(2 * readers)"),
    draw("rng.random() < chance(readers)", "rng.random() ** 2 < chance(readers)"),
)
PROGRAMS = (PAGES, WORDS, ARRAYS, PUBLISHER, REGIONS, INVERSE, WINNER, COIN)
