"""Counts of users with noise, at epsilon = 1 unless said: each wrong in one way, and how it is done right."""

import math

import numpy as np

STATES = ("NY", "CA", "TX")


def own_states(histogram, rng):
    """Right: its own keys, whatever the input has."""
    return {state: round(histogram.get(state, 0) + rng.laplace(0, 1)) for state in STATES}


def own_states_exact(histogram, rng):
    """Wrong: one of its own keys has no noise."""
    shown = own_states(histogram, rng)
    return {**shown, "TX": histogram.get("TX", 0)}


def geometric(histogram, rng):
    """Right: two-sided geometric noise on its own keys."""
    p = 1 - math.exp(-1)
    return {s: histogram.get(s, 0) + int(rng.geometric(p)) - int(rng.geometric(p)) for s in STATES}


def geometric_wrong_p(histogram, rng):
    """Wrong: 1 - exp(-2) is the p of epsilon = 2."""
    p = 1 - math.exp(-2)
    return {s: histogram.get(s, 0) + int(rng.geometric(p)) - int(rng.geometric(p)) for s in STATES}


def geometric_even(histogram, rng):
    """Wrong: the noise is even, so the parity of the count stays."""
    p = 1 - math.exp(-2)
    return {s: histogram.get(s, 0) + 2 * (int(rng.geometric(p)) - int(rng.geometric(p))) for s in STATES}


def half_the_scale(histogram, rng):
    """Wrong: the scale of epsilon = 2."""
    return {state: round(histogram.get(state, 0) + rng.laplace(0, 0.5)) for state in STATES}


def inverted_scale(histogram, rng, epsilon=0.5):
    """Wrong: epsilon where 1 / epsilon is meant."""
    return {state: round(histogram.get(state, 0) + rng.laplace(0, epsilon)) for state in STATES}


def right_scale(histogram, rng, epsilon=0.5):
    """Right."""
    return {state: round(histogram.get(state, 0) + rng.laplace(0, 1 / epsilon)) for state in STATES}


def gaussian_too_small(histogram, rng):
    """Wrong: sigma of (1, 1e-5) is 3.73."""
    return [round(histogram.get(state, 0) + rng.normal(0, 1.5)) for state in STATES]


def gaussian(histogram, rng):
    """Right."""
    return [round(histogram.get(state, 0) + rng.normal(0, 3.75)) for state in STATES]


def naive_laplace(histogram, rng):
    """Wrong: the low bits of a double tell what was added (Mironov 2012)."""
    return [histogram.get(state, 0) + rng.laplace(0, 1) for state in STATES]


def single_precision(histogram, rng):
    """Wrong: where the noise is small its grid is finer than the same number less another count allows."""
    return [histogram.get(state, 0) + float(np.float32(rng.laplace(0, 1))) for state in STATES]


def uniform_noise(histogram, rng):
    """Wrong: noise with an end."""
    return {state: round(histogram.get(state, 0) + rng.uniform(-5, 5)) for state in STATES}


def clamped_noise(histogram, rng):
    """Wrong: the noise is clamped, not what is released."""
    return {s: histogram.get(s, 0) + int(np.clip(round(rng.laplace(0, 1)), -4, 4)) for s in STATES}


def clamped_output(histogram, rng):
    """Right."""
    return {s: int(np.clip(round(histogram.get(s, 0) + rng.laplace(0, 1)), 0, 1000)) for s in STATES}


def truncated_geometric(histogram, rng):
    """Wrong: noise is drawn again until it is small."""
    noise = {}
    for state in STATES:
        noise[state] = 9
        while abs(noise[state]) > 4:
            noise[state] = int(rng.geometric(1 - math.exp(-1))) - int(rng.geometric(1 - math.exp(-1)))
    return {state: histogram.get(state, 0) + noise[state] for state in STATES}


def same_noise(histogram, rng):
    """Wrong: one draw for all keys, so differences are exact."""
    noise = round(rng.laplace(0, 1))
    return {state: histogram.get(state, 0) + noise for state in STATES}


def seeded_by_the_data(histogram, rng):
    """Wrong: who knows the data knows the noise."""
    own = np.random.default_rng(sum(histogram.values()))
    return {state: round(histogram.get(state, 0) + own.laplace(0, 1)) for state in STATES}


def fixed_seed(histogram, rng):
    """Wrong: the noise is the same in every run."""
    own = np.random.default_rng(2024)
    return {state: round(histogram.get(state, 0) + own.laplace(0, 1)) for state in STATES}


def generator_ignored(histogram, rng):
    """Right, with a generator of its own."""
    own = np.random.default_rng()
    return {state: round(histogram.get(state, 0) + own.laplace(0, 1)) for state in STATES}


def no_noise(histogram, rng):
    """Wrong: noise is drawn, and forgotten."""
    noisy = {state: histogram.get(state, 0) + rng.laplace(0, 1) for state in STATES}
    return {state: histogram.get(state, 0) for state in noisy}


def positive_noise(histogram, rng):
    """Wrong: the sign of the noise is lost."""
    return {state: histogram.get(state, 0) + round(abs(rng.laplace(0, 1))) for state in STATES}


def one_sided(histogram, rng):
    """Wrong: exponential noise never adds."""
    return {state: round(histogram.get(state, 0) - rng.exponential(1)) for state in STATES}


def noise_where_small(histogram, rng):
    """Wrong: large counts are thought to be safe."""
    counts = [histogram.get(state, 0) for state in STATES]
    return [count if count > 40 else round(count + rng.laplace(0, 1)) for count in counts]


def rounded_before(histogram, rng):
    """Wrong: a rounded count moves by ten."""
    return {state: round(round(histogram.get(state, 0), -1) + rng.laplace(0, 1)) for state in STATES}


def rounded_after(histogram, rng):
    """Right."""
    return {state: round(histogram.get(state, 0) + rng.laplace(0, 1), -1) for state in STATES}


def box_muller_with_holes(histogram, rng):
    """Wrong: 255 uniform numbers give few normal ones (at epsilon 1, delta 1e-5)."""
    radius = math.sqrt(-2 * math.log(rng.integers(1, 256) / 256))
    noise = 3.75 * radius * math.cos(2 * math.pi * rng.integers(256) / 256)
    return {"total": sum(histogram.values()) + noise}


def total(histogram, rng):
    """Right, at epsilon 1, delta 1e-5."""
    return {"total": round(sum(histogram.values()) + rng.normal(0, 3.75))}


def inverse_with_holes(histogram, rng):
    """Wrong: a thousand uniform numbers give a thousand noises."""
    u = (rng.integers(1000) + 0.5) / 1000 - 0.5
    return sum(histogram.values()) - math.copysign(1, u) * math.log(1 - 2 * abs(u))


def inverse(histogram, rng):
    """Right, up to what 53 bits can tell."""
    u = rng.random() - 0.5
    return round(sum(histogram.values()) - math.copysign(1, u) * math.log1p(-2 * abs(u)))


def snapped_noise(histogram, rng):
    """Wrong: the noise is snapped to a grid, not the sum."""
    return {state: histogram.get(state, 0) + 4 * round(rng.laplace(0, 1) / 4) for state in STATES}


def snapped_sum(histogram, rng):
    """Right."""
    return {state: 4 * round((histogram.get(state, 0) + rng.laplace(0, 1)) / 4) for state in STATES}


def noise_of_the_count(histogram, rng):
    """Wrong: relative noise shows how large the count is."""
    counts = {state: histogram.get(state, 0) for state in STATES}
    return {state: round(count + rng.laplace(0, max(1, count / 4))) for state, count in counts.items()}


def budget_spent_twice(histogram, rng):
    """Wrong: total and counts have the whole epsilon each."""
    counts = {state: round(histogram.get(state, 0) + rng.laplace(0, 1)) for state in STATES}
    return {"counts": counts, "total": round(sum(map(histogram.get, STATES, (0, 0, 0))) + rng.laplace(0, 1))}


def budget_split(histogram, rng):
    """Right."""
    counts = {state: round(histogram.get(state, 0) + rng.laplace(0, 2)) for state in STATES}
    return {"counts": counts, "total": round(sum(map(histogram.get, STATES, (0, 0, 0))) + rng.laplace(0, 2))}


def averaged(histogram, rng):
    """Wrong: a mean of nine noisy counts has a third of the noise."""
    return {s: round(float(np.mean(histogram.get(s, 0) + rng.laplace(0, 1, 9))), 1) for s in STATES}


def cut_towards_zero(histogram, rng):
    """Wrong: int() cuts noise towards zero, and makes none likelier than it may be."""
    return {state: histogram.get(state, 0) + int(rng.laplace(0, 1)) for state in STATES}


def noise_by_count(histogram, rng):
    """Wrong: states with the same count have the same noise, which tells that it is the same."""
    noise = {}
    counts = [histogram.get(state, 0) for state in STATES]
    return [count + noise.setdefault(count, round(rng.laplace(0, 1))) for count in counts]


def cut_at_twice_the_median(histogram, rng):
    """Wrong: who is in the middle moves the largest by two more."""
    counts = [histogram.get(state, 0) for state in STATES]
    most = 2 * sorted(counts)[1]
    return [round(min(count, most) + rng.laplace(0, 1)) for count in counts]


def cut_at_fifty(histogram, rng):
    """Right: the bound is nobody's."""
    return [round(min(histogram.get(state, 0), 50) + rng.laplace(0, 1)) for state in STATES]


def some_states(histogram, rng):
    """Wrong: the noise of one user in five, and it is states that are sampled."""
    scale = 1 / math.log1p(5 * math.expm1(1))
    return {s: round(histogram.get(s, 0) + rng.laplace(0, scale)) for s in STATES if rng.random() < 0.2}


def some_users(histogram, rng):
    """Right: one user in five."""
    scale = 1 / math.log1p(5 * math.expm1(1))
    return {s: round(rng.binomial(histogram.get(s, 0), 0.2) + rng.laplace(0, scale)) for s in STATES}


def few_seeds(histogram, rng):
    """Wrong: fifty seeds give fifty noises."""
    own = np.random.RandomState(rng.integers(50))
    return [round(histogram.get(state, 0) + own.laplace(0, 1)) for state in STATES]


def many_seeds(histogram, rng):
    """Right."""
    own = np.random.RandomState(rng.integers(2**32))
    return [round(histogram.get(state, 0) + own.laplace(0, 1)) for state in STATES]


class Wearing:
    """Wrong: noise wears off from call to call."""

    def __init__(self):
        self.calls = 0

    def __call__(self, histogram, rng):
        """Release."""
        self.calls += 1
        scale = max(0.2, 1 / self.calls)
        return {state: round(histogram.get(state, 0) + rng.laplace(0, scale)) for state in STATES}


class Counting:
    """Right: it counts its calls, and nothing depends on them."""

    def __init__(self):
        self.calls = 0

    def __call__(self, histogram, rng):
        """Release."""
        self.calls += 1
        return {state: round(histogram.get(state, 0) + rng.laplace(0, 1)) for state in STATES}


class Memo:
    """Wrong: the noise of a key is drawn once, and kept for other data."""

    def __init__(self):
        self.noise = {}

    def __call__(self, histogram, rng):
        """Release."""
        for state in STATES:
            self.noise.setdefault(state, round(rng.laplace(0, 1)))
        return {state: histogram.get(state, 0) + self.noise[state] for state in STATES}


wearing, counting, memo = Wearing(), Counting(), Memo()
