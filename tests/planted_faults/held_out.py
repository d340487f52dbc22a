"""Faults that were written before the localiser was tried on them: other people's style, one line changed in each.

Classes with settings, helpers with defaults, frozen laws of SciPy, comprehensions, while loops, rejection, inversion,
arrays, tables of constants.
"""

from tests.planted_faults.programs import draw, program, scale, threshold

LEDGER = program(
    "ledger",
    '''"""Subscribers by city, from a class with settings."""
from dataclasses import dataclass
from math import log, sqrt


@dataclass(frozen=True)
class Settings:
    epsilon: float = 0.9
    delta: float = 1e-5
    margin: float = 5.0

    @property
    def deviation(self):
        return sqrt(2 * log(1.25 / (self.delta / 2))) / self.epsilon

    @property
    def bar(self):
        return 1 + self.margin * self.deviation


class Ledger:
    def __init__(self, settings):
        self.settings = settings

    def _perturb(self, amount, rng):
        return amount + self.settings.deviation * rng.standard_normal()

    def report(self, histogram, rng):
        perturbed = ((city, self._perturb(amount, rng)) for city, amount in histogram.items())
        return {city: value for city, value in perturbed if not value < self.settings.bar}


report = Ledger(Settings()).report
''',
    {"epsilon": "9/10", "delta": "1e-5"},
    scale("epsilon: float = 0.9", "epsilon: float = 4.5"),
    scale("sqrt(2 * log(1.25 / (self.delta / 2)))", "sqrt(2 * log(1.25))"),
    threshold("margin: float = 5.0", "margin: float = 2.0"),
    threshold("1 + self.margin * self.deviation", "1 + self.margin"),
    draw("self.settings.deviation * rng.standard_normal()", "rng.standard_normal()"),
    threshold("if not value < self.settings.bar", "if not value < 1"),
)
FROZEN = program(
    "frozen",
    '''"""Labels, with a frozen law of SciPy that is both the noise and the threshold."""
from scipy import stats

EPSILON, DELTA = 0.7, 1e-4
LAW = stats.laplace(scale=1 / EPSILON)
LIMIT = 1 + LAW.isf(DELTA)


def labels(histogram, rng):
    output = dict(histogram)
    for label in sorted(output):
        output[label] += LAW.rvs(random_state=rng)
    return {label: float(value) for label, value in output.items() if value > LIMIT}
''',
    {"epsilon": "7/10", "delta": "1e-4"},
    scale("stats.laplace(scale=1 / EPSILON)", "stats.laplace(scale=EPSILON / 2)"),
    draw("stats.laplace(scale=1 / EPSILON)", "stats.norm(scale=1 / EPSILON)"),
    threshold("1 + LAW.isf(DELTA)", "LAW.isf(DELTA) / 2"),
    draw("LAW.rvs(random_state=rng)", "LAW.rvs(random_state=rng) * 0.2"),
    draw("LAW.rvs(random_state=rng)", "LAW.rvs(random_state=7)"),
    threshold("if value > LIMIT", "if histogram[label] > LIMIT"),
)
WALK = program(
    "walk",
    '''"""Visitors of three zones that everybody knows; noise by counting steps."""
import math

STAY = math.exp(-0.5)


def steps(rng):
    n = 0
    while rng.random() < STAY:
        n += 1
    return n


def tally(histogram, rng):
    answer = {}
    for zone in ("red", "green", "blue"):
        answer[zone] = histogram.get(zone, 0)
        answer[zone] += steps(rng)
        answer[zone] -= steps(rng)
    return answer
''',
    {"epsilon": "1/2", "keys": ("red", "green", "blue")},
    scale("STAY = math.exp(-0.5)", "STAY = math.exp(-2.0)"),
    draw("while rng.random() < STAY:", "while rng.random() < STAY / 3:"),
    draw("while rng.random() < STAY:", "if rng.random() < STAY:"),
    draw("answer[zone] -= steps(rng)", "answer[zone] -= 1"),
)
SHOP = program(
    "shop",
    '''"""Sales of items; normal noise by rejection from an exponential variable."""
import math

SIGMA = 5.0
FLOOR = 27.0


def gaussian(rng, sigma):
    while True:
        x = rng.exponential()
        if rng.random() <= math.exp(-0.5 * (x - 1) ** 2):
            return sigma * (x if rng.integers(2) else -x)


def sales(histogram, rng):
    sold = [(item, count + gaussian(rng, SIGMA)) for item, count in histogram.items()]
    return [[item, value] for item, value in sold if value > FLOOR]
''',
    {"epsilon": "9/10", "delta": "1e-5"},
    scale("SIGMA = 5.0", "SIGMA = 1.0"),
    threshold("FLOOR = 27.0", "FLOOR = 12.0"),
    draw("sigma * (x if rng.integers(2) else -x)", "sigma * x"),
    draw("x = rng.exponential()", "x = rng.exponential() / 10"),
)
METER = program(
    "meter",
    '''"""One total, to which each household adds at most 3; noise by inversion, from a closure."""
from math import log


def standard(u):
    return log(2 * u) if u < 0.5 else -log(2 * (1 - u))


def make(epsilon, sensitivity):
    b = sensitivity / epsilon
    return lambda uniform: b * standard(uniform)


noise = make(epsilon=1.0, sensitivity=3.0)


def meter(histogram, rng):
    return sum(histogram.values()) + noise(rng.random())
''',
    {"epsilon": "1", "per_key": 3},
    scale("b = sensitivity / epsilon", "b = 1 / epsilon"),
    scale("make(epsilon=1.0, sensitivity=3.0)", "make(epsilon=1.0, sensitivity=1.0)"),
    draw("else -log(2 * (1 - u))", "else 0.0"),
    draw("noise(rng.random())", "noise(rng.random() * 0.5)"),
)
PANEL = program(
    "panel",
    '''"""Members of a panel in arrays, under zero-concentrated privacy."""
import numpy as np

RHO = 0.08
SIGMA = np.sqrt(1 / (2 * RHO))
Z = 4.8


def panel(histogram, rng):
    keys, counts = list(histogram), np.fromiter(histogram.values(), dtype=float)
    draws = rng.standard_normal((1, counts.size))
    noisy = counts + SIGMA * draws[0]
    mask = noisy - 1 > Z * SIGMA
    return dict(zip(np.array(keys)[mask].tolist(), noisy[mask].round(3).tolist()))
''',
    {"rho": "0.08", "delta": "1e-6"},
    scale("RHO = 0.08", "RHO = 2.0"),
    scale("np.sqrt(1 / (2 * RHO))", "np.sqrt(RHO / 2)"),
    threshold("Z = 4.8", "Z = 1.8"),
    threshold("mask = noisy - 1 > Z * SIGMA", "mask = counts > Z * SIGMA"),
    draw("rng.standard_normal((1, counts.size))", "rng.uniform(-1, 1, (1, counts.size))"),
    draw("rng.standard_normal((1, counts.size))", "np.random.default_rng(0).standard_normal((1, counts.size))"),
)
ALARM = program(
    "alarm",
    '''"""The first of twelve sensors that is above a bar: the sparse vector technique as an object."""
SENSORS = [f"s{i}" for i in range(12)]


class Above:
    def __init__(self, epsilon, bar, rng):
        self.epsilon, self.rng = epsilon, rng
        self.bar = bar + rng.laplace(scale=2 / epsilon)

    def __call__(self, answer):
        return answer + self.rng.laplace(scale=4 / self.epsilon) >= self.bar


def first(histogram, rng):
    above = Above(1.0, 8.0, rng)
    return next((name for name in SENSORS if above(histogram.get(name, 0))), None)
''',
    {"epsilon": "1", "keys": tuple(f"s{i}" for i in range(12)), "c_u": 12},
    draw("bar + rng.laplace(scale=2 / epsilon)", "bar"),
    draw("self.rng.laplace(scale=4 / self.epsilon)", "self.rng.laplace(scale=0.4 * self.epsilon)"),
    draw("answer + self.rng.laplace(scale=4 / self.epsilon)", "answer"),
    scale("Above(1.0, 8.0, rng)", "Above(10.0, 8.0, rng)"),
)
SURVEY = program(
    "survey",
    '''"""Answers to two questions, each flipped now and then."""
KEEP = 0.75


def flip(bit, rng):
    return bit if rng.random() < KEEP else 1 - bit


def survey(histogram, rng):
    return [flip(int(histogram.get(question, 0) > 0), rng) for question in ("q1", "q2")]
''',
    {"epsilon": "11/10", "keys": ("q1", "q2")},
    scale("KEEP = 0.75", "KEEP = 0.95"),
    draw("rng.random() < KEEP", "rng.random() < KEEP + 0.2 * bit"),
)
BIDS = program(
    "bids",
    '''"""One of four items, by the exponential mechanism over an array of weights."""
import numpy as np

ITEMS = ("axe", "bow", "cup", "dye")
EPSILON = 1.0


def weights(scores):
    odds = np.exp(EPSILON * (scores - scores.max()) / 2)
    return odds / odds.sum()


def pick(histogram, rng):
    scores = np.array([histogram.get(item, 0) for item in ITEMS], dtype=float)
    return ITEMS[rng.choice(len(ITEMS), p=weights(scores))]
''',
    {"epsilon": "1", "keys": ("axe", "bow", "cup", "dye")},
    scale("EPSILON = 1.0", "EPSILON = 5.0"),
    scale("np.exp(EPSILON * (scores - scores.max()) / 2)", "np.exp(EPSILON * (scores - scores.max()) * 2)"),
    scale("np.exp(EPSILON * (scores - scores.max()) / 2)", "np.maximum(scores, 0.01)"),
    draw("rng.choice(len(ITEMS), p=weights(scores))", "scores.argmax()"),
)
SHELVES = program(
    "shelves",
    '''"""Books on shelves, for readers who take three; helpers with defaults."""


def perturb(value, rng, *, sensitivity=3, epsilon=1.2):
    scale = sensitivity / epsilon
    return value + rng.exponential(scale) - rng.exponential(scale)


def select(noisy, *, least=33.0):
    return {key: value for key, value in noisy.items() if value >= least}


def shelves(histogram, rng):
    noisy = {}
    noisy.update((key, perturb(value, rng)) for key, value in histogram.items())
    return select(noisy)
''',
    {"epsilon": "6/5", "delta": "1e-5", "c_u": 3},
    scale("sensitivity=3, epsilon=1.2", "sensitivity=1, epsilon=1.2"),
    scale("perturb(value, rng))", "perturb(value, rng, epsilon=6.0))"),
    threshold("least=33.0", "least=13.0"),
    draw("rng.exponential(scale) - rng.exponential(scale)", "rng.exponential(scale)"),
    threshold("if value >= least", "if value >= min(least, 10)"),
)
STAGES = program(
    "stages",
    '''"""Keys first, counts afterwards, each from its share of a table."""
SHARE = {
    "keys": 0.4,
    "counts": 0.6,
}
CUT = 22.3


def stages(histogram, rng):
    kept = [key for key, n in histogram.items() if n + rng.laplace(scale=1 / SHARE["keys"]) > CUT]
    return {key: round(histogram[key] + rng.laplace(scale=1 / SHARE["counts"])) for key in kept}
''',
    {"epsilon": "1", "delta": "1e-4"},
    scale('"keys": 0.4,', '"keys": 4.0,'),
    scale('"counts": 0.6,', '"counts": 6.0,'),
    threshold("CUT = 22.3", "CUT = 9.0"),
    draw('n + rng.laplace(scale=1 / SHARE["keys"]) > CUT', "n > CUT"),
    draw('rng.laplace(scale=1 / SHARE["counts"])', "rng.laplace(scale=0.1)"),
)
TAGS = program(
    "tags",
    '''"""Tags, from a plain dictionary of options and a noise factory."""
import numpy as np

OPTIONS = {"epsilon": 0.8, "items": 2, "tail": 13.0}


def noise_for(options, rng):
    width = options["items"] / options["epsilon"]
    return lambda: float(rng.laplace(0.0, width))


def clean(histogram, rng):
    draw = noise_for(OPTIONS, rng)
    bound = 1 + OPTIONS["tail"] * OPTIONS["items"] / OPTIONS["epsilon"]
    kept = {}
    for tag in histogram:
        amount = histogram[tag] + draw()
        if amount >= bound:
            kept[tag] = amount
    return kept
''',
    {"epsilon": "4/5", "delta": "1e-5", "c_u": 2},
    scale('"epsilon": 0.8', '"epsilon": 8.0'),
    scale('width = options["items"] / options["epsilon"]', 'width = 1 / options["epsilon"]'),
    threshold(
        '1 + OPTIONS["tail"] * OPTIONS["items"] / OPTIONS["epsilon"]', '1 + OPTIONS["items"] / OPTIONS["epsilon"]'
    ),
    threshold("if amount >= bound", "if amount >= 5"),
    draw("rng.laplace(0.0, width)", "rng.laplace(0.0, width) / 8"),
)
SENSOR = program(
    "sensor",
    '''"""Sensors with a base class."""
from abc import ABC, abstractmethod


class Mechanism(ABC):
    def __init__(self, strength):
        self.strength = strength

    @abstractmethod
    def blur(self, number, rng): ...

    def __call__(self, histogram, rng):
        return [self.blur(histogram.get(name, 0), rng) for name in ("north", "south")]


class Gauss(Mechanism):
    spread = 5.0

    def blur(self, number, rng):
        return number + rng.normal(0.0, self.spread / self.strength)


run = Gauss(1.0)
''',
    {"epsilon": "4/5", "delta": "1e-4", "keys": ("north", "south")},
    scale("spread = 5.0", "spread = 0.5"),
    scale("Gauss(1.0)", "Gauss(9.0)"),
    draw("rng.normal(0.0, self.spread / self.strength)", "rng.normal(0.0, 1.0)"),
    draw("rng.normal(0.0, self.spread / self.strength)", "rng.uniform(-self.spread, self.spread)"),
)
EXITS = program(
    "exits",
    '''"""Exits of a station, with scipy and pandas-like columns."""
import scipy.stats as st

SENS = 1.0
EPS = 0.6


def column(histogram):
    return [(name, float(n)) for name, n in histogram.items()]


def exits(histogram, rng):
    rows = column(histogram)
    noise = st.laplace.rvs(loc=0, scale=SENS / EPS, size=len(rows), random_state=rng)
    out = []
    for (name, n), e in zip(rows, noise):
        shown = n + e
        if shown > 20.0:
            out.append((name, shown))
    return out
''',
    {"epsilon": "3/5", "delta": "1e-5"},
    scale("EPS = 0.6", "EPS = 6.0"),
    scale("SENS = 1.0", "SENS = 0.1"),
    threshold("if shown > 20.0", "if shown > 6.0"),
    draw("scale=SENS / EPS", "scale=EPS * SENS"),
    draw("st.laplace.rvs(loc=0, scale=SENS / EPS", "st.norm.rvs(loc=0, scale=SENS / EPS"),
    threshold("if shown > 20.0", "if n > 20.0"),
)
VOTES = program(
    "votes",
    '''"""Noisy max with exponential noise by hand."""
import math

RATE = 0.5


def exponential(rng, rate):
    return -math.log(1.0 - rng.random()) / rate


def votes(histogram, rng):
    best, most = None, -math.inf
    for name in ("ann", "bob", "cid"):
        score = histogram.get(name, 0) + exponential(rng, RATE)
        if score > most:
            best, most = name, score
    return best
''',
    {"epsilon": "1", "keys": ("ann", "bob", "cid")},
    scale("RATE = 0.5", "RATE = 5.0"),
    scale("rng.random()) / rate", "rng.random()) * rate / 4"),
)
CLINIC = program(
    "clinic",
    '''"""Clinics; two sided geometric noise from numpy."""
import numpy as np

EPSILON = 1.0


def geometric_noise(rng, size):
    q = 1 - np.exp(-EPSILON)
    return rng.geometric(q, size) - rng.geometric(q, size)


def clinic(histogram, rng):
    names = sorted(histogram)
    values = np.array([histogram[n] for n in names], dtype=int)
    noisy = values + geometric_noise(rng, len(names))
    keep = np.flatnonzero(noisy >= 13)
    return {names[i]: int(noisy[i]) for i in keep}
''',
    {"epsilon": "1", "delta": "1e-5"},
    scale("EPSILON = 1.0", "EPSILON = 3.0"),
    scale("q = 1 - np.exp(-EPSILON)", "q = np.exp(-EPSILON / 8)"),
    threshold("noisy >= 13", "noisy >= 5"),
    draw("rng.geometric(q, size) - rng.geometric(q, size)", "rng.geometric(q, size)"),
)
SHARES = program(
    "shares",
    '''"""Visits of four wards by a patient who has at most two; one share of the budget for the total."""
import numpy as np

BUDGET = 1.2
FOR_TOTAL = BUDGET / 3
FOR_WARDS = BUDGET - FOR_TOTAL
VISITS = 2
WARDS = ["er", "icu", "lab", "eye"]


def publish(histogram, rng):
    counts = np.array([histogram.get(ward, 0) for ward in WARDS], dtype=float)
    total = counts.sum() + rng.laplace(scale=VISITS / FOR_TOTAL)
    noisy = counts + rng.laplace(scale=VISITS / FOR_WARDS, size=len(WARDS))
    return [round(float(number), 1) for number in (total, *noisy)]
''',
    {"epsilon": "6/5", "c_u": 2, "keys": ("er", "icu", "lab", "eye")},
    scale("VISITS = 2", "VISITS = 1"),
    scale("BUDGET = 1.2", "BUDGET = 12.0"),
    scale("FOR_TOTAL = BUDGET / 3", "FOR_TOTAL = BUDGET * 3"),
    draw("scale=VISITS / FOR_WARDS, size", "scale=FOR_WARDS / VISITS, size"),
    draw("rng.laplace(scale=VISITS / FOR_TOTAL)", "rng.laplace(scale=1 / len(WARDS))"),
)
QUIZ = program(
    "quiz",
    '''"""Whether more than half a class passed: a bar with noise, a score with noise."""
import math


def gauss(rng, deviation):
    return deviation * rng.normal()


def passed(histogram, rng, epsilon=1.0, delta=1e-6):
    deviation = 2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    margin = deviation * 8
    bar = 10 + margin + gauss(rng, deviation)
    return [name for name in sorted(histogram) if histogram[name] + gauss(rng, deviation) > bar]
''',
    {"epsilon": "1", "delta": "1e-6"},
    scale("deviation = 2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon", "deviation = 0.5 / epsilon"),
    threshold("margin = deviation * 8", "margin = deviation / 8"),
    threshold("if histogram[name] + gauss(rng, deviation) > bar", "if histogram[name] > bar - margin"),
    draw("return deviation * rng.normal()", "return rng.normal()"),
)
POLL = program(
    "poll",
    '''"""Yes and no by randomised response of each person."""
import math

EPS = 1.0
KEEP = math.exp(EPS) / (1 + math.exp(EPS))


def answers(histogram, rng):
    yes, no = histogram.get("yes", 0), histogram.get("no", 0)
    kept = rng.binomial(yes, KEEP) + rng.binomial(no, 1 - KEEP)
    return int(kept)
''',
    {"epsilon": "1", "keys": ("yes", "no"), "adjacency": "replace"},
    scale("EPS = 1.0", "EPS = 3.0"),
    scale("KEEP = math.exp(EPS) / (1 + math.exp(EPS))", "KEEP = 0.99"),
)
READERS = program(
    "readers",
    '''"""Integers of words of which each reader has one: two-sided geometric noise."""
import numpy as np


class Counter:
    def __init__(self, budget=0.5, floor=40):
        self.p = 1 - np.exp(-budget)
        self.floor = floor

    def noise(self, rng, size):
        return rng.geometric(self.p, size) - rng.geometric(self.p, size)

    def __call__(self, histogram, rng):
        words = list(histogram)
        values = np.array([histogram[word] for word in words], dtype=int) + self.noise(rng, len(words))
        return [(word, int(value)) for word, value in zip(words, values) if value >= self.floor]


count = Counter()
''',
    {"epsilon": "1/2", "delta": "1e-6"},
    scale("self.p = 1 - np.exp(-budget)", "self.p = np.exp(-budget)"),
    scale("budget=0.5, floor=40", "budget=2.5, floor=40"),
    threshold("self.floor = floor", "self.floor = floor // 8"),
    draw(
        "return rng.geometric(self.p, size) - rng.geometric(self.p, size)",
        "return rng.geometric(self.p) - rng.geometric(self.p)",
    ),
    threshold("if value >= self.floor", "if histogram[word] >= self.floor"),
)
HALVES = program(
    "halves",
    '''"""Sums of two halves and of all, from noise of levels."""
from math import sqrt

LEVELS = 2
SIGMA = 5.5
LEAVES = ("am", "pm")


def sums(histogram, rng):
    sigma = SIGMA * sqrt(LEVELS)
    leaves = [histogram.get(leaf, 0) + rng.normal(0.0, sigma) for leaf in LEAVES]
    root = sum(histogram.get(leaf, 0) for leaf in LEAVES) + rng.normal(0.0, sigma)
    return {"all": root, "am": leaves[0], "pm": leaves[1]}
''',
    {"epsilon": "1", "delta": "1e-6", "keys": ("am", "pm")},
    scale("SIGMA = 5.5", "SIGMA = 0.55"),
    scale("sigma = SIGMA * sqrt(LEVELS)", "sigma = SIGMA / 4"),
    draw("for leaf in LEAVES) + rng.normal(0.0, sigma)", "for leaf in LEAVES) + rng.normal(0.0, sigma / 9)"),
    draw("+ rng.normal(0.0, sigma) for leaf in LEAVES]", "+ rng.laplace(0.0, 1 / sigma) for leaf in LEAVES]"),
)
DISHES = program(
    "dishes",
    '''"""The favourite dish by noisy votes, only if enough voted."""
import math


def favourite(histogram, rng):
    eps, delta = 1.0, 1e-5
    width = 4 / eps
    enough = 1 + width * math.log(1 / delta) + width * 2
    if not histogram:
        return None
    votes = {dish: votes + rng.laplace(0, width) for dish, votes in histogram.items()}
    best = max(votes, key=votes.get)
    return best if votes[best] > enough else None
''',
    {"epsilon": "1", "delta": "1e-5"},
    scale("width = 4 / eps", "width = 0.2 / eps"),
    scale("eps, delta = 1.0, 1e-5", "eps, delta = 9.0, 1e-5"),
    threshold("enough = 1 + width * math.log(1 / delta) + width * 2", "enough = 1 + width * 2"),
    threshold("votes[best] > enough", "histogram[best] > enough"),
)
FIRST = (LEDGER, FROZEN, WALK, SHOP, METER, PANEL, ALARM, SURVEY, BIDS, SHELVES, STAGES)
"""Written before the localiser knew their style: it was mended on what it missed of them."""
SECOND = (TAGS, SENSOR, EXITS, VOTES, CLINIC)
"""Written afterwards; nothing was mended on them."""
THIRD = (SHARES, QUIZ, POLL, READERS, HALVES, DISHES)
"""Written after the rules on several draws, noisy bars and coins; nothing was mended on them."""
