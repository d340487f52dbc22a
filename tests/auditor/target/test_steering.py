"""The steered generator: NumPy's to the target, its ratios those of the laws, its releases alone or invalid."""

import copy
import math
import pickle
import sys
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from auditor.target import steering, worker
from auditor.target.steering import SteeredGenerator
from auditor.target.target import arrays, steered_of

LAWS = {
    "normal": (steering.NORMAL, stats.norm()),
    "normal, beyond": (steering.NORMAL_BEYOND, stats.norm()),
    "laplace": (steering.LAPLACE, stats.laplace()),
    "exponential": (steering.EXPONENTIAL, stats.expon()),
    "gumbel": (steering.GUMBEL, stats.gumbel_r()),
    "logistic": (steering.LOGISTIC, stats.logistic()),
    "geometric": (steering.Geometric(0.3), stats.geom(0.3)),
    "binomial": (steering.Binomial(20, 0.3), stats.binom(20, 0.3)),
    "poisson": (steering.Poisson(2.5), stats.poisson(2.5)),
}
DENSITIES = {
    "normal": (lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), -15, 16),
    "normal, beyond": (lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), -20, 20),
    "laplace": (lambda x: math.exp(-abs(x)) / 2, -160, 320),
    "exponential": (lambda x: math.exp(-x), 0, 320),
    "gumbel": (lambda x: math.exp(-x - math.exp(-x)), -6, 320),
    "logistic": (lambda x: 0.25 / math.cosh(x / 2) ** 2, -160, 320),
}
"""Densities of the continuous laws, and where their mass is, tilted or not."""
DEVIATIONS = 6.5
"""Of the normal law: less than 1e-10 beyond."""


@pytest.mark.slow
@pytest.mark.parametrize("t", [12.0, 1.5, -1.5, -6.0])
@pytest.mark.parametrize("name", LAWS)
def test_a_tilted_density_has_mass_one(name, t):
    """The density times its ratio sums to 1: a ratio that is off by a factor would bound the wrong probability."""
    law, known = LAWS[name]
    if name in DENSITIES:
        density, below, above = DENSITIES[name]
        parts = pairwise(range(below, above))
        mass = math.fsum(
            integrate.quad(lambda x: density(x) * math.exp(law.log_ratio(x, t)), *part, epsabs=1e-10)[0]
            for part in parts
        )
    else:
        counts = np.arange(0, 2000)
        ratios = [math.exp(law.log_ratio(float(k), t)) if known.pmf(k) > 0 else 0.0 for k in counts]
        mass = math.fsum(known.pmf(counts) * ratios)
    assert mass == pytest.approx(1.0, abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("t", [0.0, 1.5, -1.5])
@pytest.mark.parametrize("name", LAWS)
def test_tilted_draws_have_the_tilted_law(name, t):
    """Half of the draws tilted, and weighted: the probabilities are those of the law itself."""
    law, known = LAWS[name]
    rng, n = np.random.default_rng(5), 6000
    draws = np.array([law.draw(rng, t * (i % 2)) for i in range(n)])
    weights = 2 / (1 + np.exp([law.log_ratio(float(x), t) for x in draws]))
    for level in (0.4, 0.9):
        x = known.ppf(level)
        values = weights * (draws > x)
        assert abs(values.mean() - known.sf(x)) < DEVIATIONS * values.std() / math.sqrt(n)


@pytest.mark.parametrize("t", [20.0, -3.0])
def test_a_tilted_uniform_keeps_to_the_grid_and_its_ratio_is_exact(t):
    """Its density is a step function of the depth: the steps times their lengths sum to 1."""
    density = steering.depths(abs(t))[1]
    lengths = [2.0 ** -(d + 1) for d in range(52)] + [2.0**-52]
    assert math.fsum(a * b for a, b in zip(density, lengths, strict=True)) == pytest.approx(1.0, abs=1e-12)
    rng = np.random.default_rng(1)
    draws = [steering.UNIFORM.draw(rng, t) for _ in range(1000)]
    assert all(0 <= u < 1 and (u * 2**53).is_integer() for u in draws)
    assert np.median(draws) > 0.999 if t > 0 else np.median(draws) < 0.1
    for u in (0.0, 0.3, 1 - 2.0**-53, 2.0**-53):
        depth = min(52, 53 - (int(u * 2**53) if t < 0 else 2**53 - 1 - int(u * 2**53)).bit_length())
        assert math.exp(steering.UNIFORM.log_ratio(u, t)) == pytest.approx(density[depth], rel=1e-13)


def generator(*tilts, log=False):
    """A generator that follows one component without a base, on its first release."""
    rng = SteeredGenerator()
    rng.follow({"shares": [1.0], "tilts": [list(tilts)], "log": log}, 3, ())
    return rng


def test_it_is_numpys_generator_where_nothing_is_tilted():
    """Every method gives NumPy's own bits."""
    rng = generator()
    plain = np.random.Generator(np.random.PCG64(np.random.SeedSequence(3).spawn(2)[0]))
    assert isinstance(rng, np.random.Generator)
    given = {"geometric": (0.3,), "binomial": (9, 0.4)}
    for name in (*steering.METHODS, "integers", "gamma"):
        args = given.get(name, (5,) if name in ("integers", "gamma") else ())
        assert getattr(rng, name)(*args) == getattr(plain, name)(*args)
        same = getattr(rng, name)(*args, size=(2, 3)), getattr(plain, name)(*args, size=(2, 3))
        assert np.array_equal(*same)


def draw_here(rng):
    """Draw twelve numbers."""
    return rng.normal([0.0, 5.0, -5.0], 2.0, (4, 3))


def test_one_coordinate_is_tilted_and_the_others_are_numpys():
    """The address names a line, a call and a place in the array."""
    logged = generator(log=True)
    draw_here(logged)
    ((site, method, order, size, parameters),) = logged.logged
    assert site == f"{__file__}:{draw_here.__code__.co_firstlineno + 2}"
    assert (method, order, size) == ("normal", 0, 12)
    assert parameters == {"loc": [0.0, 5.0, -5.0], "scale": 2.0}
    rng = generator([[site, "normal", 0, 4], 50.0])
    plain, steered = draw_here(generator()), draw_here(rng)
    assert np.argwhere(plain != steered).tolist() == [[1, 1]]
    shift = math.sqrt(100.0)
    x = (steered[1, 1] - 5.0) / 2.0
    assert abs(x - shift) < 8
    assert rng.log_ratios == [pytest.approx(shift * x - 50.0, rel=1e-12)]
    assert rng.steered == 1


def test_draws_through_scipy_belong_to_the_caller():
    """What SciPy asks for with random_state is tilted at the line of the target."""
    logged = generator(log=True)

    def release(rng):
        return float(stats.laplace.rvs(scale=2.0, random_state=rng))

    release(logged)
    site, method, order, *_ = logged.logged[0]
    assert site == f"{__file__}:{release.__code__.co_firstlineno + 1}"
    rng = generator([[site, method, order, 0], 30.0])
    assert release(rng) > release(generator()) + 1
    assert rng.log_ratios[0] > 0


@pytest.mark.parametrize(
    "take",
    [
        lambda rng: rng.bit_generator.state,
        copy.deepcopy,
        pickle.dumps,
        lambda rng: np.random.Generator(rng.bit_generator).normal(),
    ],
)
def test_a_copy_of_the_generator_is_noticed(take):
    """Draws of a copy are accounted for by no ratio."""
    rng = generator()
    assert not rng.touched
    take(rng)
    assert rng.touched
    assert all(type(child) is np.random.Generator for child in rng.spawn(2))


TOSSES = 0.7


def tosses(rng):
    """Heads before the first tail."""
    heads = 0
    while rng.random() < TOSSES:
        heads += 1
    return heads


def rolls(rng):
    """Rolls of a die until a six, and whether any was a one."""
    rolled = []
    while 6 not in rolled:
        rolled.append(int(rng.integers(1, 7)))
    return len(rolled) + 100 * (1 in rolled)


def picks(rng):
    """A pick by weights, one of a list, a biased bit of three and a coarse uniform number."""
    picked = rng.choice(3, p=[0.5, 0.3, 0.2]) + 3 * rng.choice([0, 1]) + 6 * rng.binomial(3, 0.25)
    return int(picked) + 24 * int(8 * rng.uniform(-1, 1) + 8)


@pytest.mark.parametrize(("noise", "levels"), [(tosses, range(9)), (rolls, [1, 4, 9, 103]), (picks, [0, 7, 20, 200])])
def test_draws_that_are_alike_have_their_law_whatever_their_table(noise, levels):
    """Tables at random, loops that end where the draws say: weighted, the probabilities are those of plain draws."""
    rng, n = SteeredGenerator(), 4000
    plan = {"shares": [0.2, 0.8], "tilts": [[], []], "tables": []}
    rng.follow(plan, 1, ())
    kinds = set()
    for i in range(100):
        rng.begin(i)
        noise(rng)
        kinds |= set(rng.alike)
    chance = np.random.default_rng(2)
    for kind in kinds:
        own = np.array(steering.Cells(*kind[4]).masses)
        tilted = 0.5 * own + 0.5 * own * (factors := chance.uniform(0.2, 1.8, len(own))) / (own @ factors)
        plan["tables"].append([kind, tilted.tolist()])
    rng.follow(plan, 3, ())
    values, weights = np.empty(n), np.empty(n)
    for i in range(n):
        rng.begin(i)
        values[i] = noise(rng)
        weights[i] = 1 / (0.2 * math.exp(rng.log_ratios[0]) + 0.8 * math.exp(rng.log_ratios[1]))
    plain = np.array([noise(chance) for _ in range(4 * n)])
    assert np.std(weights) > 0.1
    for level in levels:
        seen, known = weights * (values == level), (plain == level).mean()
        assert abs(seen.mean() - known) < DEVIATIONS * math.hypot(seen.std(), known**0.5 / 2) / math.sqrt(n)


@pytest.mark.parametrize("cells", [("even", 2), ("even", 33), ("even", 2**24), ("even", 2**53), ("even", 2**63)])
def test_cells_hold_each_outcome_once(cells):
    """Their masses are the shares of the outcomes in them, exactly."""
    own = steering.Cells(*cells)
    assert own.edges[0] == 0
    assert own.edges[-1] == cells[1]
    assert all(start < end for start, end in pairwise(own.edges))
    assert math.fsum(own.masses) == pytest.approx(1.0, abs=1e-15)
    assert own.masses == [(end - start) / cells[1] for start, end in pairwise(own.edges)]


def test_turns_of_a_loop_and_calls_of_the_function_that_makes_noise_are_told_apart():
    """And what is no outcome of a table is NumPy's own."""
    rng = generator()
    rng.follow({"shares": [1.0], "tilts": [[]], "tables": []}, 3, ())

    def release():
        return [tosses(rng) for _ in "ab"]

    def once():
        return release()

    rng.begin(0)
    heads = once()
    drawn = {kind[2:4]: cells for kind, cells in rng.alike.items()}
    calls = {way.rpartition(" ")[2] for way, _turn in drawn}
    assert calls == {"0", "1"}
    assert sum(map(len, drawn.values())) == sum(heads) + 2
    rng.alike.clear()
    for draw in (lambda: rng.random(out=np.empty(3)), rng.normal, lambda: rng.integers([2, 3])):
        draw()
    assert not rng.alike


def test_a_method_that_numpy_makes_of_another_is_of_the_line_that_asks_for_it():
    """`choice` draws by `random` or by `integers`."""
    rng = generator(log=True)
    line = sys._getframe().f_lineno + 1
    rng.choice(3, p=[0.5, 0.3, 0.2])
    assert [(site, name) for site, name, *_ in rng.logged] == [(f"{__file__}:{line}", "random")]
    rng.follow({"shares": [1.0], "tilts": [[]], "tables": []}, 3, ())
    rng.choice([5, 7])
    ((kind, (cell,)),) = rng.alike.items()
    assert (kind[0], kind[1], kind[4]) == (f"{__file__}:{line + 3}", "integers", ("even", 2))
    assert cell in (0, 1)


def steered(mechanism, plan, n=64):
    """What steered releases are, and what the child tells of them."""
    header, payload = worker.steered_sample(mechanism, lambda: {"a": 1}, n, 1, (), plan, lambda: None)
    told, payload = steered_of(header, payload, n)
    return arrays(header, payload, n)[1], told


class Buffered:
    """Right, and fast: it draws noise for many releases at once."""

    def __init__(self):
        self.noise = []

    def release(self, histogram, rng):
        if not self.noise:
            self.noise = rng.normal(size=10).tolist()
        return {key: count + self.noise.pop() for key, count in histogram.items()}


class Spare:
    """Right: it keeps the second normal of Box and Muller for the next release."""

    def __init__(self):
        self.spare = None

    def release(self, histogram, rng):
        x, self.spare = self.spare, None
        if x is None:
            r, angle = math.sqrt(-2 * math.log(1 - rng.random())), 2 * math.pi * rng.random()
            x, self.spare = r * math.cos(angle), r * math.sin(angle)
        return {key: count + x + rng.normal() for key, count in histogram.items()}


def alone(histogram, rng):
    """Use no draws of other releases."""
    return {key: count + rng.normal() for key, count in histogram.items()}


def test_releases_that_use_the_draws_of_others_are_invalid():
    """Their ratios say nothing about them; releases that stand alone are valid."""
    line = Buffered.release.__code__.co_firstlineno + 2
    plan = {"shares": [0.5, 0.5], "tilts": [[], [[[f"{__file__}:{line}", "normal", 0, 9], 20.0]]]}
    values, told = steered(Buffered(), plan)
    assert not told.valid.any()
    assert (values > 4).any()  # the tilt is there, and would be taken for the mechanism's own
    line = Spare.release.__code__.co_firstlineno + 6
    plan = {"shares": [0.5, 0.5], "tilts": [[], [[[f"{__file__}:{line}", "normal", 0, 0], 20.0]]]}
    assert not steered(Spare(), plan)[1].valid.any()
    line = alone.__code__.co_firstlineno + 2
    plan = {"shares": [0.5, 0.5], "tilts": [[], [[[f"{__file__}:{line}", "normal", 0, 0], 20.0]]]}
    values, told = steered(alone, plan)
    assert told.valid.all()
    assert told.log_ratios.shape == (64, 2)
    assert np.array_equal(values[:, 0] > 4, told.log_ratios[:, 1] > 0)
