"""The iterated set union of users of two keys, by quadrature, against the bounds of thresholds.iterated."""

import math

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy.special import log_ndtr, ndtr

from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.iterated import (
    SPLIT,
    attained,
    losses_of_new,
    named_profile,
    same_data_bound,
    shared_profile,
)

SMALL = ((3.0, 9.0), (2.0, 6.0), (1.0, 3.5))
NODES, WEIGHTS = leggauss(120)


def parameters(rounds, **more):
    """Return the parameters of the claims."""
    for i, (sigma, threshold) in enumerate(rounds, 1):
        more |= {f"sigma_{i}": sigma, f"threshold_{i}": threshold}
    return more


def shown_part(level, sigma, threshold, mean, other):
    """Return the hockey stick of weights above the threshold, at levels: sup of P - e^level Q."""
    cut = (mean + other) / 2 + sigma**2 * level / (mean - other)
    if mean > other:
        low = np.maximum(cut, threshold)
        return ndtr((mean - low) / sigma) - np.exp(level) * ndtr((other - low) / sigma)
    high = np.maximum(cut, threshold)
    p, q = (ndtr((high - x) / sigma) - ndtr((threshold - x) / sigma) for x in (mean, other))
    return p - np.exp(level) * q


class TwoKeys:
    """Exact hockey sticks of a user of keys a and b.

    Attributes:
        rounds: noise and threshold of each round.
        alone: how many others have a alone, and b alone.
        both: how many others have both keys.
        user_left: the user is in P, else in Q.
    """

    def __init__(self, rounds, alone, both, user_left):
        self.rounds, self.alone, self.both, self.user_left = rounds, alone, both, user_left

    def means(self, key, left):
        """Return the weight of a key in P and in Q."""
        share = 1 / math.sqrt(len(left))
        without = self.alone[key] + self.both * share
        return (without + share, without) if self.user_left else (without, without + share)

    def is_new(self, key):
        """Return whether nobody else has the key."""
        return self.alone[key] + self.both == 0

    def last_shown(self, level, i, means, new):
        """Return the part of one shared key that round i shows, with new keys left, in closed form."""
        sigma, threshold = self.rounds[i]
        lost = -sum(log_ndtr((T - 1 / math.sqrt(len(new))) / s) * len(new) for s, T in self.rounds[i + 1 :] if new)
        if not self.user_left:
            return shown_part(level - lost, sigma, threshold, *means)
        named = -math.expm1(-lost) * ndtr((means[0] - threshold) / sigma)
        return named + math.exp(-lost) * shown_part(level + lost, sigma, threshold, *means)

    def value(self, level, i=0, left=(0, 1)):
        """Return the hockey stick from round i on, with those keys left, at an array of levels."""
        if i == len(self.rounds) or not left:
            return np.maximum(0, -np.expm1(level))
        sigma, threshold = self.rounds[i]
        means = {key: self.means(key, left) for key in left}
        hidden = {key: [log_ndtr((threshold - x) / sigma) for x in means[key]] for key in left}
        for key in filter(self.is_new, left):
            hidden[key][self.user_left] = 0.0
        named = [hidden[key][0] for key in left if self.is_new(key)] if self.user_left else []
        total = -math.expm1(sum(named)) * np.ones_like(level)
        silent = math.exp(sum(named))
        shared = [key for key in left if not self.is_new(key)]
        level = level - sum(hidden[key][0] - hidden[key][1] for key in left if key not in shared)

        def after(level, keys):
            """Hidden keys that are shared: value of what follows."""
            p, q = (sum(hidden[key][side] for key in keys if key in shared) for side in (0, 1))
            return math.exp(p) * self.value(level - (p - q), i + 1, keys)

        found = after(level, left)
        for key in shared:
            mean, other = means[key]
            rest = tuple(each for each in left if each != key)
            if all(map(self.is_new, rest)):
                found = found + self.last_shown(level, i, means[key], rest)
                continue
            low, high = max(threshold, min(mean, other) - 12 * sigma), max(threshold, mean, other) + 12 * sigma
            x = low + (NODES + 1) * (high - low) / 2
            density = np.exp(-(((x - mean) / sigma) ** 2) / 2) / sigma / math.sqrt(2 * math.pi)
            mass = WEIGHTS * (high - low) / 2 * density
            levels = level[..., None] - (mean - other) * (x - (mean + other) / 2) / sigma**2
            found = found + after(levels, rest) @ mass
            if key == shared[-1] and len(shared) == 2:
                found = found + shown_part(levels, sigma, threshold, *means[shared[0]]) @ mass
        return total + silent * found


def test_the_quadrature_of_two_keys_is_the_law_of_new_and_of_far_keys():
    """Two new keys, a new key beside a far one, and two far ones, both orders, five levels."""
    for direction in Direction:
        for new, alone in ((2, (0, 0)), (1, (0, 200)), (0, (200, 200))):
            law = TwoKeys(SMALL, alone, 0, direction is Direction.FORWARD)
            for epsilon in (0.0, 0.5, 1.0, 2.0, 4.0):
                exact = named_profile(Float64(), np.float64(epsilon), direction, rounds=SMALL, new=new, far=2 - new)
                assert float(law.value(np.float64(epsilon))) == pytest.approx(float(exact), rel=1e-7, abs=1e-12)


def test_no_user_of_two_keys_exceeds_the_bound():
    """At 400 random data of others: keys new and shared, other users of both keys, noise and thresholds at random."""
    rng, closest = np.random.default_rng(46), 0.0
    for _case in range(400):
        sigmas = np.sort(rng.uniform(0.5, 4, 3))[:: rng.choice([-1, 1])]
        rounds = tuple((s, 1 + s * rng.uniform(0.5, 4)) for s in sigmas)
        alone = tuple(int(x) for x in rng.choice([*[0] * 7, *range(1, 14)], size=2))
        both, epsilon = int(rng.choice([0, 0, 1, 3])), float(rng.choice([0, 0.25, 0.5, 1, 2]))
        at = {name: np.float64(x) for name, x in parameters(rounds, epsilon=epsilon).items()}
        bound = float(same_data_bound(Float64(), c_u=2, **at))
        for user_left in (True, False):
            exact = float(TwoKeys(rounds, alone, both, user_left).value(np.float64(epsilon)))
            assert exact <= bound + 1e-9, (rounds, alone, both, epsilon, user_left)
            closest = max(closest, exact / bound)
    assert closest > 0.999


def test_the_skipped_ranges_hold_no_larger_bound():
    """Against every number of new keys in doubles, at 200 random settings of up to 300 keys."""
    from mechanisms.baselines.analytic_gaussian_accountant import profile

    rng = np.random.default_rng(461)
    for _case in range(200):
        sigmas = rng.uniform(0.5, 30, 3)
        rounds = tuple((s, 1 + s * rng.uniform(-1, 6)) for s in sigmas)
        c_u, epsilon = int(rng.integers(1, 300)), float(rng.choice([0, 0.1, 1, 3]))
        square, each = sum(1 / s**2 for s in sigmas), [profile(epsilon, math.sqrt(sum(1 / s**2 for s in sigmas)))]
        for new in range(1, c_u + 1):
            loss = float(sum(losses_of_new(Float64(), rounds, np.float64(new))))
            noise = profile(epsilon, math.sqrt(square * (1 - new / c_u))) if new < c_u else 0.0
            each.append(-math.expm1(-loss) + math.exp(-loss) * noise)
        at = {name: np.float64(x) for name, x in parameters(rounds, epsilon=epsilon).items()}
        assert float(same_data_bound(Float64(), c_u=c_u, **at)) == pytest.approx(max(each), rel=1e-12)


def test_by_the_noise_two_shared_keys_cost_more_than_one_and_less_than_the_bound_says():
    """At the default split: 1.42e-6 of one key, 1.95e-6 of two that others have together, 4.99e-6 by the bound."""
    rounds, epsilon = ((15.26, 77.0), (8.36, 40.6), (4.58, 21.6)), np.float64(1)
    one = max(
        float(shared_profile(Float64(), epsilon, way, rounds=rounds, others=others))
        for others in range(1, 110)
        for way in Direction
    )
    two = float(TwoKeys(rounds, (30, 71), 21, user_left=False).value(epsilon))
    at = {name: np.float64(x) for name, x in parameters(rounds, epsilon=1).items()}
    noise = float(same_data_bound(Float64(), c_u=1, **at))
    assert (one, two, noise) == pytest.approx((1.41990e-6, 1.95424e-6, 4.99395e-6), rel=1e-5)


@pytest.mark.parametrize("c_u", [2, 3, 10, 100, 1000])
def test_at_the_default_split_the_bound_is_attained_from_two_keys_on(c_u):
    """The two agree to 30 digits, and balls decide that the bound is no smaller."""
    at = {name: MpReal(40).number(x) for name, x in SPLIT.items()}
    bound, lower = (float_of(MpReal(40), c_u=c_u, **at) for float_of in (same_data_bound, attained))
    assert abs(bound - lower) <= bound / 10**30
